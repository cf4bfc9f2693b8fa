"""Syntax nodes of types and parameters."""

from __future__ import annotations

import attrs

from rulebook.syntax.base_nodes import Name, Node
from rulebook.syntax.expression_nodes import Expr
from rulebook.syntax.syntax_enums import HolderForm


@attrs.frozen
class RangeType(Node):
    """`low to high`, for an option also `low to high or none`.

    The bounds are numbers or names of options.
    """

    low: Expr
    high: Expr
    optional: bool = False


@attrs.frozen
class YesNoType(Node):
    """`yes/no`: type of conditions."""


@attrs.frozen
class KindType(Node):
    """`NAME` or `NAME or none`: type of the members of a kind."""

    name: Name
    optional: bool = False


@attrs.frozen
class HolderType(Node):
    """`bag of K`, `endless bag of K`, `stack of K`, `set of K`; `form` is the word."""

    form: HolderForm = attrs.field(converter=HolderForm)
    name: Name
    endless: bool = False


TypeExpr = RangeType | YesNoType | KindType | HolderType


@attrs.frozen
class ParameterPhrase(Node):
    """Parameter `KIND [NAME]`, `bag [of CARDS] NAME`, `set of KIND NAME` or a number.

    `kind` is None for a number, `low to high NAME`; the name defaults to the kind's.
    `held` is the kind of the cards in a bag, or of the members of a set; it is None for
    a bag of the only kind of cards.
    """

    kind: Name | None
    name: Name
    range: RangeType | None = None
    held: Name | None = None

    @property
    def kind_word(self) -> str:
        """Kind of the parameter in the address of a definition."""
        if self.kind is None:
            return "number"
        is_set = self.kind.text == HolderForm.SET and self.held is not None
        return f"set_of_{self.held.text}" if is_set and self.held else self.kind.text


@attrs.frozen
class RoomPhrase(Node):
    """Limit on the pieces on one space: at most `maximum` (None: unlimited).

    It counts the pieces of each member of the kind `owner`, or all pieces together.
    """

    maximum: Expr | None
    owner: Name | None = None
