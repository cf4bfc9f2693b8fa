"""Types of a unit's local variables, needed to write their values to positions."""

from __future__ import annotations

from rulebook import model as m
from rulebook.signatures import Binding, effects_within

FIRST_LOCAL = 2
"""Index of the first local variable in a frame, after the unit and the step."""

ANY_NUMBER = m.Whole(-1_000_000, 1_000_000)


def slot_types(code: m.Procedure | m.Action) -> tuple[m.Type | None, ...]:
    """Return the type of each slot, or None for slots that hold no value."""
    types: dict[int, m.Type] = {m.YOU: m.Member("player", optional=True)}
    if isinstance(code, m.Action):
        types[m.FREE] = m.Truth()
    for parameter in code.parameters:
        types[parameter.slot] = without_bounds(parameter.type)
    for effects in effects_within(*code.body):
        for binding in effects.bindings:
            add_type(binding, types)
    return tuple(types.get(slot) for slot in range(len(code.slots)))


def without_bounds(kind: m.Type) -> m.Type:
    """Return a type without bounds: any number, and a member or none."""
    match kind:
        case m.Whole():
            return ANY_NUMBER
        case m.Member(domain=domain):
            return m.Member(domain, optional=True)
        case _:
            return kind


def add_type(binding: Binding, types: dict[int, m.Type]) -> None:
    """Add the type of a variable that a statement binds."""
    slot, value = binding.slot, binding.value
    if binding.type is not None:
        types[slot] = binding.type
    elif binding.members is not None:
        assert isinstance(binding.members.type, m.SetOf)
        domain = binding.members.type.domain
        types[slot] = m.Member(domain, optional=True) if domain else ANY_NUMBER
    elif value is not None and isinstance(types.get(slot, m.NoneType()), m.NoneType):
        types[slot] = without_bounds(value.type)
