"""Evaluator of kernel operations: a back end that generates no text.

It has one function for each class of operation, in one table. It knows the kernel and
the runtime functions of stacks, ranks and trails, but nothing of the rules. Its state
is that of the interpreter: the list of cells and a frame.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from math import prod
from typing import Any

import attrs

from interpreter.algorithms.trails import TrailQuery, heaviest_trail, merged_links
from interpreter.core import stacks
from interpreter.core.layout import RANKS
from interpreter.core.ranks import winners_of
from interpreter.core.slots import FIRST_LOCAL
from interpreter.kernel import operations as k
from interpreter.kernel.passes.known import OPERATORS
from interpreter.source.failures import EffectPlace, failed
from interpreter.source.runtime import RUNTIME
from rulebook.model import StackEnd

Line = tuple[k.Value | None, k.Operation]
"""Value with the condition under which it applies, or None if it always does."""


@attrs.frozen
class Function:
    """Function of a program: the sum of its lines, or the first that applies.

    `default` is its result if no line applies.
    """

    slots: tuple[int, ...]
    lines: tuple[Line, ...]
    default: Any
    adds: bool = False


@attrs.frozen
class KernelUnit:
    """Unit that never waits: its operations, and the number of its slots."""

    block: k.Block
    slots: int


@attrs.frozen
class KernelProgram:
    """Functions by name, and units that never wait by number."""

    functions: Mapping[str, Function]
    units: Mapping[int, KernelUnit]
    seats: tuple[str, ...]


class Left(Exception):
    """Raised to leave a unit."""


def no_limit(executed: int) -> None:
    """Accept any number of executed statements."""


@attrs.define
class Evaluator:
    """Evaluator of operations over cells `s` and a frame `f`.

    `bound` are locals that are not in the frame. `out` are the offered indices,
    `counts` how often each site was reached. `check` raises an error if too many
    statements have been executed.
    """

    program: KernelProgram
    s: list[Any]
    f: list[Any] = attrs.field(factory=list)
    bound: dict[int, Any] = attrs.field(factory=dict)
    check: Callable[[int], None] = no_limit
    triggers: int = 0
    executed: int = 0
    out: list[int] = attrs.field(factory=list)
    counts: Counter[Any] = attrs.field(factory=Counter)

    # ------------------------------------------------------------ operations

    def of(self, e: k.Operation) -> Any:
        """Evaluate an operation.

        A value is a number, a sequence or row a tuple, and a statement changes the
        state.
        """
        return OPERATIONS[type(e)](self, e)

    def all_of(self, parts: Iterable[k.Operation]) -> tuple[Any, ...]:
        """Evaluate operations in order."""
        return tuple([self.of(part) for part in parts])

    def at(self, slot: int, member: Any, e: k.Operation) -> Any:
        """Evaluate an operation with a local bound to a member."""
        return self.within({slot: member}, (e,))[0]

    def within(self, given: dict[int, Any], parts: Iterable[k.Operation]) -> Any:
        """Evaluate operations in a scope with some locals bound."""
        before = {slot: self.bound.get(slot) for slot in given}
        outside = set(self.bound)
        self.bound.update(given)
        results = self.all_of(parts)
        for slot in set(self.bound) - outside:
            del self.bound[slot]
        self.bound.update({x: old for x, old in before.items() if x in outside})
        return results

    def members(
        self, slot: int, sequence: k.Sequence, where: k.Value | None
    ) -> list[int]:
        """Return the members of a sequence that meet a condition."""
        return [x for x in self.of(sequence) if self.meets(slot, x, where)]

    def meets(self, slot: int, member: int, where: k.Value | None) -> bool:
        """Return whether a member meets a condition, if there is one."""
        return where is None or bool(self.at(slot, member, where))

    def per(self, e: k.PerElement, member: int) -> Any:
        """Return the value for a member."""
        return self.at(e.slot, member, e.value)

    # ------------------------------------------------------------ locals and stacks

    def get(self, slot: int) -> Any:
        """Return the content of a local."""
        if slot in self.bound:
            return self.bound[slot]
        return self.f[slot + FIRST_LOCAL]

    def put(self, slot: int, value: Any) -> None:
        """Write a local."""
        if slot in self.bound:
            self.bound[slot] = value
        else:
            self.f[slot + FIRST_LOCAL] = value

    def cell(self, e: k.Stack) -> int:
        """Return the index of the cell of a stack."""
        return e.base + (0 if e.owner is None else int(self.of(e.owner)))

    def stack(self, e: k.Stack) -> Any:
        """Return the content of a stack."""
        return self.s[self.cell(e)]

    def change(self, e: k.Stack, function: Callable[..., Any], *given: Any) -> None:
        """Replace the content of a stack by the result of a function."""
        self.s[self.cell(e)] = function(self.stack(e), *given)

    # ------------------------------------------------------------ functions and units

    def call(self, name: str, *arguments: Any) -> Any:
        """Return the result of a function of the program."""
        function = self.program.functions[name]
        given = dict(zip(function.slots, arguments, strict=True))
        inner = Evaluator(self.program, self.s, bound=given, counts=self.counts)
        total = 0
        for condition, value in function.lines:
            if condition is None or inner.of(condition):
                if not function.adds:
                    return inner.of(value)
                total += inner.of(value)
        return total if function.adds else function.default

    def run(self, block: k.Block) -> None:
        """Run the operations of a unit, until the end or until it is left."""
        with suppress(Left):
            self.all_of(block)

    def run_unit(self, number: int, slots: dict[int, Any]) -> None:
        """Run a unit in a new frame, in which some slots are given."""
        unit, frame = self.program.units[number], self.f
        outside = self.bound
        self.f, self.bound = [number, 0, *[None] * unit.slots], {}
        for slot, value in slots.items():
            self.put(slot, value)
        try:
            self.run(unit.block)
        finally:
            self.f, self.bound = frame, outside


# ---------------------------------------------------------------- values


def _grid_index(t: Evaluator, e: k.GridIndex) -> int:
    index = 0
    for (low, size), coordinate in zip(e.axes, t.all_of(e.coordinates), strict=True):
        if not low <= coordinate < low + size:
            return -1
        index = index * size + coordinate - low
    owner = 0 if e.owner is None else t.of(e.owner)
    return -1 if owner < 0 else index + owner * prod([size for _, size in e.axes])


def _operator(t: Evaluator, e: k.Binary | k.CompareValues) -> Any:
    return OPERATORS[e.operator](t.of(e.left), t.of(e.right))


def _between(t: Evaluator, e: k.Between) -> bool:
    low, value, high = t.all_of((e.low, e.value, e.high))
    return bool(OPERATORS[e.first](low, value) and OPERATORS[e.second](value, high))


def _probe(t: Evaluator, e: k.Probe) -> Any:
    value = t.of(e.value)
    if isinstance(e.site, int):
        t.counts[e.site, bool(value)] += 1
    elif value >= 0:
        t.counts[e.site[value % len(e.site)], True] += 1
    return value


def _call(t: Evaluator, e: k.CallFunction | k.CallRow | k.CallSet) -> Any:
    return t.call(e.function, *t.all_of(e.arguments))


def _fold(t: Evaluator, e: k.Fold) -> Any:
    if e.kind is k.FoldKind.ANY:
        return any(t.meets(e.slot, x, e.where) for x in t.of(e.sequence))
    members = t.members(e.slot, e.sequence, e.where)
    match e.kind:
        case k.FoldKind.FIRST:
            return members[0] if members else -1
        case k.FoldKind.ONLY:
            return members[0] if len(members) == 1 else -1
        case k.FoldKind.COUNT:
            return len(members)
    assert e.value is not None
    values = [t.at(e.slot, member, e.value) for member in members]
    match e.kind:
        case k.FoldKind.SUM:
            return sum(values)
        case k.FoldKind.MAX:
            return max(values, default=0)
        case k.FoldKind.MIN:
            return min(values, default=0)
        case kind:
            raise AssertionError(kind)


def _element(t: Evaluator, e: k.Element) -> Any:
    index = t.of(e.index)
    if index < 0 and isinstance(e.row, k.StackRow):
        return 0
    return t.of(e.row)[index]


def _covers(t: Evaluator, e: k.CoversRow) -> bool:
    pairs = zip(t.of(e.row), t.of(e.other), strict=True)
    return all(mine >= other for mine, other in pairs)


# ---------------------------------------------------------------- rows


def _cell_row(t: Evaluator, e: k.CellRow) -> tuple[Any, ...]:
    first = t.of(e.first)
    return tuple([t.s[first + n * e.step] for n in range(e.size)])


def _built_row(t: Evaluator, e: k.BuiltRow) -> tuple[int, ...]:
    counts = [0] * e.size
    for member in t.members(e.slot, e.sequence, e.where):
        counts[member] = t.at(e.slot, member, e.value)
    return tuple(counts)


def _sum_row(t: Evaluator, e: k.SumRow) -> tuple[int, ...]:
    rows = t.all_of(e.rows)
    return tuple([sum([row[n] for row in rows]) for n in range(e.size)])


# ---------------------------------------------------------------- sequences


def _holding(t: Evaluator, e: k.Holding) -> tuple[int, ...]:
    cells = t.s[e.base : e.base + e.size]
    if e.value is None:
        return tuple([place for place, held in enumerate(cells) if held != -1])
    value = t.of(e.value)
    if value == -1 and e.nowhere:
        return ()
    return tuple([place for place, held in enumerate(cells) if held == value])


def _nonzero(t: Evaluator, e: k.Nonzero) -> tuple[int, ...]:
    return tuple([index for index, count in enumerate(t.of(e.row)) if count])


def _best(t: Evaluator, e: k.BestSet) -> tuple[int, ...]:
    members = t.members(e.slot, e.sequence, e.where)
    keys = [t.within({e.slot: member}, e.keys) for member in members]
    pairs = zip(members, keys, strict=True)
    return tuple([member for member, key in pairs if key == max(keys)])


def _sorted(t: Evaluator, e: k.SortedSet) -> tuple[int, ...]:
    members = t.members(e.slot, e.sequence, e.where)
    keys = {member: t.at(e.slot, member, e.key) for member in members}
    return tuple(sorted(members, key=keys.__getitem__, reverse=e.falling))


def _around(t: Evaluator, e: k.Around) -> tuple[int, ...]:
    members = set(t.of(e.sequence))
    return tuple([place for place, row in enumerate(e.rows) if members & set(row)])


def _union(t: Evaluator, e: k.Union) -> tuple[int, ...]:
    return tuple(sorted({x for members in t.all_of(e.sequences) for x in members}))


# ---------------------------------------------------------------- searches


def several(t: Evaluator, e: k.Value | k.Sequence) -> tuple[int, ...]:
    """Return one or several places."""
    places = t.of(e)
    return (places,) if isinstance(e, k.Value) else tuple(places)


def next_places(t: Evaluator, e: k.Ways, place: int) -> Iterator[int]:
    """Yield the places one step away."""
    if e.links is None:
        for there in e.neighbours[place]:
            if e.fits is None or t.per(e.fits, there):
                yield there
    else:
        for link, there in e.links[place]:
            if e.fits is None or t.per(e.fits, link):
                yield there


def distances(t: Evaluator, e: k.Ways) -> dict[int, int]:
    """Return the reached places, with the number of steps to each."""
    edge = [place for place in several(t, e.start) if place >= 0]
    if e.links is None and e.fits is not None:
        edge = [place for place in edge if t.per(e.fits, place)]
    within = e.size if e.within is None else t.of(e.within)
    reached = dict.fromkeys(edge, 0)
    for number in range(1, within + 1):
        if number > 1 and e.through is not None:
            edge = [place for place in edge if t.per(e.through, place)]
        there = {there for place in edge for there in next_places(t, e, place)}
        edge = sorted(there - reached.keys())
        reached.update(dict.fromkeys(edge, number))
    return reached


def _distance(t: Evaluator, e: k.LinkDistance) -> int:
    reached = distances(t, e.ways)
    steps = [reached.get(place, e.ways.size) for place in several(t, e.goal)]
    return min(steps, default=e.ways.size)


def _longest_trail(t: Evaluator, e: k.TrailLength) -> int:
    sets = tuple([tuple(links) for links in t.all_of(e.sorts)])
    links = merged_links(tuple([tuple(sorted(sort)) for sort in sets]))
    corners = sorted({corner for link in links for corner in e.ends[link]})

    def meeting(per: k.PerElement) -> tuple[int, ...]:
        return tuple([corner for corner in corners if t.per(per, corner)])

    course = TrailQuery(
        (links,) if e.joint is None else sets,
        meeting(e.closed),
        None if e.joint is None else meeting(e.joint),
        None if e.weight is None else tuple([t.per(e.weight, x) for x in links]),
    )
    return heaviest_trail(e.ends, course)[0]


# ---------------------------------------------------------------- statements


def _bind(t: Evaluator, e: k.Bind) -> None:
    t.bound[e.slot] = t.of(e.value)


def _assign_row(t: Evaluator, e: k.AssignRow) -> None:
    t.put(e.slot, (0,) * e.size if e.row is None else t.of(e.row))


def _assign_element(t: Evaluator, e: k.AssignElement) -> None:
    row = list(t.of(e.row))
    row[t.of(e.index)] = t.of(e.value)
    t.put(e.row.slot, tuple(row))


def _store(t: Evaluator, e: k.Store | k.StoreSet) -> None:
    value = t.of(e.value if isinstance(e, k.Store) else e.sequence)
    t.s[t.of(e.cell)] = value


def _store_row(t: Evaluator, e: k.StoreRow) -> None:
    first, row = t.of(e.first), t.of(e.row)
    t.s[first : first + e.size] = row


def _clear(t: Evaluator, e: k.Clear) -> None:
    first = t.of(e.row.first)
    value = None if e.value is None else t.of(e.value)
    for number in range(e.row.size):
        cell = first + number * e.row.step
        if value is None or t.s[cell] == value:
            t.s[cell] = e.number


def _wake(t: Evaluator, e: k.Wake) -> None:
    t.triggers |= e.triggers


def _tick(t: Evaluator, e: k.Tick) -> None:
    t.executed += e.count


def _fail(t: Evaluator, e: k.Fail) -> None:
    if t.of(e.condition):
        seats = (t.program.seats,) if e.seats else ()
        reason: Any = RUNTIME[e.reason]
        reason(EffectPlace(e.span, e.part, *seats), *t.all_of(e.shown))


def _require(t: Evaluator, e: k.RequireTruth) -> None:
    if not t.of(e.condition):
        places = {slot + FIRST_LOCAL: value for slot, value in t.bound.items()}
        failed(e.source, t.s, t.f, places)


def _when(t: Evaluator, e: k.When) -> None:
    t.within({}, e.body if t.of(e.condition) else e.otherwise)


def _for_each(t: Evaluator, e: k.ForEach) -> None:
    for member in tuple(t.of(e.sequence)):
        if t.meets(e.slot, member, e.where):
            t.within({e.slot: member}, e.body)


def _for_counts(t: Evaluator, e: k.ForCounts) -> None:
    for index, count in enumerate(t.of(e.row)):
        if count:
            t.within({e.index: index, e.count: count}, e.body)


def _times(t: Evaluator, e: k.Times) -> None:
    for _ in range(t.of(e.count)):
        if e.until is not None and t.of(e.until):
            break
        t.within({}, e.body)


def _run(t: Evaluator, e: k.Run) -> None:
    t.run_unit(e.unit, dict(zip(e.slots, t.all_of(e.arguments), strict=True)))


def _leave(t: Evaluator, e: k.Leave) -> None:
    del t, e
    raise Left


def _offered(t: Evaluator, e: k.Offered) -> None:
    if e.condition is None or t.of(e.condition):
        t.out.append(t.of(e.index))


def _count(t: Evaluator, e: k.Visit | k.CompareCards) -> None:
    t.counts[e.site if isinstance(e, k.Visit) else type(e), True] += 1


def _stack_take(t: Evaluator, e: k.StackTake) -> None:
    t.change(e.stack, stacks.take, *t.all_of((e.card, e.knowing)))


def _stack_put(t: Evaluator, e: k.StackPut) -> None:
    card, number, knowing = t.all_of((e.card, e.number, e.knowing))
    end = StackEnd.TOP if e.on_top else StackEnd.BOTTOM
    t.change(e.stack, stacks.put, card, number, end, knowing)


def _stack_show(t: Evaluator, e: k.StackShow) -> None:
    show = stacks.show_top if e.top_only else stacks.show
    t.change(e.stack, show, t.of(e.knowing))


# ---------------------------------------------------------------- the table

OPERATIONS: Mapping[type, Callable[[Evaluator, Any], Any]] = {
    k.Int: lambda _, e: e.value,
    k.Amount: lambda _, e: e.value,
    k.Absent: lambda _, e: e.value,
    k.Var: lambda t, e: t.get(e.slot),
    k.Load: lambda t, e: t.s[t.of(e.cell)],
    k.Lookup: lambda t, e: e.table[t.of(e.index)],
    k.GridIndex: _grid_index,
    k.Binary: _operator,
    k.CompareValues: _operator,
    k.Between: _between,
    k.Negate: lambda t, e: not t.of(e.value),
    k.All: lambda t, e: all(bool(t.of(part)) for part in e.parts),
    k.Some: lambda t, e: any(bool(t.of(part)) for part in e.parts),
    k.CountTrue: lambda t, e: sum([bool(t.of(part)) for part in e.parts]),
    k.Select: lambda t, e: t.of(e.then if t.of(e.condition) else e.otherwise),
    k.SeatBit: lambda t, e: 1 << seat if (seat := t.of(e.seat)) >= 0 else 0,
    k.CallFunction: _call,
    k.Probe: _probe,
    k.Fold: _fold,
    k.ContainsElement: lambda t, e: t.of(e.member) in t.of(e.sequence),
    k.SameSequence: lambda t, e: tuple(t.of(e.left)) == tuple(t.of(e.right)),
    k.Element: _element,
    k.Total: lambda t, e: sum(t.of(e.row)),
    k.CountEqual: lambda t, e: t.of(e.row).count(t.of(e.value)),
    k.CoversRow: _covers,
    k.StackSize: lambda t, e: len(t.stack(e.stack)[0]),
    k.StackTop: lambda t, e: stacks.top(t.stack(e.stack)),
    k.LinkDistance: _distance,
    k.TrailLength: _longest_trail,
    # rows
    k.CellRow: _cell_row,
    k.ConstantRow: lambda _, e: e.values,
    k.LookupRow: lambda t, e: e.rows[t.of(e.index)],
    k.LocalRow: lambda t, e: t.get(e.slot),
    k.BuiltRow: _built_row,
    k.SumRow: _sum_row,
    k.CallRow: _call,
    k.StackRow: lambda t, e: stacks.contents(t.stack(e.stack)),
    k.StackPool: lambda t, e: t.stack(e.stack)[1],
    # sequences
    k.Range: lambda t, e: tuple(range(t.of(e.low), t.of(e.high) + 1)),
    k.Listed: lambda _, e: e.members,
    k.TableRow: lambda t, e: e.rows[t.of(e.index)],
    k.Holding: _holding,
    k.Nonzero: _nonzero,
    k.FilteredSet: lambda t, e: tuple(t.members(e.slot, e.sequence, e.condition)),
    k.Guarded: lambda t, e: t.of(e.sequence) if t.of(e.condition) else (),
    k.LocalSet: lambda t, e: t.get(e.slot),
    k.CellSet: lambda t, e: t.s[t.of(e.cell)],
    k.CallSet: _call,
    k.BestSet: _best,
    k.SortedSet: _sorted,
    k.WinnerSet: lambda t, _: winners_of(t.s[RANKS]),
    k.Around: _around,
    k.Union: _union,
    k.Reached: lambda t, e: tuple(sorted(distances(t, e.ways))),
    # statements
    k.Bind: _bind,
    k.Assign: lambda t, e: t.put(e.slot, t.of(e.value)),
    k.AssignSet: lambda t, e: t.put(e.slot, tuple(t.of(e.sequence))),
    k.AssignRow: _assign_row,
    k.AssignElement: _assign_element,
    k.Store: _store,
    k.StoreRow: _store_row,
    k.StoreSet: _store,
    k.Clear: _clear,
    k.Wake: _wake,
    k.Tick: _tick,
    k.CheckBudget: lambda t, _: t.check(t.executed),
    k.Fail: _fail,
    k.RequireTruth: _require,
    k.When: _when,
    k.ForEach: _for_each,
    k.ForCounts: _for_counts,
    k.Times: _times,
    k.Scope: lambda t, e: t.within({}, e.body),
    k.Run: _run,
    k.DropFirst: lambda t, e: t.put(e.rest, t.get(e.rest)[1:]),
    k.Leave: _leave,
    k.Offered: _offered,
    k.Visit: _count,
    k.CompareCards: _count,
    k.StackTake: _stack_take,
    k.StackPut: _stack_put,
    k.StackShuffle: lambda t, e: t.change(e.stack, stacks.shuffled),
    k.StackDraw: lambda t, e: t.change(e.stack, stacks.take_top, t.of(e.card)),
    k.StackLearn: lambda t, e: t.change(
        e.stack, stacks.learn, *t.all_of((e.card, e.knowing))
    ),
    k.StackShow: _stack_show,
}


SORTS = (k.Value, k.Sequence, k.Row, k.Statement)
NEVER_WAITING = {
    kind
    for kind in vars(k).values()
    if isinstance(kind, type) and issubclass(kind, SORTS) and kind not in SORTS
}
"""All classes of values, sequences, rows and statements."""

if OPERATIONS.keys() != NEVER_WAITING:
    raise TypeError(sorted(x.__name__ for x in NEVER_WAITING ^ OPERATIONS.keys()))
