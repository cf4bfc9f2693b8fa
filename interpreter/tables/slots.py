"""The types of a unit's local variables, for positions that name their values."""

from __future__ import annotations

from typing import Any

import rulebook as rb
from interpreter.tables.reads import walk

FIRST_LOCAL = 2
"""The place of the first local in a frame, after its unit and its step."""

ANY_NUMBER = rb.Whole(-1_000_000, 1_000_000)


def slot_types(code: rb.Procedure | rb.Action) -> tuple[rb.Type | None, ...]:
    """Return the type of each slot; None for those that hold no value."""
    found: dict[int, rb.Type] = {rb.YOU: rb.Member("player", optional=True)}
    if isinstance(code, rb.Action):
        found[rb.FREE] = rb.Truth()
    for parameter in code.parameters:
        found[parameter.slot] = loose(parameter.type)
    for node in walk(*code.body):
        slot_of(node, found)
    return tuple(found.get(slot) for slot in range(len(code.slots)))


def loose(kind: rb.Type) -> rb.Type:
    """Return the type without its bounds."""
    match kind:
        case rb.Whole():
            return ANY_NUMBER
        case rb.Member(domain=domain):
            return rb.Member(domain, optional=True)
        case _:
            return kind


def slot_of(node: Any, found: dict[int, rb.Type]) -> None:
    """Enter the slot that a statement binds."""
    match node:
        case rb.SetLocal(slot=slot, value=value):
            kind = value.type
            if slot not in found or isinstance(found[slot], rb.NoneType):
                found[slot] = loose(kind)
        case rb.SetTally(slot=slot, domains=domains):
            found[slot] = rb.Tally(domains)
        case rb.Each() | rb.Together() | rb.Choose() | rb.ChanceChoose() | rb.Gather():
            assert isinstance(node.set.type, rb.SetOf)
            domain = node.set.type.domain
            member = rb.Member(domain, optional=True) if domain else ANY_NUMBER
            found[node.slot] = member
            if isinstance(node, rb.Gather) and domain:
                found[node.bag] = rb.Bag(domain)
        case (
            rb.DrawCard(slot=int(slot), source=holder)
            | rb.Reveal(slot=slot, stack=holder)
        ):
            assert isinstance(holder.type, rb.Bag | rb.Stack)
            found[slot] = rb.Member(holder.type.domain, optional=True)
        case _:
            pass
