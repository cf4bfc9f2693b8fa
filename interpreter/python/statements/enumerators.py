"""Python code that lists legal actions.

Each action gets one function that iterates over its parameters in nested loops. Each
part of a requirement is tested as soon as the parameters it reads are bound; parts
without parameters come first. If a requirement limits a parameter to a set, the loop
covers that set.
"""

from __future__ import annotations

from interpreter.core.action_index import ParameterRange, PlannedAction
from interpreter.core.dependencies import walk
from interpreter.plan.specialise.rules import Conjunct, Rules
from interpreter.plan.specialise.terms import slots_read
from interpreter.python.expressions.writer import Writer
from interpreter.source import code
from interpreter.source.lines import Lines, indented, placed, unless
from rulebook import model as m

FREE = code.name(f"v{m.FREE}")


def all_of_it(place: ParameterRange) -> str:
    """Return code for all values of a parameter."""
    return f"range({place.low}, {place.low + place.size})"


def range_text(w: Writer, place: ParameterRange, tests: list[Conjunct]) -> str:
    """Return code for the values over which a parameter iterates."""
    everything = all_of_it(place)
    if not isinstance(place.type, m.Member):
        return everything
    for test in tests:
        match test.condition:
            case m.Contains(set=members, member=m.Local(slot=place.slot)) if (
                place.slot not in slots_read(members)
            ):
                tests.remove(test)
                written = w.code(members)
                return written.text if in_order(members) else f"sorted({written.text})"
            case _:
                continue
    return everything


def within(place: ParameterRange, fixed: tuple[int, ...]) -> list[str]:
    """Return lines that skip values outside the range of the parameter."""
    if place.slot not in fixed:
        return []
    end = place.low + place.size
    return [f"if not {place.low} <= v{place.slot} < {end}:", "    return"]


def in_order(members: m.Expr) -> bool:
    """Return whether a set is certainly in the order of its domain."""
    if isinstance(members, m.Const):
        return list(members.value) == sorted(members.value)
    return not any(isinstance(node, m.Clockwise | m.Sorted) for node in walk(members))


def tested(w: Writer, test: Conjunct, leave: str) -> Lines:
    """Return the lines that leave if a condition is false."""
    condition = w.code(test.condition)
    if test.pays:
        condition = code.chain("or", [FREE, condition])
    return unless(condition, [leave])


def write_enumerator(
    w: Writer, rules: Rules, planned: PlannedAction, fixed: tuple[int, ...]
) -> str:
    """Write the function (s, out, v0, v1, fixed...) that appends legal indices."""
    name = w.source.new_name("e")
    inner = w.with_variables()
    waiting = rules.conjuncts(planned.name)
    open_places = [place for place in planned.places if place.slot not in fixed]
    lines: Lines = [line for place in planned.places for line in within(place, fixed)]
    deep, leave = 0, "return"
    for number in range(len(open_places) + 1):
        later = {place.slot for place in open_places[number:]}
        now = [test for test in waiting if not test.note.slots & later]
        waiting = [test for test in waiting if test.note.slots & later]
        if number:
            place = open_places[number - 1]
            head = f"for v{place.slot} in {range_text(inner, place, now)}:"
            lines += nested([head], deep)
            deep, leave = deep + 1, "continue"
        for test in now:
            lines += nested(tested(inner, test, leave), deep)
    lines += nested([f"out.append({index(planned)})"], deep)
    given = "".join(f", v{slot}" for slot in fixed)
    return w.source.function(name, f"s, out, v0, v1{given}", placed(lines, {}))


def nested(lines: Lines, deep: int) -> Lines:
    """Return lines indented by *deep* levels."""
    for _ in range(deep):
        lines = indented(lines)
    return lines


def index(planned: PlannedAction) -> str:
    """Return code for the index of an action whose parameters are in variables."""
    first = planned.base - sum(place.low * place.stride for place in planned.places)
    terms = [
        f"v{place.slot} * {place.stride}" if place.stride != 1 else f"v{place.slot}"
        for place in planned.open
    ]
    return " + ".join([str(first), *terms])
