"""Expressions that are checked: each has a type."""

from __future__ import annotations

from typing import Any

import attrs

from rulebook.model.base import Expr, Typed
from rulebook.sorts import Comparison, Reckoning

# ---------------------------------------------------------------- values


@attrs.frozen
class Const(Typed):
    """A bool, an int, an index (-1 for none), or a tuple of these (a bag or a set)."""

    value: Any


@attrs.frozen
class OptionValue(Typed):
    """The value of an option, fixed before set-up."""

    name: str


@attrs.frozen
class PlayerCount(Typed):
    """The number of players."""


@attrs.frozen
class Local(Typed):
    """A parameter, binder or `let` variable of the unit; slot 0 is `you`."""

    slot: int
    name: str = attrs.field(eq=False)


@attrs.frozen
class FieldValue(Typed):
    """A field of a member (`owner`), or with owner None of the game.

    `none`'s field is none (-1), 0 or no.
    """

    field: str
    owner: Expr | None


@attrs.frozen
class ColumnValue(Typed):
    """The constant attribute of a member; of none it is none, 0, no or empty."""

    domain: str
    column: str
    of: Expr


@attrs.frozen
class Related(Typed):
    """The set of members that a relation of the board links to `of`."""

    relation: str
    of: Expr


@attrs.frozen
class SpaceAt(Typed):
    """The space with these coordinates, or none.

    Where each player has such spaces, of the player `owner`.
    """

    domain: str
    owner: Expr | None
    coordinates: tuple[Expr, ...]


@attrs.frozen
class OwnSpaces(Typed):
    """The spaces of a domain of which each player has some that are this player's."""

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
    """The player who holds an award, or none."""

    award: str


@attrs.frozen
class Points(Typed):
    """A player's points: the sum of the `points` lines.

    With `visible` only of the lines that read nothing hidden from anybody.
    """

    player: Expr
    visible: bool = False


@attrs.frozen
class ActivePlayer(Typed):
    """The player whose turn it is; none before the first turn."""


@attrs.frozen
class Round(Typed):
    """1 in the first round of turns, 0 before it."""


@attrs.frozen
class Winner(Typed):
    """The player who has won alone; none before, in a draw, and where several win."""


@attrs.frozen
class Winners(Typed):
    """The set of all players who have won."""


# ---------------------------------------------------------------- pieces


@attrs.frozen
class PieceOn(Typed):
    """Whether a piece stands on a space: anybody's (owner None), or an owner's.

    With `another` it is: of a player other than `owner`.
    """

    piece: str
    owner: Expr | None
    space: Expr
    another: bool = False


@attrs.frozen
class PieceOwner(Typed):
    """The player whose piece stands on a space, or none."""

    piece: str
    space: Expr


@attrs.frozen
class PieceCount(Typed):
    """How many pieces stand anywhere, on one space, or on the spaces of a set (of one
    domain).

    With `another` it is: of all players other than `owner`.
    """

    piece: str
    owner: Expr | None
    spaces: Expr | None
    another: bool = False


@attrs.frozen
class PieceLeft(Typed):
    """How many pieces are still in the (owner's) supply."""

    piece: str
    owner: Expr | None


@attrs.frozen
class PieceSpaces(Typed):
    """The spaces of a domain on which (the owner's) pieces stand."""

    piece: str
    owner: Expr | None
    domain: str


@attrs.frozen
class PieceSpace(Typed):
    """Where the first such piece stands, or none."""

    piece: str
    owner: Expr | None
    domain: str


# ---------------------------------------------------------------- arithmetic and logic


@attrs.frozen
class Arith(Typed):
    """Two numbers reckoned with, as in the syntax; a none operand counts as 0."""

    op: Reckoning
    left: Expr
    right: Expr


@attrs.frozen
class Conditional(Typed):
    """The number `value` if the condition holds, else `other`."""

    condition: Expr
    value: Expr
    other: Expr


@attrs.frozen
class Half(Typed):
    """Half, rounded down."""

    value: Expr


@attrs.frozen
class Extreme(Typed):
    smaller: bool
    left: Expr
    right: Expr


@attrs.frozen
class Compare(Typed):
    """Both sides have comparable types."""

    op: Comparison
    left: Expr
    right: Expr


@attrs.frozen
class And(Typed):
    parts: tuple[Expr, ...]


@attrs.frozen
class Or(Typed):
    parts: tuple[Expr, ...]


@attrs.frozen
class Not(Typed):
    value: Expr


# ---------------------------------------------------------------- bags and stacks


@attrs.frozen
class CountIn(Typed):
    """How many of one member a bag or stack holds."""

    holder: Expr
    member: Expr


@attrs.frozen
class SizeOf(Typed):
    """How many cards a bag or stack holds, or how many members a set has."""

    holder: Expr


@attrs.frozen
class Covers(Typed):
    """Whether a bag holds at least the cards of another bag."""

    holder: Expr
    bag: Expr


@attrs.frozen
class KindsIn(Typed):
    """The set of members of which a bag or stack holds at least one."""

    holder: Expr


@attrs.frozen
class SingleBag(Typed):
    """The bag of `count` cards of one member."""

    count: Expr
    member: Expr


@attrs.frozen
class SumBags(Typed):
    """The cards of several bags together."""

    bags: tuple[Expr, ...]


@attrs.frozen
class TopOf(Typed):
    """The top card of a stack whose top is known, or none; see `Reveal`."""

    stack: Expr
