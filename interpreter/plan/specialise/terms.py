"""Models as trees: the parts of a node, their replacement, and its size."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import attrs

from interpreter.core.dependencies import children
from rulebook import model as m

Fields = tuple[tuple[str, str], ...]
PLAIN = frozenset({"span", "type", "name", "slot", "op"})
FIELDS: dict[type, Fields] = {}


def fields_of(kind: type) -> Fields:
    """Return (name, constructor argument) pairs of fields that may contain parts."""
    if kind not in FIELDS:
        fields = [field for field in attrs.fields(kind) if field.name not in PLAIN]
        FIELDS[kind] = tuple((field.name, field.alias) for field in fields)
    return FIELDS[kind]


Change = Callable[[Any, str], Any]


def rebuild(node: Any, change: Change, **changes: Any) -> Any:
    """Return a part with `change` applied to each part directly inside it.

    `change` also receives the name of the field. `changes` are new values of other
    fields. Unchanged parts are reused.
    """
    for name, alias in fields_of(type(node)):
        old = getattr(node, name)
        if isinstance(old, m.Part):
            new = change(old, name)
            if new is not old:
                changes[alias] = new
        elif type(old) is tuple and old and isinstance(old[0], m.Part):
            parts = tuple([change(part, name) for part in old])
            if any(a is not b for a, b in zip(old, parts, strict=True)):
                changes[alias] = parts
    return attrs.evolve(node, **changes) if changes else node


def size(node: Any, limit: int) -> int:
    """Return the number of parts of an expression; above *limit* it is not exact."""
    count, waiting = 0, [node]
    while waiting and count <= limit:
        count += 1
        waiting.extend(children(waiting.pop()))
    return count
