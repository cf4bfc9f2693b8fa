"""The checked model: what the interpreter plays.

Made by `check` from a merged syntax tree; every name is resolved, every expression
has a type, all sugar is gone. Statements are structured; the interpreter flattens
them. Nothing here depends on the number of players or on the options chosen: those
are `PlayerCount` and `OptionValue` until the interpreter plans a game.

A code unit (procedure, action, phase, ...) has numbered local variables, `slots`.
Slot 0 is always `you`, the seat that acts; in an action slot 1 is yes when the
action is done without paying. Parameters follow. In a define slot 0 is not used:
its parameters begin at slot 1. Quantifiers bind a slot of the unit they stand in.
"""

from __future__ import annotations

from typing import Any

import attrs

from rulebook.source import NOWHERE, Cite, Span
from rulebook.types import Type

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
    """The player who has won, or none while the game goes on or when it is a draw."""


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
    """How many pieces stand anywhere, or on the spaces of a set (of one domain)."""

    piece: str
    owner: Expr | None
    spaces: Expr | None


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
    """`op` is one of `+ - *`; a none operand counts as 0."""

    op: str
    left: Expr
    right: Expr


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
    """`op` is one of `= != < <= > >=`; both sides have comparable types."""

    op: str
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


# ---------------------------------------------------------------- sets and binders


@attrs.frozen
class AllOf(Typed):
    """All members of a domain, in order; of `player` the seats in play."""

    domain: str


@attrs.frozen
class Clockwise(Typed):
    """All players from `start` clockwise; reversed, the same list backwards."""

    start: Expr
    reverse: bool


@attrs.frozen
class Numbers(Typed):
    """The whole numbers from low to high; empty when high < low."""

    low: Expr
    high: Expr


@attrs.frozen
class Contains(Typed):
    set: Expr
    member: Expr


@attrs.frozen
class Exists(Typed):
    """Whether some member of the set meets the condition (None: any)."""

    slot: int
    name: str
    set: Expr
    where: Expr | None


@attrs.frozen
class Find(Typed):
    """The first member of the set that meets the condition, or none."""

    slot: int
    name: str
    set: Expr
    where: Expr | None


@attrs.frozen
class Filter(Typed):
    """The members of the set that meet the condition, as a set."""

    slot: int
    name: str
    set: Expr
    where: Expr


@attrs.frozen
class Count(Typed):
    slot: int
    name: str
    set: Expr
    where: Expr | None


@attrs.frozen
class Sum(Typed):
    """The sum of `value` over the members that meet the condition."""

    slot: int
    name: str
    set: Expr
    where: Expr | None
    value: Expr


@attrs.frozen
class BagOver(Typed):
    """The bag with `value` cards of each member that meets the condition.

    A number below 0 counts as none.
    """

    slot: int
    name: str
    set: Expr
    where: Expr | None
    value: Expr


@attrs.frozen
class LongestTrail(Typed):
    """The most links of the set in one trail (no link twice).

    The trail may not run through a corner for which `closed` holds; it may begin
    or end there.
    """

    links: Expr
    slot: int
    name: str
    closed: Expr


@attrs.frozen
class Reach(Typed):
    """The spaces to which one gets from `start`, one or a set, over neighbours.

    Every space of a way, its first and last too, meets the condition.
    """

    start: Expr
    slot: int
    name: str
    domain: str
    where: Expr | None


Expr = (
    Const
    | OptionValue
    | PlayerCount
    | Local
    | FieldValue
    | ColumnValue
    | Related
    | SpaceAt
    | OwnSpaces
    | TallyValue
    | CallDefine
    | AwardHolder
    | Points
    | ActivePlayer
    | Round
    | Winner
    | PieceOn
    | PieceOwner
    | PieceCount
    | PieceLeft
    | PieceSpaces
    | PieceSpace
    | Arith
    | Half
    | Extreme
    | Compare
    | And
    | Or
    | Not
    | CountIn
    | SizeOf
    | Covers
    | KindsIn
    | SingleBag
    | SumBags
    | TopOf
    | AllOf
    | Clockwise
    | Numbers
    | Contains
    | Exists
    | Find
    | Filter
    | Count
    | Sum
    | BagOver
    | LongestTrail
    | Reach
)

# ---------------------------------------------------------------- statements


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
    end: str = "top"


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
    end: str = "top"


@attrs.frozen
class PlacePiece(Part):
    """Put a piece on a space; one that is the only one of its kind moves there.

    In the top level of an action the requirement `stock` guards it.
    """

    piece: str
    owner: Expr | None
    space: Expr


@attrs.frozen
class RemovePiece(Part):
    """Take a piece off a space, back to its owner's supply."""

    piece: str
    owner: Expr | None
    space: Expr


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
class Choose(Part):
    """A seat chooses a member of the set: action `choice`; bound to the slot.

    With an empty set the enclosing block ends, or for `optional` the `otherwise` runs.
    Optional adds `pass`; then `body` runs after a choice, `otherwise` after a pass.
    """

    who: Expr
    choice: str
    slot: int
    name: str
    set: Expr
    where: Expr | None
    optional: bool = False
    body: tuple[Stmt, ...] = ()
    otherwise: tuple[Stmt, ...] = ()


@attrs.frozen
class Gather(Part):
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
    slot: int
    name: str
    set: Expr
    where: Expr | None
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
    """Run the text of a card."""

    card: Expr


@attrs.frozen
class Wins(Part):
    """The game ends; None: without a winner. `reason` is the clause's name."""

    who: Expr | None
    reason: str


@attrs.frozen
class Starts(Part):
    """This player takes the first turn."""

    who: Expr


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
class Each(Part):
    """For each member of the set, taken once at the start; `where` is tested when
    a member's turn comes."""

    slot: int
    name: str
    set: Expr
    where: Expr | None
    body: tuple[Stmt, ...]


@attrs.frozen
class Together(Part):
    """The body for each player of the set, answers hidden until all have answered."""

    slot: int
    name: str
    set: Expr
    where: Expr | None
    body: tuple[Stmt, ...]


@attrs.frozen
class Repeat(Part):
    times: Expr
    body: tuple[Stmt, ...]


Stmt = (
    SetLocal
    | SetTally
    | SetField
    | MoveCards
    | MoveAll
    | DrawCard
    | PlacePiece
    | RemovePiece
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
    | Starts
    | Stop
    | Require
    | Call
    | Step
    | If
    | Each
    | Together
    | Repeat
)

# ---------------------------------------------------------------- components


@attrs.frozen
class Column(Part):
    """A constant attribute: its values in the order of the members."""

    name: str
    type: Type
    values: tuple[Any, ...]


@attrs.frozen
class Axis(Part):
    """A coordinate of spaces: `size` values of a type, the first one `low`."""

    name: str
    type: Type
    low: int
    size: int


@attrs.frozen
class Domain(Part):
    """A finite ordered list of members.

    `sort` is `kind`, `cards`, `space`, `face`, `corner`, `link` or `player`. For
    `player` the members are all seats and a game uses the first ones. `copies`
    (numbers or options) says how many there are of each card. With `each_player` the
    members are repeated for every player in play, all of the first player's first. With
    `axes` they lie at all combinations of coordinates, the last axis running fastest.
    """

    name: str
    plural: str
    sort: str
    members: tuple[str, ...]
    columns: dict[str, Column] = attrs.field(factory=dict)
    copies: tuple[Expr, ...] = ()
    each_player: bool = False
    axes: tuple[Axis, ...] = ()


@attrs.frozen
class Relation(Part):
    """A relation of the board: from each member of `source` to a set of `target`.

    `sort` is `corners`, `links`, `faces`, `ends` or `neighbours`.
    """

    name: str
    source: str
    target: str
    sort: str


@attrs.frozen
class Board(Part):
    """The spaces of a layout as tables of indices; the graph is made from them.

    `face_corners` are the corners of each face, clockwise from the north; they are in
    axial coordinates `face_places` (q, r). `link_ends` are the two ends of each link,
    in the order of the ends' domain. A board without hexes has no faces, and its
    links join members of `corner`.
    """

    orientation: str
    face: str | None
    corner: str
    link: str | None
    face_places: tuple[tuple[int, int], ...]
    face_corners: tuple[tuple[int, ...], ...]
    link_ends: tuple[tuple[int, int], ...]


@attrs.frozen
class Field(Part):
    """A part of the state. Key in the model: `name` of the game, else `owner.name`.

    `seen_by` is `all`, `owner` or `nobody`. `start` is the value at set-up; for a bag
    `start_each` is how many of each member; with `start_every` the holder begins with
    every card of its domain. An endless bag never runs out. `resets` sets the start
    value again when a turn begins, `resets_round` when a round does. `dealt` fields are
    what set-up deals on the board. `faces` are the values of a die, one for each side.
    """

    name: str
    owner: str | None
    type: Type
    seen_by: str = "all"
    start: Expr | None = None
    start_each: Expr | None = None
    start_every: bool = False
    endless: bool = False
    resets: bool = False
    resets_round: bool = False
    dealt: bool = False
    faces: tuple[int, ...] = ()
    cites: tuple[Cite, ...] = ()

    @property
    def key(self) -> str:
        """The name under which the model lists the field."""
        return self.name if self.owner is None else f"{self.owner}.{self.name}"


@attrs.frozen
class Piece(Part):
    """At most one piece of a name stands on a space. `count` is for each player
    (then a piece has an owner) or in all."""

    name: str
    plural: str
    count: Expr
    each_player: bool
    stands_on: tuple[str, ...]
    cites: tuple[Cite, ...] = ()


@attrs.frozen
class Option(Part):
    """A choice made before set-up. Type Truth or Whole; `default` is guarded values
    of which the first whose condition holds (None: always) applies."""

    name: str
    type: Type
    default: tuple[tuple[Expr, Expr | None], ...]
    help: str
    cites: tuple[Cite, ...] = ()


@attrs.frozen
class Parameter(Part):
    slot: int
    name: str
    type: Type


@attrs.frozen
class DefineLine(Part):
    """`label` may be empty; condition None: always."""

    label: str
    value: Expr
    condition: Expr | None
    cites: tuple[Cite, ...] = ()


@attrs.frozen
class Define(Part):
    """A derived value: the value of the first line whose condition holds.

    `sentence` shows how it is used, `path is in_reach for player`. For a truth a line
    without a condition that is not the last means: yes if it holds, else go on.
    (The checker writes such a line as value yes with that condition.) When no line
    applies the value is no, 0 or none. `adds`: the lines are summed instead.
    """

    name: str
    sentence: str
    parameters: tuple[Parameter, ...]
    type: Type
    lines: tuple[DefineLine, ...]
    slots: tuple[str, ...]
    adds: bool = False
    cites: tuple[Cite, ...] = ()


@attrs.frozen
class Requirement(Part):
    """A condition of an action. `sort` is `needs`, `pays`, `stock`, `enough` or
    `limit`. `reason` is the sentence for people; for `pays` and `enough`, `holder`
    and `bag` are what must be covered by what."""

    label: str
    sort: str
    condition: Expr
    reason: str
    holder: Expr | None = None
    bag: Expr | None = None
    cites: tuple[Cite, ...] = ()


@attrs.frozen
class Action(Part):
    """What a seat may choose. The price is paid in the body, guarded by slot FREE.

    `order` is its place among the declared actions. For the choice of a statement
    (`inline`) only name and parameters count.
    """

    name: str
    parameters: tuple[Parameter, ...]
    requirements: tuple[Requirement, ...]
    body: tuple[Stmt, ...]
    slots: tuple[str, ...]
    inline: bool = False
    cites: tuple[Cite, ...] = ()


@attrs.frozen
class Procedure(Part):
    """A unit that is called: procedure, phase, set-up, card text, award or rule body.

    `name` is the clause's: `to` procedures their own, `setup`, `turn.PHASE`,
    `card.NAME`, `award.NAME.gained`, `rule.NAME`.
    """

    name: str
    parameters: tuple[Parameter, ...]
    body: tuple[Stmt, ...]
    slots: tuple[str, ...]
    cites: tuple[Cite, ...] = ()


@attrs.frozen
class PointLine(Part):
    label: str
    value: Expr
    cites: tuple[Cite, ...] = ()


@attrs.frozen
class PointTable(Part):
    """Lines summed for a player, who is slot 1."""

    lines: tuple[PointLine, ...]
    slots: tuple[str, ...]


@attrs.frozen
class Award(Part):
    """Held by the player with the most of `measure` (slot 1 is the player).

    Only players with at least `at_least` and for whom `only_if` holds compete.
    `tie` is `holder` (who holds it keeps it while among the most) or `nobody`.
    `gained` and `lost` are procedures with the player as parameter.
    """

    name: str
    measure: Expr
    at_least: Expr | None
    only_if: Expr | None
    tie: str
    gained: str | None
    lost: str | None
    slots: tuple[str, ...]
    cites: tuple[Cite, ...] = ()


@attrs.frozen
class Rule(Part):
    """Tested whenever the state has settled. With `slot`, for any member of `set`,
    the first that meets the condition. Then the procedure runs, with the member."""

    name: str
    condition: Expr
    slot: int | None
    set: Expr | None
    procedure: str
    slots: tuple[str, ...]
    cites: tuple[Cite, ...] = ()


@attrs.frozen
class Limit(Part):
    """At most `count` of the actions for a player in each `turn`, `round` or `game`.

    A field `limit.NAME` of each player counts them; the requirement is in the actions.
    """

    name: str
    count: Expr
    period: str
    actions: tuple[str, ...]


@attrs.frozen
class Hint(Part):
    word: str
    name: str
    text: str


@attrs.frozen
class Given(Part):
    """`WHO is to move in PHASE`."""

    who: Expr
    phase: str


@attrs.frozen
class SetOption(Part):
    """In `given`: the scenario's game is played with this value of an option."""

    option: str
    value: Expr


@attrs.frozen
class Expect(Part):
    """`who may [not] do action(arguments) [because label]`."""

    who: Expr
    action: str
    arguments: tuple[Expr, ...]
    legal: bool
    because: str | None


@attrs.frozen
class Does(Part):
    """In a scenario: the seat does these actions, in order."""

    who: Expr
    action: str
    arguments: tuple[Expr, ...]


@attrs.frozen
class NextChance(Part):
    """In a scenario: the next outcomes of chance; faces of one roll when `dice`."""

    values: tuple[Expr, ...]
    dice: bool


@attrs.frozen
class Scenario(Part):
    """Steps are (`given`|`when`|`then`, statements); statements are `Stmt`s and
    `Given`, `SetOption`, `Expect`, `Does`, `NextChance`."""

    title: str
    players: int | None
    steps: tuple[tuple[str, tuple[Any, ...]], ...]
    slots: tuple[str, ...]
    cites: tuple[Cite, ...] = ()


@attrs.frozen
class Invariant(Part):
    title: str
    body: tuple[Stmt, ...]
    slots: tuple[str, ...]
    cites: tuple[Cite, ...] = ()


@attrs.frozen
class Model(Part):
    """A whole checked game; the dicts are in the order of declaration."""

    domains: dict[str, Domain]
    relations: dict[str, Relation]
    board: Board | None
    fields: dict[str, Field]
    pieces: dict[str, Piece]
    options: dict[str, Option]
    costs: dict[str, tuple[int, ...]]
    defines: dict[str, Define]
    actions: dict[str, Action]
    procedures: dict[str, Procedure]
    phases: tuple[str, ...]
    points: PointTable
    values: PointTable
    awards: dict[str, Award]
    rules: dict[str, Rule]
    limits: dict[str, Limit]
    turns: int
    scenarios: tuple[Scenario, ...] = ()
    invariants: tuple[Invariant, ...] = ()
    hints: tuple[Hint, ...] = ()
