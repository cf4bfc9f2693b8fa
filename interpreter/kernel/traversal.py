"""Generic traversals of kernel operations."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

import attrs

from interpreter.kernel import operations as k

BOUND: Mapping[type, tuple[str, tuple[str, ...]]] = {
    k.Fold: ("slot", ("where", "value")),
    k.FoldSelections: ("slot", ("where", "value")),
    k.BuiltRow: ("slot", ("where", "value")),
    k.FilteredSet: ("slot", ("condition",)),
    k.BestSet: ("slot", ("where", "keys")),
    k.SortedSet: ("slot", ("where", "key")),
    k.PerElement: ("slot", ("value",)),
    k.StepCondition: ("before slot", ("holds",)),
    k.ForEach: ("slot", ("where", "body")),
    k.ForCounts: ("index count", ("body",)),
    k.DealTest: ("slots", ("broken",)),
    k.KeptValue: ("slots", ("value",)),
    k.KeptPlaces: ("slots", ("sequence",)),
    k.Chance: ("slot", ("accepted",)),
}
"""Fields that bind slots, and fields that may read these slots, by operation class."""

WRITTEN: Mapping[type, str] = {
    k.Assign: "slot",
    k.AssignSet: "slot",
    k.AssignRow: "slot",
    k.DropFirst: "rest",
    k.Unset: "slots",
    k.TakeFirst: "rest slot",
    k.BeginTogether: "own rest everybody",
    k.EndTogether: "own everybody",
    k.Deal: "cards rest",
    k.WaitForMember: "slot",
}
"""Fields whose slots must be in the frame, separated by spaces, by operation."""

FIELDS: dict[type, tuple[str, ...]] = {}


def fields_of(kind: Any) -> tuple[str, ...]:
    """Return the names of the fields of an operation that may contain operations."""
    known = FIELDS.get(kind)
    if known is not None:
        return known
    FIELDS[kind] = tuple(
        [
            field.name
            for field in attrs.fields(kind)
            if field.name not in {"source", "truth", "operator"}
        ]
    )
    return FIELDS[kind]


def parts(e: k.Operation) -> Iterator[k.Operation]:
    """Yield the operations directly inside an operation."""
    for name in fields_of(type(e)):
        value = getattr(e, name)
        if isinstance(value, k.Operation):
            yield value
        elif type(value) is tuple:
            for part in value:
                if isinstance(part, k.Operation):
                    yield part


def walk(e: k.Operation) -> Iterator[k.Operation]:
    """Yield an operation and all operations inside it, outermost first."""
    yield e
    for part in parts(e):
        yield from walk(part)


def map_children(e: Any, change: Callable[[Any], Any]) -> Any:
    """Return an operation with `change` applied to each operation directly inside it.

    Return the same object if nothing in it changes.
    """
    changes: dict[str, Any] = {}
    for name in fields_of(type(e)):
        old = getattr(e, name)
        if isinstance(old, k.Operation):
            new = change(old)
            if new is not old:
                changes[name] = new
        elif type(old) is tuple and old and isinstance(old[0], k.Operation):
            new = tuple([change(part) for part in old])
            if any(a is not b for a, b in zip(old, new, strict=True)):
                changes[name] = new
    return attrs.evolve(e, **changes) if changes else e


def only_member(e: k.BuiltRow) -> k.Value | None:
    """Return the only index at which a row may be nonzero.

    Return None if there may be several. If the index is -1, the row is 0 everywhere.
    """
    sequence = e.sequence
    if not isinstance(sequence, k.Range) or sequence.low is not sequence.high:
        return None
    if e.where not in {None, k.CompareValues(">=", k.Var(e.slot), k.Int(0))}:
        return None
    return None if reads_local(e.value, e.slot) else sequence.low


def reads_local(e: k.Operation, slot: int) -> bool:
    """Return whether an operation reads a local."""
    return slot in locals_of(e)


def locals_of(e: k.Operation) -> set[int]:
    """Return the slots of the locals that an operation reads."""
    locals_ = (k.Var, k.LocalRow, k.LocalSet)
    return {x.slot for x in walk(e) if isinstance(x, locals_)}


def slots(e: k.Operation, field: str) -> tuple[int, ...]:
    """Return the slots in a field that contains one slot or several."""
    value = getattr(e, field)
    return value if isinstance(value, tuple) else (value,)
