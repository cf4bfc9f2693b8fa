"""Substitution of variables in expressions, which also renames bound variables."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import attrs

from rulebook import model as m

Substitutions = Mapping[int, m.Expr | int]
"""Replacement of each variable by slot: an expression, or another slot."""

UNCHANGED = frozenset({"span", "type", "name", "slot", "op"})
"""Fields that contain no expressions."""


@attrs.define
class Substitution:
    """Substitution that gives each bound variable a new slot, after `last_slot`."""

    last_slot: int

    def substitute(self, e: Any, values: Substitutions) -> Any:
        """Return an expression with its variables replaced."""
        if m.is_variable(e):
            given = values.get(e.slot, e)
            return attrs.evolve(e, slot=given) if isinstance(given, int) else given
        if not e.scope:
            return rebuild(e, lambda part, _: self.substitute(part, values))
        self.last_slot += 1
        slot = self.last_slot
        inside = {**values, e.slot: slot}

        def change(part: Any, field: str) -> Any:
            return self.substitute(part, inside if field in e.scope else values)

        return attrs.evolve(rebuild(e, change), slot=slot)


def rebuild(node: Any, change: Callable[[Any, str], Any]) -> Any:
    """Return a part with `change` applied to each part directly inside it.

    `change` also receives the name of the field. Unchanged parts are reused.
    """
    changes: dict[str, Any] = {}
    for field in attrs.fields(type(node)):
        old = getattr(node, field.name)
        if field.name in UNCHANGED:
            continue
        if isinstance(old, m.Part):
            new = change(old, field.name)
            if new is not old:
                changes[field.alias] = new
        elif type(old) is tuple and old and isinstance(old[0], m.Part):
            parts = tuple([change(part, field.name) for part in old])
            if any(a is not b for a, b in zip(old, parts, strict=True)):
                changes[field.alias] = parts
    return attrs.evolve(node, **changes) if changes else node
