"""Base classes of all parts of the checked model."""

from __future__ import annotations

from typing import ClassVar, Protocol, TypeAlias

import attrs

from rulebook.model.value_types import Type
from rulebook.source.spans import NOWHERE, Span

YOU = 0
FREE = 1


@attrs.frozen
class Part:
    """Part of the model, with its span in a rule file."""

    scope: ClassVar[tuple[str, ...]] = ()
    """Names of the fields in which the variable that the part binds is in scope."""

    span: Span = attrs.field(default=NOWHERE, eq=False, repr=False, kw_only=True)


@attrs.frozen
class Typed(Part):
    """Expression: a part that has a value of a known type."""

    type: Type = attrs.field(kw_only=True)

    is_fixed: ClassVar[bool] = False
    """True if the value is known before the game, provided that all operands are."""


Expr: TypeAlias = Typed
"""Type alias for expressions, whose classes are in `model_values` and `set_values`."""


class FieldPlace(Protocol):
    """Field of a member or of the game, as read by expressions or set by statements."""

    @property
    def field(self) -> str:
        """Key of the field in the model, such as `player.level`."""

    @property
    def owner(self) -> Expr | None:
        """Member that owns the value, or None for the game."""


@attrs.frozen(slots=False)
class Binder:
    """Variable that ranges over the members of a set that meet a condition.

    Without a condition, it ranges over all members. `slot` holds the member while the
    condition is evaluated, and in the parts that a subclass evaluates for each member:
    a value or a body. Some expressions and statements are binders. The class therefore
    has no Python slots, because two base classes cannot both have them.
    """

    scope: ClassVar[tuple[str, ...]] = ("where", "value", "by", "body")

    slot: int
    name: str
    set: Expr
    where: Expr | None
