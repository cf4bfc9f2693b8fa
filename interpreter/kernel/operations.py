"""Operations of the kernel, as frozen values that are independent of any game.

There are four sorts. A *value* is a single 64-bit integer; a truth is 0 or 1, a member
its index, and none -1. A *sequence* is a finite list of integers to iterate over. A
*row* is a list of counts, one for each index. A *statement* changes the state and never
waits. Values, sequences and rows have no side effects, so a pass may share, move or
drop them.

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
    """Any operation of the kernel."""


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
    """Number of the program; `truth` marks yes (1) and no (0)."""

    value: int
    truth: bool = False


@attrs.frozen
class Amount(Value):
    """Number that is data: two programs that differ only in amounts share one C text.

    `source` is the part of the rules that contains it, `key` tells apart several
    amounts of one part.
    """

    value: int
    source: Any = attrs.field(eq=False)
    key: tuple[Hashable, ...] = ()


@attrs.frozen
class Var(Value):
    """Local with one number; if `size` is known, it is -1 or below `size`."""

    slot: int
    size: int | None = attrs.field(default=None, eq=False)


@attrs.frozen
class Absent(Value):
    """Member that this game does not have, such as a seat that does not play."""

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

    With an `owner`, the index in that owner's grid; there are `owners` grids.
    """

    axes: tuple[tuple[int, int], ...]
    coordinates: tuple[Value, ...]
    owner: Value | None
    owners: int


# ---------------------------------------------------------------- arithmetic and logic


@attrs.frozen
class Binary(Value):
    """Result of `+ - * // % min max | &`; `//` and `%` round down.

    `natural` is whether both operands are certainly 0 or more.
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
    """Whether a truth is 0."""

    value: Value


@attrs.frozen
class All(Value):
    """Whether all parts are true; `eager` allows evaluating every part."""

    parts: tuple[Value, ...]
    eager: bool = False


@attrs.frozen
class Some(Value):
    """Whether a part is true."""

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
    """Set of one seat as bits; empty for none."""

    seat: Value


@attrs.frozen
class CallFunction(Value):
    """Result of a function of the program, which changes nothing."""

    function: str
    arguments: tuple[Value | Sequence | Row, ...]


@attrs.frozen
class Probe(Value):
    """Value whose true and false evaluations are counted separately, at a site.

    If there is a site for each member, a member is counted at its own.
    """

    site: int | Table
    value: Value


# ---------------------------------------------------------------- over sequences


class FoldKind(StrEnum):
    """Results that a fold can compute.

    `first` and `only` give a member or -1, `max` and `min` give 0 without members.
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
    """Result over the members that meet a condition."""

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
    """Count of a row at an index that is not -1; of a stack, 0 at -1."""

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
    """Whether no count of a row is less than that of another."""

    row: Row
    other: Row


@attrs.frozen
class CellRow(Row):
    """Cells of the state, each `step` after the one before."""

    first: Value
    size: int
    step: int = 1


@attrs.frozen
class ConstantRow(Row):
    """Amounts of the program, which a part of the rules (`source`) contains."""

    values: Table
    source: Any = attrs.field(eq=False)


@attrs.frozen
class LookupRow(Row):
    """Row of a constant table; its last row is for the index -1. `data` names it."""

    rows: tuple[Table, ...]
    index: Value
    data: str


@attrs.frozen
class LocalRow(Row):
    """Local with several numbers."""

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
    """Stack of cards: the one of an `owner` after the cell `base`.

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
    """Numbers from low to high, both included; at most `size` if that is known."""

    low: Value
    high: Value
    size: int | None = attrs.field(default=None, eq=False)


@attrs.frozen
class Listed(Sequence):
    """Constant members."""

    members: Table


@attrs.frozen
class TableRow(Sequence):
    """Row of a constant table; its last row is for the index -1."""

    rows: tuple[Table, ...]
    index: Value


@attrs.frozen
class Holding(Sequence):
    """Places among cells that hold a value (None: any but -1), the lowest first.

    `nowhere` is whether nothing is found if the value is -1.
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
    """Members that meet a condition."""

    slot: int
    sequence: Sequence
    condition: Value


@attrs.frozen
class Guarded(Sequence):
    """A sequence if a condition is true, else nothing."""

    condition: Value
    sequence: Sequence


@attrs.frozen
class LocalSet(Sequence):
    """Local that contains a sequence of at most `size` members."""

    slot: int
    size: int


@attrs.frozen
class CellSet(Sequence):
    """Sequence that a cell of the state contains."""

    cell: Value


@attrs.frozen
class CallSet(Sequence):
    """Sequence that a function of the program returns, with at most `size` members."""

    function: str
    arguments: tuple[Value | Sequence | Row, ...]
    size: int


@attrs.frozen
class BestSet(Sequence):
    """Members that meet a condition and have the largest keys, compared in turn."""

    slot: int
    sequence: Sequence
    where: Value | None
    keys: tuple[Value, ...]


@attrs.frozen
class SortedSet(Sequence):
    """Members that meet a condition, sorted by a key; the sort is stable.

    With `count`, only the first `count` of them.
    """

    slot: int
    sequence: Sequence
    where: Value | None
    key: Value
    falling: bool
    count: Value | None = None


@attrs.frozen
class WinnerSet(Sequence):
    """Seats of rank 1."""


@attrs.frozen
class Around(Sequence):
    """Places, in order, whose row of a constant table shares a member with a sequence.

    `rows` has a row for each place. A pass makes this from a condition on places.
    """

    rows: tuple[Table, ...]
    sequence: Sequence


@attrs.frozen
class Union(Sequence):
    """Members of several sequences of places below `size`, the lowest first."""

    sequences: tuple[Sequence, ...]
    size: int


# ---------------------------------------------------------------- searches


@attrs.frozen
class PerElement(Operation):
    """Value for each member, which is in a slot."""

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
        """Whether only the places decide, not links or the number of steps."""
        return self.links is None and self.through is None and self.within is None


@attrs.frozen
class Reached(Sequence):
    """Places that ways lead to, the lowest first."""

    ways: Ways


@attrs.frozen
class LinkDistance(Value):
    """Steps of the shortest way to one or several goals; without one, `beyond`.

    With a `price`, the lowest sum of the prices of the places (or with links, of the
    links) that a way leads over, without its start.
    """

    ways: Ways
    goal: Value | Sequence
    beyond: int
    price: PerElement | None = None


@attrs.frozen
class TrailLength(Value):
    """Largest number (or weight) of links in one trail, which repeats no link.

    `ends` are the two corners of each link of the board. A trail does not continue at
    a corner for which `closed` is true, and changes from one sort of links to another
    only where `joint` is. `seat` is the only local that the rest reads, if it is a
    seat: the result can be cached for each.
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
    """Name a value for the rest of a scope."""

    slot: int
    value: Value


@attrs.frozen
class Assign(Statement):
    """Write a local with one number."""

    slot: int
    value: Value


@attrs.frozen
class AssignSet(Statement):
    """Write a local with a sequence."""

    slot: int
    sequence: Sequence


@attrs.frozen
class AssignRow(Statement):
    """Write all numbers of a local, or 0 to all if there is no row."""

    slot: int
    row: Row | None
    size: int


@attrs.frozen
class AssignElement(Statement):
    """Write one number of a local with several."""

    row: LocalRow
    index: Value
    value: Value


@attrs.frozen
class Store(Statement):
    """Write a cell; `grows` marks a number that may be too large for an engine."""

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
    """Write a number to each of some cells, or to those that hold a value."""

    row: CellRow
    value: Value | None
    number: int


@attrs.frozen
class Wake(Statement):
    """Mark the triggers that read what was written, as bits."""

    triggers: int


@attrs.frozen
class Tick(Statement):
    """Count statements of the rules."""

    count: int


@attrs.frozen
class CheckBudget(Statement):
    """Fail if the budget of statements is used up, before another round."""


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
    """Run one of two blocks."""

    condition: Value
    body: Block
    otherwise: Block = ()


@attrs.frozen
class ForEach(Statement):
    """Run a block for each member that meets a condition when its turn comes.

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
    """Run a block; its names go out of scope at its end."""

    body: Block


@attrs.frozen
class Run(Statement):
    """Run another unit, which never waits. `slots` are those of its arguments."""

    unit: int
    slots: tuple[int, ...]
    arguments: tuple[Value | Sequence | Row, ...]


@attrs.frozen
class DropFirst(Statement):
    """Remove the first member of a local set."""

    rest: int


@attrs.frozen
class Leave(Statement):
    """Leave the unit."""


@attrs.frozen
class Visit(Statement):
    """Count that a statement of the rules was reached, at a site."""

    site: int


@attrs.frozen
class Announce(Statement):
    """Add a sentence of the rules to the log, with the values of its gaps."""

    sentence: Any = attrs.field(eq=False)
    values: tuple[Value, ...]


@attrs.frozen
class CompareCards(Statement):
    """Remember where cards are (`begins`), or count those that have moved since."""

    begins: bool


# ---------------------------------------------------------------- statements on stacks


@attrs.frozen
class StackTake(Statement):
    """Remove one card from a stack; some seats, as bits, know that it left."""

    stack: Stack
    card: Value
    knowing: Value


@attrs.frozen
class StackPut(Statement):
    """Add cards to a stack, which some seats know."""

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
    """Fix the first unknown card of a stack, which some seats know."""

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
    """Part of a step of a unit that may wait."""


Label = int
"""Name of a step, until all steps are known."""

Step = tuple[Statement | Control, ...]


@attrs.frozen
class Goto(Control):
    """Continue at a label."""

    label: Label


@attrs.frozen
class Branch(Control):
    """Run a part of a step if a condition is true; it may go to a label."""

    condition: Value
    body: Step


@attrs.frozen
class Settle(Control):
    """Evaluate the triggers that are awake; the frame continues at this label."""

    label: Label


@attrs.frozen
class Push(Control):
    """Run another unit, and then continue at a label.

    `slots` are those of the arguments in the frame of the unit.
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
    """End the running simultaneous block if it is this one."""

    own: int
    everybody: int


@attrs.frozen
class EndGame(Control):
    """Continue with the clause that determines the winners."""


@attrs.frozen
class Finish(Control):
    """End the game if somebody wins, or in any case if `certain`.

    The winners are `winners`, or the best of a ranking. With neither, nobody wins.
    """

    winners: Value | Sequence | None
    ranking: BestSet | None
    reason: str
    certain: bool


@attrs.frozen
class Return(Control):
    """End the unit, and wake triggers, as bits."""

    triggers: int


# ---------------------------------------------------------------- chance


@attrs.frozen
class Outcomes(Operation):
    """Results of a chance event, with weights."""


@attrs.frozen
class Weights(Outcomes):
    """Each index of a row, weighted by its count."""

    row: Row


@attrs.frozen
class TopCard(Outcomes):
    """Top card of a stack: certain if known, else drawn from the unknown cards."""

    stack: Stack


@attrs.frozen
class Uniform(Outcomes):
    """Members of a sequence, each with the same weight."""

    sequence: Sequence


@attrs.frozen
class Dice(Outcomes):
    """Rows of weighted faces; only faces that meet a condition count.

    The condition is evaluated with the faces in their cells.
    """

    rows: tuple[tuple[Table, int], ...]
    cells: Table
    condition: Value | None


@attrs.frozen
class DealTest(Operation):
    """Condition that must not be true of members, which are in slots."""

    slots: tuple[int, ...]
    broken: Value


@attrs.frozen
class Deal(Outcomes):
    """Cards that can be dealt to the first of the remaining members.

    `cards` and `rest` are the locals with the remaining cards and members. Cards are
    dealt to the cells after `base`, or to stacks. `values` is what each card writes,
    with a last entry for none. `copies` are the numbers of cards, `start` the content
    of a cell without a card. `data` are the fixed data of the search, `tests` its
    conditions, and `tried` is evaluated for each arrangement in counted games.
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
    """Store the cards to deal, and the members that they are dealt to."""

    deal: Deal


@attrs.frozen
class Chance(Control):
    """Draw an outcome, or wait until it is given, and apply it.

    The outcome is in `slot`, as one number or, of several dice, as a row. `types` are
    the types of its parts. `observers` are the seats that may know it, or None if all
    may. Without outcomes the unit continues at `empty`.
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
    """Action that a seat may take. `arguments` fix its parameters in `slots`.

    It is offered if the values in `needed` are not none.
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

    After an action the unit continues at `after`, after the action `until` at `ended`.
    It continues at `passed` after a pass, and at `done` if nothing can be chosen.
    `private` is whether that depends on secrets of the seat.
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
    """Let a seat choose a member of a sequence, which is written to `slot`."""

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
