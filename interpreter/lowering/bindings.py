"""Analysis of the slots that a statement binds, always or in part of a block."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from interpreter.core.slots import FIRST_LOCAL
from rulebook import model as m
from rulebook import tooling

BINDERS = (
    m.SetLocal,
    m.SetTally,
    m.Reveal,
    m.ChanceChoose,
    m.Choose,
    m.EachMember,
    m.Together,
)


def bound_in_part(code: m.Procedure | m.Action, node: m.Together) -> tuple[int, ...]:
    """Return the places of variables bound only inside a simultaneous block.

    They are cleared between players, so that no player finds another's choice there.
    """
    inside = dict.fromkeys(bound(*node.body))
    outside = {parameter.slot for parameter in code.parameters} | {m.YOU, node.slot}
    left: list[m.Part] = list(code.body)
    while left:
        part = left.pop()
        if part is not node:
            outside.update(slots_of(part))
            left.extend(tooling.children(part))
    return tuple(slot + FIRST_LOCAL for slot in inside if slot not in outside)


def bound(*nodes: Any) -> Iterator[int]:
    """Yield the slots that statements bind, including inner statements."""
    for node in tooling.walk(*nodes):
        yield from slots_of(node)


def surely_bound(node: Any) -> tuple[int, ...]:
    """Return the slots that certainly have a value after a statement."""
    match node:
        case m.Gather(bag=bag):
            return (bag,)
        case m.Choose(optional=True):
            return ()
        case m.Choose() | m.ChanceChoose() | m.Reveal() | m.SetLocal():
            return (node.slot,)
        case m.SetTally():
            return (node.slot,)
        case m.DrawCard(slot=int(slot)):
            return (slot,)
        case _:
            return ()


def slots_of(node: Any) -> tuple[int, ...]:
    """Return the slots that a single statement binds."""
    match node:
        case m.Gather(slot=slot, bag=bag):
            return (slot, bag)
        case m.DrawCard(slot=slot):
            return () if slot is None else (slot,)
        case _ if isinstance(node, BINDERS):
            return (node.slot,)
        case _:
            return ()
