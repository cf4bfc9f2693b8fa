"""C code for decisions: `Ask`, `Choose` and `Gather`."""

from __future__ import annotations

from collections.abc import Sequence

from interpreter.core.action_index import PlannedAction
from interpreter.core.slots import FIRST_LOCAL
from interpreter.native.statements.effects import Lines, under
from interpreter.native.statements.enumerators import enumerator, instance_test
from interpreter.native.statements.flow import CFlow, FlowTable
from interpreter.plan.queries import in_listing_order, needed, offers_of
from interpreter.secrecy.levels import Secrecy
from rulebook import model as m

BEGIN_LEGAL = "g->legals = 0;"
PASS_TOO = "g->legal[g->legals++] = 0;"


def waiting(t: CFlow, reach: Lines, accept: Lines) -> int:
    """Write a step that waits: the C lines to reach it, and the lines for an answer.

    Both may jump to labels. `reach` ends where the game waits; `accept` continues at
    the next line.
    """
    here = t.point()
    halt = f"return halt(g, f, #{here}#);"
    t.close(
        "if (!g->answering) {",
        t.settle(here),
        *[line.replace("HERE", str(here)) for line in reach],
        halt,
        "}",
        "g->answering = 0;",
        *[line.replace("HERE", str(here)) for line in accept],
    )
    return here


# ---------------------------------------------------------------- Ask


def menu(t: CFlow, node: m.Ask, offers: Sequence[m.Offer], who: str) -> Lines:
    """Return the C lines that list the legal actions of the offers."""
    lines = [BEGIN_LEGAL] + [PASS_TOO] * node.optional
    for offer, action in in_listing_order(offers, t.actions):
        given = action.action.parameters[: len(offer.arguments)]
        name = enumerator(t.w, t.rules, t.shared, action, tuple(p.slot for p in given))
        before, arguments = "", ["g", who, str(int(offer.free))]
        for value in offer.arguments:
            if isinstance(value.type, m.Bag | m.SetOf):
                array = t.w.file.new("a")
                many = isinstance(value.type, m.SetOf)
                size = t.w.most(value) + 1 if many else t.w.kinds(value.type)
                fill = t.w.listed if many else t.w.filled
                before += f"num {array}[{size}]; {fill(value, array)} "
                arguments.append(array)
            else:
                arguments.append(t.w.value(value))
        call = f"{before}{name}({', '.join(arguments)});"
        there = [f"{t.w.value(given)} >= 0" for given in needed(offer, action)]
        lines += ["{", *under(there, [call]), "}"] if before else under(there, [call])
    names = [offer.action for offer in offers]
    if len(set(names)) < len(names):
        lines.append("in_order(g);")
    return lines


def frame_of(
    t: CFlow, offer: m.Offer, action: PlannedAction, frame: str, who: str
) -> tuple[Lines, Lines]:
    """Return the C lines that fill the frame of an offered action, and the conditions
    that exclude it.

    If a condition is true, another offer is meant. `index` is the action's index,
    counted from the first index of the action.
    """
    unit = action.unit
    places = t.procedures.places[unit]
    lines = [
        f"{frame}[{FIRST_LOCAL + m.YOU}] = {who};",
        f"{frame}[{FIRST_LOCAL + m.FREE}] = {int(offer.free)};",
    ]
    given = dict(
        zip([p.slot for p in action.action.parameters], offer.arguments, strict=False)
    )
    wrong, rest = [], "index"
    for place in action.open:
        value = f"({rest} / {place.stride} + {place.low})"
        rest = f"({rest} % {place.stride})"
        lines.append(f"{frame}[{places[place.slot]}] = {value};")
        if place.slot in given:
            wrong.append(
                f"{frame}[{places[place.slot]}] != {t.w.value(given[place.slot])}"
            )
    fixed = {place.slot for place in action.open}
    for slot, argument in given.items():
        if slot not in fixed:
            lines += t.given(frame, slot, unit, argument)
    return lines, wrong


def accepted(
    t: CFlow, offers: list[m.Offer], action: PlannedAction, who: str, target: int
) -> Lines:
    """Return the C lines that apply a chosen action."""
    unit = action.unit
    size, quiet = t.procedures.sizes[unit], unit in t.procedures.quiet
    base, end = action.base, action.base + action.size
    lines = [f"if (g->chosen >= {base} && g->chosen < {end}) {{"]
    lines += [f"VAR index = g->chosen - {base};", f"num y[{size}] = {{{unit}}};"]
    lines.append(f"for (int i = 2; i < {size}; i++) y[i] = UNSET;")
    several, go = len(offers) > 1, t.w.file.new("go")
    for offer in offers:
        fill, wrong = frame_of(t, offer, action, "y", who)
        if several:
            places = dict(t.procedures.places[unit])
            test = f"{instance_test(t.w, t.rules, t.shared, action, places)}(g, y)"
            done = f"if ({' && '.join([*[f'!({x})' for x in wrong], test])}) "
            lines += [*fill, f"{done}goto {go};"]
        else:
            lines += fill
    if several:
        lines.append(f"{go}: UNUSED;")
    fixed = [t.procedures.places[unit][place.slot] for place in action.given]
    lines += [f"tells(g, {n}, y[{place}]);" for n, place in enumerate(fixed, 1)]
    t.w.file.outcome = max(t.w.file.outcome, 1 + len(fixed))
    if quiet:
        return [*lines, f"q{unit}(g, y); goto @{target}@; }}"]
    lines += [f"f[1] = #{target}#;", f"memcpy(push(g, {unit}), y, sizeof y);"]
    return [*lines, "return SWITCH; }"]


def _ask(t: CFlow, node: m.Ask, end: int) -> None:
    del end
    offers = offers_of(node)
    after, ended, passed, done = (t.label() for _ in range(4))
    who = t.w.value(node.who)
    reach = [f"{{ VAR who = {who};", f"if (who < 0) goto @{done}@;"]
    reach += menu(t, node, offers, "who")
    if node.until is None:
        if Secrecy(t.w.facts.model).asking(t.book(node)):
            reach.append("looks_at(g, who);")
        reach.append(f"if (!g->legals) goto @{done}@;")
        if node.optional and node.skips:
            reach.append(f"if (g->legals == 1) goto @{passed}@;")
    reach.append("g->who = (int32_t)who; }")
    accept = [f"if (!g->chosen) goto @{passed}@;", "g->ran++;"]
    accept.append(f"{{ VAR who = {who};")
    for name in dict.fromkeys(offer.action for offer in offers):
        same = [offer for offer in offers if offer.action == name]
        target = ended if name == node.until else after
        accept += accepted(t, same, t.actions.by_name[name], "who", target)
    accept += ["fail(g, BEYOND); }"]
    here = waiting(t, reach, accept)
    t.place(ended)
    t.settle_here(ended)
    t.close(f"goto @{done}@;")
    t.place(after)
    t.settle_here(after)
    if node.until is not None:
        t.close(f"goto @{here}@;")
    else:
        t.body(node.body)
        t.close(f"goto @{done}@;")
    t.place(passed)
    t.body(node.otherwise)
    t.place(done)


# ---------------------------------------------------------------- Choose, Gather


def candidates(t: CFlow, node: m.Choose | m.Gather, name: str, body: str) -> str:
    """Return the C loop over the candidates of a choice."""
    members = node.set
    where = None if node.where is None else node.where
    with t.w.binding(node.slot, name):
        return t.w.loop(members, name, body, where)


def _choose(t: CFlow, node: m.Choose, end: int) -> None:
    chosen, passed, done = (t.label() for _ in range(3))
    a, k, v = [t.w.file.new(x) for x in ("a", "k", "m")]
    size = t.w.most(node.set) + 1
    base, slot = t.actions.by_name[node.choice].zero, t.w.slot(node.slot)
    enter = f"{a}[++{a}[0]] = {v};"
    reach = [f"{{ VAR who = {t.w.value(node.who)}; num {a}[{size}]; {a}[0] = 0;"]
    reach.append(f"if (who >= 0) {candidates(t, node, v, enter)}")
    reach.append(f"if (!{a}[0]) goto @{passed if node.optional else end}@;")
    if node.if_several:
        lone = f"{{ {slot} = {a}[1]; goto @{chosen}@; }}"
        reach.append(f"if ({a}[0] == 1) {lone}")
    reach += [f"num {k}[{size}]; memcpy({k}, {a}, sizeof {a}); sort_by({a}, {k}, 0);"]
    reach += [BEGIN_LEGAL] + [PASS_TOO] * node.optional
    reach.append(
        f"for (num i = 1; i <= {a}[0]; i++) "
        f"g->legal[g->legals++] = (int32_t)({base} + {a}[i]);"
    )
    reach.append("g->who = (int32_t)who; }")
    accept = [f"if (!g->chosen) goto @{passed}@;"]
    accept.append(f"{slot} = g->chosen - {base};")
    waiting(t, reach, accept)
    t.place(chosen)
    t.body(node.body)
    if node.otherwise:
        t.close(f"goto @{done}@;")
    t.place(passed)
    t.body(node.otherwise)
    t.place(done)


def _gather(t: CFlow, node: m.Gather, end: int) -> None:
    del end
    done = t.label()
    assert isinstance(node.set.type, m.SetOf) and node.set.type.domain is not None
    size, picked = t.w.facts.sizes[node.set.type.domain], t.w.array(node.bag)
    base, v = t.actions.by_name[node.choice].zero, t.w.file.new("m")
    t.add(f"memset({picked}, 0, {size} * sizeof(num));")
    before, held = "", "high"
    if node.source is not None:
        before, count = t.w.counts(node.source)
        held = count(v)
    fits = candidates(t, node, v, f"fits[{v}] = 1; held[{v}] = {held};")
    reach = [
        f"{{ VAR who = {t.w.value(node.who)}; if (who < 0) goto @{done}@;",
        f"num high = {t.w.value(node.high)}, need = {t.w.value(node.low)};",
        f"num held[{size}] = {{0}}, fits[{size}] = {{0}}, number = 0, last = 0;",
        f"num all = 0, rest = 0; int first = 0; {before}{fits}",
        f"for (int i = 0; i < {size}; i++) {{ number += {picked}[i]; all += held[i];",
        f"if ({picked}[i]) last = i; }}",
        "need = smaller(need, all);",
        f"int legal[{size} + 1];",
        f"if (number < high) for (int i = {size - 1}; i >= 0; i--) if (fits[i]) {{",
        f"num left = held[i] - {picked}[i]; rest += left;",
        "if (i >= last && left > 0 && number + rest >= need) legal[first++] = i; }",
        f"if (!first) goto @{done}@;",
        f"{BEGIN_LEGAL} if (number >= need) {PASS_TOO}",
        f"while (first) g->legal[g->legals++] = {base} + legal[--first];",
        "g->who = (int32_t)who; }",
    ]
    accept = [
        f"if (!g->chosen) goto @{done}@;",
        f"{picked}[g->chosen - {base}]++;",
        "goto @HERE@;",
    ]
    waiting(t, reach, accept)
    t.place(done)


FLOWS: FlowTable = {
    m.Ask: _ask,
    m.Choose: _choose,
    m.Gather: _gather,
}
