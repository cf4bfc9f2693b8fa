"""Search for hidden values and cards that satisfy the invariants of the rules.

Each condition is split into one test per member. Values that violate a test on their
own are excluded. Then hidden values and cards that failing tests read are changed as
long as the failures decrease. The search is bounded and uses only what the seat knows.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any

import attrs

from interpreter.core.chance import Stream
from interpreter.core.layout import ACTIVE, Block
from interpreter.core.slots import FIRST_LOCAL
from interpreter.errors import SampleError
from interpreter.explain.condition_parts import Join, condition_parts
from interpreter.explain.evaluator import VALUE, ExpressionEvaluator
from interpreter.plan.plan import Plan
from interpreter.state.state import State
from rulebook import model as m

EVALUATIONS = 30_000
"""Maximum number of evaluated tests and proposed changes in one search."""

PROPOSALS = 16
"""Maximum number of changes compared for one cell."""

NOISE = 64
"""Reciprocal of the probability that a change with more failures is accepted."""

Cells = list[Any]
Frame = list[Any]
Function = Callable[[Cells, Frame], Any]
Penalty = Callable[[Frame], int]
"""Function that returns how far a condition is from being met, or 0 if it is met."""


class ReadRecorder(list[Any]):
    """List of cells that records which of them are read."""

    __slots__ = ("read",)

    def __init__(self, cells: Cells) -> None:
        super().__init__(cells)
        self.read: dict[int, None] = {}

    def __getitem__(self, index: Any) -> Any:
        if isinstance(index, slice):
            self.read.update(dict.fromkeys(range(*index.indices(len(self)))))
        else:
            self.read[index % len(self)] = None
        return super().__getitem__(index)


@attrs.define(eq=False)
class Test:
    """Condition in a frame, as a function that measures its distance from being met.

    `penalty` is the last distance, and `read_cells` are the unknown cells that it read.
    """

    distance: Penalty
    frame: Frame
    penalty: int = 0
    read_cells: tuple[int, ...] = ()


@attrs.frozen
class Value:
    """Hidden value: its cell, and its possible values."""

    cell: int
    values: tuple[Any, ...]


@attrs.frozen
class CardPlace:
    """Place of a hidden card that can be exchanged with others.

    In a stack, `at` is the place of a card, or None for the cards of unknown order.
    """

    block: Block
    row: int
    at: int | None = None


@attrs.define
class UnknownCells:
    """Cells that a search may change: hidden values, and places of cards by domain."""

    values: list[Value]
    places: dict[str, list[CardPlace]]


Change = list[tuple[int, Any]]
"""Cells to change, each with its new contents."""


def satisfies_invariants(plan: Plan, s: Cells) -> bool:
    """Return whether the cells satisfy the invariants that read hidden fields."""
    return all(is_satisfied(s, s[ACTIVE]) for is_satisfied in plan.hidden.invariants)


def satisfies_relations(plan: Plan, s: Cells) -> bool:
    """Return whether the cells satisfy the relations found in trial games."""
    return all(is_satisfied(s, s[ACTIVE]) for is_satisfied in plan.relations.functions)


def restore_relations(
    g: State, unknown: UnknownCells, chance: Stream, *, with_invariants: bool
) -> None:
    """Change unknown cells until the relations are satisfied.

    With `with_invariants`, the invariants must be satisfied too. If the search fails,
    nothing changes, because relations are not part of the rules.
    """
    conditions = g.plan.hidden.conditions if with_invariants else ()
    search = InvariantSearch(
        g, unknown, chance, conditions, g.plan.relations.conditions
    )
    if search.run():
        g.s[:] = search.s


def restore_invariants(g: State, unknown: UnknownCells, chance: Stream) -> None:
    """Change unknown cells until the invariants are satisfied.

    Raise `SampleError` if the search fails within its limit.
    """
    search = InvariantSearch(g, unknown, chance, g.plan.hidden.conditions)
    if not search.run():
        raise SampleError(search.evaluations)
    g.s[:] = search.s


class InvariantSearch:
    """Bounded local search over the unknown cells of a state."""

    def __init__(
        self,
        g: State,
        unknown: UnknownCells,
        chance: Stream,
        conditions: Sequence[m.Expr],
        relations: Sequence[m.Expr] = (),
    ) -> None:
        self.plan, self.chance = g.plan, chance
        self.s = ReadRecorder(g.s)
        self.reading: Cells = self.s
        self.functions: dict[int, tuple[m.Expr, Function]] = {}
        self.distances: dict[tuple[int, bool], tuple[m.Expr, Penalty]] = {}
        self.values = {value.cell: value for value in unknown.values}
        self.places: dict[int, list[tuple[CardPlace, list[CardPlace]]]] = {}
        for places in unknown.places.values():
            for place in places:
                size = place.block.size
                for cell in range(place.row, place.row + size):
                    self.places.setdefault(cell, []).append((place, places))
        self.evaluations = 0
        empty = [0, 0, g.s[ACTIVE]]
        self.tests = [
            Test(self.distance(part, wanted), frame)
            for condition in conditions
            for part, wanted, frame in self.expand(condition, True, empty)
        ]
        self.tests += [
            Test(self.distance(part, wanted), frame)
            for condition in relations
            for part, wanted, frame in self.expand(condition, True, empty)
            if not self.is_known(part, frame)
        ]
        self.readers: dict[int, dict[int, None]] = {}

    # ------------------------------------------------------------ tests

    def expand(
        self, e: m.Expr, expected: bool, frame: Frame
    ) -> Iterator[tuple[m.Expr, bool, Frame]]:
        """Split a condition into (condition, expected value, frame) tests.

        A universal condition over a known set becomes one test for each member.
        """
        parts = condition_parts(e)
        if parts.join is Join.NOT:
            yield from self.expand(parts.joined_conditions[0], not expected, frame)
        elif parts.join is not None and (parts.join is Join.ALL) == expected:
            for part in parts.joined_conditions:
                yield from self.expand(part, expected, frame)
        elif parts.join is not None:
            unknown_parts = []
            for part in parts.joined_conditions:
                if not self.is_known(part, frame):
                    unknown_parts.append(part)
                elif bool(self.value(part, frame)) == expected:
                    return
            if len(unknown_parts) == 1:
                yield from self.expand(unknown_parts[0], expected, frame)
            else:
                is_conjunction = parts.join is Join.ALL
                join = m.conjunction if is_conjunction else m.disjunction
                yield join(tuple(unknown_parts)), expected, frame
        elif (
            (search := parts.search) is not None
            and (where := search.where) is not None
            and not expected
            and self.is_known(search.set, frame)
        ):
            for member in self.value(search.set, frame):
                member_frame = extended_frame(frame, search.slot, member)
                yield from self.expand(where, expected, member_frame)
        else:
            yield e, expected, frame

    def is_known(self, e: m.Expr, frame: Frame) -> bool:
        """Return whether an expression reads no unknown cell."""
        self.s.read = {}
        self.value(e, frame)
        return not any(map(self.is_unknown, self.s.read))

    def is_unknown(self, cell: int) -> bool:
        """Return whether a cell may change."""
        return cell in self.values or cell in self.places

    def value(self, e: m.Expr, frame: Frame) -> Any:
        """Return the value of an expression in a frame."""
        known = self.functions.get(id(e))
        if known is None:
            function = ExpressionEvaluator(self.plan, self.s, frame).function(e, VALUE)
            known = self.functions[id(e)] = e, function
        return known[1](self.reading, frame)

    def evaluate(self, test: Test) -> None:
        """Update a test's distance from being met and the unknown cells it reads."""
        self.evaluations += 1
        self.s.read = {}
        test.penalty = test.distance(test.frame)
        test.read_cells = tuple(filter(self.is_unknown, self.s.read))

    def distance(self, e: m.Expr, expected: bool) -> Penalty:
        """Return the penalty function of a condition, from a cache."""
        key = (id(e), expected)
        if key not in self.distances:
            self.distances[key] = e, self.compute_distance(e, expected)
        return self.distances[key][1]

    def compute_distance(self, e: m.Expr, expected: bool) -> Penalty:
        """Return a function for how far a condition is from the expected value."""
        parts = condition_parts(e)
        if parts.join is Join.NOT:
            return self.distance(parts.joined_conditions[0], not expected)
        if parts.join is not None:
            inner = [self.distance(part, expected) for part in parts.joined_conditions]
            if (parts.join is Join.ALL) == expected:
                return lambda frame: sum([part(frame) for part in inner])
            return lambda frame: min([part(frame) for part in inner], default=1)
        search = parts.search
        if search is not None and search.where is not None:
            where = self.distance(search.where, expected)
            distances = partial(self.member_distances, search, where)
            if expected:
                return lambda frame: min(distances(frame), default=1)
            return lambda frame: sum(distances(frame))
        if parts.op is not None and all(map(is_number, parts.compared_values)):
            meaning = (parts.op if expected else parts.op.negation).function
            left, right = [partial(self.value, side) for side in parts.compared_values]
            return lambda frame: distance(meaning, left(frame), right(frame))
        return lambda frame: int(bool(self.value(e, frame)) != expected)

    def member_distances(
        self, search: m.Binder, where: Penalty, frame: Frame
    ) -> Iterator[int]:
        """Yield each set member's distance from meeting a condition."""
        for member in self.value(search.set, frame):
            yield where(extended_frame(frame, search.slot, member))

    # ------------------------------------------------------------ the search

    def run(self) -> bool:
        """Search for a state that meets all tests; return whether one was found."""
        for test in self.tests:
            self.evaluate(test)
        if not self.exclude_values():
            return False
        for number, test in enumerate(self.tests):
            self.evaluate(test)
            self.record_reads(number, test)
        while self.evaluations < EVALUATIONS:
            failing = [test for test in self.tests if test.penalty]
            if not failing:
                return True
            read = failing[self.chance.next_below(len(failing))].read_cells
            if not read:
                return False
            self.improve(read[self.chance.next_below(len(read))])
        return False

    def exclude_values(self) -> bool:
        """Exclude values that violate a test reading no other unknown cell.

        Return False if a cell has no value left.
        """
        for test in self.tests:
            if len(test.read_cells) != 1 or test.read_cells[0] not in self.values:
                continue
            cell, allowed = test.read_cells[0], []
            for value in self.values[cell].values:
                self.s[cell] = value
                self.evaluate(test)
                if not test.penalty or test.read_cells != (cell,):
                    allowed.append(value)
            if not allowed:
                return False
            self.values[cell] = Value(cell, tuple(allowed))
        for cell, value in self.values.items():
            self.s[cell] = value.values[self.chance.next_below(len(value.values))]
        return True

    def record_reads(self, number: int, test: Test) -> None:
        """Record which cells a test reads."""
        for cell in test.read_cells:
            self.readers.setdefault(cell, {})[number] = None

    def improve(self, cell: int) -> None:
        """Apply the best of several changes of a cell.

        A change that increases the failures is only accepted occasionally.
        """
        best, least_added = None, 0
        for number in self.proposals(cell):
            self.evaluations += 1
            change = self.change(cell, number)
            if change is None:
                continue
            added = self.added_penalty(change)
            if best is None or added < least_added:
                best, least_added = change, added
        if best is not None and (least_added <= 0 or not self.chance.next_below(NOISE)):
            self.apply(best)

    def proposals(self, cell: int) -> Sequence[int]:
        """Return the numbers of several changes of a cell, in random order."""
        if cell not in self.values:
            return range(PROPOSALS)
        values = len(self.values[cell].values)
        count = values + len(self.values)
        if count > PROPOSALS:
            half, below = PROPOSALS // 2, self.chance.next_below
            new = [below(values) for _ in range(half)]
            return new + [values + below(count - values) for _ in range(half)]
        numbers = list(range(count))
        self.chance.shuffle(numbers)
        return numbers

    def change(self, cell: int, number: int) -> Change | None:
        """Return the change of a cell with this number, or None if it has no effect."""
        if cell not in self.values:
            return self.random_exchange(cell)
        allowed = self.values[cell].values
        if number < len(allowed):
            new = allowed[number]
            return None if new == self.peek(cell) else [(cell, new)]
        other = [*self.values.values()][number - len(allowed)]
        here, there = self.peek(cell), self.peek(other.cell)
        if here == there or there not in allowed or here not in other.values:
            return None
        return [(cell, there), (other.cell, here)]

    def peek(self, cell: int) -> Any:
        """Return the contents of a cell without recording the read."""
        return list.__getitem__(self.s, cell)

    def random_exchange(self, cell: int) -> Change | None:
        """Return a random exchange of a card at *cell*, or None if it has no effect."""
        here, others = self.places[cell][self.chance.next_below(len(self.places[cell]))]
        there = others[self.chance.next_below(len(others))]
        if here is there:
            return None
        own_cards, other_cards = cards_at(self.s, here), cards_at(self.s, there)
        if not own_cards or not other_cards:
            return None
        card = own_cards[self.chance.next_below(len(own_cards))]
        other = other_cards[self.chance.next_below(len(other_cards))]
        if card == other:
            return None
        cells = list(self.s)
        replace(cells, here, card, other)
        replace(cells, there, other, card)
        rows = {here.row: here.block.size, there.row: there.block.size}
        return [
            (changed, cells[changed])
            for row, size in rows.items()
            for changed in range(row, row + size)
            if cells[changed] != self.peek(changed)
        ]

    def added_penalty(self, change: Change) -> int:
        """Return how much a change would increase the total penalty.

        The change is not applied. The tests read a plain list, because recording reads
        would take most of the time.
        """
        self.reading = list(self.s)
        for cell, new in change:
            self.reading[cell] = new
        added = 0
        for number in self.affected_tests(change):
            test = self.tests[number]
            self.evaluations += 1
            added += test.distance(test.frame) - test.penalty
        self.reading = self.s
        return added

    def apply(self, change: Change) -> None:
        """Apply a change, and evaluate the affected tests again."""
        for cell, new in change:
            self.s[cell] = new
        for number in self.affected_tests(change):
            self.evaluate(self.tests[number])
            self.record_reads(number, self.tests[number])

    def affected_tests(self, change: Change) -> list[int]:
        """Return the numbers of the tests that read a changed cell."""
        return sorted(
            {number for cell, _ in change for number in self.readers.get(cell, ())}
        )


def extended_frame(frame: Frame, slot: int, member: Any) -> Frame:
    """Return a copy of a frame with one more variable bound to a member."""
    place = slot + FIRST_LOCAL
    extended = [*frame, *[None] * (place + 1 - len(frame))]
    extended[place] = member
    return extended


def is_number(e: m.Expr) -> bool:
    """Return whether an expression is a number and never none."""
    return isinstance(e.type, m.Whole) and not e.type.optional


def distance(comparison: Callable[[int, int], bool], left: int, right: int) -> int:
    """Return how far two numbers are from satisfying a comparison."""
    return 0 if comparison(left, right) else max(abs(left - right), 1)


def cards_at(s: Sequence[Any], place: CardPlace) -> list[int]:
    """Return the different cards at a place."""
    row = s[place.row]
    match place.block.field.type:
        case m.Bag():
            counts = s[place.row : place.row + place.block.size]
        case m.Stack() if place.at is not None:
            return [row[0][place.at][0]]
        case m.Stack():
            counts = row[1]
        case _:
            return [row] if row >= 0 else []
    return [card for card, number in enumerate(counts) if number]


def replace(s: Cells, place: CardPlace, old: int, new: int) -> None:
    """Replace one card at a place by another."""
    match place.block.field.type:
        case m.Bag():
            s[place.row + old] -= 1
            s[place.row + new] += 1
        case m.Stack() if place.at is not None:
            entries, pool = s[place.row]
            changed = list(entries)
            changed[place.at] = (new, changed[place.at][1])
            s[place.row] = (tuple(changed), pool)
        case m.Stack():
            entries, pool = s[place.row]
            counts = list(pool)
            counts[old] -= 1
            counts[new] += 1
            s[place.row] = (entries, tuple(counts))
        case _:
            s[place.row] = new
