"""Evaluator of kernel operations: a back end that generates no text.

It has one function for each class of operation, in one table. It knows the kernel and
the runtime functions of stacks, ranks and trails, but nothing of the rules. Its state
is that of the interpreter: the list of cells and a frame.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from typing import Any

import attrs

from interpreter.algorithms.trails import (
    TrailQuery,
    heaviest_trail,
    max_states,
    merged_links,
)
from interpreter.core import stacks
from interpreter.core.layout import RANKS
from interpreter.core.ranks import winners_of
from interpreter.core.slots import FIRST_LOCAL
from interpreter.kernel import evaluator
from interpreter.kernel import operations as k
from interpreter.kernel.evaluator import Function
from interpreter.kernel.search_limits import SearchPlace
from interpreter.source.failures import EffectPlace, raise_require_failed
from interpreter.source.runtime import RUNTIME
from rulebook.model import StackEnd


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


class Left(Exception):
    """Raised to leave a unit."""


def no_limit(executed: int) -> None:
    """Accept any number of executed statements."""


@attrs.define
class Evaluator(evaluator.Evaluator):
    """Evaluator of operations over cells `s` and a frame `f`.

    `bound` are locals that are not in the frame. `out` are the offered indices,
    `counts` how often each site was reached. `check` raises an error if too many
    statements have been executed.
    """

    program: KernelProgram
    s: list[Any]
    f: list[Any] = attrs.field(factory=list)
    check: Callable[[int], None] = no_limit
    triggers: int = 0
    executed: int = 0
    out: list[Any] = attrs.field(factory=list)
    counts: Counter[Any] = attrs.field(factory=Counter)

    def __attrs_post_init__(self) -> None:
        self.functions = self.program.functions.__getitem__

    # ------------------------------------------------------------ operations

    def evaluate(self, e: k.Operation) -> Any:
        """Evaluate an operation.

        A value is a number, a sequence or row a tuple, and a statement changes the
        state.
        """
        return OPERATIONS[type(e)](self, e)

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

    def per(self, e: k.PerElement, member: int) -> Any:
        """Return the value for a member."""
        return self.evaluate_with(e.slot, member, e.value)

    def steps(self, e: k.StepCondition, before: int, place: int) -> bool:
        """Return whether a way may continue from one place to the next."""
        outside = self.bound
        self.bound = {**outside, e.before: before}
        try:
            return bool(self.evaluate_with(e.slot, place, e.holds))
        finally:
            self.bound = outside

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
        return e.base + (0 if e.owner is None else int(self.evaluate(e.owner)))

    def stack(self, e: k.Stack) -> Any:
        """Return the content of a stack."""
        return self.s[self.cell(e)]

    def change(self, e: k.Stack, function: Callable[..., Any], *given: Any) -> None:
        """Replace the content of a stack by the result of a function."""
        self.s[self.cell(e)] = function(self.stack(e), *given)

    # ------------------------------------------------------------ functions and units

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


# ---------------------------------------------------------------- values and rows


def _probe(t: Evaluator, e: k.Probe) -> Any:
    value = t.evaluate(e.value)
    if isinstance(e.site, int):
        t.counts[e.site, bool(value)] += 1
    elif value >= 0:
        t.counts[e.site[value % len(e.site)], True] += 1
    return value


def _cell_row(t: Evaluator, e: k.CellRow) -> tuple[Any, ...]:
    first = t.evaluate(e.first)
    return tuple([t.s[first + n * e.step] for n in range(e.size)])


def _holding(t: Evaluator, e: k.Holding) -> tuple[int, ...]:
    cells = t.s[e.base : e.base + e.size]
    if e.value is None:
        return tuple([place for place, held in enumerate(cells) if held != -1])
    value = t.evaluate(e.value)
    if value == -1 and e.nowhere:
        return ()
    return tuple([place for place, held in enumerate(cells) if held == value])


# ---------------------------------------------------------------- searches


def several(t: Evaluator, e: k.Value | k.Sequence) -> tuple[int, ...]:
    """Return one or several places."""
    places = t.evaluate(e)
    return (places,) if isinstance(e, k.Value) else tuple(places)


def next_places(t: Evaluator, e: k.Ways, place: int) -> Iterator[tuple[int, int]]:
    """Yield what leads to the places one step away (place or link), and the places."""
    near = [(there, there) for there in e.neighbours[place]] if e.links is None else ()
    for over, there in near if e.links is None else e.links[place]:
        if e.fits is not None and not t.per(e.fits, over):
            continue
        if e.step is None or t.steps(e.step, place, there):
            yield over, there


def distances(t: Evaluator, e: k.Ways) -> dict[int, int]:
    """Return the reached places, with the number of steps to each."""
    edge = [place for place in several(t, e.start) if place >= 0]
    if e.links is None and e.fits is not None:
        edge = [place for place in edge if t.per(e.fits, place)]
    within = e.size if e.within is None else t.evaluate(e.within)
    reached = dict.fromkeys(edge, 0)
    for number in range(1, within + 1):
        if number > 1 and e.through is not None:
            edge = [place for place in edge if t.per(e.through, place)]
        there = {there for place in edge for _, there in next_places(t, e, place)}
        edge = sorted(there - reached.keys())
        reached.update(dict.fromkeys(edge, number))
    return reached


def costs(t: Evaluator, e: k.Ways, price: k.PerElement) -> dict[int, int]:
    """Return the lowest cost to each place, improved until nothing changes."""
    start = [place for place in several(t, e.start) if place >= 0]
    if e.links is None and e.fits is not None:
        start = [place for place in start if t.per(e.fits, place)]
    reached, changed = dict.fromkeys(start, 0), True
    while changed:
        changed = False
        for place, cost in list(reached.items()):
            if e.through and place not in start and not t.per(e.through, place):
                continue
            for over, there in next_places(t, e, place):
                now = cost + t.per(price, over)
                if now < reached.get(there, now + 1):
                    reached[there], changed = now, True
    return reached


def _distance(t: Evaluator, e: k.LinkDistance) -> int:
    reached = distances(t, e.ways) if e.price is None else costs(t, e.ways, e.price)
    lengths = [reached.get(place, e.beyond) for place in several(t, e.goal)]
    return min(lengths, default=e.beyond)


def _longest_trail(t: Evaluator, e: k.TrailLength) -> int:
    sets = tuple([tuple(links) for links in t.all_of(e.sorts)])
    links = merged_links(tuple([tuple(sorted(sort)) for sort in sets]))
    SearchPlace(e.span, e.limit).check_trail(max_states(e.ends, links))
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
    t.bound[e.slot] = t.evaluate(e.value)


def _assign_row(t: Evaluator, e: k.AssignRow) -> None:
    t.put(e.slot, (0,) * e.size if e.row is None else t.evaluate(e.row))


def _assign_element(t: Evaluator, e: k.AssignElement) -> None:
    row = list(t.evaluate(e.row))
    row[t.evaluate(e.index)] = t.evaluate(e.value)
    t.put(e.row.slot, tuple(row))


def _store(t: Evaluator, e: k.Store | k.StoreSet) -> None:
    value = t.evaluate(e.value if isinstance(e, k.Store) else e.sequence)
    t.s[t.evaluate(e.cell)] = value


def _store_row(t: Evaluator, e: k.StoreRow) -> None:
    first, row = t.evaluate(e.first), t.evaluate(e.row)
    t.s[first : first + e.size] = row


def _clear(t: Evaluator, e: k.Clear) -> None:
    first = t.evaluate(e.row.first)
    value = None if e.value is None else t.evaluate(e.value)
    for number in range(e.row.size):
        cell = first + number * e.row.step
        if value is None or t.s[cell] == value:
            t.s[cell] = e.number


def _wake(t: Evaluator, e: k.Wake) -> None:
    t.triggers |= e.triggers


def _tick(t: Evaluator, e: k.Tick) -> None:
    t.executed += e.count


def _fail(t: Evaluator, e: k.Fail) -> None:
    if t.evaluate(e.condition):
        reason: Any = RUNTIME[e.reason]
        reason(EffectPlace(e.span, e.part, e.owners), *t.all_of(e.message_values))


def _require(t: Evaluator, e: k.RequireTruth) -> None:
    if not t.evaluate(e.condition):
        places = {slot + FIRST_LOCAL: value for slot, value in t.bound.items()}
        raise_require_failed(e.source, t.s, t.f, places)


def _when(t: Evaluator, e: k.When) -> None:
    t.within({}, e.body if t.evaluate(e.condition) else e.otherwise)


def _for_each(t: Evaluator, e: k.ForEach) -> None:
    for member in tuple(t.evaluate(e.sequence)):
        if t.meets(e.slot, member, e.where):
            t.within({e.slot: member}, e.body)


def _for_counts(t: Evaluator, e: k.ForCounts) -> None:
    for index, count in enumerate(t.evaluate(e.row)):
        if count:
            t.within({e.index: index, e.count: count}, e.body)


def _times(t: Evaluator, e: k.Times) -> None:
    for _ in range(t.evaluate(e.count)):
        if e.until is not None and t.evaluate(e.until):
            break
        t.within({}, e.body)


def _run(t: Evaluator, e: k.Run) -> None:
    t.run_unit(e.unit, dict(zip(e.slots, t.all_of(e.arguments), strict=True)))


def _leave(t: Evaluator, e: k.Leave) -> None:
    del t, e
    raise Left


def _offered(t: Evaluator, e: k.Offered) -> None:
    if e.condition is None or t.evaluate(e.condition):
        t.out.append(t.evaluate(e.index))


def _count(t: Evaluator, e: k.Visit | k.CompareCards) -> None:
    t.counts[e.site if isinstance(e, k.Visit) else type(e), True] += 1


def _announce(t: Evaluator, e: k.Announce) -> None:
    t.out.append((e.sentence.text, *map(t.evaluate, e.values)))


def _stack_take(t: Evaluator, e: k.StackTake) -> None:
    t.change(e.stack, stacks.take, *t.all_of((e.card, e.knowing)))


def _stack_put(t: Evaluator, e: k.StackPut) -> None:
    card, number, knowing = t.all_of((e.card, e.number, e.knowing))
    end = StackEnd.TOP if e.on_top else StackEnd.BOTTOM
    t.change(e.stack, stacks.put, card, number, end, knowing)


def _stack_show(t: Evaluator, e: k.StackShow) -> None:
    show = stacks.show_top if e.top_only else stacks.show
    t.change(e.stack, show, t.evaluate(e.knowing))


# ---------------------------------------------------------------- the table

OPERATIONS: Mapping[type, Callable[[Evaluator, Any], Any]] = {
    **evaluator.OPERATIONS,
    k.Load: lambda t, e: t.s[t.evaluate(e.cell)],
    k.Probe: _probe,
    k.StackSize: lambda t, e: len(t.stack(e.stack)[0]),
    k.StackEntry: lambda t, e: stacks.entry(t.stack(e.stack), t.evaluate(e.place)),
    k.LinkDistance: _distance,
    k.TrailLength: _longest_trail,
    k.CellRow: _cell_row,
    k.StackRow: lambda t, e: stacks.contents(t.stack(e.stack)),
    k.StackPool: lambda t, e: t.stack(e.stack)[1],
    k.Holding: _holding,
    k.CellSet: lambda t, e: t.s[t.evaluate(e.cell)],
    k.WinnerSet: lambda t, _: winners_of(t.s[RANKS]),
    k.Reached: lambda t, e: tuple(sorted(distances(t, e.ways))),
    # statements
    k.Bind: _bind,
    k.Assign: lambda t, e: t.put(e.slot, t.evaluate(e.value)),
    k.AssignSet: lambda t, e: t.put(e.slot, tuple(t.evaluate(e.sequence))),
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
    k.Announce: _announce,
    k.CompareCards: _count,
    k.StackTake: _stack_take,
    k.StackPut: _stack_put,
    k.StackShuffle: lambda t, e: t.change(e.stack, stacks.shuffled),
    k.StackDraw: lambda t, e: t.change(e.stack, stacks.take_top, t.evaluate(e.card)),
    k.StackLearn: lambda t, e: t.change(
        e.stack, stacks.reveal_unknown, *t.all_of((e.card, e.knowing))
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
