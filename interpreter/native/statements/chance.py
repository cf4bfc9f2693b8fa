"""C code for chance: dice, draws, random choices and revealed cards."""

from __future__ import annotations

import attrs

from interpreter.algorithms.constrained_deal import Deal
from interpreter.core.layout import nothing
from interpreter.core.optional import may_hold_none
from interpreter.native.statements.effects import Lines, under
from interpreter.native.statements.flow import CFlow, FlowTable
from interpreter.native.statements.moves import CHolder, all_seats
from interpreter.native.writer import Untranslated
from interpreter.plan.queries import (
    card_of,
    dealt_values,
    falls,
    kind_of_choice,
)
from interpreter.plan.specialise.deals import Form, deal_of, forms_ready
from rulebook import model as m
from rulebook import tooling

FLAT = 4096
"""Maximum number of dice outcomes that are stored in a table."""

BARS = 1 << 16
"""Maximum number of (card, space) pairs in a constrained deal."""


def chance(t: CFlow, draw: Lines, accepted: Lines) -> None:
    """Write a chance event: lines that draw the outcome `m`, then lines that use it.

    If the outcome must be given, the game returns before the draw and resumes here.
    """
    here = t.point()
    after = t.label()
    waits = f"if (g->given) f[1] = #{here}#;"
    t.close(t.settle(here), waits, "{", *draw, *accepted, "}", f"goto @{after}@;")
    t.place(after)


def happens(t: CFlow, event: str, kind: m.Type, told: str) -> str:
    """Return the C line that logs the outcome `m` of an event."""
    return f"happens(g, {t.w.file.fall(event, kind)}, 1, &m, {told});"


# ---------------------------------------------------------------- cards


def from_stack(t: CFlow, holder: CHolder, event: str, told: str, none: int) -> Lines:
    """Return the C lines that draw the top card of a stack if it is unknown."""
    assert holder.value is not None
    size, w = "STACK_KINDS", t.w.file.new("w")
    number, stack = t.w.file.event(event), holder.stack
    return [
        f"num m = stack_top({stack});",
        "if (m < 0) {",
        f"num {w}[{size}]; for (int i = 0; i < {size}; i++) {w}[i] = {stack}->pool[i];",
        f"m = drawn(g, {number}, {w}, {size}); if (m < 0) goto @{none}@;",
        happens(t, event, card_of(holder.value), told),
        "}",
    ]


def _draw(t: CFlow, node: m.DrawCard, end: int) -> None:
    del end
    source, destination = CHolder(t, node.source), CHolder(t, node.destination)
    assert source.value is not None and source.block is not None
    none, done = t.label(), t.label()
    bound = None if node.slot is None else t.w.slot(node.slot)
    told = f"({source.audience()} | {destination.audience()})"
    if destination.tests:
        t.add(f"if (!({' && '.join(destination.tests)})) goto @{none}@;")
    if source.is_stack:
        draw = from_stack(t, source, node.event, told, none)
        accepted: Lines = [f"stack_take_top({source.stack}, m);"]
        accepted += t.written(source.value, told)
    else:
        endless, size, w = source.block.field.endless, source.block.size, "w"
        held = "1" if endless else source.count("i")
        draw = [f"num {w}[{size}]; for (int i = 0; i < {size}; i++) {w}[i] = {held};"]
        number = t.w.file.event(node.event)
        draw.append(f"num m = drawn(g, {number}, {w}, {size});")
        draw.append(f"if (m < 0) goto @{none}@;")
        draw.append(happens(t, node.event, card_of(node.source), told))
        accepted = [] if endless else source.take("m", "1", told)
    if destination.counts:
        accepted += destination.put("m", "1", node.end, told)
    if bound is not None:
        accepted.append(f"{bound} = m;")
    chance(t, draw, accepted)
    t.close(f"goto @{done}@;")
    t.place(none)
    if bound is not None:
        t.add(f"{bound} = -1;")
    t.place(done)


def _reveal(t: CFlow, node: m.Reveal, end: int) -> None:
    del end
    holder = CHolder(t, node.stack)
    assert holder.value is not None
    none, done = t.label(), t.label()
    bound, everybody, stack = t.w.slot(node.slot), all_seats(t), holder.stack
    accepted = [
        f"if ({stack}->card[0] < 0) stack_learn({stack}, m, {everybody});",
        f"{stack}->known[0] |= {everybody};",
        f"{bound} = m;",
        *t.written(holder.value),
    ]
    chance(t, from_stack(t, holder, node.event, everybody, none), accepted)
    t.close(f"goto @{done}@;")
    t.place(none)
    t.add(f"{bound} = -1;")
    t.place(done)


def _sees(t: CFlow, node: m.Sees, end: int) -> None:
    del end
    holder = CHolder(t, node.holder)
    assert holder.value is not None and holder.block is not None
    seat, nobody = t.w.value(node.who), t.label()
    who = f"bit({seat})"
    if may_hold_none(node.who):
        t.add(f"if ({seat} < 0) goto @{nobody}@;")
    if not holder.is_stack:
        if holder.block.seen is not None:
            owner = holder.value.owner
            place = "0" if owner is None else t.w.value(owner)
            seen = t.w.cell(f"{holder.block.seen} + {place}")
            t.add(*under(holder.tests, [f"{seen} = (cell)((seats){seen} | {who});"]))
        t.place(nobody)
        return
    stack, shown = holder.stack, t.label()
    again = t.here()
    event = t.standing.of(t.book(node)).label
    draw = [
        "num w[STACK_KINDS];",
        f"for (int i = 0; i < STACK_KINDS; i++) w[i] = {stack}->pool[i];",
        f"num m = drawn(g, {t.w.file.event(event)}, w, STACK_KINDS);",
        f"if (m < 0) goto @{shown}@;",
        happens(t, event, card_of(node.holder), who),
    ]
    chance(t, draw, [f"stack_learn({stack}, m, {who});"])
    t.close(f"goto @{again}@;")
    t.place(shown)
    t.add(*under(holder.tests, [f"stack_show({stack}, {who});"]))
    t.place(nobody)


# ---------------------------------------------------------------- dice and choices


def _roll(t: CFlow, node: m.RollDice, end: int) -> None:
    del end
    blocks = [t.w.facts.layout.fields[name] for name in node.fields]
    ways = falls(block.field for block in blocks)
    rows, weights = [row for row, _ in ways], [weight for _, weight in ways]
    if len(rows) > FLAT:
        raise Untranslated(f"dice with {len(rows)} possible results")
    dice, number = len(blocks), t.w.file.event(node.event)
    fall_of = t.w.file.fall(node.event, tuple(block.field.type for block in blocks))
    table = t.w.file.table([face for row in rows for face in row])
    shares = t.w.file.table(weights)
    fall = [
        f"g->s[{block.base}] = (cell){table}[m * {dice} + {place}];"
        for place, block in enumerate(blocks)
    ]
    after = t.label()
    if node.condition is None and set(weights) == {1}:
        draw = [f"num m = below(g, {number}, {len(rows)});"]
    else:
        draw = weighed(t, node, [block.base for block in blocks], fall, shares, after)
    values = ", ".join(f"{table}[m * {dice} + {place}]" for place in range(dice))
    draw.append(f"num value[{dice}] = {{{values}}};")
    draw.append(f"happens(g, {fall_of}, {dice}, value, {all_seats(t)});")
    marks = [
        line
        for block in blocks
        for line in t.mark(tooling.StatePart.field(block.field.key))
    ]
    chance(t, draw, [*fall, *marks])
    t.place(after)


def weighed(
    t: CFlow, node: m.RollDice, cells: list[int], fall: Lines, shares: str, after: int
) -> Lines:
    """Return the C lines that draw dice by weight, among the outcomes that meet a
    condition.
    """
    number = t.w.file.event(node.event)
    size = len(falls(t.w.facts.layout.fields[name].field for name in node.fields))
    kept = "".join([f"cell c{cell} = g->s[{cell}]; " for cell in cells])
    back = "".join([f"g->s[{cell}] = c{cell}; " for cell in cells])
    test = "1" if node.condition is None else t.w.value(node.condition)
    return [
        f"num w[{size}]; {kept}",
        f"for (num m = 0; m < {size}; m++) {{",
        *fall,
        f"w[m] = {test} ? {shares}[m] : 0; }}",
        back,
        f"num m = drawn(g, {number}, w, {size}); if (m < 0) goto @{after}@;",
    ]


def _chance_choose(t: CFlow, node: m.ChanceChoose, end: int) -> None:
    members, a = node.set, t.w.file.new("a")
    draw = [
        f"num {a}[{t.w.most(members) + 1}]; {t.w.listed(members, a)}",
        f"if (!{a}[0]) goto @{end}@;",
        f"num m = {a}[1 + below(g, {t.w.file.event(node.event)}, {a}[0])];",
        happens(t, node.event, kind_of_choice(node), all_seats(t)),
    ]
    chance(t, draw, [f"{t.w.slot(node.slot)} = m;"])


# ---------------------------------------------------------------- spreading


def _spread(t: CFlow, node: m.Spread, end: int) -> None:
    del end
    facts = t.w.facts
    block = facts.layout.fields[node.field]
    cards, rest = t.hidden(node)
    kinds = facts.sizes[node.cards]
    values = dealt_values(facts, node)[:kinds]
    table = t.w.file.table(values)
    stack = isinstance(block.field.type, m.Stack)
    t.add(*begin(t, node, cards, rest, table))
    again, done = t.here(), t.label()
    told = all_seats(t) if block.field.seen_by is m.Audience.ALL else "0"
    put = [f"g->s[{block.base} + {rest}[1]] = (cell){table}[m];"]
    if stack:
        first = t.w.stacks[block.base]
        put = [f"stack_put(g, &g->stack[{first} + {rest}[1]], m, 1, 0, 0);"]
    draw = [f"if (!{rest}[0]) goto @{done}@;", f"num w[{kinds}];"]
    draw.append(f"memcpy(w, {cards}, sizeof w);")
    if node.condition is not None:
        draw += possible(t, node, rest, table, values)
    draw.append(f"num m = drawn(g, {t.w.file.event(node.event)}, w, {kinds});")
    draw.append(f"if (m < 0) goto @{done}@;")
    draw.append(happens(t, node.event, m.Member(node.cards), told))
    accepted = [*put, *t.mark(tooling.StatePart.field(node.field)), f"{cards}[m]--;"]
    accepted.append(
        f"memmove({rest} + 1, {rest} + 2, sizeof(num) * (size_t)--{rest}[0]);"
    )
    chance(t, draw, accepted)
    t.close(f"goto @{again}@;")
    t.place(done)
    t.add(f"{cards}[0] = {rest}[0] = UNSET;")


def begin(t: CFlow, node: m.Spread, cards: str, rest: str, table: str) -> Lines:
    """Return the C lines that store the cards to deal, and the members that receive
    them.
    """
    facts, a = t.w.facts, t.w.file.new("a")
    block, members = facts.layout.fields[node.field], node.set
    copies, kinds = copies_of(t, node.cards), facts.sizes[node.cards]
    lines = [
        f"{{ num {a}[{t.w.most(members) + 1}]; {t.w.listed(members, a)}",
        f"for (int i = 0; i < {kinds}; i++) {cards}[i] = {copies}[i];",
        f"{rest}[0] = 0;",
    ]
    if isinstance(block.field.type, m.Stack):
        deal = f"{rest}[++{rest}[0]] = {a}[1 + n % {a}[0]];"
        each = f"for (int i = 0; i < {copies}[k]; i++, n++) {deal}"
        every = f"for (int k = 0, n = 0; k < {kinds}; k++) {each}"
        return [*lines, f"if ({a}[0]) {every} }}"]
    start = int(nothing(block.field.type))
    return [
        *lines,
        f"for (int i = 1; i <= {a}[0]; i++) {{",
        f"num x = g->s[{block.base} + {a}[i]]; int c = 0;",
        f"while (c < {kinds} && !({cards}[c] && {table}[c] == x)) c++;",
        f"if (x == {start} || c == {kinds}) {rest}[++{rest}[0]] = {a}[i];",
        f"else {cards}[c]--; }} }}",
    ]


def copies_of(t: CFlow, domain: str) -> str:
    """Return the name of the C array with the number of copies of each card."""
    what = f"copies of {domain}"
    return t.w.file.data(what, t.w.facts.copies(domain), what)


def possible(
    t: CFlow, node: m.Spread, rest: str, table: str, values: tuple[int, ...]
) -> Lines:
    """Return the C lines that exclude cards after which the deal cannot be
    completed.
    """
    facts = t.w.facts
    block = facts.layout.fields[node.field]
    if isinstance(block.field.type, m.Stack | m.Bag):
        raise Untranslated("stacks that are dealt under a condition")
    deal = deal_of(facts, t.book(node), values)
    if not deal.tests:
        return []
    if block.count * len(values) > BARS:
        raise Untranslated("a deal under a condition with too many cards and spaces")
    t.w.file.deal_tests = max(t.w.file.deal_tests, len(deal.tests))
    numbers = ", ".join(fixed(t, deal, block.count))
    functions = [test_of(t, form) for form in forms_ready(facts, t.book(node), node)]
    return [
        f"if ({' || '.join(f'w[{i}]' for i in range(len(values)))}) {{",
        f"static const Broken broken[] = {{{', '.join(functions)}}};",
        f"static const Deal deal = {{{numbers}, broken}};",
        "Dealing t; t.f = f;",
        f"for (int i = 0; i < {len(values)}; i++) t.value[i] = {table}[i];",
        f"deal_possible(g, &t, &deal, {block.base}, {rest} + 1, {rest}[0], w); }}",
    ]


def fixed(t: CFlow, deal: Deal, members: int) -> list[str]:
    """Return the constants of a deal in C: numbers and names of arrays."""
    width = max([1, *[len(test.members) for test in deal.tests]])
    of = [(*test.members, *[0] * (width - len(test.members))) for test in deal.tests]
    rows = [deal.readers.get(member, []) for member in range(members)]
    arrays = [
        deal.kinds,
        [test.broken for test in deal.tests],
        [member for row in of for member in row],
        [sum(map(len, rows[:member])) for member in range(members + 1)],
        [test for row in rows for test in row],
    ]
    numbers = [len(deal.kinds), len(deal.tests), width]
    return [*map(str, numbers), *map(t.w.file.wide, arrays)]


def test_of(t: CFlow, form: Form) -> str:
    """Return the C function that tests whether members violate the condition
    of a deal.
    """
    name = t.w.file.new("x")
    slots = {slot: f"member[{n}]" for n, slot in enumerate(form.slots)}
    value = attrs.evolve(t.w, bound={**t.w.bound, **slots}).value(form.never)
    head = f"static int {name}(Game *g, UNUSED num *f, const int32_t *member)"
    t.shared.function(head, ["(void)g, (void)member;", f"return ({value}) != 0;"])
    return name


FLOWS: FlowTable = {
    m.DrawCard: _draw,
    m.Reveal: _reveal,
    m.Sees: _sees,
    m.RollDice: _roll,
    m.ChanceChoose: _chance_choose,
    m.Spread: _spread,
}
