"""C code that finds hidden cards in the frames of the control stack.

The C functions visit each frame according to its unit: pending picks, variables, and
simultaneous blocks. They do the same as `interpreter.knowledge` when it draws a sample.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

import attrs

from interpreter.core.slots import FIRST_LOCAL
from interpreter.native.bots.hidden import Row, number_array, struct_array
from interpreter.native.c_file import NotTranslatable
from interpreter.native.c_layout import FrameOffsets
from interpreter.native.c_writer import CWriter
from interpreter.plan.plan import Plan
from interpreter.plan.units import Promise, SimultaneousBlock, Unit
from rulebook import model as m
from rulebook.secrecy import KNOWN_TO_ACTOR, PUBLIC
from rulebook.signatures import effects_within

Lines = list[str]
BEYOND = "fail(g, BEYOND);"


@attrs.frozen
class FrameWriter:
    """Writer of the C code that reads frames.

    `writer` returns the C writer for a unit number.
    """

    plan: Plan
    places: Mapping[int, FrameOffsets]
    writer: Callable[[int], CWriter]

    def place(self, unit: Unit, slot: int) -> int:
        """Return the offset of a local variable in its frame."""
        return self.places[unit.number].slots[slot]

    def size(self, unit: Unit, slot: int) -> int:
        """Return the number of cells of a local variable, or -1 for a set.

        A set stores its own size.
        """
        match unit.types[slot]:
            case m.SetOf():
                return -1
            case m.Bag(domain=domain):
                return self.plan.facts.sizes[domain]
            case m.Tally(domains=domains):
                size = 1
                for domain in domains:
                    size *= self.plan.facts.sizes[domain]
                return size
            case _:
                return 1

    def frame_loop(self, cases: Iterator[tuple[int, Lines]]) -> Lines:
        """Return a C loop over all frames that runs the lines of each frame's unit."""
        lines = ["for (int i = 0; i < g->depth; i++) {", "num *f = g->frame[i];"]
        lines += ["(void)f;", "switch (f[0]) {"]
        for number, body in cases:
            if body:
                lines += [f"case {number}: {{", *body, "break;", "}"]
        return [*lines, "default: break;", "}", "}"]

    # ------------------------------------------------------------ promises

    def find_promised_cards(self) -> Lines:
        """Return the C function that finds the cards that are certain to be moved."""
        cases = ((unit.number, self.promises(unit)) for unit in self.plan.rule_units)
        return [
            "static int dues(Game *g, Due *due) {",
            "int held = 0;",
            "(void)due;",
            *self.frame_loop(cases),
            "return held;",
            "}",
        ]

    def promises(self, unit: Unit) -> Lines:
        """Return the lines that find the promised cards in a frame of a unit."""
        lines = [line for each in unit.promises for line in self.promise(unit, each)]
        return ["int first = held;", *lines] if lines else []

    def promise(self, unit: Unit, promise: Promise) -> Lines:
        """Return the lines that find a promise's cards while the promise applies."""
        steps = [step for slot, step in unit.binders if slot == promise.slot]
        if not steps:
            return []
        place, kind = self.place(unit, promise.slot), unit.types[promise.slot]
        conditions = [f"f[1] > {min(steps)}", f"f[1] <= {promise.step}"]
        conditions += [f"f[{place}] != UNSET"]
        if not isinstance(kind, m.Bag):
            conditions.append(f"f[{place}] != -1")
        if promise.owner is not None:
            owner = self.place(unit, promise.owner)
            conditions += [f"f[{owner}] != UNSET", f"f[{owner}] != -1"]
        row = self.writer(unit.number).first_cell(promise.source)
        grade = unit.grades.get(promise.slot, PUBLIC)
        fields = f"f, {promise.count}, {place}, {grade}, (int){row}, {promise.size}"
        more = f"(Due){{{fields}, {int(isinstance(kind, m.Bag))}, 0, 0}}"
        return [
            f"if ({' && '.join(conditions)})",
            f"held = due_add(g, due, held, first, {more});",
        ]

    # ------------------------------------------------------------ variables

    def recompute_variables(self) -> Lines:
        """Return the C function that recomputes the variables with hidden values."""
        cases = (
            (unit.number, self.recomputation_lines(unit))
            for unit in self.plan.rule_units
        )
        return [
            "static void fill_again(Game *g, num seat, const Due *due, int held) {",
            "(void)seat, (void)due, (void)held;",
            *self.frame_loop(cases),
            "}",
        ]

    def recomputation_lines(self, unit: Unit) -> Lines:
        """Return the lines that recompute the hidden variables in a frame of a unit."""
        lines: Lines = []
        for slot, grade in unit.grades.items():
            if grade != PUBLIC:
                lines += self.variable_lines(unit, slot, grade)
        for loop in unit.hidden_loops:  # C cannot recompute loops
            own = "f[2] != seat && " if loop.grade == KNOWN_TO_ACTOR else ""
            rest = self.place(unit, loop.rest - FIRST_LOCAL)
            lines.append(f"if ({own}f[{rest}] != UNSET) {BEYOND}")
        return lines

    def variable_lines(self, unit: Unit, slot: int, visibility: int) -> Lines:
        """Return the lines that recompute a variable from its `let`, if it has one."""
        code, place = unit.code, self.place(unit, slot)
        inside = () if code is None else effects_within(code.body)
        bindings = [binding for effects in inside for binding in effects.bindings]
        values = [x.value for x in bindings if x.slot == slot and x.value is not None]
        if not values:
            return []
        try:
            fill = self.assignment(unit, values[0], place)
        except NotTranslatable:
            fill = [BEYOND]
        own = "f[2] != seat && " if visibility == KNOWN_TO_ACTOR else ""
        free = f"!is_due(due, held, f, {place})"
        return [f"if ({own}f[{place}] != UNSET && {free}) {{", *fill, "}"]

    def assignment(self, unit: Unit, value: m.Expr, place: int) -> Lines:
        """Return the lines that assign a value to a local variable."""
        w = self.writer(unit.number)
        w.low.tallies.update(unit.tallies)
        if isinstance(value.type, m.SetOf):
            size, fill = f"{w.set_size(value) + 1}", w.fill_set(value, "x")
            number = "(x[0] + 1)"
        elif isinstance(value.type, m.Bag):
            size, fill = f"{w.kinds(value.type)}", w.fill_bag(value, "x")
            number = size
        elif isinstance(value.type, m.Stack | m.Tally):
            raise NotTranslatable(f"a hidden variable of type {value.type}")
        else:
            return [f"f[{place}] = {w.code(value)};"]
        copied = f"memcpy(f + {place}, x, sizeof(num) * (size_t){number});"
        return [f"num x[{size}]; {fill}", copied]

    # ------------------------------------------------------------ blocks

    def current_block(self) -> Lines:
        """Return the C function that finds the simultaneous block in progress."""
        tables: Lines = []
        cases = [
            (unit.number, self.block_lines(unit, split, tables))
            for unit in self.plan.rule_units
            for split in unit.simultaneous_blocks
        ]
        merged: dict[int, Lines] = {}
        for number, lines in cases:
            merged.setdefault(number, []).extend(lines)
        return [
            *tables,
            "static UNUSED int block_of(Game *g, Block *b) {",
            "(void)b;",
            *self.frame_loop(iter(merged.items())),
            "return 0;",
            "}",
        ]

    def block_lines(self, unit: Unit, split: SimultaneousBlock, tables: Lines) -> Lines:
        """Return the lines that find a simultaneous block that has started."""
        name = f"BOUND{len(tables)}"
        parts = [self.place(unit, place - FIRST_LOCAL) for place in split.part]
        tables.append(number_array("int16_t", name, parts))
        began, rest, everybody, member = (
            self.place(unit, place - FIRST_LOCAL)
            for place in (split.started, split.rest, split.all_members, split.member)
        )
        fields = f"i, {began}, {rest}, {everybody}, {member}, {split.next_step}"
        block = f"(Block){{{fields}, {len(parts)}, {name}}}"
        return [f"if (f[{began}] == 1) {{ *b = {block}; return 1; }}"]

    def slot_table(self) -> Lines:
        """Return the C table of the local variables that a seat knows in its frames."""
        rows: list[Row] = []
        starts = [0]
        for unit in self.plan.rule_units:
            rows += [
                (self.place(unit, slot), self.size(unit, slot))
                for slot in range(1, len(unit.slots))
                if slot not in unit.hidden_slots
            ]
            starts.append(len(rows))
        return [
            struct_array("Slot", "SLOT", rows),
            number_array("int16_t", "SLOT_FROM", starts),
        ]
