"""Evaluation of kernel operations that read no state: one function for each class."""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable, Mapping
from math import prod
from typing import Any

import attrs

from interpreter.kernel import operations as k
from interpreter.kernel.search_limits import SearchPlace
from interpreter.kernel.selections import selections

OPERATORS: Mapping[str, Callable[[int, int], int]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "//": operator.floordiv,
    "%": operator.mod,
    "min": min,
    "max": max,
    "|": operator.or_,
    "&": operator.and_,
    "==": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}
"""Functions that compute the binary operators and comparisons, by operator."""

STEPS_MAX = 20_000
"""Maximum number of operations evaluated to find one constant."""

Line = tuple[k.Value | None, k.Operation]
"""Line of a function: its condition (None if always true) and its value."""


@attrs.frozen
class Function:
    """Function of a program: lines with values, each under a condition.

    The result is the value of the first line whose condition is true, else `default`.
    If `adds` is true, it is the sum of the values of all such lines. `body` is the
    result as one operation, for calls that may be replaced by it. `least` is the
    smallest result if it is positive. Each is None if there is none.
    """

    slots: tuple[int, ...]
    lines: tuple[Line, ...]
    default: Any
    adds: bool = False
    body: k.Operation | None = None
    least: k.Value | None = None


Functions = Callable[[str], Function | None]
"""Callback that returns the function with a given name, or None if there is none."""


class Unknown(Exception):
    """Raised for an operation that reads the state or needs too many steps."""


@attrs.define
class Evaluator:
    """Evaluator of operations that read only the locals in `bound`.

    `remaining` is the number of operations that may still be evaluated.
    """

    functions: Functions = attrs.field(default=lambda _: None, kw_only=True)
    bound: dict[int, Any] = attrs.field(factory=dict, kw_only=True)
    remaining: float = attrs.field(default=STEPS_MAX, kw_only=True)

    def evaluate(self, e: k.Operation) -> Any:
        """Evaluate an operation: a value to a number, a sequence or row to a tuple.

        Raise `Unknown` for an operation without a rule, for a local without a value,
        and if the budget of operations is used up.
        """
        rule = OPERATIONS.get(type(e))
        self.remaining -= 1
        if rule is None or self.remaining < 0:
            raise Unknown(e)
        return rule(self, e)

    def all_of(self, parts: Iterable[k.Operation]) -> tuple[Any, ...]:
        """Return the results of operations, evaluated in order."""
        return tuple([self.evaluate(part) for part in parts])

    def get(self, slot: int) -> Any:
        """Return the value of a local, or raise `Unknown` if it has none."""
        if slot not in self.bound:
            raise Unknown(slot)
        return self.bound[slot]

    def evaluate_with(self, slot: int, member: Any, e: k.Operation) -> Any:
        """Return the result of an operation while a local has the value *member*."""
        before = self.bound
        self.bound = {**before, slot: member}
        try:
            return self.evaluate(e)
        finally:
            self.bound = before

    def members(
        self, slot: int, sequence: k.Sequence, where: k.Value | None
    ) -> list[int]:
        """Return the members that meet *where*, which reads each member from *slot*."""
        return [x for x in self.evaluate(sequence) if self.meets(slot, x, where)]

    def meets(self, slot: int, member: int, where: k.Value | None) -> bool:
        """Return whether a member meets a condition; None is always met."""
        return where is None or bool(self.evaluate_with(slot, member, where))

    def call(self, name: str, *arguments: Any) -> Any:
        """Return the result of calling a function of the program."""
        function = self.functions(name)
        if function is None:
            raise Unknown(name)
        before = self.bound
        self.bound = dict(zip(function.slots, arguments, strict=True))
        try:
            return self.result(function)
        finally:
            self.bound = before

    def result(self, function: Function) -> Any:
        """Return the result of a function whose parameters are bound."""
        total = 0
        for condition, value in function.lines:
            if condition is None or self.evaluate(condition):
                if not function.adds:
                    return self.evaluate(value)
                total += self.evaluate(value)
        return total if function.adds else function.default


def evaluate(
    e: k.Operation,
    locals_: Mapping[int, Any],
    functions: Functions = lambda _: None,
) -> Any:
    """Return the result of an operation, given the values of locals by slot.

    Raise `Unknown` if the operation reads anything else.
    """
    return Evaluator(functions=functions, bound=dict(locals_)).evaluate(e)


# ---------------------------------------------------------------- values


def _grid_index(t: Evaluator, e: k.GridIndex) -> int:
    index = 0
    for (low, size), coordinate in zip(e.axes, t.all_of(e.coordinates), strict=True):
        if not low <= coordinate < low + size:
            return -1
        index = index * size + coordinate - low
    owner = 0 if e.owner is None else t.evaluate(e.owner)
    return -1 if owner < 0 else index + owner * prod([size for _, size in e.axes])


def _operator(t: Evaluator, e: k.Binary | k.CompareValues) -> Any:
    left, right = t.evaluate(e.left), t.evaluate(e.right)
    try:
        return OPERATORS[e.operator](left, right)
    except ZeroDivisionError:  # a division that the rules never reach
        raise Unknown(e) from None


def _between(t: Evaluator, e: k.Between) -> bool:
    low, value, high = t.all_of((e.low, e.value, e.high))
    return bool(OPERATORS[e.first](low, value) and OPERATORS[e.second](value, high))


def is_decided(t: Evaluator, parts: Iterable[k.Value], *, deciding_value: bool) -> bool:
    """Return whether any part is `deciding_value`, or raise `Unknown` if unclear."""
    unknown = None
    for part in parts:
        try:
            if bool(t.evaluate(part)) is deciding_value:
                return True
        except Unknown as error:
            unknown = error
    if unknown is not None:
        raise unknown
    return False


def _call(t: Evaluator, e: k.CallFunction | k.CallRow | k.CallSet) -> Any:
    return t.call(e.function, *t.all_of(e.arguments))


def _kept_value(t: Evaluator, e: k.KeptValue | k.KeptPlaces, inner: k.Operation) -> Any:
    bound = dict(zip(e.slots, t.all_of(e.keys), strict=True))
    return attrs.evolve(t, bound={**t.bound, **bound}).evaluate(inner)


def _fold(t: Evaluator, e: k.Fold) -> Any:
    if e.kind is k.FoldKind.ANY:
        return any(t.meets(e.slot, x, e.where) for x in t.evaluate(e.sequence))
    members = t.members(e.slot, e.sequence, e.where)
    match e.kind:
        case k.FoldKind.FIRST:
            return members[0] if members else -1
        case k.FoldKind.ONLY:
            return members[0] if len(members) == 1 else -1
        case k.FoldKind.COUNT:
            return len(members)
    assert e.value is not None
    values = [t.evaluate_with(e.slot, member, e.value) for member in members]
    match e.kind:
        case k.FoldKind.SUM:
            return sum(values)
        case k.FoldKind.MAX:
            return max(values, default=0)
        case k.FoldKind.MIN:
            return min(values, default=0)
        case kind:
            raise AssertionError(kind)


def _fold_selections(t: Evaluator, e: k.FoldSelections) -> Any:
    row, low, high = t.all_of((e.row, e.low, e.high))
    check = SearchPlace(e.span, e.limit).check_combinations
    matches = [
        (selection, ways)
        for selection, ways in selections(row, low, high, check)
        if e.where is None or t.evaluate_with(e.slot, selection, e.where)
    ]
    match e.kind:
        case k.FoldKind.ANY:
            return bool(matches)
        case k.FoldKind.COUNT:
            return sum([ways for _, ways in matches])
    assert e.value is not None
    values = [
        (t.evaluate_with(e.slot, selection, e.value), ways)
        for selection, ways in matches
    ]
    match e.kind:
        case k.FoldKind.SUM:
            return sum([value * ways for value, ways in values])
        case k.FoldKind.MAX:
            return max([value for value, _ in values], default=0)
        case k.FoldKind.MIN:
            return min([value for value, _ in values], default=0)
        case kind:
            raise AssertionError(kind)


def _element(t: Evaluator, e: k.Element) -> Any:
    index = t.evaluate(e.index)
    if index < 0 and isinstance(e.row, k.StackRow):
        return 0
    return t.evaluate(e.row)[index]


def _covers(t: Evaluator, e: k.CoversRow) -> bool:
    pairs = zip(t.evaluate(e.row), t.evaluate(e.other), strict=True)
    return all(mine >= other for mine, other in pairs)


# ---------------------------------------------------------------- rows


def _built_row(t: Evaluator, e: k.BuiltRow) -> tuple[int, ...]:
    counts = [0] * e.size
    for member in t.members(e.slot, e.sequence, e.where):
        counts[member] = t.evaluate_with(e.slot, member, e.value)
    return tuple(counts)


def _sum_row(t: Evaluator, e: k.SumRow) -> tuple[int, ...]:
    rows = t.all_of(e.rows)
    return tuple([sum([row[n] for row in rows]) for n in range(e.size)])


# ---------------------------------------------------------------- sequences


def _nonzero(t: Evaluator, e: k.Nonzero) -> tuple[int, ...]:
    return tuple([index for index, count in enumerate(t.evaluate(e.row)) if count])


def _best(t: Evaluator, e: k.BestSet) -> tuple[int, ...]:
    members = t.members(e.slot, e.sequence, e.where)
    keys = [tuple([t.evaluate_with(e.slot, x, key) for key in e.keys]) for x in members]
    most = max(keys, default=())
    pairs = zip(members, keys, strict=True)
    return tuple([member for member, key in pairs if key == most])


def _sorted(t: Evaluator, e: k.SortedSet) -> tuple[int, ...]:
    members = t.members(e.slot, e.sequence, e.where)
    keys = {member: t.evaluate_with(e.slot, member, e.key) for member in members}
    most = None if e.count is None else max(0, t.evaluate(e.count))
    return tuple(sorted(members, key=keys.__getitem__, reverse=e.falling)[:most])


def _around(t: Evaluator, e: k.Around) -> tuple[int, ...]:
    members = set(t.evaluate(e.sequence))
    return tuple([place for place, row in enumerate(e.rows) if members & set(row)])


def _union(t: Evaluator, e: k.Union) -> tuple[int, ...]:
    return tuple(sorted({x for members in t.all_of(e.sequences) for x in members}))


OPERATIONS: Mapping[type, Callable[[Any, Any], Any]] = {
    k.Int: lambda _, e: e.value,
    k.Amount: lambda _, e: e.value,
    k.Absent: lambda _, e: e.value,
    k.Var: lambda t, e: t.get(e.slot),
    k.Lookup: lambda t, e: e.table[t.evaluate(e.index)],
    k.GridIndex: _grid_index,
    k.Binary: _operator,
    k.CompareValues: _operator,
    k.Between: _between,
    k.Negate: lambda t, e: not t.evaluate(e.value),
    k.All: lambda t, e: not is_decided(t, e.parts, deciding_value=False),
    k.Some: lambda t, e: is_decided(t, e.parts, deciding_value=True),
    k.CountTrue: lambda t, e: sum([bool(t.evaluate(part)) for part in e.parts]),
    k.Select: lambda t, e: t.evaluate(
        e.then if t.evaluate(e.condition) else e.otherwise
    ),
    k.SeatBit: lambda t, e: 1 << seat if (seat := t.evaluate(e.seat)) >= 0 else 0,
    k.CallFunction: _call,
    k.KeptValue: lambda t, e: _kept_value(t, e, e.value),
    k.Fold: _fold,
    k.FoldSelections: _fold_selections,
    k.ContainsElement: lambda t, e: t.evaluate(e.member) in t.evaluate(e.sequence),
    k.SameSequence: lambda t, e: (
        tuple(t.evaluate(e.left)) == tuple(t.evaluate(e.right))
    ),
    k.Element: _element,
    k.Total: lambda t, e: sum(t.evaluate(e.row)),
    k.CountEqual: lambda t, e: t.evaluate(e.row).count(t.evaluate(e.value)),
    k.CoversRow: _covers,
    # rows
    k.ConstantRow: lambda _, e: e.values,
    k.LookupRow: lambda t, e: e.rows[t.evaluate(e.index)],
    k.LocalRow: lambda t, e: t.get(e.slot),
    k.BuiltRow: _built_row,
    k.SumRow: _sum_row,
    k.CallRow: _call,
    # sequences
    k.Range: lambda t, e: tuple(range(t.evaluate(e.low), t.evaluate(e.high) + 1)),
    k.Listed: lambda _, e: e.members,
    k.TableRow: lambda t, e: e.rows[t.evaluate(e.index)],
    k.Nonzero: _nonzero,
    k.FilteredSet: lambda t, e: tuple(t.members(e.slot, e.sequence, e.condition)),
    k.Guarded: lambda t, e: t.evaluate(e.sequence) if t.evaluate(e.condition) else (),
    k.LocalSet: lambda t, e: t.get(e.slot),
    k.CallSet: _call,
    k.BestSet: _best,
    k.SortedSet: _sorted,
    k.Around: _around,
    k.Union: _union,
    k.KeptPlaces: lambda t, e: _kept_value(t, e, e.sequence),
}
"""Evaluation functions by class of operation; all other classes read the state."""
