"""Printer of the steps of a unit as one C function with a label for every step.

The steps and their numbers are those of the interpreter, so each engine can continue
the frames of the other. `@n@` and `#n#` are placeholders for a label and its number.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from typing import Any

import attrs

from interpreter.core.action_index import PlannedAction
from interpreter.core.slots import FIRST_LOCAL
from interpreter.kernel import operations as k
from interpreter.native.c_file import NotTranslatable
from interpreter.native.printing.c_expressions import size_of
from interpreter.native.printing.c_statements import (
    Lines,
    StatementPrinter,
    drop_first,
)
from rulebook import model as m
from rulebook.completeness import check_complete, concrete_classes

LABEL, NUMBER = re.compile(r"@(\d+)@"), re.compile(r"#(\d+)#")

MAX_DICE_RESULTS = 4096
"""Maximum number of dice results that are stored in a table."""

MAX_FORBIDDEN_PAIRS = 1 << 16
"""Maximum number of (card, space) pairs in a constrained deal."""

BEGIN_LEGAL = "g->legals = 0;"
ADD_PASS = "g->legal[g->legals++] = 0;"


@attrs.define
class SharedFunctions:
    """C functions that units call, and the callbacks that write them.

    `write_enumerator` and `write_test` write the functions that list an action and test
    one instance of it. `immediate_units` are the units that never wait.
    """

    immediate_units: frozenset[int]
    write_enumerator: Callable[[PlannedAction, tuple[int, ...]], str]
    write_test: Callable[[PlannedAction], str]
    functions: list[tuple[str, list[str]]] = attrs.field(factory=list)

    def add_function(self, head: str, lines: list[str]) -> None:
        """Add a function, given its head and the lines of its body."""
        self.functions.append((head, lines))


@attrs.define(kw_only=True)
class UnitPrinter(StatementPrinter):
    """Printer of one unit; `places` are the step numbers of its labels."""

    places: Mapping[k.Label, int]
    shared: SharedFunctions

    def function(self, steps: tuple[k.Step, ...], stops: Iterable[int]) -> Lines:
        """Return the body of the C function; frames may resume at steps in `stops`."""
        cases = [f"case {number}: goto p{number};" for number in sorted(set(stops))]
        lines = ["switch (f[1]) {", *cases, "default: goto p0;", "}"]
        for number, step in enumerate(steps):
            self.p.bound.clear()
            lines += [f"p{number}: UNUSED; {{", *self.operations(step), "}"]
        return [self.resolve_labels(line) for line in lines]

    def resolve_labels(self, line: str) -> str:
        """Return a line with its placeholders replaced by labels and step numbers."""
        line = LABEL.sub(lambda match: f"p{self.places[int(match[1])]}", line)
        return NUMBER.sub(lambda match: str(self.places[int(match[1])]), line)

    def operations(self, ops: Iterable[Any]) -> Lines:
        """Return the lines of statements and of operations that may jump to a label."""
        lines: Lines = []
        for op in ops:
            if isinstance(op, k.Statement):
                lines += self.lines((op,))
            else:
                lines += CONTROLS[type(op)](self, op)
        return lines

    @property
    def all_seats(self) -> str:
        """All seats as bits, as a C literal."""
        return f"{(1 << self.p.facts.players) - 1}u"


def settle(label: k.Label) -> str:
    """Return the line that evaluates triggers; a frame may stop at this label."""
    return f"if (g->triggers && settle(g, f, #{label}#)) return SWITCH;"


# ---------------------------------------------------------------- control


def _branch(t: UnitPrinter, e: k.Branch) -> Lines:
    return [f"if ({t.p.value(e.condition)}) {{", *t.operations(e.body), "}"]


def _push(t: UnitPrinter, e: k.Push) -> Lines:
    frame = t.new("f")
    lines = [f"f[1] = #{e.after}#;"]
    lines.append(f"{{ num *{frame} = push(g, (int)({t.p.value(e.unit)}));")
    places = {m.YOU: FIRST_LOCAL}
    if isinstance(e.unit, k.Int):
        places = dict(t.frames.places[e.unit.value])
    for slot, argument in zip(e.slots, e.arguments, strict=True):
        lines += t.argument_lines(frame, places[slot], argument)
    return [*lines, "}", "return SWITCH;"]


def _unset(t: UnitPrinter, e: k.Unset) -> Lines:
    targets = "".join([f"{t.p.array(slot)}[0] = " for slot in e.slots])
    return [f"{targets}UNSET;"]


def _take_first(t: UnitPrinter, e: k.TakeFirst) -> Lines:
    rest = t.p.array(e.rest)
    return [f"{t.p.slot(e.slot)} = {rest}[1];", drop_first(rest)]


def _begin_together(t: UnitPrinter, e: k.BeginTogether) -> Lines:
    rest, own = t.p.array(e.rest), t.p.array(e.own)
    everybody = t.p.array(e.everybody)
    copy = f"sizeof(num) * (size_t)({rest}[0] + 1)"
    return [
        f"{own}[0] = !g->split; memcpy({everybody}, {rest}, {copy});",
        f"if ({own}[0]) begin_split(g);",
    ]


def _end_together(t: UnitPrinter, e: k.EndTogether) -> Lines:
    own, everybody = t.p.array(e.own), t.p.array(e.everybody)
    ended = f"if ({own}[0]) end_split(g);"
    return [ended, f"{own}[0] = {everybody}[0] = UNSET;"]


def _finish(t: UnitPrinter, e: k.Finish) -> Lines:
    ranks, number = t.new("r"), t.new("n")
    reason = t.p.file.reason(e.reason)
    over = f"return finish(g, {ranks}, {number}, {reason});"
    lines = [f"{{ num {ranks}[PLAYERS] = {{0}}; int {number} = 0;"]
    lines += rank_lines(t, e, ranks, number)
    end = over if e.certain else f"if ({number}) {over}"
    return [*lines, f"{end} }}"]


def rank_lines(t: UnitPrinter, e: k.Finish, ranks: str, number: str) -> Lines:
    """Return the lines that fill the C array *ranks*; *number* is 0 if nobody wins."""
    here, v = t.new("t"), t.new("m")
    if e.ranking is not None:
        key, size, by = t.new("k"), len(e.ranking.keys), e.ranking
        with t.p.binding(by.slot, v):
            body = f"{here}[{v}] = 1; " + "".join(
                [
                    f"{key}[{v} * {size} + {place}] = {t.p.value(part)}; "
                    for place, part in enumerate(by.keys)
                ]
            )
            through = t.p.for_each(by.sequence, v, body, by.where)
        return [
            f"int {here}[PLAYERS] = {{0}}; num {key}[PLAYERS * {size}] = {{0}};",
            through,
            f"{number} = by_rank({ranks}, {here}, {key}, {size});",
        ]
    if e.winners is None:
        return []
    enter = f"if ({v} >= 0 && {v} < PLAYERS) {here}[{v}] = 1;"
    if isinstance(e.winners, k.Sequence):
        through = t.p.for_each(e.winners, v, enter)
    else:
        through = f"{{ num {v} = {t.p.value(e.winners)}; {enter} }}"
    share = f"{number} = sharing({ranks}, {here});"
    return [f"int {here}[PLAYERS] = {{0}};", through, share]


def _return(t: UnitPrinter, e: k.Return) -> Lines:
    del t
    wake = [f"g->triggers |= {e.triggers}u;"] if e.triggers else []
    return [*wake, "return leave(g);"]


# ---------------------------------------------------------------- chance


def _chance(t: UnitPrinter, e: k.Chance) -> Lines:
    waits = f"if (g->given) f[1] = #{e.here}#;"
    draw = OUTCOMES[type(e.outcomes)](t, e, e.outcomes)
    outcome = "value" if isinstance(e.outcomes, k.Dice) else "m"
    with t.p.binding(e.slot, outcome):
        accepted = t.lines(e.accepted)
    return [settle(e.here), waits, "{", *draw, *accepted, "}", f"goto @{e.after}@;"]


def log_line(t: UnitPrinter, e: k.Chance) -> str:
    """Return the line that logs the outcome `m` of an event."""
    observers = t.all_seats if e.observers is None else t.p.value(e.observers)
    return (
        f"happens(g, {t.p.file.outcome_event(e.event, e.types)}, 1, &m, {observers});"
    )


def draw_lines(t: UnitPrinter, e: k.Chance, size: int) -> Lines:
    """Return the lines that draw and log the outcome `m` with the weights in `w`."""
    number = t.p.file.event(e.event)
    return [
        f"num m = drawn(g, {number}, w, {size});",
        f"if (m < 0) goto @{e.empty}@;",
        log_line(t, e),
    ]


def _weights(t: UnitPrinter, e: k.Chance, outcomes: k.Weights) -> Lines:
    size = size_of(outcomes.row)
    fill = f"num w[{size}]; {t.p.fill_row(outcomes.row, 'w')}"
    return [fill, *draw_lines(t, e, size)]


def _top_card(t: UnitPrinter, e: k.Chance, outcomes: k.TopCard) -> Lines:
    stack, size, w = t.p.stack(outcomes.stack), "STACK_KINDS", t.new("w")
    return [
        f"num m = stack_entry({stack}, 0);",
        "if (m < 0) {",
        f"num {w}[{size}]; for (int i = 0; i < {size}; i++) {w}[i] = {stack}->pool[i];",
        f"m = drawn(g, {t.p.file.event(e.event)}, {w}, {size});",
        f"if (m < 0) goto @{e.empty}@;",
        log_line(t, e),
        "}",
    ]


def _uniform(t: UnitPrinter, e: k.Chance, outcomes: k.Uniform) -> Lines:
    members, a = outcomes.sequence, t.new("a")
    return [
        f"num {a}[{t.p.max_size(members) + 1}]; {t.p.fill_sequence(members, a)}",
        f"if (!{a}[0]) goto @{e.empty}@;",
        f"num m = {a}[1 + below(g, {t.p.file.event(e.event)}, {a}[0])];",
        log_line(t, e),
    ]


def _dice(t: UnitPrinter, e: k.Chance, outcomes: k.Dice) -> Lines:
    rows = [row for row, _ in outcomes.rows]
    weights = [weight for _, weight in outcomes.rows]
    if len(rows) > MAX_DICE_RESULTS:
        raise NotTranslatable(f"dice with {len(rows)} possible results")
    dice, number = len(outcomes.cells), t.p.file.event(e.event)
    logged = t.p.file.outcome_event(e.event, e.types)
    table = t.p.file.table([face for row in rows for face in row])
    if outcomes.condition is None and set(weights) == {1}:
        draw = [f"num m = below(g, {number}, {len(rows)});"]
    else:
        shares = t.p.file.table(weights)
        draw = weighted_draw_lines(t, e, outcomes, table, shares)
    values = ", ".join(f"{table}[m * {dice} + {place}]" for place in range(dice))
    draw.append(f"num value[{dice}] = {{{values}}};")
    return [*draw, f"happens(g, {logged}, {dice}, value, {t.all_seats});"]


def weighted_draw_lines(
    t: UnitPrinter, e: k.Chance, outcomes: k.Dice, table: str, shares: str
) -> Lines:
    """Return the lines that draw, by weight, a dice result that meets a condition."""
    number, cells, size = t.p.file.event(e.event), outcomes.cells, len(outcomes.rows)
    save = "".join([f"cell c{cell} = g->s[{cell}]; " for cell in cells])
    restore = "".join([f"g->s[{cell}] = c{cell}; " for cell in cells])
    fall = [
        f"g->s[{cell}] = (cell){table}[m * {len(cells)} + {place}];"
        for place, cell in enumerate(cells)
    ]
    test = "1" if outcomes.condition is None else t.p.value(outcomes.condition)
    return [
        f"num w[{size}]; {save}",
        f"for (num m = 0; m < {size}; m++) {{",
        *fall,
        f"w[m] = {test} ? {shares}[m] : 0; }}",
        restore,
        f"num m = drawn(g, {number}, w, {size}); if (m < 0) goto @{e.empty}@;",
    ]


# ---------------------------------------------------------------- deals


def _begin_deal(t: UnitPrinter, e: k.BeginDeal) -> Lines:
    deal, a = e.deal, t.new("a")
    cards, rest = t.p.array(deal.cards), t.p.array(deal.rest)
    title, kinds = f"copies of {deal.domain}", len(deal.copies)
    copies = t.p.file.data(title, deal.copies, title)
    lines = [
        f"{{ num {a}[{t.p.max_size(deal.members) + 1}];",
        t.p.fill_sequence(deal.members, a),
        f"for (int i = 0; i < {kinds}; i++) {cards}[i] = {copies}[i];",
        f"{rest}[0] = 0;",
    ]
    if deal.is_stack:
        give = f"{rest}[++{rest}[0]] = {a}[1 + n % {a}[0]];"
        each = f"for (int i = 0; i < {copies}[k]; i++, n++) {give}"
        every = f"for (int k = 0, n = 0; k < {kinds}; k++) {each}"
        return [*lines, f"if ({a}[0]) {every} }}"]
    table = t.p.file.table(deal.values[:kinds])
    cell = f"g->s[{deal.base} + {a}[i]]"
    return [
        *lines,
        f"for (int i = 1; i <= {a}[0]; i++) {{",
        f"num x = {cell}; int c = 0;",
        f"while (c < {kinds} && !({cards}[c] && {table}[c] == x)) c++;",
        f"if (x == {deal.start} || c == {kinds}) {rest}[++{rest}[0]] = {a}[i];",
        f"else {cards}[c]--; }} }}",
    ]


def _deal(t: UnitPrinter, e: k.Chance, outcomes: k.Deal) -> Lines:
    cards, rest = t.p.array(outcomes.cards), t.p.array(outcomes.rest)
    kinds = len(outcomes.copies)
    draw = [f"if (!{rest}[0]) goto @{e.empty}@;", f"num w[{kinds}];"]
    draw.append(f"memcpy(w, {cards}, sizeof w);")
    if outcomes.data.tests:
        draw += exclusion_lines(t, outcomes, rest)
    return [*draw, *draw_lines(t, e, kinds)]


def exclusion_lines(t: UnitPrinter, e: k.Deal, rest: str) -> Lines:
    """Return the lines that exclude cards after which a deal cannot be completed."""
    kinds, data = len(e.copies), e.data
    if e.is_stack:
        raise NotTranslatable("stacks that are dealt under a condition")
    if e.count * kinds > MAX_FORBIDDEN_PAIRS:
        raise NotTranslatable("a deal under a condition with too many cards and spaces")
    t.p.file.deal_test_count = max(t.p.file.deal_test_count, len(data.tests))
    table = t.p.file.table(e.values[:kinds])
    numbers = ", ".join(deal_data(t, e))
    functions = [deal_test(t, test) for test in e.tests]
    return [
        f"if ({' || '.join(f'w[{i}]' for i in range(kinds))}) {{",
        f"static const Broken broken[] = {{{', '.join(functions)}}};",
        f"static const Deal deal = {{{numbers}, broken}};",
        "Dealing t; t.f = f;",
        f"for (int i = 0; i < {kinds}; i++) t.value[i] = {table}[i];",
        f"deal_possible(g, &t, &deal, {e.base}, {rest} + 1, {rest}[0], w); }}",
    ]


def deal_data(t: UnitPrinter, e: k.Deal) -> list[str]:
    """Return the constants of a deal: numbers, and names of arrays."""
    deal = e.data
    width = max([1, *[len(test.members) for test in deal.tests]])
    of = [(*test.members, *[0] * (width - len(test.members))) for test in deal.tests]
    rows = [deal.readers.get(member, []) for member in range(e.count)]
    arrays = [
        deal.kinds,
        [test.function_number for test in deal.tests],
        [member for row in of for member in row],
        [sum(map(len, rows[:member])) for member in range(e.count + 1)],
        [test for row in rows for test in row],
    ]
    numbers = [len(deal.kinds), len(deal.tests), width]
    return [*map(str, numbers), *map(t.p.file.wide_table, arrays)]


def deal_test(t: UnitPrinter, e: k.DealTest) -> str:
    """Write the C function that tests if members break a condition; return its name."""
    name = t.new("x")
    slots = {slot: f"member[{n}]" for n, slot in enumerate(e.slots)}
    value = attrs.evolve(t.p, bound={**t.p.bound, **slots}).value(e.broken)
    head = f"static int {name}(Game *g, UNUSED num *f, const int32_t *member)"
    t.shared.add_function(head, ["(void)g, (void)member;", f"return ({value}) != 0;"])
    return name


OUTCOMES: Mapping[type, Callable[[UnitPrinter, k.Chance, Any], Lines]] = {
    k.Weights: _weights,
    k.TopCard: _top_card,
    k.Uniform: _uniform,
    k.Dice: _dice,
    k.Deal: _deal,
}

# ---------------------------------------------------------------- decisions


def waiting_step(label: k.Label, reach: Lines, accept: Lines) -> Lines:
    """Return the lines of a step that waits for an answer.

    `reach` leads to the wait point, and `accept` handles the answer. Both may jump to
    labels; `reach` ends where the game waits, `accept` falls through.
    """
    return [
        "if (!g->answering) {",
        settle(label),
        *reach,
        f"return halt(g, f, #{label}#);",
        "}",
        "g->answering = 0;",
        *accept,
    ]


def legal_action_lines(t: UnitPrinter, e: k.WaitForAction) -> Lines:
    """Return the lines that list the legal actions of all offers."""
    lines = [BEGIN_LEGAL] + [ADD_PASS] * e.source.optional
    for offer in sorted(e.offers, key=lambda offer: int(offer.action.base)):
        name = t.shared.write_enumerator(offer.action, offer.slots)
        before, arguments = "", ["g", "who", str(int(offer.free))]
        for argument in offer.arguments:
            if isinstance(argument, k.Value):
                arguments.append(t.p.value(argument))
                continue
            array = t.new("a")
            arguments.append(array)
            if isinstance(argument, k.Sequence):
                size, fill = (
                    t.p.max_size(argument) + 1,
                    t.p.fill_sequence(argument, array),
                )
            else:
                size, fill = size_of(argument), t.p.fill_row(argument, array)
            before += f"num {array}[{size}]; {fill} "
        tests = [f"{t.p.value(value)} >= 0" for value in offer.needed]
        guard = f"if ({' && '.join(tests)}) " if tests else ""
        lines.append(f"{guard}{{ {before}{name}({', '.join(arguments)}); }}")
    names = [offer.action.name for offer in e.offers]
    if len(set(names)) < len(names):
        lines.append("in_order(g);")
    return lines


def frame_lines(
    t: UnitPrinter, offer: k.ActionOffer, frame: str
) -> tuple[Lines, Lines]:
    """Return the lines that fill an offered action's frame, and mismatch tests.

    If one of the tests is true, the index belongs to another offer. The C variable
    `index` is the action's index, counted from the first index of the action.
    """
    action: PlannedAction = offer.action
    places = t.frames.places[action.unit]
    lines = [
        f"{frame}[{FIRST_LOCAL + m.YOU}] = who;",
        f"{frame}[{FIRST_LOCAL + m.FREE}] = {int(offer.free)};",
    ]
    given = dict(zip(offer.slots, offer.arguments, strict=True))
    wrong, rest = [], "index"
    for place in action.open_parameters:
        value = f"({rest} / {place.stride} + {place.low})"
        rest = f"({rest} % {place.stride})"
        target = f"{frame}[{places[place.slot]}]"
        lines.append(f"{target} = {value};")
        argument = given.pop(place.slot, None)
        if isinstance(argument, k.Value):
            wrong.append(f"{target} != {t.p.value(argument)}")
    for slot, argument in given.items():
        lines += t.argument_lines(frame, places[slot], argument)
    return lines, wrong


def apply_lines(t: UnitPrinter, offers: list[k.ActionOffer], target: k.Label) -> Lines:
    """Return the lines that apply an offered action if its index is chosen."""
    action: PlannedAction = offers[0].action
    unit = action.unit
    size, quiet = t.frames.sizes[unit], unit in t.shared.immediate_units
    base, end = action.base, action.base + action.size
    lines = [f"if (g->chosen >= {base} && g->chosen < {end}) {{"]
    several, go, direct = len(offers) > 1, t.new("go"), not quiet and len(offers) == 1
    lines.append(f"VAR index = g->chosen - {base};")
    if direct:
        lines += [f"f[1] = #{target}#;", f"num *y = push(g, {unit});"]
    else:
        lines.append(f"num y[{size}]; y[0] = {unit};")
    if several:
        lines.append(f"for (int i = 2; i < {size}; i++) y[i] = UNSET;")
    for offer in offers:
        fill, wrong = frame_lines(t, offer, "y")
        lines += fill
        if several:
            tests = [f"!({test})" for test in wrong]
            tests.append(f"{t.shared.write_test(action)}(g, y)")
            lines.append(f"if ({' && '.join(tests)}) goto {go};")
    if several:
        lines.append(f"{go}: UNUSED;")
    fixed = [t.frames.places[unit][place.slot] for place in action.fixed_parameters]
    lines += [f"tells(g, {n}, y[{place}]);" for n, place in enumerate(fixed, 1)]
    t.p.file.outcome = max(t.p.file.outcome, 1 + len(fixed))
    if quiet:
        return [*lines, f"q{unit}(g, y); goto @{target}@; }}"]
    if several:
        lines += [f"f[1] = #{target}#;", f"num *pushed = push(g, {unit});"]
        lines.append("memcpy(pushed + 2, y + 2, sizeof y - 2 * sizeof *y);")
    return [*lines, "return SWITCH; }"]


def _ask(t: UnitPrinter, e: k.WaitForAction) -> Lines:
    node, who = e.source, t.p.value(e.player)
    reach = [
        f"{{ VAR who = {who};",
        f"if (who < 0) goto @{e.done}@;",
        *legal_action_lines(t, e),
    ]
    if e.until is None:
        if e.private:
            reach.append("looks_at(g, who);")
        reach.append(f"if (!g->legals) goto @{e.done}@;")
        if node.optional and node.skips:
            reach.append(f"if (g->legals == 1) goto @{e.passed}@;")
    reach.append("g->who = (int32_t)who; }")
    accept = [f"if (!g->chosen) goto @{e.passed}@;", "g->ran++;"]
    accept.append(f"{{ VAR who = {who};")
    for name in dict.fromkeys(offer.action.name for offer in e.offers):
        same = [offer for offer in e.offers if offer.action.name == name]
        accept += apply_lines(t, same, e.ended if name == e.until else e.after)
    return waiting_step(e.here, reach, [*accept, "fail(g, BEYOND); }"])


def _choose(t: UnitPrinter, e: k.WaitForMember) -> Lines:
    node, a, key, v = e.source, t.new("a"), t.new("k"), t.new("m")
    size, slot = t.p.max_size(e.sequence) + 1, t.p.slot(e.slot)
    members = t.p.for_each(e.sequence, v, f"{a}[++{a}[0]] = {v};")
    none = e.passed if node.optional else e.empty
    reach = [
        f"{{ VAR who = {t.p.value(e.player)}; num {a}[{size}]; {a}[0] = 0;",
        f"if (who >= 0) {members}",
        f"if (!{a}[0]) goto @{none}@;",
    ]
    if node.if_several:
        lone = f"{{ {slot} = {a}[1]; goto @{e.chosen}@; }}"
        reach.append(f"if ({a}[0] == 1) {lone}")
    listed = f"g->legal[g->legals++] = (int32_t)({e.base} + {a}[i]);"
    reach += [
        f"num {key}[{size}]; memcpy({key}, {a}, sizeof {a}); sort_by({a}, {key}, 0);",
        *[BEGIN_LEGAL, *[ADD_PASS] * node.optional],
        f"for (num i = 1; i <= {a}[0]; i++) {listed}",
        "g->who = (int32_t)who; }",
    ]
    accept = [
        f"if (!g->chosen) goto @{e.passed}@;",
        f"{slot} = g->chosen - {e.base};",
        f"goto @{e.chosen}@;",
    ]
    return waiting_step(e.here, reach, accept)


def _gather(t: UnitPrinter, e: k.WaitForCards) -> Lines:
    size, picked, base = e.bag.size, t.p.array(e.bag.slot), e.base
    v, before, held = t.new("m"), "", "high"
    if e.hand is not None:
        before, count = t.p.prepare_row(e.hand)
        held = count(v)
    fits = t.p.for_each(e.sequence, v, f"fits[{v}] = 1; held[{v}] = {held};")
    who, high, low = map(t.p.value, (e.player, e.high, e.low))
    reach = [
        f"{{ VAR who = {who}; if (who < 0) goto @{e.done}@;",
        f"num high = {high}, need = {low};",
        f"num held[{size}] = {{0}}, fits[{size}] = {{0}}, number = 0, last = 0;",
        f"num all = 0, rest = 0; int first = 0; {before}{fits}",
        f"for (int i = 0; i < {size}; i++) {{ number += {picked}[i]; all += held[i];",
        f"if ({picked}[i]) last = i; }}",
        "need = smaller(need, all);",
        f"int legal[{size} + 1];",
        f"if (number < high) for (int i = {size - 1}; i >= 0; i--) if (fits[i]) {{",
        f"num left = held[i] - {picked}[i]; rest += left;",
        "if (i >= last && left > 0 && number + rest >= need) legal[first++] = i; }",
        f"if (!first) goto @{e.done}@;",
        f"{BEGIN_LEGAL} if (number >= need) {ADD_PASS}",
        f"while (first) g->legal[g->legals++] = {base} + legal[--first];",
        "g->who = (int32_t)who; }",
    ]
    accept = [
        f"if (!g->chosen) goto @{e.done}@;",
        f"{picked}[g->chosen - {base}]++;",
        f"goto @{e.here}@;",
    ]
    return waiting_step(e.here, reach, accept)


CONTROLS: Mapping[type, Callable[[UnitPrinter, Any], Lines]] = {
    k.Goto: lambda _, e: [f"goto @{e.label}@;"],
    k.Branch: _branch,
    k.Settle: lambda _, e: [settle(e.label)],
    k.Push: _push,
    k.Unset: _unset,
    k.TakeFirst: _take_first,
    k.BeginTogether: _begin_together,
    k.EndTogether: _end_together,
    k.EndGame: lambda _, __: ["return game_ends(g);"],
    k.Finish: _finish,
    k.Return: _return,
    k.BeginDeal: _begin_deal,
    k.Chance: _chance,
    k.WaitForAction: _ask,
    k.WaitForMember: _choose,
    k.WaitForCards: _gather,
}

check_complete("the C of controls", CONTROLS, concrete_classes(k.Control, k))
check_complete("the C of outcomes", OUTCOMES, concrete_classes(k.Outcomes, k))
