"""Random values of hidden fields and variables."""

from __future__ import annotations

from typing import Any

from interpreter.core.chance import Stream
from interpreter.plan.plan import Plan
from rulebook import model as m


def random_value(plan: Plan, kind: m.Type, chance: Stream) -> Any:
    """Return a value of a type, uniformly distributed."""
    if isinstance(kind, m.SetOf):
        assert kind.domain is not None
        members = range(plan.facts.sizes[kind.domain])
        return tuple(member for member in members if chance.next_below(2))
    low, size = plan.values.extent(kind)
    number = low + chance.next_below(size)
    return bool(number) if isinstance(kind, m.Truth) else number
