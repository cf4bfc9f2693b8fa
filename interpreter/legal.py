"""Enumeration of legal actions, and the same requirements as single tests.

For an action one function is written that runs through its parameters in nested loops;
each part of a requirement is tested as soon as the parameters it reads are bound, those
without parameters first. A parameter that must lie in a set runs through that set.
"""

from __future__ import annotations

from collections.abc import Iterator

import rulebook as rb
from interpreter.actions import Place, PlannedAction
from interpreter.expressions import Writer
from interpreter.reads import walk

Part = tuple[rb.Expr, bool]


def parts(action: rb.Action) -> Iterator[Part]:
    """Yield the conjuncts of all requirements, and whether they are about paying."""
    for requirement in action.requirements:
        pays = requirement.sort == "pays"
        condition = requirement.condition
        if isinstance(condition, rb.And):
            yield from ((part, pays) for part in condition.parts)
        else:
            yield condition, pays


def slots_read(expression: rb.Expr) -> tuple[int, ...]:
    """Return the slots that an expression reads."""
    return tuple(x.slot for x in walk(expression) if isinstance(x, rb.Local))


def range_text(w: Writer, place: Place, tests: list[Part]) -> str:
    """Return what a parameter runs through."""
    everything = f"range({place.low}, {place.low + place.size})"
    if not isinstance(place.type, rb.Member):
        return everything
    for part, pays in tests:
        match part:
            case rb.Contains(set=members, member=rb.Local(slot=place.slot)) if (
                place.slot not in slots_read(members)
            ):
                tests.remove((part, pays))
                text = w.text(members)
                return text if in_order(members) else f"sorted({text})"
            case _:
                continue
    return everything


def within(place: Place, fixed: tuple[int, ...]) -> list[str]:
    """Return lines that offer nothing for what is no value of the parameter."""
    if place.slot not in fixed:
        return []
    end = place.low + place.size
    return [f"if not {place.low} <= v{place.slot} < {end}:", "    return"]


def in_order(members: rb.Expr) -> bool:
    """Whether a set is surely in the order of its domain."""
    return not any(isinstance(node, rb.Clockwise | rb.Sorted) for node in walk(members))


def write_enumerator(w: Writer, planned: PlannedAction, fixed: tuple[int, ...]) -> str:
    """Write the function (s, out, v0, v1, fixed...) that appends legal indices."""
    name = w.source.new_name("e")
    inner = Writer(w.source, w.facts, AllVariables())
    waiting = list(parts(planned.action))
    open_slots = [place.slot for place in planned.places if place.slot not in fixed]
    lines = [line for place in planned.places for line in within(place, fixed)]
    indent = 0
    leave = "return"
    index = [str(planned.base - sum(p.low * p.stride for p in planned.places))]
    for slot in [None, *open_slots]:
        later = open_slots if slot is None else open_slots[open_slots.index(slot) + 1 :]
        now = [x for x in waiting if not set(slots_read(x[0])) & set(later)]
        waiting = [x for x in waiting if x not in now]
        if slot is not None:
            place = next(p for p in planned.places if p.slot == slot)
            head = f"for v{slot} in {range_text(inner, place, now)}:"
            lines.append("    " * indent + head)
            indent += 1
            leave = "continue"
        for part, pays in now:
            text = inner.text(part)
            if text != "True":
                test = f"v1 or {text}" if pays else text
                block = [f"if not ({test}):", f"    {leave}"]
                lines.extend("    " * indent + line for line in block)
    index.extend(
        f"v{place.slot} * {place.stride}" if place.stride != 1 else f"v{place.slot}"
        for place in planned.open
    )
    total = " + ".join(index)
    lines.append("    " * indent + f"out.append({total})")
    given = "".join(f", v{slot}" for slot in fixed)
    return w.source.function(name, f"s, out, v0, v1{given}", lines)


class AllVariables(dict[int, str]):
    """Every slot is a Python variable."""

    def __missing__(self, slot: int) -> str:
        return f"v{slot}"

    def get(self, slot: int, default: object = None) -> str:
        """Return the variable of a slot."""
        del default
        return self[slot]

    def pop(self, slot: int, *default: object) -> str:
        """Forget that a slot is bound: it stays a variable."""
        del default
        return self[slot]
