"""Checked expressions, each with a type."""

from __future__ import annotations

from typing import Any

import attrs

from rulebook.model.base_parts import Expr, Typed
from rulebook.shared_enums import ArithmeticOperator, Comparison

# ---------------------------------------------------------------- values


@attrs.frozen
class Const(Typed):
    """Constant: a bool, an int, an index (-1 for none), or a tuple (a bag or a set)."""

    is_fixed = True

    value: Any


@attrs.frozen
class OptionValue(Typed):
    """Value of an option, fixed before set-up."""

    is_fixed = True

    name: str


@attrs.frozen
class PlayerCount(Typed):
    """Number of players."""

    is_fixed = True


@attrs.frozen
class Local(Typed):
    """Variable of the unit: a parameter, a bound member or a `let`; slot 0 is `you`."""

    slot: int
    name: str = attrs.field(eq=False)


@attrs.frozen
class FieldValue(Typed):
    """Value of a field of a member (`owner`), or of the game if owner is None.

    If the owner is `none`, the value is none (-1), 0 or no.
    """

    field: str
    owner: Expr | None


@attrs.frozen
class ColumnValue(Typed):
    """Value of a constant attribute of a member.

    For a member of `none`, the value is none, 0, no or empty.
    """

    is_fixed = True

    domain: str
    column: str
    of: Expr


@attrs.frozen
class Related(Typed):
    """Set of members that a relation of the board links to `of`."""

    relation: str
    of: Expr


@attrs.frozen
class SpaceAt(Typed):
    """Space or card with these coordinates, or none.

    If each player has such spaces, it is the space of the player `owner`.
    """

    domain: str
    owner: Expr | None
    coordinates: tuple[Expr, ...]


@attrs.frozen
class OwnSpaces(Typed):
    """Spaces that belong to a player, in a domain with spaces for each player."""

    domain: str
    player: Expr


@attrs.frozen
class TallyValue(Typed):
    """One number of a local tally."""

    slot: int
    indices: tuple[Expr, ...]


@attrs.frozen
class CallDefine(Typed):
    define: str
    arguments: tuple[Expr, ...]


@attrs.frozen
class AwardHolder(Typed):
    """Player who holds an award, or none."""

    award: str


@attrs.frozen
class PlayerPoints(Typed):
    """Points of a player: the sum of the `points` lines.

    With `visible`, only lines that read no hidden information count.
    """

    player: Expr
    visible: bool = False


@attrs.frozen
class ActivePlayer(Typed):
    """Player whose turn it is; none before the first turn."""


@attrs.frozen
class RoundNumber(Typed):
    """Number of the current round: 1 for the first round of turns, 0 before it."""


@attrs.frozen
class Winner(Typed):
    """Sole winner; none before the end of the game, or if several players have won."""


@attrs.frozen
class Winners(Typed):
    """Set of all players who have won."""


# ---------------------------------------------------------------- pieces


@attrs.frozen
class PieceOn(Typed):
    """Condition that a piece of `owner` is on a space (None: of any owner).

    With `another`, the piece belongs to an owner other than `owner`.
    """

    piece: str
    owner: Expr | None
    space: Expr
    another: bool = False


@attrs.frozen
class PieceOwner(Typed):
    """Owner of the piece on a space, or none."""

    piece: str
    space: Expr


@attrs.frozen
class PieceCount(Typed):
    """Number of pieces anywhere, on one space, or on the spaces of a set.

    The spaces of the set are of one domain. With `another`, the pieces of all owners
    other than `owner` count.
    """

    piece: str
    owner: Expr | None
    spaces: Expr | None
    another: bool = False


@attrs.frozen
class PieceLeft(Typed):
    """Number of pieces left in the supply, of `owner` if the pieces have owners."""

    piece: str
    owner: Expr | None


@attrs.frozen
class PieceSpaces(Typed):
    """Spaces of a domain that hold a piece, of `owner` if the pieces have owners."""

    piece: str
    owner: Expr | None
    domain: str


@attrs.frozen
class PieceSpace(Typed):
    """Space of a piece (the first if there are several), or none."""

    piece: str
    owner: Expr | None
    domain: str


# ---------------------------------------------------------------- arithmetic and logic


@attrs.frozen
class Arith(Typed):
    """Arithmetic on two numbers; none counts as 0."""

    is_fixed = True

    op: ArithmeticOperator
    left: Expr
    right: Expr


@attrs.frozen
class Conditional(Typed):
    """Number chosen by a condition: `value` if it is true, else `other`."""

    condition: Expr
    value: Expr
    other: Expr


@attrs.frozen
class MemberAfter(Typed):
    """Member some places after (or before) another one; after the last comes the first.

    It is none if `member` is none.
    """

    is_fixed = True

    places: Expr
    member: Expr
    before: bool = False


@attrs.frozen
class HalfOf(Typed):
    """Half of a number, rounded down."""

    is_fixed = True

    value: Expr


@attrs.frozen
class Extreme(Typed):
    is_fixed = True

    smaller: bool
    left: Expr
    right: Expr


@attrs.frozen
class Compare(Typed):
    """Comparison of two values of comparable types."""

    is_fixed = True

    op: Comparison
    left: Expr
    right: Expr


@attrs.frozen
class And(Typed):
    is_fixed = True

    parts: tuple[Expr, ...]


@attrs.frozen
class Or(Typed):
    is_fixed = True

    parts: tuple[Expr, ...]


@attrs.frozen
class Not(Typed):
    is_fixed = True

    value: Expr


# ---------------------------------------------------------------- bags and stacks


@attrs.frozen
class CountIn(Typed):
    """Number of copies of one card in a bag or stack."""

    holder: Expr
    member: Expr


@attrs.frozen
class SizeOf(Typed):
    """Number of cards in a bag or stack, or of members in a set."""

    is_fixed = True

    holder: Expr


@attrs.frozen
class Covers(Typed):
    """Condition that a holder contains at least the cards of a bag."""

    holder: Expr
    bag: Expr


@attrs.frozen
class KindsIn(Typed):
    """Set of members that a bag or stack contains at least once."""

    holder: Expr


@attrs.frozen
class SingleBag(Typed):
    """Bag with `count` copies of one card."""

    is_fixed = True

    count: Expr
    member: Expr


@attrs.frozen
class SumBags(Typed):
    """Bag with the cards of several bags together."""

    is_fixed = True

    bags: tuple[Expr, ...]


@attrs.frozen
class StackCard(Typed):
    """Card of a stack if it is known, or none; see `Reveal`.

    It is the top card, or the card at a `place`. Places are numbered from 1 at the top,
    or at the bottom if `from_bottom`.
    """

    stack: Expr
    place: Expr | None = None
    from_bottom: bool = False
