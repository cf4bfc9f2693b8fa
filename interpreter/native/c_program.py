"""C program of a plan; a comment above each function names its clause."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from importlib.resources import files

import attrs

from interpreter.core.action_index import PlannedAction
from interpreter.core.announcement import Announcement
from interpreter.core.chance import name_words
from interpreter.core.facts import PLAYER
from interpreter.core.slots import FIRST_LOCAL
from interpreter.expressions.definitions import default_value, table_lookup
from interpreter.expressions.lowerer import Lowerer
from interpreter.expressions.tables import EXPRESSIONS
from interpreter.kernel.passes.keeping import Keeper
from interpreter.kernel.passes.pipeline import Pass
from interpreter.lowering.enumerators import enumerator, instance_test
from interpreter.lowering.named_values import NamedValue, bound_lines
from interpreter.lowering.unit_lowerer import END as END_LABEL
from interpreter.native import c_triggers
from interpreter.native.bots.bot_program import bot_code
from interpreter.native.bots.c_hints import HintFunction, hint_functions, total
from interpreter.native.c_file import CFile, NotTranslatable, Types
from interpreter.native.c_layout import (
    Cells,
    FrameOffsets,
    cell_layout,
    frame_offsets,
    link_space_bound,
    stack_capacity,
    unit_statements,
)
from interpreter.native.c_observations import size_macros
from interpreter.native.c_text import comment, indented, is_comment
from interpreter.native.c_traces import tracing_code
from interpreter.native.c_turn_loop import CTurnLoop
from interpreter.native.c_writer import CWriter
from interpreter.native.cell_blocks import cell_blocks
from interpreter.native.printing.c_statements import FrameLayouts, StatementPrinter
from interpreter.native.printing.c_units import SharedFunctions, UnitPrinter
from interpreter.plan.addresses import Addresses
from interpreter.plan.plan import Plan
from interpreter.plan.units import Unit
from interpreter.plan.waiting import ImmediateCode
from interpreter.state.turn_loop import END
from rulebook import model as m
from rulebook import tooling
from rulebook.secrecy import HiddenReadFinder
from rulebook.signatures import effects_within, statements_in

MAX_FRAMES = 32
MAX_BLOCK_ANSWERS = 128
INCLUDES = ("setjmp.h", "stddef.h", "stdint.h", "string.h")
CHECK_INCLUDES = (
    "#ifdef CHECKED",
    "#include <stdio.h>",
    "#include <stdlib.h>",
    "#endif",
)
SSE2_INCLUDE = ("#ifdef __SSE2__", "#include <emmintrin.h>", "#endif")

CHECK_MACRO = "CHECKED"
"""C macro of a program that checks its kept values at every wait."""

KEPT_SIZES = ("VALID", "KEPT_PLACES", "KEPT_NUMBERS", "HELD", "HELD_COUNTS")
"""C macros for the sizes of the arrays of kept values."""

COMPOSITE = (m.Bag, m.SetOf, m.Stack, m.Tally)
"""Classes of types whose values consist of several numbers."""


@attrs.frozen
class Translation:
    """Plan translated to C code, with the data needed to read its games.

    `kept` are the sizes of the arrays of kept values, see `KEPT_SIZES`.
    `text` contains no amounts and no comments from the rules; a library compiled from
    `text` receives `numbers` when it is loaded. `listing` is the same text including
    amounts and comments. `no_greedy_reason` is the reason if the bot `greedy` is not
    included. `no_measures_reason` is the reason if the declared measures are not
    included.
    """

    text: str
    listing: str
    numbers: tuple[int, ...]
    cells: Cells
    places: Mapping[int, FrameOffsets]
    events: tuple[str, ...]
    outcome_events: tuple[tuple[str | Announcement, Types], ...]
    reasons: tuple[str, ...]
    outcome: int
    answers: int
    legal: int
    trails: int
    split: bool
    kept: tuple[int, ...]
    no_greedy_reason: str | None = None
    no_measures_reason: str | None = None


class CProgram:
    """Writer of the C program of a plan, one clause at a time."""

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        self.facts = plan.facts
        self.file = CFile()
        self.cells = cell_layout(plan)
        self.quiet = ImmediateCode(plan.model)
        self.optimiser = plan.optimiser
        blocks = cell_blocks(plan)
        self.file.kept.block_of = self.file.held.block_of = blocks.block_of
        self.file.held.row_of = blocks.row_of
        self.keeper = Keeper(self.optimiser.rewriter, blocks)
        self.is_keeping = Pass.KEEP in self.optimiser.passes
        self.addresses = Addresses(plan.book)
        self.defines = {name: f"d{n}" for n, name in enumerate(plan.model.defines)}
        self.units: list[Unit] = [
            unit for unit in plan.rule_units if unit.code is not None
        ]
        self.places = {
            unit.number: frame_offsets(plan.facts, unit) for unit in plan.rule_units
        }
        self.numbers = {unit.name: unit.number for unit in plan.rule_units}
        self.frames = FrameLayouts(
            {number: places.size for number, places in self.places.items()},
            {number: places.slots for number, places in self.places.items()},
        )
        self.immediate_units = frozenset(
            unit.number
            for unit in self.units
            if unit.code is not None and self.quiet.is_immediate_block(unit.code.body)
        )
        self.enumerators: dict[tuple[str, tuple[int, ...]], str] = {}
        self.instance_tests: dict[str, str] = {}
        self.shared = SharedFunctions(
            self.immediate_units, self.write_enumerator, self.write_test
        )
        self.hint_functions: list[HintFunction] = []
        self.lacks: str | None = None
        self.heads: list[str] = []
        self.functions: list[str] = []

    # ------------------------------------------------------------ parts

    def writer(
        self, unit: int | None = None, parameters: Iterable[m.Parameter] = ()
    ) -> CWriter:
        """Return a writer for code whose slots are in the frame of a unit.

        Without a unit, the slots are those of the parameters, after a seat.
        """
        types: dict[int, m.Type | None] = {m.FREE: m.Member(PLAYER)}
        types |= {parameter.slot: parameter.type for parameter in parameters}
        if unit is not None:
            types = dict(enumerate(self.plan.units[unit].types))
        return CWriter(
            self.file,
            self.facts,
            self.cells.stacks,
            {m.YOU: FIRST_LOCAL} if unit is None else self.places[unit].slots,
            low=Lowerer(self.facts, EXPRESSIONS),
            optimiser=self.optimiser,
            keeper=self.keeper if self.is_keeping else None,
            sizes=self.sizes(types),
        )

    def sizes(self, types: Mapping[int, m.Type | None]) -> dict[int, int]:
        """Return the sizes of the locals whose types are members or small numbers."""
        sizes = {m.YOU: self.facts.players}
        for slot, kind in types.items():
            match kind:
                case m.Member(domain=domain):
                    sizes[slot] = self.facts.sizes[domain]
                case m.Whole(low=low, high=high) if low >= -1:
                    sizes[slot] = high + 1
                case _:
                    pass
        return sizes

    def clause(self, part: m.Part, name: str) -> str:
        """Return the clause and source location of a part, for a C comment."""
        address = self.addresses.address_of(part, name)
        clause = self.plan.book.clauses.get(address)
        if clause is None:
            return comment(address)
        return comment(f"{address}  ({clause.span.file}:{clause.span.line})")

    def add(self, part: m.Part, name: str, head: str, lines: Iterable[str]) -> None:
        """Add a C function for a part, after the shared functions that it calls."""
        where = self.clause(part, name)
        self.heads.append(f"{head};")
        self.add_shared(where, self.file.functions)
        self.add_shared(where, self.shared.functions)
        self.functions += [f"/* {where} */", f"{head} {{", *lines, "}", ""]

    def add_shared(self, where: str, functions: list[tuple[str, list[str]]]) -> None:
        """Add C functions for parts of a clause, and clear the list of them."""
        for head, body in functions:
            self.heads.append(f"{head};")
            self.functions += [f"/* {where} */", f"{head} {{", *body, "}", ""]
        functions.clear()

    def add_held_rows(self) -> None:
        """Add the C functions for the places that are kept by content."""
        rows = self.file.held.rows.values()
        for row in rows:
            head, lines = row.function()
            self.heads.append(f"{head};")
            self.functions += [f"{head} {{", *lines, "}", ""]
        renewals = [row.renewal() for row in rows]
        head = "static void hold_rows(Game *g)"
        self.functions += [f"{head} {{", "(void)g;", *renewals, "}", ""]
        check = self.file.kept.check(self.file.held)
        head = "static void check_kept(Game *g)"
        checked = [f"{head} {{", "(void)g;", *check, "}"]
        self.functions += [f"#ifdef {CHECK_MACRO}", *checked, "#endif", ""]

    def write(self) -> None:
        """Write all functions of the rules.

        Values are kept only where the rules need them, not for hints.
        """
        for unit in self.units:
            self.write_unit(unit)
        self.write_triggers()
        self.write_points()
        defines = dict(self.plan.model.defines)
        while called := [x for x in defines if self.defines[x] in self.file.called]:
            for name in called:
                self.write_define(name, defines.pop(name))
        self.is_keeping = False
        for name, define in defines.items():
            self.write_define(name, define)
        self.write_hint_values()
        self.write_invariants()

    def write_define(self, name: str, define: m.Define) -> None:
        """Write a definition as a function."""
        w = self.writer(parameters=define.parameters).with_variables()
        function = self.defines[name]
        given = "".join(
            [
                f", UNUSED const num *v{p.slot}"
                if isinstance(p.type, COMPOSITE)
                else f", VAR v{p.slot}"
                for p in define.parameters
            ]
        )
        if not isinstance(define.type, COMPOSITE):
            head = f"static UNUSED num {function}(Game *g{given})"
            self.add(define, name, head, ["(void)g;", *self.scalar_lines(w, define)])
            return
        head = f"static UNUSED void {function}(Game *g, num *out{given})"
        lines = ["(void)g;"]
        for bound in bound_lines(self.plan.facts, define):
            lines += declarations(w, bound.named)
            line = bound.line
            value = line.value
            fill = w.fill_set if isinstance(define.type, m.SetOf) else w.fill_bag
            test = "1" if line.condition is None else w.code(line.condition)
            lines.append(f"if ({test}) {{ {fill(value, 'out')} return; }}")
        if define.adds:
            raise NotTranslatable(f"the definition {name}, which adds up sets")
        size = 1 if isinstance(define.type, m.SetOf) else w.kinds(define.type)
        self.add(define, name, head, [*lines, f"memset(out, 0, {size} * sizeof(num));"])

    def scalar_lines(self, w: CWriter, define: m.Define) -> list[str]:
        """Return the body of a definition whose value is a single number."""
        lines, bound = list[str](), bound_lines(self.plan.facts, define)
        table = (
            table_lookup(w.facts, define) if Pass.TABLES in w.optimiser.passes else None
        )
        if table is not None:
            lookup = f"return {w.value(table.value)};"
            if table.applies is None:
                return [lookup]
            lines.append(f"if ({w.value(table.applies)}) {lookup}")
        if define.adds:
            for each in bound:
                lines += declarations(w, each.named)
            return [*lines, f"return {total(w, (each.line for each in bound))};"]
        for each in bound:
            lines += declarations(w, each.named)
            line = each.line
            test = "" if line.condition is None else f"if ({w.code(line.condition)}) "
            lines.append(f"{test}return {w.code(line.value)};")
            if line.condition is None:
                return lines
        return [*lines, f"return {int(default_value(w.facts, define.type))};"]

    def write_points(self) -> None:
        """Write the functions for a player's points and publicly visible points."""
        points, reader = self.plan.model.points, HiddenReadFinder(self.plan.model)
        visible = [line for line in points.lines if not any(reader.hidden_reads(line))]
        for name, adds in (("points", points.lines), ("visible_points", visible)):
            w = self.writer().with_variables()
            head = f"static UNUSED num {name}(Game *g, VAR v1)"
            body = ["(void)g;", "if (v1 < 0) return 0;", f"return {total(w, adds)};"]
            self.add(points, "points", head, body)

    def write_hint_values(self) -> None:
        """Write the functions of the hints, or store why they cannot be translated."""
        w, stacks = self.writer().with_variables(), self.cells.stacks
        try:
            self.hint_functions = hint_functions(self.plan, w, stacks)
        except NotTranslatable as error:
            self.lacks = str(error)
        for written in self.hint_functions:
            self.add(
                self.plan.model.values, "hint.value", written.signature, written.body
            )

    def write_invariants(self) -> None:
        """Write the function that tests whether a sample violates a condition.

        The conditions are invariants and relations. If they cannot be translated, store
        the reason. All their numbers are data, so that another value of an option needs
        no compilation.
        """
        w = attrs.evolve(self.writer().with_variables(), costs=True)
        lines = ["(void)g;", "UNUSED num v0 = g->s[ACTIVE];"]
        try:
            relations = self.plan.relations.conditions
            for condition in (*self.plan.hidden.conditions, *relations):
                holds = w.code(condition)
                lines.append(f"if (!{holds}) return 1;")
        except NotTranslatable as error:
            self.lacks = str(error)
        head = "static UNUSED int breaks_invariant(Game *g)"
        self.heads.append(f"{head};")
        self.functions += [f"{head} {{", *lines, "return 0;", "}", ""]

    def write_unit(self, unit: Unit) -> None:
        """Write the function of a procedure or an action."""
        assert unit.code is not None
        w, number = self.writer(unit.number), unit.number
        lowered = self.plan.lowered_units[number].rewritten
        if number in self.immediate_units:
            printer = StatementPrinter(w, "return;", self.frames)
            lines = printer.lines(map(w.finished, lowered.block))
            head = f"static UNUSED void q{number}(Game *g, num *f)"
            self.add(unit.code, unit.name, head, ["(void)g, (void)f;", *lines])
            return
        flow = UnitPrinter(
            w,
            f"goto @{END_LABEL}@;",
            self.frames,
            places=lowered.places,
            shared=self.shared,
        )
        steps = tuple([tuple(map(w.finished, step)) for step in lowered.steps])
        stops = [
            *unit.step_names,
            *[split.next_step for split in unit.simultaneous_blocks],
        ]
        head = f"static int u{number}(Game *g, num *f)"
        self.add(unit.code, unit.name, head, flow.function(steps, stops))

    def write_enumerator(self, action: PlannedAction, fixed: tuple[int, ...]) -> str:
        """Write the C function that lists an action's legal indices; return its name.

        Its parameters are (g, you, free, fixed...).
        """
        key = (action.name, fixed)
        if key in self.enumerators:
            return self.enumerators[key]
        name = self.enumerators[key] = self.file.new_name("e")
        w = self.writer(parameters=action.action.parameters).with_variables()
        block = enumerator(w.low, self.optimiser, action, fixed)
        lines = StatementPrinter(w, "return;", self.frames).lines(
            map(w.finished, block)
        )
        kinds = {p.slot: p.type for p in action.action.parameters}
        given = "".join(
            [
                f", UNUSED const num *v{slot}"
                if isinstance(kinds[slot], m.Bag | m.SetOf)
                else f", VAR v{slot}"
                for slot in fixed
            ]
        )
        head = f"static void {name}(Game *g, VAR v0, VAR v1{given})"
        start = "int32_t *at = g->legal + g->legals;"
        end = "g->legals = (int32_t)(at - g->legal);"
        self.shared.add_function(head, [start, *lines, end])
        return name

    def write_test(self, action: PlannedAction) -> str:
        """Write the C function (g, frame) that tests one action; return its name."""
        if action.name not in self.instance_tests:
            name = self.instance_tests[action.name] = self.file.new_name("t")
            w = self.writer(action.unit)
            test = w.optimise(instance_test(w.low, action))
            head = f"static int {name}(Game *g, num *f)"
            body = ["(void)g, (void)f;", f"return {w.value(test)} != 0;"]
            self.shared.add_function(head, body)
        return self.instance_tests[action.name]

    def write_triggers(self) -> None:
        """Write awards and rules, and the function that evaluates them."""
        awards, rules = self.plan.awards, self.plan.rules
        if len(awards) + len(rules) > c_triggers.TRIGGERS_MAX:
            raise NotTranslatable(
                f"more than {c_triggers.TRIGGERS_MAX} awards and rules"
            )
        for number, planned in enumerate(awards):
            where = self.clause(planned.award, planned.award.name)
            lines = c_triggers.award_functions(
                self.plan, number, self.writer(), self.places
            )
            self.functions += [f"/* {where} */", *lines, ""]
        for number, planned_rule in enumerate(rules):
            where = self.clause(planned_rule.rule, planned_rule.rule.name)
            lines = c_triggers.rule_function(
                self.plan, number, self.writer(), self.places
            )
            self.functions += [f"/* {where} */", *lines, ""]
        self.functions += [*c_triggers.settle_function(self.plan), ""]

    # ------------------------------------------------------------ the file

    def bottom_unit(self) -> list[str]:
        """Return the C code of the bottom unit, and of the dispatch to all units."""
        numbers, reason = self.numbers, self.file.reason(END)
        bottom = CTurnLoop(self.plan, numbers, reason, self.file)
        lines = [bottom.order(self.defines), "static int u0(Game *g, num *f) {"]
        lines += [*bottom.lines(), "}", "", "static int unit(Game *g, num *f) {"]
        lines += ["switch (f[0]) {", "case 0: return u0(g, f);"]
        for unit in self.units:
            n, wakes = unit.number, unit.woken_triggers
            if n in self.immediate_units:
                wake = f"g->triggers |= {wakes}u; " if wakes else ""
                lines.append(f"case {n}: q{n}(g, f); {wake}return leave(g);")
            else:
                lines.append(f"case {n}: return u{n}(g, f);")
        lines += ["default: return WAIT;", "}", "}", ""]
        return lines + self.answering_seat()

    def answering_seat(self) -> list[str]:
        """Return the C function that finds the seat answering in the current block."""
        tests = []
        for unit in self.units:
            for split in unit.simultaneous_blocks:
                slots = self.places[unit.number].slots
                began, member = (
                    slots[place - FIRST_LOCAL]
                    for place in (split.started, split.member)
                )
                tests.append(
                    f"if (f[0] == {unit.number} && f[{began}] == 1) return f[{member}];"
                )
        return [
            "static UNUSED num part_of(Game *g) {",
            "for (int i = 0; i < g->depth; i++) {",
            "num *f = g->frame[i]; (void)f;",
            *tests,
            "}",
            "return 0;",
            "}",
            "",
        ]

    def initial_state(self) -> list[str]:
        """Return the C function that fills stacks; add the other cells as amounts."""
        cells = [0] * len(self.plan.start_cells)
        for place, value in enumerate(self.plan.start_cells):
            if isinstance(value, int):
                cells[place] = int(value)
        for block in self.plan.layout.fields.values():
            if block.field.endless:
                end = block.base + block.count * block.stride
                cells[block.base : end] = [0] * (end - block.base)
        self.file.amounts.array("START", "START", "cell", cells, "cells at the start")
        return [
            "static void start_stacks(Game *g) {",
            "(void)g;",
            *[
                line
                for place, value in enumerate(self.plan.start_cells)
                if place in self.cells.stacks
                for line in self.stack_lines(place, value[1])
            ],
            "}",
        ]

    def stack_lines(self, place: int, pool: tuple[int, ...]) -> list[str]:
        """Return the lines that create an unordered stack of the cards in *pool*."""
        if sum(pool) > self.cells.stack_cards:
            raise NotTranslatable(f"a stack of {sum(pool)} cards")
        key, stack = f"stack {place}", f"g->stack[{self.cells.stacks[place]}]"
        table = self.file.data(key, pool, f"{key} at the start")
        fill = f"{stack}.pool[i] = {table}[i];"
        return [
            f"for (int i = 0; i < {len(pool)}; i++) {fill}",
            f"stack_begins(&{stack}, {len(pool)});",
        ]

    def prelude(self) -> list[str]:
        """Return the C macros for the sizes that the runtime uses."""
        plan, size = self.plan, len(self.plan.start_cells)
        split = any(unit.simultaneous_blocks for unit in self.units)
        sizes = {
            "CELLS": size,
            "CELL_MAX": self.cells.max_value,
            "PIECES_MAX": self.cells.max_value,
            "STACKS": max(1, len(self.cells.stacks)),
            "STACK_CARDS": self.cells.stack_cards,
            "STACK_KINDS": self.cells.stack_kinds,
            "SPLIT_CELLS": size if split else 1,
            "SPLIT_STACKS": max(1, len(self.cells.stacks)) if split else 1,
            "ANSWERS": MAX_BLOCK_ANSWERS if split else 1,
            "DEPTH": MAX_FRAMES,
            "FRAME": max(places.size for places in self.places.values()),
            "PLAYERS": plan.players,
            "EVERYBODY": plan.all_seats,
            "EVENTS": max(1, len(self.file.events)),
            "OUTCOME": self.file.outcome,
            "TRAILS": self.trail_count(),
            "TRAIL_SPACES": link_space_bound(plan),
            "ACTIONS": self.max_legal(),
            "CLOSING": plan.closing_step,
            "TRIGGERS": f"{plan.all_triggers}u",
            "STATEMENTS": plan.limits.statements,
            "FIRINGS": plan.limits.firings,
            **dict(zip(KEPT_SIZES, self.kept_sizes(), strict=True)),
            "SEARCHES": tooling.DEAL_SEARCHES_MAX,
            **self.deal_macros(),
            **size_macros(plan, self.cells),
            **{f"NUMBERS_{n}": f"{x}u" for n, x in enumerate(name_words("numbers"))},
        }
        return [f"#define {name} {value}" for name, value in sizes.items()]

    def kept_sizes(self) -> tuple[int, ...]:
        """Return the sizes of the arrays of kept values, as in `KEPT_SIZES`."""
        kept, held = self.file.kept, self.file.held
        sizes = (kept.valid, kept.places, kept.numbers, held.words, held.counts)
        return tuple([max(1, size) for size in sizes])

    def trail_count(self) -> int:
        """Return the number of cache entries for longest trails."""
        return max(1, self.file.trails * self.plan.players)

    def max_legal(self) -> int:
        """Return an upper bound on the number of actions that are legal at once."""
        space = self.plan.actions
        offer_sizes = [
            sum(space.by_name[offer.action].size for offer in effects.offers)
            for effects in effects_within(*unit_statements(self.plan))
        ]
        return max([space.size, *offer_sizes]) + 2

    def deal_macros(self) -> dict[str, int | str]:
        """Return the C macros for the sizes of constrained deals."""
        nodes = [
            node
            for node, effects in statements_in(*unit_statements(self.plan))
            if effects.dealt_domain is not None and node.condition is not None
        ]
        low, high = name_words("spread")
        return {
            "DEALS": int(self.file.deal_test_count > 0),
            "DEAL_KINDS": max([1, *[self.facts.sizes[x.cards] for x in nodes]]),
            "DEAL_CARDS": stack_capacity(
                max([1, *[sum(self.facts.copies(x.cards)) for x in nodes]])
            ),
            "DEAL_CELLS": max(
                [1, *[self.facts.sizes[str(domain_of(x.set))] for x in nodes]]
            ),
            "DEAL_TESTS": max(1, self.file.deal_test_count),
            "SPREAD_0": f"{low}u",
            "SPREAD_1": f"{high}u",
        }

    def translation(self) -> Translation:
        """Return the complete translation."""
        self.write()
        w, declared = self.writer(), self.plan.model.measures.values()
        traced, unmeasured = tracing_code(self.plan, w.with_variables(), declared)
        bots, lacks = bot_code(
            self.plan,
            self.cells,
            self.places,
            self.writer,
            self.hint_functions,
            self.lacks,
        )
        self.add_shared("measures and hints", self.file.functions)
        self.add_held_rows()
        body = [
            *self.initial_state(),
            "",
            *self.functions,
            *traced,
            *self.bottom_unit(),
        ]
        amounts = self.file.amounts
        runtime = files("interpreter.native").joinpath("runtime.h").read_text("utf-8")
        many = files("interpreter.native").joinpath("batch.h").read_text("utf-8")
        head, steps = runtime.split("/* ---- code generated from the rules ---- */\n")
        words = [name_words(name) for name in self.file.events] or [(0, 0)]
        events = ", ".join(f"{{{low}u, {high}u}}" for low, high in words)
        sizes = [self.places[unit.number].size for unit in self.plan.rule_units]
        team = [-1] * self.plan.players
        for number, seats in enumerate(self.plan.teams):
            for seat in seats:
                team[seat] = number
        tables = [
            f"static const uint32_t EVENT[EVENTS][2] = {{{events}}};",
            f"static const int UNIT_SIZE[] = {{{', '.join(map(str, sizes))}}};",
            f"static const int TEAM[PLAYERS] = {{{', '.join(map(str, team))}}};",
        ]
        name = comment(f"{self.plan.book.name}, {self.plan.players} players")

        def text(*, filled: bool) -> str:
            """Return the C text, with amounts and rule comments if `filled` is true."""
            lines = [
                f"/* {name}: written from its rules. */",
                *[f"#include <{header}>" for header in INCLUDES],
                *SSE2_INCLUDE,
                *CHECK_INCLUDES,
                *self.prelude(),
                f"typedef {self.cells.type} cell;",
                *tables,
                head,
                *self.file.rows,
                *amounts.declarations(with_values=filled, comment=comment),
                *self.heads,
                "",
                *body,
                *amounts.receiver(),
                steps,
                many,
                *bots,
            ]
            printed = [x for x in lines if filled or not is_comment(x)]
            return indented(self.file.kept.resolve("\n".join(printed), self.file.held))

        return Translation(
            text(filled=False),
            text(filled=True),
            amounts.values,
            self.cells,
            self.places,
            tuple(self.file.events),
            tuple(self.file.outcome_events),
            tuple(self.file.reasons),
            self.file.outcome,
            MAX_BLOCK_ANSWERS
            if any(unit.simultaneous_blocks for unit in self.units)
            else 1,
            self.max_legal(),
            self.trail_count(),
            any(unit.simultaneous_blocks for unit in self.units),
            self.kept_sizes(),
            lacks,
            unmeasured,
        )


def domain_of(members: m.Expr) -> str:
    """Return the domain of the members of a set."""
    assert isinstance(members.type, m.SetOf) and members.type.domain is not None
    return members.type.domain


def declarations(w: CWriter, named: Iterable[NamedValue]) -> list[str]:
    """Return the lines that declare named values as variables."""
    return [line for each in named for line in declaration(w, each)]


def declaration(w: CWriter, named: NamedValue) -> list[str]:
    """Return the lines that declare one named value."""
    name, value = f"v{named.slot}", named.value
    match value.type:
        case m.SetOf():
            return [f"num {name}[{w.set_size(value) + 1}];", w.fill_set(value, name)]
        case m.Bag():
            return [f"num {name}[{w.kinds(value.type)}];", w.fill_bag(value, name)]
        case _:
            return [f"VAR {name} = {w.code(value)};"]


def translate(plan: Plan) -> Translation:
    """Translate a plan to C, or raise `NotTranslatable`."""
    return CProgram(plan).translation()
