"""Checked statements of the model."""

from __future__ import annotations

import attrs

from rulebook.model.base_parts import Binder, Expr, Part
from rulebook.model.set_values import RankMeasure
from rulebook.shared_enums import StackEnd, TurnDirection


@attrs.frozen
class SetLocal(Part):
    """Statement that assigns a value to a variable, or declares it with `let`."""

    slot: int
    name: str
    value: Expr


@attrs.frozen
class SetTally(Part):
    """Statement that sets one number of a local tally.

    Without `indices`, all numbers become 0.
    """

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
    """Statement that moves the cards of a bag between holders.

    A holder that is None is outside the game. With `up_to`, at most as many cards of
    each kind are moved as the source has. Otherwise the checker has verified that the
    source has them. Holders are `FieldValue`s of bag or stack type. A stack as
    destination takes cards at its `end`, `top` or `bottom`.
    """

    bag: Expr
    source: Expr | None
    destination: Expr | None
    up_to: bool = False
    end: StackEnd = StackEnd.TOP


@attrs.frozen
class MoveAll(Part):
    """Statement that moves all cards, or all copies of one card, between holders."""

    member: Expr | None
    source: Expr
    destination: Expr | None


@attrs.frozen
class DrawCard(Part):
    """Statement that draws a card: at random from a bag, or the top card of a stack.

    It is a chance event, unless the top card of a stack could be known already. With an
    empty source nothing happens. With `slot`, the card's kind is bound.
    """

    event: str
    source: Expr
    destination: Expr | None
    slot: int | None = None
    end: StackEnd = StackEnd.TOP


@attrs.frozen
class PlacePiece(Part):
    """Statement that puts one or `count` pieces on a space; a unique piece moves there.

    The space must have room, unless its pieces return to their supply (`instead`). At
    the top level of an action, the requirement `stock` guards the supply. The `carried`
    statements update the fields of the pieces before the pieces move.
    """

    piece: str
    owner: Expr | None
    space: Expr
    count: Expr | None = None
    instead: bool = False
    carried: tuple[Stmt, ...] = ()


@attrs.frozen
class RemovePiece(Part):
    """Statement that returns one or `count` pieces from a space to the supply.

    For pieces with owners, no owner means all players' pieces; `count` is then given.
    """

    piece: str
    owner: Expr | None
    space: Expr
    count: Expr | None = None
    carried: tuple[Stmt, ...] = ()


@attrs.frozen
class MovePiece(Part):
    """Statement that moves one or `count` pieces from one space to another."""

    piece: str
    owner: Expr | None
    source: Expr
    space: Expr
    count: Expr | None = None
    instead: bool = False
    carried: tuple[Stmt, ...] = ()


@attrs.frozen
class Shuffle(Part):
    """Statement that shuffles a stack, so that its order is no longer known."""

    stack: Expr


@attrs.frozen
class RollDice(Part):
    """Dice roll: one chance event whose faces are stored in fields of the game.

    Only outcomes that meet the condition, evaluated with the new values, are possible.
    """

    event: str
    fields: tuple[str, ...]
    condition: Expr | None


@attrs.frozen
class ChanceChoose(Part):
    """Uniform draw of a member of the set; if the set is empty, the block ends."""

    event: str
    slot: int
    name: str
    set: Expr


@attrs.frozen
class Spread(Part):
    """Random deal of all cards of a domain over members of a set, into a field of each.

    `column` is the card's attribute that is dealt (None: the card itself). Each card is
    one event, uniform over the cards that allow a completion under the condition.
    """

    event: str
    cards: str
    set: Expr
    field: str
    column: str | None
    condition: Expr | None


@attrs.frozen
class Choose(Binder, Part):
    """Choice of a member of the set by a seat, made by the action `choice`.

    With an empty set the enclosing block ends, or `otherwise` runs if it is `optional`.
    An optional choice adds `pass`; `body` runs after a choice, `otherwise` after a
    pass. The chosen member is bound to `slot`. With `if_several` the only member of a
    set is bound at once, without a decision.
    """

    player: Expr
    choice: str
    optional: bool = False
    body: tuple[Stmt, ...] = ()
    otherwise: tuple[Stmt, ...] = ()
    if_several: bool = False


@attrs.frozen
class Gather(Binder, Part):
    """Choice of several cards, picked one at a time in the order of their domain.

    `set` contains the members that may be picked, `source` is the bag that holds them
    (None: any number of each). The seat picks from `low` to `high` cards, or as many as
    there are; `low` makes `pass` legal. `slot` is bound to the member while `where`
    is evaluated; `bag` is the slot of the result, a bag.
    """

    player: Expr
    choice: str
    low: Expr
    high: Expr
    source: Expr | None
    bag: int


@attrs.frozen
class Offer(Part):
    """Action offered in a choice; its arguments are fixed here or left to the seat."""

    action: str
    arguments: tuple[Expr, ...] = ()
    free: bool = False


@attrs.frozen
class Ask(Part):
    """Choice of one of the offered actions by a seat.

    If it is not optional, the statement is skipped when no action is legal. If it is
    optional, `pass` is legal too; `body` runs after an action, `otherwise` after a
    pass. `otherwise` also runs if no action is legal and everybody can know it
    (`skips`). With `until`, the offers are repeated until that action is taken, which
    has no parameters and is always legal.
    """

    player: Expr
    offers: tuple[Offer, ...]
    optional: bool = False
    until: str | None = None
    skips: bool = True
    body: tuple[Stmt, ...] = ()
    otherwise: tuple[Stmt, ...] = ()


@attrs.frozen
class Sees(Part):
    """Statement that lets a seat look into a holder.

    The seat knows its contents until they move.
    """

    player: Expr
    holder: Expr


@attrs.frozen
class Reveal(Part):
    """Statement that binds the top card of a stack, drawn by chance if unknown."""

    event: str
    stack: Expr
    slot: int
    name: str


@attrs.frozen
class CarryOut(Part):
    """Statement that runs a card's text, with `player` (None: unchanged) as `you`."""

    card: Expr
    player: Expr | None = None


@attrs.frozen
class Ranking(Binder, Part):
    """Ranking of the members that meet the condition, by their measures in order."""

    by: tuple[RankMeasure, ...]


@attrs.frozen
class Wins(Part):
    """Statement that ends the game, with or without winners.

    `reason` is the clause's name. `player` is a player, a set of players, or None for
    no winner. With a `ranking` the best of them win, and all others have ranks too.
    """

    player: Expr | None
    reason: str
    ranking: Ranking | None = None


@attrs.frozen
class GameEnds(Part):
    """Statement that ends the game; the procedure `end` determines the winners."""


@attrs.frozen
class Starts(Part):
    """Statement that gives a player the first turn."""

    player: Expr


@attrs.frozen
class NextTurn(Part):
    """Statement that gives a player the next turn; `none` keeps the usual order."""

    player: Expr


@attrs.frozen
class MissesTurn(Part):
    """Statement that makes a player miss the next turn in the usual order."""

    player: Expr


@attrs.frozen
class TurnsGo(Part):
    """Statement that sets the direction of turns."""

    way: TurnDirection


@attrs.frozen
class Announce(Part):
    """Statement that puts a sentence into the log, where everybody reads it.

    `names` are the names in braces in the text, each once, and `values` their values.
    """

    text: str
    names: tuple[str, ...]
    values: tuple[Expr, ...]


@attrs.frozen
class StopUnit(Part):
    """Statement that ends the procedure or action that contains it."""


@attrs.frozen
class Require(Part):
    """Statement of a test that fails unless a condition is true."""

    condition: Expr


@attrs.frozen
class CallProcedure(Part):
    """Call of a procedure, in which `you` is `player` (None: the present `you`)."""

    procedure: str
    arguments: tuple[Expr, ...]
    player: Expr | None = None


@attrs.frozen
class LabelledBlock(Part):
    """Block of statements with a label: a named step."""

    label: str
    body: tuple[Stmt, ...]


@attrs.frozen
class IfElse(Part):
    condition: Expr
    body: tuple[Stmt, ...]
    otherwise: tuple[Stmt, ...] = ()


@attrs.frozen
class EachMember(Binder, Part):
    """Loop that runs the body for each member of the set, which is fixed at the start.

    `where` is evaluated when a member's turn comes. A file's condition is usually a
    `Filter` of this slot, evaluated before the first round. If no round can change the
    condition for a later member, the result is the same, and it is stored in `where`.
    `still` is True if the file contains `where still`; it changes no rule.
    """

    body: tuple[Stmt, ...]
    still: bool = False


@attrs.frozen
class Together(Binder, Part):
    """Simultaneous block: a body for each player, with answers hidden until the end."""

    body: tuple[Stmt, ...]


@attrs.frozen
class Repeat(Part):
    """Loop that runs the body `times` times, or until `until` is true.

    `times` is evaluated once, `until` before each round.
    """

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
    | Announce
    | StopUnit
    | Require
    | CallProcedure
    | LabelledBlock
    | IfElse
    | EachMember
    | Together
    | Repeat
)
