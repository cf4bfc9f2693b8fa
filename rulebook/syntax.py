"""The syntax tree: what a file says, one frozen class for each production.

Nothing here has been checked: names are texts with a place. Positions never take
part in equality. The tree is made by `parse`, merged by `compose`, read by `check`.
"""

from __future__ import annotations

from typing import Any

import attrs

from rulebook.source import NOWHERE, Cite, Span


@attrs.frozen
class Node:
    """Anything with a place in a file."""

    span: Span = attrs.field(default=NOWHERE, eq=False, repr=False, kw_only=True)


@attrs.frozen
class Name(Node):
    """An identifier where it is declared or used."""

    text: str


# ---------------------------------------------------------------- expressions


@attrs.frozen
class Number(Node):
    value: int


@attrs.frozen
class YesNo(Node):
    value: bool


@attrs.frozen
class NoneValue(Node):
    """`none`."""


@attrs.frozen
class Nothing(Node):
    """`nothing`: the bag without cards."""


@attrs.frozen
class You(Node):
    """`you`: the seat that acts."""


@attrs.frozen
class NameRef(Node):
    """A bare name: variable, member, option, field of the game, define or kind."""

    name: Name


@attrs.frozen
class LinkRef(Node):
    """`A-B`: a link by its two ends."""

    first: Name
    second: Name


@attrs.frozen
class Of(Node):
    """`owner's name` or `owner's name(arguments)`; `your x` is `Of(You(), x)`."""

    owner: Expr
    name: Name
    arguments: tuple[Expr, ...] = ()


@attrs.frozen
class Apply(Node):
    """`name(arguments)`."""

    name: Name
    arguments: tuple[Expr, ...]


@attrs.frozen
class Arith(Node):
    """`left op right`, op one of `+ - *`."""

    op: str
    left: Expr
    right: Expr


@attrs.frozen
class Negate(Node):
    value: Expr


@attrs.frozen
class Compare(Node):
    """`left op right`, op one of `= != < <= > >=`."""

    op: str
    left: Expr
    right: Expr


@attrs.frozen
class And(Node):
    left: Expr
    right: Expr


@attrs.frozen
class Or(Node):
    left: Expr
    right: Expr


@attrs.frozen
class Not(Node):
    value: Expr


@attrs.frozen
class Is(Node):
    """`subject is [not] word [preposition object]`.

    `word` is a name, or one of the texts `you`, `none`, `empty`.
    """

    subject: Expr
    negated: bool
    word: Name
    preposition: str | None = None
    object: Expr | None = None


@attrs.frozen
class IsIn(Node):
    """`subject is [not] in container`."""

    subject: Expr
    negated: bool
    container: Expr


@attrs.frozen
class Has(Node):
    """`subject has content`."""

    subject: Expr
    content: Content


@attrs.frozen
class HasA(Node):
    """`a NAME` (present) or `no NAME` (absent)."""

    name: Name
    present: bool


@attrs.frozen
class HasAnothers(Node):
    """`another player's NAME`: a piece of anybody but the define's player or you."""

    name: Name


@attrs.frozen
class HasAmount(Node):
    """`3 salt`, `(expr) salt`, `at least 2 salt`: that many or more."""

    count: Expr
    name: Name


@attrs.frozen
class HasThing(Node):
    """Any other content: `your pack has gift`, `space has your tent`."""

    value: Expr


Content = HasA | HasAnothers | HasAmount | HasThing


@attrs.frozen
class Clockwise(Node):
    """`players clockwise from start` (reverse: `counterclockwise to start`)."""

    start: Expr
    reverse: bool


@attrs.frozen
class NumberRange(Node):
    """`low to high` as a domain."""

    low: Expr
    high: Expr


@attrs.frozen
class Binder(Node):
    """`KIND [NAME] [in DOMAIN] [where CONDITION]`; the name defaults to the kind's."""

    kind: Name
    name: Name | None = None
    domain: Expr | Clockwise | NumberRange | None = None
    where: Expr | None = None


@attrs.frozen
class Some(Node):
    binder: Binder


@attrs.frozen
class NoneOf(Node):
    """`no BINDER`."""

    binder: Binder


@attrs.frozen
class Every(Node):
    """`every BINDER`: the set of those."""

    binder: Binder


@attrs.frozen
class NumberOf(Node):
    """`number of WHAT [in PLACE] [where CONDITION]`.

    With a condition, `what` is the kind that the binder runs over.
    """

    what: Expr
    place: Expr | None = None
    where: Expr | None = None


@attrs.frozen
class SumOver(Node):
    """`sum over BINDER of VALUE`."""

    binder: Binder
    value: Expr


@attrs.frozen
class BagOver(Node):
    """`bag over BINDER of COUNT`: the bag with so many of each member."""

    binder: Binder
    count: Expr


@attrs.frozen
class LongestTrail(Node):
    """`longest trail of LINKS broken at BINDER`."""

    links: Expr
    broken_at: Binder


@attrs.frozen
class Reach(Node):
    """`reach from START over BINDER`."""

    start: Expr
    over: Binder


@attrs.frozen
class TopCardOf(Node):
    stack: Expr


@attrs.frozen
class HalfOf(Node):
    """Half, rounded down."""

    value: Expr


@attrs.frozen
class Extreme(Node):
    """`smaller of (a, b)` or `larger of (a, b)`."""

    smaller: bool
    left: Expr
    right: Expr


@attrs.frozen
class CostOf(Node):
    name: Name


@attrs.frozen
class Amount(Node):
    """`2 salt`."""

    count: int
    name: Name


@attrs.frozen
class Amounts(Node):
    """`2 salt, 1 silk`: a literal bag."""

    amounts: tuple[Amount, ...]


Expr = (
    Number
    | YesNo
    | NoneValue
    | Nothing
    | You
    | NameRef
    | LinkRef
    | Of
    | Apply
    | Arith
    | Negate
    | Compare
    | And
    | Or
    | Not
    | Is
    | IsIn
    | Has
    | Some
    | NoneOf
    | Every
    | NumberOf
    | SumOver
    | BagOver
    | LongestTrail
    | Reach
    | TopCardOf
    | HalfOf
    | Extreme
    | CostOf
    | Amounts
)

# ---------------------------------------------------------------- types and parameters


@attrs.frozen
class RangeType(Node):
    """`low to high`; the bounds are numbers or names of options."""

    low: Expr
    high: Expr


@attrs.frozen
class YesNoType(Node):
    """`yes/no`."""


@attrs.frozen
class KindType(Node):
    """`NAME` or `NAME or none`."""

    name: Name
    optional: bool = False


@attrs.frozen
class HolderType(Node):
    """`bag of K`, `endless bag of K`, `stack of K`, `set of K`; form is the word."""

    form: str
    name: Name
    endless: bool = False


TypeExpr = RangeType | YesNoType | KindType | HolderType


@attrs.frozen
class Parameter(Node):
    """`KIND [NAME]`, `bag NAME` or `low to high NAME`.

    `kind` is None for a number; the name defaults to the kind's.
    """

    kind: Name | None
    name: Name
    range: RangeType | None = None


# ---------------------------------------------------------------- statements


@attrs.frozen
class Statement(Node):
    """Anything that is done, with the citations at the end of its (first) line."""

    cites: tuple[Cite, ...] = attrs.field(default=(), kw_only=True)


@attrs.frozen
class Call(Node):
    """An action in a choice: `NAME [(arguments)] [without paying]`."""

    name: Name
    arguments: tuple[Expr, ...] = ()
    without_paying: bool = False


@attrs.frozen
class Perform(Statement):
    """A procedure's name and arguments."""

    name: Name
    arguments: tuple[Expr, ...] = ()


@attrs.frozen
class Let(Statement):
    name: Name
    value: Expr


@attrs.frozen
class LetTally(Statement):
    """`let due be a tally of player and good`: numbers, all 0 at first."""

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
    """`increase target by value` or `decrease …`."""

    target: Expr
    value: Expr
    increase: bool


@attrs.frozen
class SomeOf(Node):
    """`3 salt`, `(expr) gift`, `2 space's crop`."""

    count: Expr
    what: Expr


@attrs.frozen
class UpTo(Node):
    """`up to COUNT KIND`: as many as there are."""

    count: Expr
    what: Expr


@attrs.frozen
class AllOf(Node):
    """`all salt`."""

    what: Expr


@attrs.frozen
class Everything(Node):
    """`everything`."""


@attrs.frozen
class RandomCard(Node):
    """`a random card`."""


@attrs.frozen
class TopCard(Node):
    """`the top card`."""


@attrs.frozen
class Whole(Node):
    """A bag or a card by an expression: `gift`, `card`."""

    value: Expr


Thing = SomeOf | UpTo | AllOf | Everything | RandomCard | TopCard | Whole


@attrs.frozen
class Move(Statement):
    """`move THINGS from SOURCE to [top of|bottom of] DESTINATION`."""

    things: tuple[Thing, ...]
    source: Expr
    destination: Expr
    end: str | None = None


@attrs.frozen
class Discard(Statement):
    """Out of the game."""

    things: tuple[Thing, ...]
    source: Expr


@attrs.frozen
class Place(Statement):
    """`place PIECE on SPACE, …`; the piece is `storm` or `WHO's tent`."""

    piece: Expr
    spaces: tuple[Expr, ...]


@attrs.frozen
class TakeOff(Statement):
    """`remove PIECE from SPACE`."""

    piece: Expr
    space: Expr


@attrs.frozen
class Shuffle(Statement):
    stack: Expr


@attrs.frozen
class Roll(Statement):
    """`roll D and E [so that CONDITION]`."""

    dice: tuple[Name, ...]
    so_that: Expr | None = None


@attrs.frozen
class ChanceChooses(Statement):
    binder: Binder


@attrs.frozen
class Spreads(Statement):
    """`chance spreads CARDS over BINDER as FIELD [so that CONDITION]`."""

    cards: Expr
    binder: Binder
    field: Name
    so_that: Expr | None = None


@attrs.frozen
class Choose(Statement):
    who: Expr
    binder: Binder


@attrs.frozen
class MayChoose(Statement):
    who: Expr
    binder: Binder
    body: tuple[Stmt, ...]
    otherwise: tuple[Stmt, ...] = ()


@attrs.frozen
class Gather(Statement):
    """`WHO gathers LOW [to HIGH] BINDER as NAME`: cards picked one by one."""

    who: Expr
    low: Expr
    high: Expr
    binder: Binder
    name: Name


@attrs.frozen
class Do(Statement):
    """`WHO does A, B`: one of them, if any is legal."""

    who: Expr
    calls: tuple[Call, ...]


@attrs.frozen
class MayDo(Statement):
    """`WHO may do A, B[: BODY [otherwise: …]]`."""

    who: Expr
    calls: tuple[Call, ...]
    body: tuple[Stmt, ...] = ()
    otherwise: tuple[Stmt, ...] = ()


@attrs.frozen
class Menu(Statement):
    """`WHO may, until NAME:` and the actions, any number of times."""

    who: Expr
    until: Name
    calls: tuple[Call, ...]


@attrs.frozen
class Forget(Statement):
    """Empty a bag field that holds no real cards."""

    target: Expr


@attrs.frozen
class CarryOut(Statement):
    """Run the text of a card."""

    card: Expr


@attrs.frozen
class Sees(Statement):
    who: Expr
    what: Expr


@attrs.frozen
class Wins(Statement):
    who: Expr


@attrs.frozen
class Draws(Statement):
    """`nobody wins`: the game ends without a winner."""


@attrs.frozen
class Starts(Statement):
    who: Expr


@attrs.frozen
class Stop(Statement):
    """Leave this action or procedure."""


@attrs.frozen
class Require(Statement):
    condition: Expr


@attrs.frozen
class Step(Statement):
    name: Name
    body: tuple[Stmt, ...]


@attrs.frozen
class If(Statement):
    """`otherwise if` is an `If` in `otherwise`."""

    condition: Expr
    body: tuple[Stmt, ...]
    otherwise: tuple[Stmt, ...] = ()


@attrs.frozen
class Each(Statement):
    binder: Binder
    body: tuple[Stmt, ...]


@attrs.frozen
class Together(Statement):
    """`at the same time each BINDER:`."""

    binder: Binder
    body: tuple[Stmt, ...]


@attrs.frozen
class Repeat(Statement):
    times: Expr
    body: tuple[Stmt, ...]


# statements of scenarios only


@attrs.frozen
class MayNot(Statement):
    """`WHO may not CALL [because LABEL]`."""

    who: Expr
    call: Call
    because: Name | None = None


@attrs.frozen
class MayStill(Statement):
    who: Expr
    call: Call


@attrs.frozen
class IsToMove(Statement):
    who: Expr
    phase: Name


@attrs.frozen
class ChanceGives(Statement):
    """`chance gives VALUE, …` and `dice show 3, 4`: the next outcome or outcomes.

    `dice` is true when the values are the faces of one roll.
    """

    values: tuple[Expr, ...]
    dice: bool


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
    | Shuffle
    | Roll
    | ChanceChooses
    | Spreads
    | Choose
    | MayChoose
    | Gather
    | Do
    | MayDo
    | Menu
    | Forget
    | CarryOut
    | Sees
    | Wins
    | Draws
    | Starts
    | Stop
    | Require
    | Step
    | If
    | Each
    | Together
    | Repeat
    | MayNot
    | MayStill
    | IsToMove
    | ChanceGives
)

# ---------------------------------------------------------------- clauses


@attrs.frozen
class Clause(Node):
    """A named part of a file, with its citations."""

    cites: tuple[Cite, ...] = attrs.field(default=(), kw_only=True)


@attrs.frozen
class Source(Node):
    name: Name
    text: str


@attrs.frozen
class Header(Node):
    """`sort` is `rulebook` or `board`; players are (fewest, most).

    A short header is `extends NAME` alone: the file's name is the rulebook's, and the
    title is empty. Such a file may leave out the version: it is language 1.
    """

    sort: str
    name: Name
    title: str
    extends: tuple[Name, ...] = ()
    boards: tuple[Name, ...] = ()
    players: tuple[int, int] | None = None
    seats: tuple[Name, ...] = ()
    sources: tuple[Source, ...] = ()
    turns: int | None = None
    cites: tuple[Cite, ...] = ()
    is_short: bool = False


@attrs.frozen
class Cell(Node):
    """One cell of a table.

    `form` is one of: `number`, `range`, `name`, `text`, `empty` (a dash), `bag`,
    `nothing`, `corner` (`SE of north`), `side` (`NW`), `yes_no`, `link`.
    `value` is the int, (low, high), Name, str, None, Amounts, None,
    (side, Name), side, bool or LinkRef.
    """

    form: str
    value: Any = None


@attrs.frozen
class Row(Node):
    cells: tuple[Cell, ...]
    cites: tuple[Cite, ...] = ()


@attrs.frozen
class Table(Node):
    """The header's names and the rows; each row has as many cells as the header."""

    columns: tuple[Name, ...]
    rows: tuple[Row, ...]


@attrs.frozen
class KindClause(Clause):
    name: Name
    plural: Name | None = None
    members: tuple[Name, ...] = ()
    table: Table | None = None


@attrs.frozen
class CardsClause(Clause):
    name: Name
    plural: Name | None
    table: Table


@attrs.frozen
class Axis(Node):
    """A coordinate of declared spaces: `column -15 to 15` or `side in side`."""

    name: Name
    range: RangeType | None = None
    kind: Name | None = None


@attrs.frozen
class SpacesClause(Clause):
    name: Name
    plural: Name | None
    each_player: bool = False
    axes: tuple[Axis, ...] = ()
    table: Table | None = None


@attrs.frozen
class HexesClause(Clause):
    """The faces of a hex layout; orientation is `pointy_top` or `flat_top`."""

    name: Name
    plural: Name | None
    orientation: str
    table: Table


@attrs.frozen
class CornersClause(Clause):
    name: Name
    plural: Name | None
    table: Table | None = None


@attrs.frozen
class Stride(Node):
    """`(1, -1)`: how far a link leads along each axis."""

    steps: tuple[int, ...]


@attrs.frozen
class LinksClause(Clause):
    """Links of a layout, of a table, or from each space `between` by some strides."""

    name: Name
    plural: Name | None
    table: Table | None = None
    between: Name | None = None
    strides: tuple[Stride, ...] = ()


@attrs.frozen
class OptionClause(Clause):
    """`default` is guarded values, the last without a condition; range None: yes/no."""

    name: Name
    range: RangeType | None
    default: tuple[tuple[Expr, Expr | None], ...]
    help: str | None = None


@attrs.frozen
class CostClause(Clause):
    """One cost; a `costs` block gives one clause for each line."""

    name: Name
    amounts: Amounts


@attrs.frozen
class DiceClause(Clause):
    """Dice with numbered faces (range) or named ones (faces: members of kinds)."""

    names: tuple[Name, ...]
    range: RangeType | None = None
    faces: tuple[Name, ...] = ()


@attrs.frozen
class PieceClause(Clause):
    """`count` pieces for each player or in all, and the spaces they may stand on."""

    name: Name
    plural: Name | None
    count: Expr
    each_player: bool
    stands_on: tuple[Name, ...]


@attrs.frozen
class Field(Clause):
    """`starts` is None, an expression, or for holders (`of each`/`every`) a pair."""

    name: Name
    type: TypeExpr
    seen_by: str = "all"
    starts_at: Expr | None = None
    starts_of_each: Expr | None = None
    starts_every: Name | None = None
    resets: bool = False


@attrs.frozen
class FieldsClause(Clause):
    """`each OWNER has` or, with owner None, `the game has`."""

    owner: Name | None
    fields: tuple[Field, ...]


@attrs.frozen
class PropertySignature(Node):
    """`SUBJECT's NAME[(parameters)][: type]`."""

    subject: Parameter
    name: Name
    parameters: tuple[Parameter, ...] = ()
    type: TypeExpr | None = None


@attrs.frozen
class PredicateSignature(Node):
    """`SUBJECT is NAME [PREPOSITION OBJECT]`: yes or no."""

    subject: Parameter
    name: Name
    preposition: str | None = None
    object: Parameter | None = None


@attrs.frozen
class ValueSignature(Node):
    """`NAME[(parameters)]: type`."""

    name: Name
    parameters: tuple[Parameter, ...] = ()
    type: TypeExpr | None = None


Signature = PropertySignature | PredicateSignature | ValueSignature


@attrs.frozen
class DefineLine(Clause):
    """`[LABEL:] VALUE [if CONDITION]`; `otherwise VALUE` has no condition."""

    value: Expr
    condition: Expr | None = None
    label: Name | None = None


@attrs.frozen
class DefineClause(Clause):
    signature: Signature
    lines: tuple[DefineLine, ...]


@attrs.frozen
class ExpectClause(Clause):
    signature: Signature
    text: str | None = None


@attrs.frozen
class Pays(Clause):
    """`pays COST` or `pays 2 salt`, `pays card's cost`."""

    price: Expr


@attrs.frozen
class Needs(Clause):
    label: Name
    condition: Expr
    reason: str


@attrs.frozen
class NeedsAs(Clause):
    """`needs as OTHER_ACTION`: all requirements of it, with the same parameters."""

    action: Name


ActionLine = Pays | Needs | NeedsAs | Stmt


@attrs.frozen
class ActionClause(Clause):
    name: Name
    parameters: tuple[Parameter, ...]
    lines: tuple[ActionLine, ...]


@attrs.frozen
class ProcedureClause(Clause):
    name: Name
    parameters: tuple[Parameter, ...]
    body: tuple[Stmt, ...]


@attrs.frozen
class CardTextClause(Clause):
    """`card NAME`: what carrying it out does; `needs` lines are required to play it."""

    name: Name
    text: str | None
    lines: tuple[ActionLine, ...]


@attrs.frozen
class SetupClause(Clause):
    body: tuple[Stmt, ...]


@attrs.frozen
class Phase(Clause):
    name: Name
    body: tuple[Stmt, ...]


@attrs.frozen
class TurnClause(Clause):
    phases: tuple[Phase, ...]


@attrs.frozen
class PointLine(Clause):
    label: Name
    value: Expr


@attrs.frozen
class PointsClause(Clause):
    subject: Parameter
    lines: tuple[PointLine, ...]


@attrs.frozen
class HintValueClause(Clause):
    """`hint value of player`: lines that bots add to the points."""

    subject: Parameter
    lines: tuple[PointLine, ...]


@attrs.frozen
class HintClause(Clause):
    """`hint WORD NAME: "text"`, as in `hint colour NAME: "#2e7d32"`.

    `place` is where the text stands, with its quotes.
    """

    word: Name
    name: Name
    text: str
    place: Span = attrs.field(default=NOWHERE, eq=False, repr=False)


@attrs.frozen
class AwardClause(Clause):
    """`tie` is `holder` or `nobody`."""

    name: Name
    subject: Parameter
    most: Expr | None = None
    at_least: Expr | None = None
    only_if: Expr | None = None
    tie: str | None = None
    gained: tuple[Stmt, ...] = ()
    lost: tuple[Stmt, ...] = ()


@attrs.frozen
class RuleClause(Clause):
    """`rule NAME`, `whenever CONDITION:` or `whenever any BINDER:`."""

    name: Name
    condition: Expr | None
    binder: Binder | None
    body: tuple[Stmt, ...]


@attrs.frozen
class LimitClause(Clause):
    """`limit NAME: at most N each PERIOD of ACTIONS "reason"`; turn, round or game."""

    name: Name
    count: Expr
    period: str
    actions: tuple[Name, ...]
    reason: str


@attrs.frozen
class PaymentsClause(Clause):
    """`payments of SUBJECT: SOURCE to DESTINATION`, or `by PROCEDURE if PREDICATE`."""

    subject: Parameter
    source: Expr | None = None
    destination: Expr | None = None
    by: Name | None = None
    condition: Name | None = None


@attrs.frozen
class ScenarioStep(Node):
    """`word` is `given`, `when` or `then`."""

    word: str
    body: tuple[Stmt, ...]
    cites: tuple[Cite, ...] = attrs.field(default=(), kw_only=True)


@attrs.frozen
class ScenarioClause(Clause):
    """`players` None: the most that the rules allow."""

    title: str
    steps: tuple[ScenarioStep, ...]
    players: int | None = None


@attrs.frozen
class InvariantClause(Clause):
    title: str
    body: tuple[Stmt, ...]


@attrs.frozen
class WordLine(Node):
    """`a.b = "one", "many"`."""

    path: tuple[Name, ...]
    texts: tuple[str, ...]


@attrs.frozen
class WordsClause(Clause):
    language: Name
    lines: tuple[WordLine, ...]


@attrs.frozen
class CiteLine(Node):
    path: tuple[Name, ...]
    cites: tuple[Cite, ...]


@attrs.frozen
class CitationsClause(Clause):
    lines: tuple[CiteLine, ...]


Declaration = (
    KindClause
    | CardsClause
    | SpacesClause
    | HexesClause
    | CornersClause
    | LinksClause
    | OptionClause
    | CostClause
    | DiceClause
    | PieceClause
    | FieldsClause
    | DefineClause
    | ExpectClause
    | ActionClause
    | ProcedureClause
    | CardTextClause
    | SetupClause
    | TurnClause
    | PointsClause
    | HintValueClause
    | HintClause
    | AwardClause
    | RuleClause
    | LimitClause
    | PaymentsClause
    | ScenarioClause
    | InvariantClause
    | WordsClause
    | CitationsClause
)

# ---------------------------------------------------------------- amendments


@attrs.frozen
class Replace(Clause):
    """`replace CLAUSE`."""

    clause: Declaration


@attrs.frozen
class Remove(Clause):
    """`remove SORT NAME`; a scenario or invariant is named by its title."""

    sort: str
    name: Name


@attrs.frozen
class Edit(Clause):
    """One line below `in SORT NAME`.

    `verb` is `add`, `add_first`, `replace`, `remove`, `before` or `after`.
    `part` says of what: `needs`, `pays`, `step`, `row`, `line`, `award`, `points`,
    `action` (in a menu), `field`, `phase`. `name` is the label it is about,
    `content` the new thing (None for remove), `anchor` the phase beside which
    an added phase comes, with `where` `before` or `after`.
    """

    verb: str
    part: str
    name: Name | None = None
    content: object = None
    anchor: Name | None = None
    where: str | None = None


@attrs.frozen
class Within(Clause):
    """`in SORT [NAME]` and its edits."""

    sort: str
    name: Name | None
    edits: tuple[Edit, ...]


Amendment = Replace | Remove | Within


@attrs.frozen
class File(Node):
    """A parsed file: the language's version, its header and clauses in order."""

    version: int
    header: Header | None
    clauses: tuple[Declaration | Amendment, ...]
