"""Syntax nodes of statements."""

from __future__ import annotations

import attrs

from rulebook.shared_enums import StackEnd, TurnDirection
from rulebook.source.spans import Cite
from rulebook.syntax.base_nodes import Name, Node
from rulebook.syntax.expression_nodes import BinderPhrase, Expr, Most


@attrs.frozen
class Statement(Node):
    """Statement, with the citations at the end of its first line."""

    cites: tuple[Cite, ...] = attrs.field(default=(), kw_only=True)


@attrs.frozen
class ActionOffer(Node):
    """Action in a choice: `NAME [(arguments)] [without paying]`.

    In a test, `NAME(2 salt, 1 silk)` contains all picks of a gather: its one argument
    is `Amounts`.
    """

    name: Name
    arguments: tuple[Expr, ...] = ()
    without_paying: bool = False


@attrs.frozen
class Perform(Statement):
    """Call of a procedure by name, with arguments."""

    name: Name
    arguments: tuple[Expr, ...] = ()


@attrs.frozen
class Let(Statement):
    name: Name
    value: Expr


@attrs.frozen
class LetTally(Statement):
    """`let due be a tally of player and good`: numbers that start at 0."""

    name: Name
    kinds: tuple[Name, ...]


@attrs.frozen
class LetBag(Statement):
    """`let x be nothing of good`: an empty bag."""

    name: Name
    kind: Name


@attrs.frozen
class SetTo(Statement):
    target: Expr
    value: Expr


@attrs.frozen
class Change(Statement):
    """`increase target by [up to] value` or `decrease …`."""

    target: Expr
    value: Expr
    increase: bool
    up_to: bool = False


@attrs.frozen
class SomeOf(Node):
    """`3 salt`, `(expr) gift`, `2 space's crop`; with `of`, `2 of your workers`."""

    count: Expr
    what: Expr
    of: bool = False


@attrs.frozen
class UpTo(Node):
    """`up to COUNT KIND` or `up to COUNT of PIECES`: at most COUNT of them."""

    count: Expr
    what: Expr
    of: bool = False


@attrs.frozen
class AllCardsOf(Node):
    """`all salt`, `all your workers`: all cards or pieces of one kind."""

    what: Expr


@attrs.frozen
class Everything(Node):
    """`everything`: all cards in the source."""


@attrs.frozen
class RandomCard(Node):
    """`a random card`: a card drawn by chance."""


@attrs.frozen
class TopCard(Node):
    """`the top card` of a stack."""


@attrs.frozen
class WholeHolding(Node):
    """Bag or card given by a single expression: `gift`, `card`."""

    value: Expr


Lot = SomeOf | UpTo | AllCardsOf | Expr
"""Pieces: one piece (`your tent`), or several."""

Thing = SomeOf | UpTo | AllCardsOf | Everything | RandomCard | TopCard | WholeHolding


@attrs.frozen
class Move(Statement):
    """`move THINGS from SOURCE to [top of|bottom of] DESTINATION`.

    For pieces, `instead` means in place of the pieces on the destination.
    """

    things: tuple[Thing, ...]
    source: Expr
    destination: Expr
    end: StackEnd | None = attrs.field(
        default=None, converter=attrs.converters.optional(StackEnd)
    )
    instead: bool = False


@attrs.frozen
class Discard(Statement):
    """`discard THINGS from SOURCE`, which removes cards from the game."""

    things: tuple[Thing, ...]
    source: Expr


@attrs.frozen
class Place(Statement):
    """`place PIECES on SPACE, … [in place of what stands there]`.

    The piece is `storm`, `WHO's tent` or several of them.
    """

    piece: Lot
    spaces: tuple[Expr, ...]
    instead: bool = False


@attrs.frozen
class TakeOff(Statement):
    """`remove PIECE from SPACE`: back to the supply."""

    piece: Lot
    space: Expr


@attrs.frozen
class ShuffleStatement(Statement):
    stack: Expr


@attrs.frozen
class Roll(Statement):
    """`roll D and E [so that CONDITION]`: roll of one or more dice."""

    dice: tuple[Name, ...]
    so_that: Expr | None = None


@attrs.frozen
class ChanceChooses(Statement):
    binder: BinderPhrase


@attrs.frozen
class Spreads(Statement):
    """Random deal: `chance spreads CARDS over BINDER as FIELD [so that CONDITION]`."""

    cards: Expr
    binder: BinderPhrase
    field: Name
    so_that: Expr | None = None


@attrs.frozen
class ChooseStatement(Statement):
    """`WHO chooses BINDER[, if there are several]`: choice of a member.

    With `if_several`, a single candidate is taken without asking.
    """

    player: Expr
    binder: BinderPhrase
    if_several: bool = False


@attrs.frozen
class MayChoose(Statement):
    player: Expr
    binder: BinderPhrase
    body: tuple[Stmt, ...]
    otherwise: tuple[Stmt, ...] = ()


@attrs.frozen
class GatherStatement(Statement):
    """`WHO gathers LOW [to HIGH] BINDER as NAME`: cards picked one at a time."""

    player: Expr
    low: Expr
    high: Expr
    binder: BinderPhrase
    name: Name


@attrs.frozen
class Do(Statement):
    """`WHO does A, B`: one of these actions, if any is legal."""

    player: Expr
    calls: tuple[ActionOffer, ...]


@attrs.frozen
class MayDo(Statement):
    """`WHO may do A, B[, up to N times][: BODY [otherwise: …]]`."""

    player: Expr
    calls: tuple[ActionOffer, ...]
    body: tuple[Stmt, ...] = ()
    otherwise: tuple[Stmt, ...] = ()
    times: Expr | None = None


@attrs.frozen
class Menu(Statement):
    """`WHO may, until NAME:` with actions that may be done any number of times."""

    player: Expr
    until: Name
    calls: tuple[ActionOffer, ...]


@attrs.frozen
class Forget(Statement):
    """Statement that empties a bag field which holds no real cards."""

    target: Expr


@attrs.frozen
class CarryOutStatement(Statement):
    """`carry out CARD` or `WHO carries out CARD`: run the text of a card."""

    card: Expr
    player: Expr | None = None


@attrs.frozen
class SeesStatement(Statement):
    """`WHO sees HOLDER`: show cards to a player. In a test, `WHO sees VALUE`."""

    player: Expr
    what: Expr


@attrs.frozen
class WinsStatement(Statement):
    player: Expr


@attrs.frozen
class WinTogether(Statement):
    """`A and B win`: several named players win."""

    player: tuple[Expr, ...]


@attrs.frozen
class BestWin(Statement):
    """`players with the most points, then the fewest coins [where CONDITION] win`."""

    best: tuple[Most, ...]
    where: Expr | None = None


@attrs.frozen
class GameEndsStatement(Statement):
    """Statement that ends the game; the clause `end` determines the winners."""


@attrs.frozen
class Draws(Statement):
    """`nobody wins`: the game ends without a winner."""


@attrs.frozen
class StartsStatement(Statement):
    player: Expr


@attrs.frozen
class NextTurnStatement(Statement):
    """`WHO has the next turn`: change of the turn order."""

    player: Expr


@attrs.frozen
class MissesTurnStatement(Statement):
    """`WHO misses a turn`: the player's next turn is skipped."""

    player: Expr


@attrs.frozen
class TurnsGoStatement(Statement):
    """`the turns go clockwise`, `counterclockwise`, or `the other way`."""

    way: TurnDirection = attrs.field(converter=TurnDirection)


@attrs.frozen
class AnnounceStatement(Statement):
    """`announce "TEXT"`: a line in the log; `gaps` are names in braces in the text."""

    text: str
    gaps: tuple[Name, ...] = attrs.field(default=(), eq=False, repr=False)


@attrs.frozen
class StopStatement(Statement):
    """Statement that ends the action or procedure that contains it."""


@attrs.frozen
class RequireStatement(Statement):
    condition: Expr


@attrs.frozen
class StepStatement(Statement):
    name: Name
    body: tuple[Stmt, ...]


@attrs.frozen
class IfStatement(Statement):
    """`if CONDITION:`; an `otherwise if` is an `IfStatement` inside `otherwise`."""

    condition: Expr
    body: tuple[Stmt, ...]
    otherwise: tuple[Stmt, ...] = ()


@attrs.frozen
class EachStatement(Statement):
    """`each BINDER:`, or with `most_rounds` again and again `until one is left`."""

    binder: BinderPhrase
    body: tuple[Stmt, ...]
    most_rounds: Expr | None = None


@attrs.frozen
class TogetherStatement(Statement):
    """`at the same time each BINDER:` with a body for each player."""

    binder: BinderPhrase
    body: tuple[Stmt, ...]


@attrs.frozen
class RepeatStatement(Statement):
    """`repeat TIMES times:`, or `repeat until UNTIL, at most TIMES times:`."""

    times: Expr
    body: tuple[Stmt, ...]
    until: Expr | None = None


# statements that occur only in scenarios


@attrs.frozen
class MayNot(Statement):
    """`WHO may not CALL [because LABEL]`: the action must be illegal, in a test."""

    player: Expr
    call: ActionOffer
    because: Name | None = None


@attrs.frozen
class MayStill(Statement):
    """`WHO may still CALL [for exactly PRICE]`: the action must be legal, in a test."""

    player: Expr
    call: ActionOffer
    price: Expr | None = None


@attrs.frozen
class DoesNotSee(Statement):
    """`WHO does not see VALUE`, or `nobody sees VALUE` without a player, in a test."""

    player: Expr | None
    what: Expr


@attrs.frozen
class IsToMove(Statement):
    player: Expr
    phase: Name


@attrs.frozen
class ChanceGives(Statement):
    """Next outcomes of chance in a scenario, such as `dice show 3, 4`.

    The other forms are `chance gives VALUE, …` and `chance EVENT gives VALUE, …`.
    `dice` is true if the values are the faces of one roll.
    """

    values: tuple[Expr, ...]
    dice: bool
    event: Name | None = None


Stmt = (
    Perform
    | Let
    | LetTally
    | LetBag
    | SetTo
    | Change
    | Move
    | Discard
    | Place
    | TakeOff
    | ShuffleStatement
    | Roll
    | ChanceChooses
    | Spreads
    | ChooseStatement
    | MayChoose
    | GatherStatement
    | Do
    | MayDo
    | Menu
    | Forget
    | CarryOutStatement
    | SeesStatement
    | WinsStatement
    | WinTogether
    | BestWin
    | GameEndsStatement
    | Draws
    | StartsStatement
    | NextTurnStatement
    | MissesTurnStatement
    | TurnsGoStatement
    | AnnounceStatement
    | StopStatement
    | RequireStatement
    | StepStatement
    | IfStatement
    | EachStatement
    | TogetherStatement
    | RepeatStatement
    | MayNot
    | MayStill
    | DoesNotSee
    | IsToMove
    | ChanceGives
)
