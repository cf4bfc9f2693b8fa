"""Types of a unit's local variables, for positions that name their values."""

from __future__ import annotations

from typing import Any

from rulebook import model as m
from rulebook import tooling

FIRST_LOCAL = 2
"""Index of the first local variable in a frame, after the unit and the step."""

ANY_NUMBER = m.Whole(-1_000_000, 1_000_000)


def slot_types(code: m.Procedure | m.Action) -> tuple[m.Type | None, ...]:
    """Return the type of each slot, or None for slots that hold no value."""
    types: dict[int, m.Type] = {m.YOU: m.Member("player", optional=True)}
    if isinstance(code, m.Action):
        types[m.FREE] = m.Truth()
    for parameter in code.parameters:
        types[parameter.slot] = unbounded(parameter.type)
    for node in tooling.walk(*code.body):
        slot_of(node, types)
    return tuple(types.get(slot) for slot in range(len(code.slots)))


def unbounded(kind: m.Type) -> m.Type:
    """Return a type without its bounds."""
    match kind:
        case m.Whole():
            return ANY_NUMBER
        case m.Member(domain=domain):
            return m.Member(domain, optional=True)
        case _:
            return kind


def slot_of(node: Any, types: dict[int, m.Type]) -> None:
    """Add the types of the slots that a statement binds."""
    match node:
        case m.SetLocal(slot=slot, value=value):
            kind = value.type
            if slot not in types or isinstance(types[slot], m.NoneType):
                types[slot] = unbounded(kind)
        case m.SetTally(slot=slot, domains=domains):
            types[slot] = m.Tally(domains)
        case m.EachMember() | m.Together() | m.Choose() | m.ChanceChoose() | m.Gather():
            assert isinstance(node.set.type, m.SetOf)
            domain = node.set.type.domain
            member = m.Member(domain, optional=True) if domain else ANY_NUMBER
            types[node.slot] = member
            if isinstance(node, m.Gather) and domain:
                types[node.bag] = m.Bag(domain)
        case (
            m.DrawCard(slot=int(slot), source=holder)
            | m.Reveal(slot=slot, stack=holder)
        ):
            assert isinstance(holder.type, m.Bag | m.Stack)
            types[slot] = m.Member(holder.type.domain, optional=True)
        case _:
            pass
