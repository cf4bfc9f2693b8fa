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
from interpreter.plan.units import (
    Assignments,
    HiddenBinding,
    HiddenLoop,
    HiddenRepeat,
    Promise,
    Scope,
    Selection,
    SimultaneousBlock,
    Unit,
)
from rulebook import model as m
from rulebook.secrecy import KNOWN_TO_ACTOR, PUBLIC
from rulebook.signatures import VariablePlace, Write, effects_of, effects_within

Lines = list[str]
BEYOND = "fail(g, BEYOND);"
"""C statement that leaves the sample to the interpreter."""


def unknown_to_actor(frame: str, grade: int) -> str:
    """Return the start of the C condition that the seat does not know a grade."""
    return f"{frame}[2] != seat && " if grade == KNOWN_TO_ACTOR else ""


def is_at(steps: list[int]) -> str:
    """Return the C condition that `here` is one of some steps."""
    return f"({' || '.join(f'here == {n}' for n in sorted(steps)) or '0'})"


def scopes(unit: Unit) -> Iterator[tuple[int, Scope]]:
    """Yield the scopes of a unit by the value of `here`."""
    for step, scope in unit.scopes.items():
        yield 2 * step, scope
    for step, start in unit.starts.items():
        yield 2 * step + 1, start.scope


def assignments_of(unit: Unit, slot: int) -> list[Assignments]:
    """Return the statements in the history of a unit that assign a variable."""
    return [
        binding
        for binding in unit.history
        if isinstance(binding, Assignments)
        and any(slot in effects.slots for effects in effects_within(binding.node))
    ]


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

    def redraw_variables(self) -> Lines:
        """Return the C functions that redraw the variables with hidden values.

        One tells whether a decision depends on them; C does not redraw these states.
        """
        cases = (
            (unit.number, self.redraw_lines(unit)) for unit in self.plan.rule_units
        )
        waits = [
            f"if (f[0] == {unit.number} && f[1] == {step}) return 1;"
            for unit in self.plan.rule_units
            for step in sorted(unit.hidden_waits)
        ]
        return [
            "static void fill_again(Game *g, num seat, const Due *due, int held) {",
            "int passed = -1;",
            "(void)seat, (void)due, (void)held, (void)passed;",
            *self.frame_loop(cases),
            "}",
            "static UNUSED int is_hidden_wait(const Game *g) {",
            "const num *f = g->frame[g->depth - 1];",
            "(void)f;",
            *waits,
            "return 0;",
            "}",
        ]

    def redraw_lines(self, unit: Unit) -> Lines:
        """Return the lines that redraw a frame of a unit and arguments of its calls."""
        lines = [*self.variable_lines(unit), *self.argument_lines(unit)]
        return [*self.step_lines(unit), *lines] if lines else []

    def variable_lines(self, unit: Unit) -> Lines:
        """Return the lines that redraw the hidden variables in a frame of a unit."""
        lines: Lines = []
        hidden = [slot for slot, grade in unit.grades.items() if grade != PUBLIC]
        parameters = self.parameters(unit)
        for slot in hidden:
            if slot not in parameters:
                unknown, bound = self.is_unknown(unit, slot), self.is_bound(unit, slot)
                clear = f"f[{self.place(unit, slot)}] = UNSET;"
                lines.append(f"if ({unknown} && !{bound}) {clear}")
        for slot in hidden:
            if slot in parameters:
                unset = "" if isinstance(unit.code, m.Action) else " && passed != i"
                lines.append(f"if ({self.is_unknown(unit, slot)}{unset}) {BEYOND}")
                lines += self.none_lines(unit, slot)
        for binding in unit.history:
            lines += self.binding_lines(unit, binding)
        for split in unit.simultaneous_blocks:
            if split.grade != PUBLIC:
                own = unknown_to_actor("f", split.grade)
                lines.append(f"if ({own}f[1] == {split.next_step}) {BEYOND}")
        return lines

    def parameters(self, unit: Unit) -> set[int]:
        """Return the slots of the parameters of a unit."""
        return {place.slot for place in unit.code.parameters} if unit.code else set()

    def step_lines(self, unit: Unit) -> Lines:
        """Return the lines that compute the step, and whether the frame above runs it.

        `here` is twice the step, plus one if the statement there started that frame.
        """
        lines = [
            "num above = i + 1 < g->depth ? g->frame[i + 1][0] : -1, here = 2 * f[1];",
            "(void)above, (void)here;",
        ]
        for step, start in unit.starts.items():
            started = " || ".join(f"above == {n}" for n in start.arguments if n >= 0)
            if started:
                lines.append(f"if (f[1] == {step} && ({started})) here++;")
        return lines

    def is_bound(self, unit: Unit, slot: int) -> str:
        """Return the C condition that a variable has a value at the frame's step."""
        return is_at([n for n, scope in scopes(unit) if slot in scope.slots])

    def none_lines(self, unit: Unit, slot: int) -> Lines:
        """Return the lines that fail if a variable is none where it must not be."""
        steps = [n for n, scope in scopes(unit) if slot in scope.present]
        if not steps:
            return []
        unknown = self.is_unknown(unit, slot)
        none = f"f[{self.place(unit, slot)}] == -1"
        return [f"if ({unknown} && {none} && {is_at(steps)}) {BEYOND}"]

    def is_unknown(self, unit: Unit, slot: int, frame: str = "f") -> str:
        """Return the C condition that a variable has a value unknown to the seat."""
        place = self.place(unit, slot)
        own = unknown_to_actor(frame, unit.grades[slot])
        return f"{own}{frame}[{place}] != UNSET && !is_due(due, held, {frame}, {place})"

    def binding_lines(self, unit: Unit, binding: HiddenBinding) -> Lines:
        """Return the lines that redraw the variables of a part of a unit.

        C only executes assignments of variables that are assigned once.
        """
        fill = [BEYOND]
        match binding:
            case (
                HiddenLoop(grade=grade, rest=slot)
                | HiddenRepeat(grade=grade, left=slot)
            ):
                own = unknown_to_actor("f", grade)
                return [f"if ({own}{self.is_bound(unit, slot)}) {BEYOND}"]
            case Selection(slot=slot):
                slots = {slot}
            case Assignments(node=node):
                slots = {slot for x in effects_within(node) for slot in x.slots}
                match effects_of(node).writes:
                    case [Write(VariablePlace(slot, ()), value)] if value is not None:
                        if len(assignments_of(unit, slot)) == 1:
                            fill = self.assignment(unit, value, self.place(unit, slot))
        lines: Lines = []
        for slot in sorted(slots):
            if unit.grades.get(slot, PUBLIC) != PUBLIC:
                unknown, bound = self.is_unknown(unit, slot), self.is_bound(unit, slot)
                lines += [f"if ({unknown} && {bound}) {{", *fill, "}"]
                lines += self.none_lines(unit, slot)
        return lines

    def argument_lines(self, unit: Unit) -> Lines:
        """Return the lines that evaluate the hidden arguments of the frame above."""
        lines: Lines = []
        for step, start in unit.starts.items():
            if start.has_hidden_player:
                lines.append(f"if (here == {2 * step + 1}) {BEYOND}")
            for number, lists in start.arguments.items():
                if number < 0 or len(lists) != 1:
                    continue
                callee = self.plan.units[number]
                filled = self.arguments(unit, callee, lists[0])
                if filled:
                    test = f"f[1] == {step} && above == {number}"
                    target = "num *t = g->frame[i + 1]; passed = i + 1;"
                    lines += [f"if ({test}) {{", target, *filled, "}"]
        return lines

    def arguments(
        self, unit: Unit, callee: Unit, arguments: tuple[m.Expr, ...]
    ) -> Lines:
        """Return the lines that evaluate the hidden arguments of a call."""
        if not isinstance(callee.code, m.Procedure):
            return []
        lines: Lines = []
        for place, value in zip(callee.code.parameters, arguments, strict=True):
            if callee.grades.get(place.slot, PUBLIC) != PUBLIC:
                fill = self.assignment(
                    unit, value, self.place(callee, place.slot), target="t"
                )
                unknown = self.is_unknown(callee, place.slot, "t")
                lines += [f"if ({unknown}) {{", *fill, "}"]
        return lines

    def assignment(
        self, unit: Unit, value: m.Expr, place: int, target: str = "f"
    ) -> Lines:
        """Return the lines that assign a value to a local variable of a frame.

        They fail if C cannot compute the value.
        """
        w = self.writer(unit.number)
        w.low.tallies.update(unit.tallies)
        try:
            if isinstance(value.type, m.SetOf):
                size, fill = f"{w.set_size(value) + 1}", w.fill_set(value, "x")
                number = "(x[0] + 1)"
            elif isinstance(value.type, m.Bag):
                size, fill = f"{w.kinds(value.type)}", w.fill_bag(value, "x")
                number = size
            elif isinstance(value.type, m.Stack | m.Tally):
                return [BEYOND]
            else:
                return [f"{target}[{place}] = {w.code(value)};"]
        except NotTranslatable:
            return [BEYOND]
        copied = f"memcpy({target} + {place}, x, sizeof(num) * (size_t){number});"
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
