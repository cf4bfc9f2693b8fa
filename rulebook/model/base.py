"""What every part of the checked rules has."""

from __future__ import annotations

from typing import TypeAlias

import attrs

from rulebook.model.types import Type
from rulebook.source.spans import NOWHERE, Span

YOU = 0
FREE = 1


@attrs.frozen
class Part:
    """Anything in the model that was written somewhere."""

    span: Span = attrs.field(default=NOWHERE, eq=False, repr=False, kw_only=True)


@attrs.frozen
class Typed(Part):
    """An expression: something with a value of a known type."""

    type: Type = attrs.field(kw_only=True)


Expr: TypeAlias = Typed
"""What stands where a value is wanted; `values` and `sets` have all there are."""


@attrs.frozen(slots=False)
class Binder:
    """A name for the members of a set that meet a condition (None: for all).

    The member is in `slot` while the condition is tested, and in what a class adds of
    each: a value, a body. Expressions and statements are binders; for that the class
    has no slots of Python's, which two bases cannot both have.
    """

    slot: int
    name: str
    set: Expr
    where: Expr | None
