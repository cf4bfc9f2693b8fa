"""Statements that are checked: what a step of play does."""

from __future__ import annotations

import attrs

from rulebook.model.base import Binder, Expr, Part
from rulebook.model.sets import Measure
from rulebook.sorts import StackEnd, Way


@attrs.frozen
class SetLocal(Part):
    """A `let`, or a new value for a variable."""

    slot: int
    name: str
    value: Expr


@attrs.frozen
class SetTally(Part):
    """A new number in a local tally, or with `indices` empty: all 0."""

    slot: int
    name: str
    domains: tuple[str, ...]
    indices: tuple[Expr, ...]
    value: Expr | None


@attrs.frozen
class SetField(Part):
    field: str
    owner: Expr | None
    value: Expr


@attrs.frozen
class MoveCards(Part):
    """Cards given by a bag, from holder to holder; None is outside the game.

    With `up_to`, of each kind as many as the source has. Otherwise the checker has
    seen that the source has them. Holders are `FieldValue`s of bag or stack type.
    A stack as destination takes cards at its `end`, `top` or `bottom`.
    """

    bag: Expr
    source: Expr | None
    destination: Expr | None
    up_to: bool = False
    end: StackEnd = StackEnd.TOP


@attrs.frozen
class MoveAll(Part):
    """Everything, or all of one member, from holder to holder."""

    member: Expr | None
    source: Expr
    destination: Expr | None


@attrs.frozen
class DrawCard(Part):
    """One card: at random from a bag, or the top one of a stack; a chance event.

    A stack's top card that somebody could know already is no chance. With an empty
    source nothing happens. With `slot` the card's kind is bound.
    """

    event: str
    source: Expr
    destination: Expr | None
    slot: int | None = None
    end: StackEnd = StackEnd.TOP


@attrs.frozen
class PlacePiece(Part):
    """Put a piece, or `count` of them, on a space; the only one there is moves there.

    There must be room on the space, unless what stands there goes back to its supply
    (`instead`). In the top level of an action the requirement `stock` guards it.
    """

    piece: str
    owner: Expr | None
    space: Expr
    count: Expr | None = None
    instead: bool = False


@attrs.frozen
class RemovePiece(Part):
    """Take a piece, or `count` of them, off a space, back to its owner's supply.

    Without an owner where pieces have one, those of all players: then they are counted.
    """

    piece: str
    owner: Expr | None
    space: Expr
    count: Expr | None = None


@attrs.frozen
class MovePiece(Part):
    """Take a piece, or `count` of them, off one space and put it on another."""

    piece: str
    owner: Expr | None
    source: Expr
    space: Expr
    count: Expr | None = None
    instead: bool = False


@attrs.frozen
class Shuffle(Part):
    """Forget the order of a stack."""

    stack: Expr


@attrs.frozen
class RollDice(Part):
    """Set fields of the game to the faces rolled: one event, an ordered list.

    Only outcomes for which the condition holds (read with the new values) count.
    """

    event: str
    fields: tuple[str, ...]
    condition: Expr | None


@attrs.frozen
class ChanceChoose(Part):
    """Bind a member of the set by a uniform draw; with an empty set the block ends."""

    event: str
    slot: int
    name: str
    set: Expr


@attrs.frozen
class Spread(Part):
    """Deal all cards of a domain over the members of a set, as a field of each.

    `column` is the card's attribute that is dealt (None: the card itself). Each
    card is one event, uniform over the cards that can still be completed so that
    the condition holds at the end.
    """

    event: str
    cards: str
    set: Expr
    field: str
    column: str | None
    condition: Expr | None


@attrs.frozen
class Choose(Binder, Part):
    """A seat chooses a member of the set: action `choice`; bound to the slot.

    With an empty set the enclosing block ends, or for `optional` the `otherwise` runs.
    Optional adds `pass`; then `body` runs after a choice, `otherwise` after a pass.
    With `if_several` a set of one is not asked about: its member is bound at once.
    """

    who: Expr
    choice: str
    optional: bool = False
    body: tuple[Stmt, ...] = ()
    otherwise: tuple[Stmt, ...] = ()
    if_several: bool = False


@attrs.frozen
class Gather(Binder, Part):
    """A seat picks cards one at a time, in the order of their domain, into a bag.

    `set` are the members that may be picked, `source` the bag that holds them (None:
    any number of each). At least `low` and at most `high` cards, or as many as there
    are; `pass` ends it from `low` on. `slot` is bound to the member while `where` is
    tested; `bag` is the slot of the result.
    """

    who: Expr
    choice: str
    low: Expr
    high: Expr
    source: Expr | None
    bag: int


@attrs.frozen
class Offer(Part):
    """An action in a choice, with arguments given (then fixed) or left to the seat."""

    action: str
    arguments: tuple[Expr, ...] = ()
    free: bool = False


@attrs.frozen
class Ask(Part):
    """A seat does one of the offered actions.

    Not optional: if none is legal the statement is skipped. Optional: `pass` is legal
    too; `body` runs after an action, `otherwise` after a pass (or when there is
    nothing to choose and everybody can know it: `skips`). With `until`, the offers
    come again and again until that action (no parameters, always legal) is taken.
    """

    who: Expr
    offers: tuple[Offer, ...]
    optional: bool = False
    until: str | None = None
    skips: bool = True
    body: tuple[Stmt, ...] = ()
    otherwise: tuple[Stmt, ...] = ()


@attrs.frozen
class Sees(Part):
    """A seat looks at a holder; what it saw it knows until it moves."""

    who: Expr
    holder: Expr


@attrs.frozen
class Reveal(Part):
    """Bind the top card of a stack, drawing it by chance if it is not known."""

    event: str
    stack: Expr
    slot: int
    name: str


@attrs.frozen
class CarryOut(Part):
    """Run the text of a card; its `you` is `who` (None: the unit's own)."""

    card: Expr
    who: Expr | None = None


@attrs.frozen
class Ranking(Binder, Part):
    """Who comes before whom: the members that meet the condition, by their measures."""

    by: tuple[Measure, ...]


@attrs.frozen
class Wins(Part):
    """The game ends; None: without a winner. `reason` is the clause's name.

    `who` is a player or a set of players. With a `ranking` the best win, and all others
    have ranks too.
    """

    who: Expr | None
    reason: str
    ranking: Ranking | None = None


@attrs.frozen
class GameEnds(Part):
    """The game is over; what decides who wins is the procedure `end`."""


@attrs.frozen
class Starts(Part):
    """This player takes the first turn."""

    who: Expr


@attrs.frozen
class NextTurn(Part):
    """This player has the next turn; of none the order goes on."""

    who: Expr


@attrs.frozen
class MissesTurn(Part):
    """This player misses a turn when the order comes to it."""

    who: Expr


@attrs.frozen
class TurnsGo(Part):
    """Which way the turns go."""

    way: Way


@attrs.frozen
class Stop(Part):
    """Leave this unit."""


@attrs.frozen
class Require(Part):
    """In tests: the condition must hold."""

    condition: Expr


@attrs.frozen
class Call(Part):
    procedure: str
    arguments: tuple[Expr, ...]


@attrs.frozen
class Step(Part):
    """A labelled block."""

    label: str
    body: tuple[Stmt, ...]


@attrs.frozen
class If(Part):
    condition: Expr
    body: tuple[Stmt, ...]
    otherwise: tuple[Stmt, ...] = ()


@attrs.frozen
class Each(Binder, Part):
    """For each member of the set, taken once at the start; `where` is tested when
    a member's turn comes.

    What a file asks before the first round is a `Filter` of this slot, but where no
    round can change it for a later member: there nobody can tell, and `where` asks.
    `still` is True if the file says `where still`; it changes no rule.
    """

    body: tuple[Stmt, ...]
    still: bool = False


@attrs.frozen
class Together(Binder, Part):
    """The body for each player of the set, answers hidden until all have answered."""

    body: tuple[Stmt, ...]


@attrs.frozen
class Repeat(Part):
    """The body so many times; `times` is read once, `until` before each round."""

    times: Expr
    body: tuple[Stmt, ...]
    until: Expr | None = None


Stmt = (
    SetLocal
    | SetTally
    | SetField
    | MoveCards
    | MoveAll
    | DrawCard
    | PlacePiece
    | RemovePiece
    | MovePiece
    | Shuffle
    | RollDice
    | ChanceChoose
    | Spread
    | Choose
    | Gather
    | Ask
    | Sees
    | Reveal
    | CarryOut
    | Wins
    | GameEnds
    | Starts
    | NextTurn
    | MissesTurn
    | TurnsGo
    | Stop
    | Require
    | Call
    | Step
    | If
    | Each
    | Together
    | Repeat
)

__all__ = [
    "Ask",
    "Call",
    "CarryOut",
    "ChanceChoose",
    "Choose",
    "DrawCard",
    "Each",
    "GameEnds",
    "Gather",
    "If",
    "MissesTurn",
    "MoveAll",
    "MoveCards",
    "MovePiece",
    "NextTurn",
    "Offer",
    "PlacePiece",
    "Ranking",
    "RemovePiece",
    "Repeat",
    "Require",
    "Reveal",
    "RollDice",
    "Sees",
    "SetField",
    "SetLocal",
    "SetTally",
    "Shuffle",
    "Spread",
    "Starts",
    "Step",
    "Stmt",
    "Stop",
    "Together",
    "TurnsGo",
    "Wins",
]
