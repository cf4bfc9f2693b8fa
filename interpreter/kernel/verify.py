"""Verifier of kernel programs, independent of the rules.

It checks that each field has the sort of its annotation, and that locals are defined
before they are read. It also checks the labels of a unit, calls, the shapes of tables
and the names of operators.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Iterator, Mapping
from functools import cache
from types import UnionType
from typing import Any, Union, get_args, get_origin, get_type_hints

import attrs

from interpreter.kernel import operations as k
from interpreter.kernel.traversal import BOUND, WRITTEN, slots

COMPARISONS = frozenset({"==", "!=", "<", "<=", ">", ">="})
ARITHMETIC = frozenset({"+", "-", "*", "//", "%", "min", "max", "|", "&"})
FOLDS_OF_VALUES = frozenset({k.FoldKind.SUM, k.FoldKind.MAX, k.FoldKind.MIN})
"""Kinds of folds that require a value for each member."""

FOLDS_OF_SELECTIONS = FOLDS_OF_VALUES | {k.FoldKind.ANY, k.FoldKind.COUNT}
"""Kinds of folds that are valid for selections: their result is not a member."""

CALLEE_SLOTS = (k.Run, k.Push, k.ActionOffer)
"""Operations whose `slots` are in the frame of another unit."""

LOCALS: Mapping[type, str] = {
    k.Var: "number",
    k.LocalSet: "sequence",
    k.LocalRow: "row",
}
"""Sort of the local that an operation reads, by class of operation."""

TRANSFERS = (k.Goto, k.Push, k.Return, k.EndGame, k.Chance, k.Decision)
"""Operations that end a step, because they transfer control."""

Scope = Mapping[int, str]
"""Sorts of the bound locals by slot; an empty string means an unknown sort."""


class MalformedOperation(Exception):
    """Raised for an operation that is not well formed.

    `path` is the path to the operation, for example `steps[2][0].condition.left`.
    """

    def __init__(self, path: str, problem: str) -> None:
        super().__init__(f"{path}: {problem}")
        self.path = path
        self.problem = problem


@attrs.frozen
class ProgramNames:
    """Names of a program's functions, and whether each unit (by number) may wait."""

    functions: Container[str]
    units: Mapping[int, bool]


# ---------------------------------------------------------------- entry points


def verify(
    e: k.Operation,
    parameters: Iterable[int] = (),
    frame: Iterable[int] = (),
    names: ProgramNames | None = None,
) -> None:
    """Raise `MalformedOperation` if an operation outside a step is not well formed.

    `parameters` and `frame` are the valid slots of parameters and of the frame. Calls
    are checked only if `names` are given.
    """
    verifier = Verifier(frozenset(frame), names=names)
    verifier.check_operation(e, type(e).__name__, dict.fromkeys(parameters, ""))


def verify_block(
    block: k.Block,
    parameters: Iterable[int] = (),
    frame: Iterable[int] = (),
    names: ProgramNames | None = None,
) -> None:
    """Raise `MalformedOperation` if a block is not well formed.

    The other arguments are those of `verify`.
    """
    verifier = Verifier(frozenset(frame), names=names)
    for number, op in enumerate(block):
        require(
            isinstance(op, k.Statement), f"[{number}]", f"{class_name(op)} in a block"
        )
    verifier.check_sequence(block, "", dict.fromkeys(parameters, ""))


def verify_steps(
    steps: Iterable[k.Step],
    step_numbers: Mapping[k.Label, int],
    frame: Iterable[int],
    names: ProgramNames | None = None,
) -> None:
    """Raise `MalformedOperation` if the steps of a unit are not well formed.

    `step_numbers` are the step numbers of its labels, `frame` the slots of its frame.
    Calls are checked only if `names` are given.
    """
    every = tuple(steps)
    verifier = Verifier(frozenset(frame), step_numbers, names)
    for label, place in step_numbers.items():
        problem = f"label {label} is at step {place}, which does not exist"
        require(0 <= place < len(every), "places", problem)
    for number, step in enumerate(every):
        path = f"steps[{number}]"
        for at, op in enumerate(step):
            fits = isinstance(op, k.Statement | k.Control)
            require(fits, f"{path}[{at}]", f"{class_name(op)} in a step")
        verifier.check_sequence(step, path, {})
    last = every[-1] if every else ()
    require(bool(last) and is_transfer(last[-1]), "steps", "the last step continues")


def is_transfer(op: k.Operation) -> bool:
    """Return whether a step never continues after an operation."""
    if isinstance(op, k.Finish):
        return op.certain
    return isinstance(op, TRANSFERS)


def require(condition: bool, path: str, problem: str) -> None:
    """Raise `MalformedOperation` unless a condition is true."""
    if not condition:
        raise MalformedOperation(path, problem)


def class_name(value: Any) -> str:
    """Return the name of the class of a value."""
    return type(value).__name__


# ---------------------------------------------------------------- operations


@attrs.define
class Verifier:
    """Verifier of one part of a program.

    `frame` contains the slots of the frame, `places` the step number of each label, and
    `sorts` the sorts of the frame slots found so far.
    """

    frame: frozenset[int]
    places: Mapping[k.Label, int] = attrs.field(factory=dict)
    names: ProgramNames | None = None
    sorts: dict[int, str] = attrs.field(factory=dict)

    def check_operation(self, e: k.Operation, path: str, scope: Scope) -> None:
        """Check an operation and all operations inside it."""
        kind: Any = type(e)
        for field, annotation, is_label in fields_of(kind):
            value = getattr(e, field)
            at = f"{path}.{field}"
            require(
                has_type(value, annotation),
                at,
                f"{annotation_text(annotation)} expected",
            )
            if is_label:
                require(value in self.places, at, f"label {value} has no place")
        for problem in problems(e):
            raise MalformedOperation(path, problem)
        self.check_calls(e, path)
        self.check_locals(e, path, scope)
        inner = {**scope, **bound_locals(e)} if kind in BOUND else scope
        opened = BOUND[kind][1] if kind in BOUND else ()
        for field, _, _ in fields_of(kind):
            value = getattr(e, field)
            here = inner if field in opened else scope
            if isinstance(value, k.Operation):
                self.check_operation(value, f"{path}.{field}", here)
            elif type(value) is tuple and value and isinstance(value[0], k.Operation):
                self.check_sequence(value, f"{path}.{field}", here)

    def check_sequence(
        self, operations: Iterable[k.Operation], path: str, scope: Scope
    ) -> None:
        """Check operations, each in the scope of the previous ones."""
        ended = False
        for number, op in enumerate(operations):
            at = f"{path}[{number}]"
            require(not ended, at, f"{class_name(op)} is never reached")
            self.check_operation(op, at, scope)
            if isinstance(op, k.Bind):
                scope = {**scope, op.slot: "number"}
            ended = is_transfer(op)

    def check_calls(self, e: k.Operation, path: str) -> None:
        """Check that a called function or unit exists.

        A unit called by `Run` must never wait.
        """
        if self.names is None:
            return
        match e:
            case k.CallFunction() | k.CallRow() | k.CallSet():
                known = e.function in self.names.functions
                require(known, path, f"unknown function {e.function}")
            case k.Run(unit=unit):
                require(unit in self.names.units, path, f"unknown unit {unit}")
                require(not self.names.units[unit], path, f"unit {unit} may wait")
            case k.Push(unit=k.Int(value=unit)):
                require(unit in self.names.units, path, f"unknown unit {unit}")
            case _:
                pass

    def check_locals(self, e: k.Operation, path: str, scope: Scope) -> None:
        """Check the locals that an operation reads and writes directly."""
        kind = type(e)
        if kind in LOCALS:
            self.check_local(e.slot, LOCALS[kind], path, scope)  # type: ignore[attr-defined]
        for field in WRITTEN.get(kind, "").split():
            for slot in slots(e, field):
                problem = f"local {slot} is not in the frame"
                require(slot in self.frame, f"{path}.{field}", problem)

    def check_local(self, slot: int, sort: str, path: str, scope: Scope) -> None:
        """Check that a local is defined and has the expected sort."""
        defined = slot in scope or slot in self.frame
        require(defined, path, f"local {slot} is not defined")
        known = scope.get(slot) or self.sorts.setdefault(slot, sort)
        require(known == sort, path, f"local {slot} is a {known}, not a {sort}")


def bound_locals(e: k.Operation) -> dict[int, str]:
    """Return the sorts of the locals that an operation binds, by slot."""
    dice = isinstance(e, k.Chance) and isinstance(e.outcomes, k.Dice)
    sort = "row" if dice or isinstance(e, k.FoldSelections) else "number"
    fields = BOUND[type(e)][0].split()
    return {slot: sort for field in fields for slot in slots(e, field)}


# ---------------------------------------------------------------- annotations


@cache
def fields_of(kind: type) -> tuple[tuple[str, Any, bool], ...]:
    """Return the fields of a class: name, annotation, and whether it is a label."""
    hints = get_type_hints(kind)
    return tuple(
        [
            (field.name, hints[field.name], field.type in {"Label", "k.Label"})
            for field in attrs.fields(kind)
        ]
    )


def has_type(value: Any, annotation: Any) -> bool:
    """Return whether a value has the type of an annotation.

    Values annotated as `Any` must not contain operations.
    """
    if annotation is Any:
        return not isinstance(value, k.Operation)
    origin, inside = get_origin(annotation), get_args(annotation)
    if origin in {Union, UnionType}:
        return any(has_type(value, kind) for kind in inside)
    if origin is not tuple:
        return isinstance(value, annotation)
    if not isinstance(value, tuple):
        return False
    if inside[1:] == (Ellipsis,):
        return all(has_type(part, inside[0]) for part in value)
    return len(value) == len(inside) and all(map(has_type, value, inside))


def annotation_text(annotation: Any) -> str:
    """Return an annotation as text."""
    if isinstance(annotation, type):
        return annotation.__name__
    return str(annotation).replace("interpreter.kernel.operations.", "")


# ---------------------------------------------------------------- shapes

Problems = Iterator[str]


def problems(e: k.Operation) -> Problems:
    """Yield the problems of an operation, except those of field types and locals."""
    check = CHECKS.get(type(e))
    if check is not None:
        yield from check(e)
    size = getattr(e, "size", None)
    if isinstance(size, int) and size < 0:
        yield f"size {size}"


def check_equal(label: str, first: int, second: int) -> Problems:
    """Yield a problem if two sizes differ."""
    if first != second:
        yield f"{label}: {first} and {second}"


def check_operator(operator: str, known: frozenset[str]) -> Problems:
    """Yield a problem if an operator is unknown."""
    if operator not in known:
        yield f"unknown operator {operator}"


def row_width(row: k.Row) -> int:
    """Return the number of counts in a row."""
    match row:
        case k.ConstantRow(values=values):
            return len(values)
        case k.LookupRow(rows=rows):
            return len(rows[0]) if rows else 0
        case k.StackRow(stack=stack) | k.StackPool(stack=stack):
            return stack.kinds
        case _:
            return row.size  # type: ignore[attr-defined, no-any-return]


def check_index(table: tuple[Any, ...], index: k.Value) -> Problems:
    """Yield a problem if a table has no entry for an index, or none for -1."""
    entries = len(table) - 1
    if entries < 0:
        yield "an empty table"
    match index:
        case k.Int(value=value) if not -1 <= value < max(entries, 0):
            yield f"index {value} in a table of {entries}"
        case k.Var(size=int(size)) if size > entries:
            yield f"a local below {size} as the index of a table with {entries} entries"
        case _:
            pass


def _int(e: k.Int) -> Problems:
    if e.truth and e.value not in {0, 1}:
        yield f"truth {e.value}"


def _lookup_row(e: k.LookupRow) -> Problems:
    yield from check_index(e.rows, e.index)
    for row in e.rows:
        yield from check_equal("rows of different widths", len(row), row_width(e))


def _grid_index(e: k.GridIndex) -> Problems:
    yield from check_equal("axes and coordinates", len(e.axes), len(e.coordinates))
    for low, size in e.axes:
        if size < 1:
            yield f"an axis from {low} of size {size}"


def _between(e: k.Between) -> Problems:
    yield from check_operator(e.first, COMPARISONS)
    yield from check_operator(e.second, COMPARISONS)


def _probe(e: k.Probe) -> Problems:
    if isinstance(e.site, tuple) and not e.site:
        yield "no sites"


def _fold(e: k.Fold | k.FoldSelections) -> Problems:
    if (e.value is not None) != (e.kind in FOLDS_OF_VALUES):
        yield f"{e.kind} with{'out' * (e.value is None)} a value"


def _fold_selections(e: k.FoldSelections) -> Problems:
    yield from _fold(e)
    if e.kind not in FOLDS_OF_SELECTIONS:
        yield f"{e.kind} of selections"


def _sum_row(e: k.SumRow) -> Problems:
    for row in e.rows:
        yield from check_equal("rows of different widths", row_width(row), e.size)


def _cell_row(e: k.CellRow) -> Problems:
    if e.step < 1:
        yield f"step {e.step}"


def _element(e: k.Element) -> Problems:
    match e.index:
        case k.Int(value=value) if not 0 <= value < row_width(e.row):
            yield f"index {value} in a row of {row_width(e.row)}"
        case _:
            pass


def _assign_row(e: k.AssignRow) -> Problems:
    if e.row is not None:
        yield from check_equal("sizes of a row and a local", row_width(e.row), e.size)


def _range(e: k.Range) -> Problems:
    match e:
        case k.Range(k.Int(value=low), k.Int(value=high), int(size)):
            yield from check_equal("size of a range", size, max(0, high - low + 1))
        case _:
            pass


def _ways(e: k.Ways) -> Problems:
    table = e.neighbours if e.links is None else e.links
    yield from check_equal("places and rows of ways", e.size, len(table) - 1)


def _longest_trail(e: k.TrailLength) -> Problems:
    if not e.sorts:
        yield "no links"


def _arguments(e: k.Run | k.Push | k.ActionOffer) -> Problems:
    yield from check_equal("slots and arguments", len(e.slots), len(e.arguments))


def _dice(e: k.Dice) -> Problems:
    for faces, weight in e.rows:
        yield from check_equal("faces and cells", len(faces), len(e.cells))
        if weight < 1:
            yield f"weight {weight}"


def _deal(e: k.Deal) -> Problems:
    yield from check_equal("written values", len(e.values), len(e.copies) + 1)


def _announce(e: k.Announce) -> Problems:
    yield from check_equal("gaps and values", len(e.sentence.names), len(e.values))


def _finish(e: k.Finish) -> Problems:
    if e.winners is not None and e.ranking is not None:
        yield "winners and a ranking"


def _positive(field: str) -> Callable[[Any], Problems]:
    def check(e: Any) -> Problems:
        if getattr(e, field) < 1:
            yield f"{field} {getattr(e, field)}"

    return check


CHECKS: Mapping[type, Callable[[Any], Problems]] = {
    k.Int: _int,
    k.Lookup: lambda e: check_index(e.table, e.index),
    k.GridIndex: _grid_index,
    k.Binary: lambda e: check_operator(e.operator, ARITHMETIC),
    k.CompareValues: lambda e: check_operator(e.operator, COMPARISONS),
    k.Between: _between,
    k.Probe: _probe,
    k.Fold: _fold,
    k.FoldSelections: _fold_selections,
    k.Element: _element,
    k.CoversRow: lambda e: check_equal(
        "two rows", row_width(e.row), row_width(e.other)
    ),
    k.CellRow: _cell_row,
    k.LookupRow: _lookup_row,
    k.SumRow: _sum_row,
    k.Stack: _positive("kinds"),
    k.Range: _range,
    k.TableRow: lambda e: check_index(e.rows, e.index),
    k.Nonzero: lambda e: check_equal("sizes", row_width(e.row), e.size),
    k.Ways: _ways,
    k.TrailLength: _longest_trail,
    k.AssignRow: _assign_row,
    k.StoreRow: lambda e: check_equal("sizes", row_width(e.row), e.size),
    k.ForCounts: lambda e: check_equal("sizes", row_width(e.row), e.size),
    k.Wake: _positive("triggers"),
    k.Tick: _positive("count"),
    k.Run: _arguments,
    k.Push: _arguments,
    k.ActionOffer: _arguments,
    k.Announce: _announce,
    k.Dice: _dice,
    k.Deal: _deal,
    k.Finish: _finish,
}
"""Functions that yield the problems of an operation, by class."""
