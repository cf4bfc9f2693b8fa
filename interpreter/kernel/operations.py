"""Operations of the kernel, as frozen values that are independent of any game.

There are four sorts. A *value* is a single 64-bit integer: a truth value is 0 or 1, a
member is its index, and none is -1. A *sequence* is a finite list of integers to
iterate over. A *row* is a list of counts, one for each index. A *statement* changes the
state and never waits. Values, sequences and rows have no side effects, so a pass may
share, move or drop them.

A *slot* names a local: a place of the frame, or a variable that an operation binds.
"""

from __future__ import annotations

from collections.abc import Hashable
from enum import StrEnum
from typing import Any

import attrs

from rulebook.signatures import Failure

Table = tuple[int, ...]


@attrs.frozen
class Operation:
    """Base class of all kernel operations."""


@attrs.frozen
class Value(Operation):
    """One integer."""


@attrs.frozen
class Sequence(Operation):
    """Finite list of integers, in order."""


@attrs.frozen
class Row(Operation):
    """Counts, one for each index from 0."""


@attrs.frozen
class Statement(Operation):
    """Change of the state that never waits."""


# ---------------------------------------------------------------- constants and cells


@attrs.frozen
class Int(Value):
    """Constant number in the program; `truth` is true for the constants yes (1) and no
    (0).
    """

    value: int
    truth: bool = False


@attrs.frozen
class Amount(Value):
    """Number that is data: two programs that differ only in amounts share one C text.

    `source` is the part of the rules that contains the number, and `key` distinguishes
    several amounts in one part.
    """

    value: int
    source: Any = attrs.field(eq=False)
    key: tuple[Hashable, ...] = ()


@attrs.frozen
class Var(Value):
    """Value of a local with one number; if `size` is known, the number is -1 or less
    than `size`.
    """

    slot: int
    size: int | None = attrs.field(default=None, eq=False)


@attrs.frozen
class Absent(Value):
    """Member that does not exist in this game, such as a seat that is not in play."""

    value: int


@attrs.frozen
class Load(Value):
    """Content of a cell of the state."""

    cell: Value


@attrs.frozen
class Lookup(Value):
    """Entry of a constant table; the last entry is for the index -1.

    `data` names the table if its numbers are amounts.
    """

    table: Table
    index: Value
    data: str | None = None


@attrs.frozen
class GridIndex(Value):
    """Index of coordinates in a grid, or -1 outside it; `axes` are (low, size).

    With an `owner`, each of the `owners` seats has a grid, and the index is in the grid
    of `owner`.
    """

    axes: tuple[tuple[int, int], ...]
    coordinates: tuple[Value, ...]
    owner: Value | None
    owners: int


# ---------------------------------------------------------------- arithmetic and logic


@attrs.frozen
class Binary(Value):
    """Result of `+ - * // % min max | &`; `//` and `%` round down.

    `natural` is true if both operands are certainly 0 or more.
    """

    operator: str
    left: Value
    right: Value
    natural: bool = False


@attrs.frozen
class CompareValues(Value):
    """Result of `== != < <= > >=`."""

    operator: str
    left: Value
    right: Value


@attrs.frozen
class Between(Value):
    """Two comparisons of one value, which is evaluated once."""

    low: Value
    first: str
    value: Value
    second: str
    high: Value


@attrs.frozen
class Negate(Value):
    """Negation: whether a truth value is 0."""

    value: Value


@attrs.frozen
class All(Value):
    """Conjunction: whether all parts are true; `eager` allows evaluating every part."""

    parts: tuple[Value, ...]
    eager: bool = False


@attrs.frozen
class Some(Value):
    """Disjunction: whether at least one part is true."""

    parts: tuple[Value, ...]


@attrs.frozen
class CountTrue(Value):
    """Number of parts that are true."""

    parts: tuple[Value, ...]


@attrs.frozen
class Select(Value):
    """One of two values, selected by a condition."""

    condition: Value
    then: Value
    otherwise: Value


@attrs.frozen
class SeatBit(Value):
    """Set that contains only one seat, as bits; empty if the seat is none."""

    seat: Value


@attrs.frozen
class CallFunction(Value):
    """Result of a function of the program; the function has no side effects."""

    function: str
    arguments: tuple[Value | Sequence | Row, ...]


@attrs.frozen
class Probe(Value):
    """Value whose true and false evaluations are counted separately, at a site.

    If `site` is a table, each member is counted at its own site.
    """

    site: int | Table
    value: Value


# ---------------------------------------------------------------- over sequences


class FoldKind(StrEnum):
    """Results that a fold can compute. `first` and `only` return a member or -1; `max`
    and `min` return 0 if there are no members.
    """

    ANY = "any"
    FIRST = "first"
    COUNT = "count"
    SUM = "sum"
    MAX = "max"
    MIN = "min"
    ONLY = "only"


@attrs.frozen
class Fold(Value):
    """Result computed from the members of a sequence that meet a condition."""

    kind: FoldKind
    slot: int
    sequence: Sequence
    where: Value | None = None
    value: Value | None = None


@attrs.frozen
class FoldSelections(Value):
    """Result over the selections from a row that meet a condition.

    A selection is a row of at most the counts of `row`, `low` to `high` and at least 1
    in total. It counts once for each way to select its items, which are all different.
    """

    kind: FoldKind
    slot: int
    row: Row
    low: Value
    high: Value
    where: Value | None = None
    value: Value | None = None


@attrs.frozen
class ContainsElement(Value):
    """Whether a sequence has a member."""

    sequence: Sequence
    member: Value


@attrs.frozen
class SameSequence(Value):
    """Whether two sequences have the same members in the same order."""

    left: Sequence
    right: Sequence


# ---------------------------------------------------------------- rows


@attrs.frozen
class Element(Value):
    """Count of a row at an index. The index must not be -1, except for a stack, where
    the count at -1 is 0.
    """

    row: Row
    index: Value


@attrs.frozen
class Total(Value):
    """Sum of a row."""

    row: Row


@attrs.frozen
class CountEqual(Value):
    """Number of indices at which a row of cells has a value."""

    row: CellRow
    value: Value


@attrs.frozen
class CoversRow(Value):
    """Whether no count of a row is less than the count of another row at the same
    index.
    """

    row: Row
    other: Row


@attrs.frozen
class CellRow(Row):
    """Cells of the state as a row; consecutive cells are `step` apart."""

    first: Value
    size: int
    step: int = 1


@attrs.frozen
class ConstantRow(Row):
    """Constant row of amounts, contained in a part of the rules (`source`)."""

    values: Table
    source: Any = attrs.field(eq=False)


@attrs.frozen
class LookupRow(Row):
    """Row of a constant table; the table's last row is for the index -1. `data` names
    the table.
    """

    rows: tuple[Table, ...]
    index: Value
    data: str


@attrs.frozen
class LocalRow(Row):
    """Local variable that contains a row of numbers."""

    slot: int
    size: int


@attrs.frozen
class BuiltRow(Row):
    """Row with a value at each member that meets a condition, and 0 elsewhere.

    No value is negative.
    """

    size: int
    slot: int
    sequence: Sequence
    where: Value | None
    value: Value


@attrs.frozen
class SumRow(Row):
    """Sum of rows, index by index."""

    rows: tuple[Row, ...]
    size: int


@attrs.frozen
class CallRow(Row):
    """Row that a function of the program returns."""

    function: str
    arguments: tuple[Value | Sequence | Row, ...]
    size: int


# ---------------------------------------------------------------- stacks


@attrs.frozen
class Stack(Operation):
    """Stack of cards at the cell `base`, plus the index of its `owner` if it has one.

    `kinds` is the number of kinds of its cards.
    """

    base: int
    owner: Value | None
    kinds: int


@attrs.frozen
class StackRow(Row):
    """Number of cards of each kind in a stack."""

    stack: Stack


@attrs.frozen
class StackPool(Row):
    """Number of unknown cards of each kind in a stack."""

    stack: Stack


@attrs.frozen
class StackSize(Value):
    """Number of cards in a stack."""

    stack: Stack


@attrs.frozen
class StackEntry(Value):
    """Card of a stack at a place, from 0 at the top; -1 if unknown or out of range."""

    stack: Stack
    place: Value


# ---------------------------------------------------------------- sequences


@attrs.frozen
class Range(Sequence):
    """Numbers from low to high, both included; at most `size` numbers if `size` is
    known.
    """

    low: Value
    high: Value
    size: int | None = attrs.field(default=None, eq=False)


@attrs.frozen
class Listed(Sequence):
    """Sequence of constant members."""

    members: Table


@attrs.frozen
class TableRow(Sequence):
    """Sequence from a row of a constant table; the last row is for the index -1."""

    rows: tuple[Table, ...]
    index: Value


@attrs.frozen
class Holding(Sequence):
    """Indices of cells that contain a value (None: any value but -1), the lowest first.
    If `nowhere` is true, the value -1 finds no cells.
    """

    base: int
    size: int
    value: Value | None
    nowhere: bool = True


@attrs.frozen
class Nonzero(Sequence):
    """Indices at which a row is not 0, the lowest first."""

    row: Row
    size: int


@attrs.frozen
class FilteredSet(Sequence):
    """Members of a sequence that meet a condition."""

    slot: int
    sequence: Sequence
    condition: Value


@attrs.frozen
class Guarded(Sequence):
    """A sequence if a condition is true, else an empty sequence."""

    condition: Value
    sequence: Sequence


@attrs.frozen
class LocalSet(Sequence):
    """Local that contains a sequence of at most `size` members."""

    slot: int
    size: int


@attrs.frozen
class CellSet(Sequence):
    """Sequence stored in a cell of the state."""

    cell: Value


@attrs.frozen
class CallSet(Sequence):
    """Sequence that a function of the program returns, with at most `size` members."""

    function: str
    arguments: tuple[Value | Sequence | Row, ...]
    size: int


@attrs.frozen
class BestSet(Sequence):
    """Members that meet a condition and have the largest keys; later keys break ties
    among them.
    """

    slot: int
    sequence: Sequence
    where: Value | None
    keys: tuple[Value, ...]


@attrs.frozen
class SortedSet(Sequence):
    """Members that meet a condition, sorted by a key; the sort is stable.

    With `count`, the sequence contains only the first `count` members.
    """

    slot: int
    sequence: Sequence
    where: Value | None
    key: Value
    falling: bool
    count: Value | None = None


@attrs.frozen
class WinnerSet(Sequence):
    """Winners: the seats with rank 1."""


@attrs.frozen
class Around(Sequence):
    """Places, in order, whose row of a constant table shares a member with a sequence.

    `rows` has a row for each place. A pass creates this operation from a condition on
    places.
    """

    rows: tuple[Table, ...]
    sequence: Sequence


@attrs.frozen
class Union(Sequence):
    """Union of several sequences of places below `size`, the lowest place first."""

    sequences: tuple[Sequence, ...]
    size: int


# ---------------------------------------------------------------- searches


@attrs.frozen
class PerElement(Operation):
    """Value computed for each member; the member is in a slot."""

    slot: int
    value: Value


@attrs.frozen
class Ways(Operation):
    """Ways over a board from one or several places.

    `links` are the ways out of each place as (link, place) pairs, or None for ways over
    `neighbours`. `fits` tests each place (or with `links` each link), `through` each
    place between the first and the last, and `within` limits the number of steps.
    """

    size: int
    start: Value | Sequence
    neighbours: tuple[Table, ...]
    links: tuple[tuple[tuple[int, int], ...], ...] | None
    fits: PerElement | None
    through: PerElement | None
    within: Value | None

    @property
    def is_plain(self) -> bool:
        """Whether ways depend only on places, not on links or the number of steps."""
        return self.links is None and self.through is None and self.within is None


@attrs.frozen
class Reached(Sequence):
    """Places reached by ways, the lowest first."""

    ways: Ways


@attrs.frozen
class LinkDistance(Value):
    """Number of steps of the shortest way to one or several goals, or `beyond` if there
    is no way. With a `price`, the result is the lowest total price of the places (or
    with links, of the links) on a way, excluding its start.
    """

    ways: Ways
    goal: Value | Sequence
    beyond: int
    price: PerElement | None = None


@attrs.frozen
class TrailLength(Value):
    """Largest number (or weight) of links in one trail, which repeats no link.

    `ends` are the two corners of each link of the board. A trail does not continue at a
    corner for which `closed` is true, and changes from one kind of link to another
    only where `joint` is true. If the other fields read only one local and it is a
    seat, `seat` is that local, and the result can be cached for each seat.
    """

    sorts: tuple[Sequence, ...]
    closed: PerElement
    weight: PerElement | None
    joint: PerElement | None
    ends: tuple[tuple[int, int], ...]
    seat: Value | None


# ---------------------------------------------------------------- statements

Block = tuple[Statement, ...]


@attrs.frozen
class Bind(Statement):
    """Bind a value to a slot for the rest of a scope."""

    slot: int
    value: Value


@attrs.frozen
class Assign(Statement):
    """Write one number to a local."""

    slot: int
    value: Value


@attrs.frozen
class AssignSet(Statement):
    """Write a sequence to a local."""

    slot: int
    sequence: Sequence


@attrs.frozen
class AssignRow(Statement):
    """Write a row to a local; without a row, write 0 to all its numbers."""

    slot: int
    row: Row | None
    size: int


@attrs.frozen
class AssignElement(Statement):
    """Write one number of a local that contains a row."""

    row: LocalRow
    index: Value
    value: Value


@attrs.frozen
class Store(Statement):
    """Write a cell; `grows` is true if the number may be too large for an engine."""

    cell: Value
    value: Value
    grows: bool = False


@attrs.frozen
class StoreRow(Statement):
    """Write a row to cells."""

    first: Value
    row: Row
    size: int


@attrs.frozen
class StoreSet(Statement):
    """Write a sequence to a cell."""

    cell: Value
    sequence: Sequence


@attrs.frozen
class Clear(Statement):
    """Write a number to all cells of a row, or only to cells that contain a value."""

    row: CellRow
    value: Value | None
    number: int


@attrs.frozen
class Wake(Statement):
    """Mark the triggers (as bits) that read a written part of the state."""

    triggers: int


@attrs.frozen
class Tick(Statement):
    """Add to the number of executed statements of the rules."""

    count: int


@attrs.frozen
class CheckBudget(Statement):
    """Fail before another round of a loop if the budget of statements is used up."""


@attrs.frozen
class Fail(Statement):
    """Fail for a reason if a condition is true.

    `span` is the place of the rule, `part` the declaration that it uses, and `shown`
    are values for the message. `owners` are the names of the owners of pieces.
    """

    condition: Value
    reason: Failure
    span: Any = attrs.field(eq=False)
    part: Any = attrs.field(eq=False)
    shown: tuple[Value, ...] = ()
    owners: tuple[str, ...] = ()


@attrs.frozen
class RequireTruth(Statement):
    """Fail a test of the rules unless a condition is true."""

    condition: Value
    source: Any = attrs.field(eq=False)


@attrs.frozen
class When(Statement):
    """Run one block if a condition is true, otherwise another one."""

    condition: Value
    body: Block
    otherwise: Block = ()


@attrs.frozen
class ForEach(Statement):
    """Run a block for each member that meets a condition when its round starts.

    If `frozen`, the members are listed before the first round, since rounds may write.
    """

    slot: int
    sequence: Sequence
    where: Value | None
    body: Block
    frozen: bool


@attrs.frozen
class ForCounts(Statement):
    """Run a block for each index at which a row is not 0; the row is read first."""

    index: int
    count: int
    row: Row
    size: int
    body: Block


@attrs.frozen
class Times(Statement):
    """Run a block several times, or until a condition is true before a round."""

    count: Value
    until: Value | None
    body: Block


@attrs.frozen
class Scope(Statement):
    """Run a block; names bound in the block go out of scope at its end."""

    body: Block


@attrs.frozen
class Run(Statement):
    """Run another unit, which never waits. `slots` are the slots of its arguments."""

    unit: int
    slots: tuple[int, ...]
    arguments: tuple[Value | Sequence | Row, ...]


@attrs.frozen
class DropFirst(Statement):
    """Remove the first member of a local set."""

    rest: int


@attrs.frozen
class Leave(Statement):
    """Stop the execution of the current unit."""


@attrs.frozen
class Visit(Statement):
    """Count, at a site, that a statement of the rules was reached."""

    site: int


@attrs.frozen
class Announce(Statement):
    """Add a sentence of the rules to the log, with the values of its gaps."""

    sentence: Any = attrs.field(eq=False)
    values: tuple[Value, ...]


@attrs.frozen
class CompareCards(Statement):
    """Store the places of all cards (`begins`), or count the cards that have moved
    since then.
    """

    begins: bool


# ---------------------------------------------------------------- statements on stacks


@attrs.frozen
class StackTake(Statement):
    """Remove one card from a stack; the seats in `knowing` (as bits) know which card it
    is.
    """

    stack: Stack
    card: Value
    knowing: Value


@attrs.frozen
class StackPut(Statement):
    """Add cards to a stack; the seats in `knowing` know which cards they are."""

    stack: Stack
    card: Value
    number: Value
    on_top: bool
    knowing: Value


@attrs.frozen
class StackShuffle(Statement):
    """Forget the order of a stack."""

    stack: Stack


@attrs.frozen
class StackDraw(Statement):
    """Remove the top card of a stack, which is `card`."""

    stack: Stack
    card: Value


@attrs.frozen
class StackLearn(Statement):
    """Reveal the first unknown card of a stack to some seats."""

    stack: Stack
    card: Value
    knowing: Value


@attrs.frozen
class StackShow(Statement):
    """Let some seats know the known cards of a stack, or its top card only."""

    stack: Stack
    knowing: Value
    top_only: bool


# ---------------------------------------------------------------- control


@attrs.frozen
class Control(Operation):
    """Operation of a unit that may wait, such as a jump or a decision."""


Label = int
"""Name of a step, used until step numbers are assigned."""

Step = tuple[Statement | Control, ...]


@attrs.frozen
class Goto(Control):
    """Continue at a label."""

    label: Label


@attrs.frozen
class Branch(Control):
    """Run part of a step if a condition is true; the part may jump to a label."""

    condition: Value
    body: Step


@attrs.frozen
class Settle(Control):
    """Evaluate the marked triggers; the frame continues at this label."""

    label: Label


@attrs.frozen
class Push(Control):
    """Run another unit, and then continue at a label.

    `slots` are the slots of the arguments in the frame of that unit.
    """

    unit: Value
    slots: tuple[int, ...]
    arguments: tuple[Value | Sequence | Row, ...]
    after: Label


@attrs.frozen
class Unset(Control):
    """Clear the values of locals."""

    slots: tuple[int, ...]


@attrs.frozen
class TakeFirst(Control):
    """Remove the first member of a local set, and write it to a slot."""

    rest: int
    slot: int


@attrs.frozen
class BeginTogether(Control):
    """Begin a simultaneous block, identified by `own`, unless one is running.

    `everybody` is the local that stores all initial members of `rest`.
    """

    own: int
    rest: int
    everybody: int
    size: int


@attrs.frozen
class EndTogether(Control):
    """End the running simultaneous block if `own` identifies it."""

    own: int
    everybody: int


@attrs.frozen
class EndGame(Control):
    """Continue with the clause that determines the winners."""


@attrs.frozen
class Finish(Control):
    """End the game if there is a winner, or in any case if `certain` is true.

    The winners are `winners` or the best seats of a ranking. Without both, nobody wins.
    """

    winners: Value | Sequence | None
    ranking: BestSet | None
    reason: str
    certain: bool


@attrs.frozen
class Return(Control):
    """End the unit and mark triggers (as bits) for evaluation."""

    triggers: int


# ---------------------------------------------------------------- chance


@attrs.frozen
class Outcomes(Operation):
    """Weighted results of a chance event."""


@attrs.frozen
class Weights(Outcomes):
    """Outcomes that are the indices of a row, each weighted by its count."""

    row: Row


@attrs.frozen
class TopCard(Outcomes):
    """Top card of a stack as the outcome: certain if known, else drawn from the unknown
    cards.
    """

    stack: Stack


@attrs.frozen
class Uniform(Outcomes):
    """Outcomes that are the members of a sequence, all with the same weight."""

    sequence: Sequence


@attrs.frozen
class Dice(Outcomes):
    """Outcomes of dice, given as rows of weighted faces; only results that meet a
    condition count.

    The condition is evaluated with the faces in their cells.
    """

    rows: tuple[tuple[Table, int], ...]
    cells: Table
    condition: Value | None


@attrs.frozen
class DealTest(Operation):
    """Condition (`broken`) that must not be true for any members; the members are in
    `slots`.
    """

    slots: tuple[int, ...]
    broken: Value


@attrs.frozen
class Deal(Outcomes):
    """Cards that can be dealt to the first of the remaining members.

    `cards` and `rest` are the locals with the remaining cards and members. Cards are
    dealt to the cells after `base`, or to stacks. `values` contains the value that each
    card writes, with a last entry for none. `copies` contains the number of copies of
    each card, and `start` is the content of a cell without a card. `data` contains the
    fixed data of the search, and `tests` its conditions. `tried` is evaluated for each
    arrangement in counted games.
    """

    cards: int
    rest: int
    members: Sequence
    base: int
    count: int
    is_stack: bool
    domain: str
    values: Table
    copies: Table
    start: int
    data: Any = attrs.field(eq=False)
    tests: tuple[DealTest, ...]
    tried: Value | None
    span: Any = attrs.field(eq=False)
    field: Any = attrs.field(eq=False)


@attrs.frozen
class BeginDeal(Control):
    """Begin a deal: store the cards to deal, and the members that receive them."""

    deal: Deal


@attrs.frozen
class Chance(Control):
    """Draw an outcome, or wait until it is given, and apply it.

    The outcome is in `slot`, as one number, or as a row for several dice. `types` are
    the types of its parts. `observers` are the seats that may know the outcome, or None
    if all seats may. Without outcomes the unit continues at `empty`.
    """

    here: Label
    name: str
    event: str
    outcomes: Outcomes
    slot: int
    accepted: Block
    after: Label
    empty: Label
    types: Any = attrs.field(eq=False)
    observers: Value | None = None


# ---------------------------------------------------------------- decisions


@attrs.frozen
class ActionOffer(Operation):
    """Action offered to a seat. `arguments` fix the action's parameters in `slots`. The
    action is offered only if no value in `needed` is none.
    """

    action: Any = attrs.field(eq=False)
    free: bool
    slots: tuple[int, ...]
    arguments: tuple[Value | Sequence | Row, ...]
    needed: tuple[Value, ...]


@attrs.frozen
class Decision(Control):
    """Wait until a seat decides. `source` is the statement of the rules."""

    here: Label
    name: str
    player: Value
    source: Any = attrs.field(eq=False)


@attrs.frozen
class WaitForAction(Decision):
    """Let a seat take one of the offered actions.

    The unit continues at `after` after most actions, at `ended` after the action
    `until`, at `passed` after a pass, and at `done` if nothing can be chosen. If
    `private` is true, whether anything can be chosen depends on secrets of the seat.
    """

    offers: tuple[ActionOffer, ...]
    until: str | None
    after: Label
    ended: Label
    passed: Label
    done: Label
    private: bool


@attrs.frozen
class WaitForMember(Decision):
    """Let a seat choose a member of a sequence, and write the member to `slot`."""

    slot: int
    sequence: Sequence
    base: int
    chosen: Label
    passed: Label
    empty: Label
    observers: Value | None


@attrs.frozen
class WaitForCards(Decision):
    """Let a seat pick cards one by one into the local row `bag`."""

    bag: LocalRow
    sequence: Sequence
    hand: Row | None
    low: Value
    high: Value
    base: int
    done: Label
    observers: Value | None
    private: bool


# ---------------------------------------------------------------- functions


@attrs.frozen
class Offered(Statement):
    """Add an action index to the legal actions, if a condition is true."""

    index: Value
    condition: Value | None = None
