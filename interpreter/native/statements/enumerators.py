"""C code that lists legal actions, and that tests single actions."""

from __future__ import annotations

from interpreter.core.action_index import ParameterRange, PlannedAction
from interpreter.core.dependencies import walk
from interpreter.native.expressions.neighbours import near
from interpreter.native.statements.effects import Lines
from interpreter.native.statements.flow import Shared
from interpreter.native.writer import CWriter
from interpreter.plan.specialise.rules import Conjunct, Rules
from interpreter.plan.specialise.terms import slots_read
from rulebook import model as m


def in_order(members: m.Expr) -> bool:
    """Return whether a set is certainly in the order of its domain."""
    if isinstance(members, m.Const):
        return list(members.value) == sorted(members.value)
    return not any(isinstance(node, m.Clockwise | m.Sorted) for node in walk(members))


def range_of(w: CWriter, place: ParameterRange, tests: list[Conjunct]) -> str:
    """Return the head of the C loop over the values of a parameter.

    If a requirement limits the parameter to a set, the loop covers that set and the
    requirement is removed from `tests`.
    """
    v = f"v{place.slot}"
    everything = (
        f"for (num {v} = {place.low}; {v} < {place.low + place.size}; {v}++) {{"
    )
    if not isinstance(place.type, m.Member):
        return everything
    for test in tests:
        match test.condition:
            case m.Contains(set=members, member=m.Local(slot=place.slot)) if (
                place.slot not in slots_read(members)
            ):
                tests.remove(test)
                return through(w, members, v)
            case _:
                continue
    for test in tests:
        size = w.facts.sizes[place.type.domain]
        if test.pays or (place.low, place.size) != (0, size):
            continue
        there = near(w, test.condition, place.slot, size)
        if there is not None:
            if there.exact:
                tests.remove(test)
            loop = there.loop(v)
            return f"{loop.before}{loop.head}"
    return everything


def through(w: CWriter, members: m.Expr, v: str) -> str:
    """Return the head of the C loop over a set in the order of its domain."""
    if in_order(members):
        loop = w.through(members, v)
        return f"{loop.before}{loop.head}"
    array, key, i = [w.file.new(x) for x in ("a", "k", "i")]
    size = w.most(members) + 1
    return (
        f"num {array}[{size}], {key}[{size}]; {w.listed(members, array)} "
        f"memcpy({key}, {array}, sizeof {array}); sort_by({array}, {key}, 0); "
        f"for (num {i} = 1; {i} <= {array}[0]; {i}++) {{ VAR {v} = {array}[{i}];"
    )


def parameters(planned: PlannedAction, fixed: tuple[int, ...]) -> str:
    """Return the C parameters for the action's parameters that an offer fixes."""
    kinds = {p.slot: p.type for p in planned.action.parameters}
    return "".join(
        [
            f", UNUSED const num *v{slot}"
            if isinstance(kinds[slot], m.Bag | m.SetOf)
            else f", VAR v{slot}"
            for slot in fixed
        ]
    )


def index_of(planned: PlannedAction) -> str:
    """Return the C index of an action whose parameters are in C variables."""
    first = planned.base - sum(place.low * place.stride for place in planned.places)
    terms = [f"v{place.slot} * {place.stride}" for place in planned.open]
    return " + ".join([str(first), *terms])


def is_quick(test: str) -> bool:
    """Return whether a test is so cheap that storing an unused index costs less than a
    branch.

    That is true of tests that read one or two cells, without a loop or a call.
    """
    return not any(costly in test for costly in ("({", "(g,", "(g)"))


def enumerator(
    w: CWriter,
    rules: Rules,
    shared: Shared,
    planned: PlannedAction,
    fixed: tuple[int, ...],
) -> str:
    """Return the name of the C function (g, you, free, fixed...) that lists legal
    indices.
    """
    key = (planned.name, fixed)
    if key in shared.enumerators:
        return shared.enumerators[key]
    name = shared.enumerators[key] = w.file.new("e")
    inner = w.with_variables()
    waiting = list(rules.conjuncts(planned.name))
    open_places = [place for place in planned.places if place.slot not in fixed]
    lines: Lines = []
    for place in planned.places:
        if place.slot in fixed:
            v, end = f"v{place.slot}", place.low + place.size
            lines.append(f"if ({v} < {place.low} || {v} >= {end}) return;")
    deep, leave = 0, "return;"
    if open_places:
        lines.append("int32_t *at = g->legal + g->legals;")
    fails = ""
    for number in range(len(open_places) + 1):
        later = {place.slot for place in open_places[number:]}
        now = [test for test in waiting if not test.note.slots & later]
        waiting = [test for test in waiting if test.note.slots & later]
        if number:
            lines += ["{", range_of(inner, open_places[number - 1], now)]
            deep, leave = deep + 1, "continue;"
        for test in now:
            free = "!v1 && " if test.pays else ""
            fails = f"{free}!{inner.value(test.condition)}"
            lines.append(f"if ({fails}) {leave}")
    if not deep:
        lines.append(f"g->legal[g->legals++] = (int32_t)({index_of(planned)});")
    elif lines[-1] == f"if ({fails}) continue;" and is_quick(fails):
        lines[-1] = f"*at = (int32_t)({index_of(planned)}); at += !({fails});"
    else:
        lines.append(f"*at++ = (int32_t)({index_of(planned)});")
    lines.append("} }" * deep)
    if deep:
        lines.append("g->legals = (int32_t)(at - g->legal);")
    given = parameters(planned, fixed)
    head = f"static void {name}(Game *g, VAR v0, VAR v1{given})"
    shared.function(head, lines)
    return name


def instance_test(
    w: CWriter,
    rules: Rules,
    shared: Shared,
    planned: PlannedAction,
    places: dict[int, int],
) -> str:
    """Return the name of the C function (g, frame) that tests one instance of an
    action.
    """
    if planned.name not in shared.tests:
        name = shared.tests[planned.name] = w.file.new("t")
        inner = w.with_variables()
        inner.places = places
        lines = [
            f"if ({f'!f[{places[m.FREE]}] && ' if test.pays else ''}"
            f"!{inner.value(test.condition)}) return 0;"
            for test in rules.conjuncts(planned.name)
        ]
        head = f"static int {name}(Game *g, num *f)"
        shared.function(head, ["(void)g, (void)f;", *lines, "return 1;"])
    return shared.tests[planned.name]
