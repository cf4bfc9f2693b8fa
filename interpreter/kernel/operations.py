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
    """Operation whose result is one integer."""


@attrs.frozen
class Sequence(Operation):
    """Operation whose result is a finite list of integers."""


@attrs.frozen
class Row(Operation):
    """Operation whose result is a list of counts, one for each index from 0."""


@attrs.frozen
class Statement(Operation):
    """Operation that changes the state and never waits."""


# ---------------------------------------------------------------- constants and cells


@attrs.frozen
class Int(Value):
    """Constant number in the program.
    `truth` is true for the constants yes (1) and no (0).
    """

    value: int
    truth: bool = False


@attrs.frozen
class Amount(Value):
    """Number that is data: programs that differ only in amounts share one C text.

    `source` is the part of the rules that contains the number, and `key` distinguishes
    several amounts in one part.
    """

    value: int
    source: Any = attrs.field(eq=False)
    key: tuple[Hashable, ...] = ()


@attrs.frozen
class Var(Value):
    """Value of a local that contains one number.
    If `size` is known, the number is less than `size` and at least -1.
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
    """Index of coordinates in a grid, or -1 outside it; `axes` are (low, size) pairs.

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
    """Result of a comparison: `== != < <= > >=`."""

    operator: str
    left: Value
    right: Value


@attrs.frozen
class Between(Value):
    """Result of two comparisons of one value, which is evaluated once."""

    low: Value
    first: str
    value: Value
    second: str
    high: Value


@attrs.frozen
class Negate(Value):
    """Negation of a truth value."""

    value: Value


@attrs.frozen
class All(Value):
    """Conjunction of truth values; `eager` allows evaluating every part."""

    parts: tuple[Value, ...]
    eager: bool = False


@attrs.frozen
class Some(Value):
    """Disjunction of truth values."""

    parts: tuple[Value, ...]


@attrs.frozen
class CountTrue(Value):
    """Number of true parts."""

    parts: tuple[Value, ...]


@attrs.frozen
class Select(Value):
    """One of two values, selected by a condition."""

    condition: Value
    then: Value
    otherwise: Value


@attrs.frozen
class SeatBit(Value):
    """Set of one seat, as bits; the set is empty if the seat is none."""

    seat: Value


@attrs.frozen
class CallFunction(Value):
    """Result of a call of a function of the program, which has no side effects."""

    function: str
    arguments: tuple[Value | Sequence | Row, ...]


@attrs.frozen
class KeptValue(Value):
    """Value that is kept until a cell that it depends on is written.

    It depends on the locals in `slots`, whose values are `keys`, and on the cells in
    the blocks `reads`. It is kept if each key is at least -1 and less than its number
    in `sizes`. For each block, `owners` contains the local with which its cells are
    compared, or None if they are read in another way. A pass creates this operation.
    """

    slots: tuple[int, ...]
    keys: tuple[Value, ...]
    sizes: tuple[int, ...]
    reads: tuple[int, ...]
    owners: tuple[int | None, ...]
    value: Value


@attrs.frozen
class Probe(Value):
    """Truth value that is counted at a site, separately for true and false.

    If `site` is a table, each member is counted at a separate site.
    """

    site: int | Table
    value: Value


# ---------------------------------------------------------------- folds


class FoldKind(StrEnum):
    """Kinds of results that a fold can compute.
    `first` and `only` return a member or -1; `max` and `min` return 0 if there are no
    members.
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
    """Result computed from the selections from a row that meet a condition.

    A selection takes from `low` to `high` items, at least 1, and at most `row[i]` of
    index i. It counts once for each way to select its items, which are all different.
    The search of the expression at `span` fails after `limit` selections of any size.
    """

    kind: FoldKind
    slot: int
    row: Row
    low: Value
    high: Value
    limit: int
    span: Any = attrs.field(eq=False)
    where: Value | None = None
    value: Value | None = None


@attrs.frozen
class ContainsElement(Value):
    """Test whether a sequence contains a member."""

    sequence: Sequence
    member: Value


@attrs.frozen
class SameSequence(Value):
    """Test whether two sequences have the same members in the same order."""

    left: Sequence
    right: Sequence


# ---------------------------------------------------------------- rows


@attrs.frozen
class Element(Value):
    """Count in a row at an index.
    The index must not be -1, except for a stack, where the count at -1 is 0.
    """

    row: Row
    index: Value


@attrs.frozen
class Total(Value):
    """Sum of the counts in a row."""

    row: Row


@attrs.frozen
class CountEqual(Value):
    """Number of cells in a row that contain a value."""

    row: CellRow
    value: Value


@attrs.frozen
class CoversRow(Value):
    """Test whether every count of a row is at least the count of another row."""

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
    """Constant row of amounts; `source` is the part of the rules that contains it."""

    values: Table
    source: Any = attrs.field(eq=False)


@attrs.frozen
class LookupRow(Row):
    """Row of a constant table; the last row is for the index -1.
    `data` names the table.
    """

    rows: tuple[Table, ...]
    index: Value
    data: str


@attrs.frozen
class LocalRow(Row):
    """Local that contains a row of numbers."""

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
    """Card at a place in a stack, from 0 at the top; -1 if unknown or out of range."""

    stack: Stack
    place: Value


# ---------------------------------------------------------------- sequences


@attrs.frozen
class Range(Sequence):
    """Integers from `low` to `high`, both included.
    There are at most `size` integers if `size` is known.
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
    """Row of a constant table as a sequence; the last row is for the index -1."""

    rows: tuple[Table, ...]
    index: Value


@attrs.frozen
class Holding(Sequence):
    """Indices of the cells that contain a value, in ascending order.
    If `value` is None, the cells contain any value but -1. If `nowhere` is true, the
    value -1 finds no cells.
    """

    base: int
    size: int
    value: Value | None
    nowhere: bool = True


@attrs.frozen
class Nonzero(Sequence):
    """Indices at which a row is not 0, in ascending order."""

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
    """Sequence that is empty unless a condition is true."""

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
    """Members that meet a condition and have the largest keys.
    Later keys break ties.
    """

    slot: int
    sequence: Sequence
    where: Value | None
    keys: tuple[Value, ...]


@attrs.frozen
class SortedSet(Sequence):
    """Members that meet a condition, in stable order of a key.

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
    """Seats with rank 1."""


@attrs.frozen
class Around(Sequence):
    """Places whose row in a constant table shares a member with a sequence.

    `rows` has a row for each place, and the places are in ascending order. A pass
    creates this operation from a condition on places.
    """

    rows: tuple[Table, ...]
    sequence: Sequence


@attrs.frozen
class Union(Sequence):
    """Union of several sequences of places below `size`, in ascending order."""

    sequences: tuple[Sequence, ...]
    size: int


@attrs.frozen
class KeptPlaces(Sequence):
    """Places below `size`, in ascending order, kept until a cell that they depend on is
    written. They depend on locals and blocks of cells as a kept value does. A pass
    creates this operation.
    """

    slots: tuple[int, ...]
    keys: tuple[Value, ...]
    sizes: tuple[int, ...]
    reads: tuple[int, ...]
    owners: tuple[int | None, ...]
    sequence: Sequence
    size: int


# ---------------------------------------------------------------- searches


@attrs.frozen
class PerElement(Operation):
    """Value computed for each member, which is in a slot."""

    slot: int
    value: Value


@attrs.frozen
class StepCondition(Operation):
    """Condition on the step from the place in slot `before` to the one in `slot`."""

    before: int
    slot: int
    holds: Value


@attrs.frozen
class Ways(Operation):
    """Ways over a board from one or several places.

    `links` are the ways out of each place as (link, place) pairs, or None for ways over
    `neighbours`. `fits` tests each place (or with `links` each link), `through` each
    place between the first and the last, `step` each step between neighbours, and
    `within` limits the number of steps.
    """

    size: int
    start: Value | Sequence
    neighbours: tuple[Table, ...]
    links: tuple[tuple[tuple[int, int], ...], ...] | None
    fits: PerElement | None
    through: PerElement | None
    within: Value | None
    step: StepCondition | None = None

    @property
    def is_plain(self) -> bool:
        """Whether ways depend only on places, not on links or steps."""
        others = (self.links, self.through, self.within, self.step)
        return all(other is None for other in others)


@attrs.frozen
class Reached(Sequence):
    """Places that ways reach, in ascending order."""

    ways: Ways


@attrs.frozen
class LinkDistance(Value):
    """Number of steps of the shortest way to a goal, or `beyond` if there is no way.
    With a `price`, the result is the lowest total price of the places (or with links,
    of the links) on a way, excluding its start.
    """

    ways: Ways
    goal: Value | Sequence
    beyond: int
    price: PerElement | None = None


@attrs.frozen
class TrailLength(Value):
    """Largest number or total weight of links in a trail without repeated links.

    `ends` are the two corners of each link of the board. A trail does not continue at a
    corner for which `closed` is true, and changes from one kind of link to another only
    where `joint` is true. If the other fields read only one local and it is a seat,
    `seat` is that local, and the result can be cached for each seat. The search of the
    expression at `span` fails if the links may have more than `limit` states.
    """

    sorts: tuple[Sequence, ...]
    closed: PerElement
    weight: PerElement | None
    joint: PerElement | None
    ends: tuple[tuple[int, int], ...]
    seat: Value | None
    limit: int
    span: Any = attrs.field(eq=False)


# ---------------------------------------------------------------- statements

Block = tuple[Statement, ...]


@attrs.frozen
class Bind(Statement):
    """Binding of a value to a slot for the rest of a scope."""

    slot: int
    value: Value


@attrs.frozen
class Assign(Statement):
    """Assignment of one number to a local."""

    slot: int
    value: Value


@attrs.frozen
class AssignSet(Statement):
    """Assignment of a sequence to a local."""

    slot: int
    sequence: Sequence


@attrs.frozen
class AssignRow(Statement):
    """Assignment of a row to a local; without a row, all its numbers become 0."""

    slot: int
    row: Row | None
    size: int


@attrs.frozen
class AssignElement(Statement):
    """Assignment of one number in a local that contains a row."""

    row: LocalRow
    index: Value
    value: Value


@attrs.frozen
class Store(Statement):
    """Write to a cell; `grows` is true if the number may be too large for an engine."""

    cell: Value
    value: Value
    grows: bool = False


@attrs.frozen
class StoreRow(Statement):
    """Write of a row to consecutive cells."""

    first: Value
    row: Row
    size: int


@attrs.frozen
class StoreSet(Statement):
    """Write of a sequence to a cell."""

    cell: Value
    sequence: Sequence


@attrs.frozen
class Clear(Statement):
    """Write of a number to all cells of a row, or only to those with a value."""

    row: CellRow
    value: Value | None
    number: int


@attrs.frozen
class Wake(Statement):
    """Marking of the triggers (as bits) that read a written part of the state."""

    triggers: int


@attrs.frozen
class Tick(Statement):
    """Addition to the number of executed statements of the rules."""

    count: int


@attrs.frozen
class CheckBudget(Statement):
    """Check, before another round of a loop, that the budget is not used up."""


@attrs.frozen
class Fail(Statement):
    """Failure with a reason if a condition is true.

    `span` is the place of the rule, `part` the declaration that it uses, and `shown`
    are values for the message. `owners` are the names of the owners of pieces.
    """

    condition: Value
    reason: Failure
    span: Any = attrs.field(eq=False)
    part: Any = attrs.field(eq=False)
    message_values: tuple[Value, ...] = ()
    owners: tuple[str, ...] = ()


@attrs.frozen
class RequireTruth(Statement):
    """Failure of a test of the rules unless a condition is true."""

    condition: Value
    source: Any = attrs.field(eq=False)


@attrs.frozen
class When(Statement):
    """Choice between two blocks by a condition."""

    condition: Value
    body: Block
    otherwise: Block = ()


@attrs.frozen
class ForEach(Statement):
    """Loop over the members that meet a condition when their round starts.

    If `frozen`, the members are listed before the first round, since rounds may write.
    """

    slot: int
    sequence: Sequence
    where: Value | None
    body: Block
    frozen: bool


@attrs.frozen
class ForCounts(Statement):
    """Loop over the indices at which a row is not 0; the row is read first."""

    index: int
    count: int
    row: Row
    size: int
    body: Block


@attrs.frozen
class Times(Statement):
    """Loop with a number of rounds; `until` ends it if true before a round."""

    count: Value
    until: Value | None
    body: Block


@attrs.frozen
class Scope(Statement):
    """Block at whose end the names bound in it go out of scope."""

    body: Block


@attrs.frozen
class Run(Statement):
    """Call of another unit, which never waits; `slots` are its argument slots."""

    unit: int
    slots: tuple[int, ...]
    arguments: tuple[Value | Sequence | Row, ...]


@attrs.frozen
class DropFirst(Statement):
    """Removal of the first member of a local sequence."""

    rest: int


@attrs.frozen
class Leave(Statement):
    """Exit from the current unit."""


@attrs.frozen
class Visit(Statement):
    """Count, at a site, of the times that a statement of the rules is reached."""

    site: int


@attrs.frozen
class Announce(Statement):
    """Addition of a sentence of the rules to the log, with the values of its gaps."""

    sentence: Any = attrs.field(eq=False)
    values: tuple[Value, ...]


@attrs.frozen
class CompareCards(Statement):
    """Snapshot of the places of all cards, or count of the cards moved since then.
    `begins` is true for the snapshot.
    """

    begins: bool


# ---------------------------------------------------------------- statements on stacks


@attrs.frozen
class StackTake(Statement):
    """Removal of one card from a stack; the seats in `knowing` (as bits) know it."""

    stack: Stack
    card: Value
    knowing: Value


@attrs.frozen
class StackPut(Statement):
    """Addition of equal cards to a stack; the seats in `knowing` know them."""

    stack: Stack
    card: Value
    number: Value
    on_top: bool
    knowing: Value


@attrs.frozen
class StackShuffle(Statement):
    """Shuffle of a stack, after which nobody knows its order."""

    stack: Stack


@attrs.frozen
class StackDraw(Statement):
    """Removal of the top card of a stack, which is `card`."""

    stack: Stack
    card: Value


@attrs.frozen
class StackLearn(Statement):
    """Disclosure of the first unknown card of a stack to the seats in `knowing`."""

    stack: Stack
    card: Value
    knowing: Value


@attrs.frozen
class StackShow(Statement):
    """Disclosure of all known cards of a stack, or of its top card, to some seats."""

    stack: Stack
    knowing: Value
    top_only: bool


# ---------------------------------------------------------------- control


@attrs.frozen
class Control(Operation):
    """Operation of a unit that may wait, such as a jump or a decision."""


Label = int
"""Identifier of a step, used until step numbers are assigned."""

Step = tuple[Statement | Control, ...]


@attrs.frozen
class Goto(Control):
    """Jump to a label."""

    label: Label


@attrs.frozen
class Branch(Control):
    """Part of a step that runs if a condition is true, and may jump to a label."""

    condition: Value
    body: Step


@attrs.frozen
class Settle(Control):
    """Evaluation of the marked triggers, after which the frame continues at a label."""

    label: Label


@attrs.frozen
class Push(Control):
    """Call of another unit that may wait, and then a jump to the label `after`.

    `slots` are the slots of the arguments in the frame of that unit.
    """

    unit: Value
    slots: tuple[int, ...]
    arguments: tuple[Value | Sequence | Row, ...]
    after: Label


@attrs.frozen
class Unset(Control):
    """Removal of the values of locals."""

    slots: tuple[int, ...]


@attrs.frozen
class TakeFirst(Control):
    """Removal of the first member of a local sequence, which is written to a slot."""

    rest: int
    slot: int


@attrs.frozen
class BeginTogether(Control):
    """Start of a simultaneous block, unless one is running.

    The local `own` becomes true if the block starts here. `everybody` is the local that
    stores all initial members of `rest`.
    """

    own: int
    rest: int
    everybody: int
    size: int


@attrs.frozen
class EndTogether(Control):
    """End of the running simultaneous block if the local `own` is true."""

    own: int
    everybody: int


@attrs.frozen
class EndGame(Control):
    """Jump to the clause that determines the winners."""


@attrs.frozen
class Finish(Control):
    """End of the game if there is a winner, or in any case if `certain` is true.

    The winners are `winners` or the best seats of a ranking. With neither, nobody wins.
    """

    winners: Value | Sequence | None
    ranking: BestSet | None
    reason: str
    certain: bool


@attrs.frozen
class Return(Control):
    """End of a unit, which marks triggers (as bits) for evaluation."""

    triggers: int


# ---------------------------------------------------------------- chance


@attrs.frozen
class Outcomes(Operation):
    """Weighted outcomes of a chance event."""


@attrs.frozen
class Weights(Outcomes):
    """Outcomes that are the indices of a row, each weighted by its count."""

    row: Row


@attrs.frozen
class TopCard(Outcomes):
    """Top card of a stack as the outcome: known, or drawn from the unknown cards."""

    stack: Stack


@attrs.frozen
class Uniform(Outcomes):
    """Outcomes that are the members of a sequence, with equal weights."""

    sequence: Sequence


@attrs.frozen
class Dice(Outcomes):
    """Outcomes of dice that meet a condition, as rows of faces with a weight.

    The condition is evaluated with the faces in their cells.
    """

    rows: tuple[tuple[Table, int], ...]
    cells: Table
    condition: Value | None


@attrs.frozen
class DealTest(Operation):
    """Condition (`broken`) that must be false for all members, which are in `slots`."""

    slots: tuple[int, ...]
    broken: Value


@attrs.frozen
class Deal(Outcomes):
    """Outcomes of a deal: cards that the first of the remaining members can receive.

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
    """Start of a deal, which stores the cards to deal and the members to get them."""

    deal: Deal


@attrs.frozen
class Chance(Control):
    """Chance event, whose outcome is drawn or awaited, and then applied.

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
    """Action offered to a seat, unless a value in `needed` is none.
    `arguments` fix the action's parameters in `slots`.
    """

    action: Any = attrs.field(eq=False)
    free: bool
    slots: tuple[int, ...]
    arguments: tuple[Value | Sequence | Row, ...]
    needed: tuple[Value, ...]


@attrs.frozen
class Decision(Control):
    """Wait for the decision of a seat; `source` is the statement of the rules."""

    here: Label
    name: str
    player: Value
    source: Any = attrs.field(eq=False)


@attrs.frozen
class WaitForAction(Decision):
    """Wait for a seat to take one of the offered actions.

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
    """Wait for a seat to choose a member of a sequence, which is written to `slot`."""

    slot: int
    sequence: Sequence
    base: int
    chosen: Label
    passed: Label
    empty: Label
    observers: Value | None


@attrs.frozen
class WaitForCards(Decision):
    """Wait for a seat to pick cards, one by one, into the local row `bag`."""

    bag: LocalRow
    sequence: Sequence
    hand: Row | None
    low: Value
    high: Value
    base: int
    done: Label
    observers: Value | None
    private: bool


# ---------------------------------------------------------------- legal actions


@attrs.frozen
class Offered(Statement):
    """Addition of an action index to the legal actions if a condition is true."""

    index: Value
    condition: Value | None = None
