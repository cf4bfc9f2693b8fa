"""C code for units with statements that wait: one function with a label for every step.

The steps and their numbers are those of the interpreter, so each engine can continue
the frames of the other. In the text, `@n@` is a label and `#n#` its number, until all
labels are placed.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import attrs

from interpreter.core.action_index import ActionSpace
from interpreter.core.slots import FIRST_LOCAL
from interpreter.native.statements.effects import (
    CEffects,
    Effect,
    Lines,
    Procedures,
    counted,
    under,
)
from interpreter.native.writer import CWriter, Untranslated
from interpreter.plan.queries import chooser, procedures_of_cards, surely_wins
from interpreter.plan.specialise.rules import Rules
from interpreter.plan.specialise.terms import Blocks
from interpreter.plan.units import Unit
from interpreter.plan.wait_labels import Standing
from interpreter.plan.waiting import Quiet
from rulebook import model as m

FlowTable = Mapping[type, Callable[["CFlow", Any, int], None]]
LABEL, NUMBER = re.compile(r"@(\d+)@"), re.compile(r"#(\d+)#")


@attrs.frozen
class CStatementTables:
    """Tables of the functions that write statements: those that never wait, and those
    that may.
    """

    effects: Mapping[type, Effect]
    flows: FlowTable


@attrs.define
class Shared:
    """C functions that units share: they list legal actions, or test single ones."""

    enumerators: dict[tuple[str, tuple[int, ...]], str] = attrs.field(factory=dict)
    tests: dict[str, str] = attrs.field(factory=dict)
    functions: list[tuple[str, list[str]]] = attrs.field(factory=list)

    def function(self, head: str, lines: list[str]) -> None:
        """Add a function."""
        self.functions.append((head, lines))


class CFlow(CEffects):
    """Writer of one unit as C code with labels."""

    def __init__(
        self,
        writer: CWriter,
        tables: CStatementTables,
        procedures: Procedures,
        quiet: Quiet,
        unit: Unit,
        actions: ActionSpace,
        rules: Rules,
        shared: Shared,
    ) -> None:
        book = rules.statements.book
        super().__init__(writer, tables.effects, procedures, "goto @0@;", book)
        assert unit.code is not None
        self.flows = tables.flows
        self.quiet = quiet
        self.unit = unit
        self.code = unit.code
        self.actions = actions
        self.rules = rules
        self.standing = Standing(unit.code, quiet)
        self.shared = shared
        self.steps: list[Lines] = []
        self.current: Lines | None = None
        self.places: dict[int, int] = {}
        self.labels = 0
        self.named: list[int] = []
        self.splits = 0

    # ------------------------------------------------------------ building

    def add(self, *lines: str) -> None:
        """Add lines to the current step."""
        if self.current is None:
            self.current = []
        self.current.extend(lines)

    def close(self, *lines: str) -> None:
        """Add the last lines of the current step."""
        self.add(*lines)
        assert self.current is not None
        self.steps.append(self.current)
        self.current = None

    def label(self) -> int:
        """Return a new label without a place."""
        self.labels += 1
        return self.labels

    def place(self, label: int) -> int:
        """Place a label here, at the start of a step, and return it."""
        if self.current is not None:
            self.close()
        self.places[label] = len(self.steps)
        return label

    def here(self) -> int:
        """Return a new label that is placed here."""
        return self.place(self.label())

    def point(self) -> int:
        """Return a new label that is placed here and at which a frame may stop."""
        label = self.here()
        self.named.append(label)
        return label

    def hidden(self, node: Any) -> list[str]:
        """Return the C names of the hidden variables of a statement."""
        slots = self.standing.of(self.book(node)).slots
        return [self.w.array(slot) for slot in slots]

    def chooser(self, member: m.Expr) -> m.Expr | None:
        """Return the seat that chose the moved card, or None if no seat did."""
        return chooser(self.code, member)

    # ------------------------------------------------------------ blocks

    def body(self, block: Sequence[Any]) -> None:
        """Write a block, which is counted when it starts."""
        if block:
            self.add(*counted(block))
        self.part(block)

    def part(self, statements: Sequence[Any]) -> None:
        """Write statements that may jump to their end."""
        end = self.label()
        for statement in statements:
            self.statement(statement, end)
        self.place(end)

    def statement(self, node: Any, end: int) -> None:
        """Write a statement; `end` is the label at the end of its block."""
        if self.quiet.statement(self.book(node)):
            self.add(*self.lines([node]))
            return
        flow = self.flows.get(type(node))
        if flow is None:
            raise Untranslated(f"no C for {type(node).__name__}")
        flow(self, node, end)

    def settle(self, here: int) -> str:
        """Return the C line that evaluates triggers; a frame may stop at the label
        `here`.
        """
        return f"if (g->triggers && settle(g, f, #{here}#)) return SWITCH;"

    def settle_here(self, here: int) -> None:
        """Write the evaluation of triggers at a label that was just placed."""
        self.named.append(here)
        self.add(self.settle(here))

    # ------------------------------------------------------------ the function

    def finish(self) -> list[str]:
        """Write the last step, and return all lines of the function's body."""
        self.named.append(self.place(0))
        if self.unit.wakes:
            self.add(f"g->triggers |= {self.unit.wakes}u;")
        self.close("return leave(g);")
        points = {self.places[label] for label in self.named}
        if points != set(self.unit.points) or len(self.steps) != len(self.unit.steps):
            raise Untranslated(
                f"the steps of {self.unit.name} differ between the engines"
            )
        begun_again = {split.again for split in self.unit.splits}
        stand = sorted(points | begun_again)
        stands = [f"case {number}: goto p{number};" for number in stand]
        lines = ["switch (f[1]) {", *stands, "default: goto p0;", "}"]
        for number, step in enumerate(self.steps):
            lines.append(f"p{number}: UNUSED;")
            lines += [self.placed(line) for line in step]
        return lines

    def placed(self, line: str) -> str:
        """Return a line with the numbers of all placed labels."""
        line = LABEL.sub(lambda match: f"p{self.places[int(match[1])]}", line)
        return NUMBER.sub(lambda match: str(self.places[int(match[1])]), line)


# ---------------------------------------------------------------- control


def _step(t: CFlow, node: m.Step, end: int) -> None:
    del end
    t.part(node.body)


def _blocks(t: CFlow, node: Blocks, end: int) -> None:
    """Write the branch of an `if` that is always taken, then start a new step.

    The new step keeps step numbers equal to those of the book.
    """
    del end
    for block in node.blocks:
        t.body(block.body)
    done = t.label()
    t.close(f"goto @{done}@;")
    t.place(done)


def _if(t: CFlow, node: m.If, end: int) -> None:
    del end
    otherwise, done = t.label(), t.label()
    t.add(f"if (!{t.w.value(node.condition)}) goto @{otherwise}@;")
    t.body(node.body)
    t.close(f"goto @{done}@;")
    t.place(otherwise)
    t.body(node.otherwise)
    t.place(done)


def _each(t: CFlow, node: m.Each, end: int) -> None:
    del end
    [rest] = t.hidden(node)
    array = t.w.file.new("a")
    members = node.set
    t.add(
        f"{{ num {array}[{t.w.most(members) + 1}]; {t.w.listed(members, array)}",
        f"memcpy({rest}, {array}, sizeof(num) * (size_t)({array}[0] + 1)); }}",
    )
    loop(t, node, rest, [], [])


def loop(
    t: CFlow, node: m.Each | m.Together, rest: str, begin: Lines, end: Lines
) -> None:
    """Write the loop over the members that remain in a hidden variable.

    `begin` are lines before each round, `end` those before the end of the loop.
    """
    again, done = t.here(), t.label()
    at = t.w.slot(node.slot)
    leave = [f"{rest}[0] = {at} = UNSET;", *end, f"goto @{done}@;"]
    t.add(*begin, f"if (!{rest}[0]) {{", *leave, "}")
    t.add(
        f"{at} = {rest}[1];",
        f"memmove({rest} + 1, {rest} + 2, sizeof(num) * (size_t)--{rest}[0]);",
    )
    if node.where is not None and isinstance(node, m.Each):
        t.add(f"if (!{t.w.value(node.where)}) goto @{again}@;")
    t.body(node.body)
    t.close(f"goto @{again}@;")
    t.place(done)


def _together(t: CFlow, node: m.Together, end: int) -> None:
    del end
    rest, own, everybody = t.hidden(node)
    split = t.unit.splits[t.splits]
    t.splits += 1
    v, i, seat = [t.w.file.new(x) for x in ("m", "i", "c")]
    players = t.w.facts.players
    with t.w.binding(node.slot, v):
        where = None if node.where is None else node.where
        through = t.w.loop(node.set, v, f"{i}[{v}] = 1;", where)
    turn = (
        f"for (num {seat} = 0; {seat} < {players}; {seat}++) {{ num {v} = "
        f"(at_least_0(g->s[ACTIVE]) + {seat}) % {players}; "
        f"if ({i}[{v}]) {rest}[++{rest}[0]] = {v}; }}"
    )
    t.add(f"{{ int {i}[{players}] = {{0}}; {through}", f"{rest}[0] = 0; {turn} }}")
    copy = f"sizeof(num) * (size_t)({rest}[0] + 1)"
    t.add(f"{own}[0] = !g->split; memcpy({everybody}, {rest}, {copy});")
    t.add(f"if ({own}[0]) begin_split(g);")
    slots = [place - FIRST_LOCAL for place in split.part]
    forget = [f"{t.w.array(slot)}[0] = UNSET;" for slot in slots]
    ended = [f"if ({own}[0]) end_split(g);", f"{own}[0] = {everybody}[0] = UNSET;"]
    loop(t, node, rest, forget, ended)


def _repeat(t: CFlow, node: m.Repeat, end: int) -> None:
    del end
    left = f"{t.hidden(node)[0]}[0]"
    t.add(f"{left} = {t.w.value(node.times)};")
    again, done = t.here(), t.label()
    until = "" if node.until is None else f" || {t.w.value(node.until)}"
    t.add(f"if ({left} <= 0{until}) {{ {left} = UNSET; goto @{done}@; }}")
    t.add(f"{left}--; goes_on(g);")
    t.body(node.body)
    t.close(f"goto @{again}@;")
    t.place(done)


def calls(t: CFlow, after: int, unit: int | str, lines: Lines, frame: str) -> Lines:
    """Return the C lines that call another unit and then continue at a label."""
    return [
        f"f[1] = #{after}#;",
        f"{{ num *{frame} = push(g, (int)({unit}));",
        *lines,
        "}",
        "return SWITCH;",
    ]


def _call(t: CFlow, node: m.Call, end: int) -> None:
    del end
    after, frame = t.label(), t.w.file.new("f")
    unit = t.procedures.numbers[node.procedure]
    t.close(*calls(t, after, unit, t.new_frame(node, frame), frame))
    t.place(after)
    t.named.append(after)


def _carry_out(t: CFlow, node: m.CarryOut, end: int) -> None:
    del end
    after, frame, u, v = t.label(), *[t.w.file.new(x) for x in ("f", "u", "v")]
    names = procedures_of_cards(t.w.facts, node)
    units = [t.procedures.numbers.get(name, -1) for name in names]
    table = t.w.file.guarded([*units, -1])
    who = t.w.slot(m.YOU) if node.who is None else t.w.value(node.who)
    nobody = "" if node.who is None else f" || {v} < 0"
    lines = calls(t, after, u, [f"{frame}[{FIRST_LOCAL}] = {v};"], frame)
    card = t.w.value(node.card)
    t.close(
        f"{{ num {u} = {table}[{card} + 1], {v} = {who};",
        f"if ({u} < 0{nobody}) goto @{after}@;",
        *lines,
        "}",
    )
    t.place(after)
    t.named.append(after)


# ---------------------------------------------------------------- the end of the game


def _wins(t: CFlow, node: m.Wins, end: int) -> None:
    del end
    node_ready = node
    ranks, number = t.w.file.new("r"), t.w.file.new("n")
    reason = t.w.file.reason(node.reason)
    over = f"return finish(g, {ranks}, {number}, {reason});"
    lines = [f"{{ num {ranks}[PLAYERS] = {{0}}; int {number} = 0;"]
    lines += ranked(t, node_ready, ranks, number)
    t.add(*lines)
    if surely_wins(t.w.facts, node):
        t.close(f"{over} }}")
    else:
        t.add(*under([number], [over]), "}")


def ranked(t: CFlow, node: m.Wins, ranks: str, number: str) -> Lines:
    """Return the C lines that compute the ranks of all seats."""
    who, by, here = node.who, node.ranking, t.w.file.new("t")
    if by is not None:
        key, size, v = t.w.file.new("k"), len(by.by), t.w.file.new("m")
        with t.w.binding(by.slot, v):
            body = f"{here}[{v}] = 1; "
            for place, x in enumerate(by.by):
                value = f"{'-' * x.smallest}{t.w.number(x.value)}"
                body += f"{key}[{v} * {size} + {place}] = {value}; "
            through = t.w.loop(by.set, v, body, by.where)
        return [
            f"int {here}[PLAYERS] = {{0}}; num {key}[PLAYERS * {size}] = {{0}};",
            through,
            f"{number} = by_rank({ranks}, {here}, {key}, {size});",
        ]
    if who is None:
        return []
    v = t.w.file.new("m")
    enter = f"if ({v} >= 0 && {v} < PLAYERS) {here}[{v}] = 1;"
    if isinstance(who.type, m.SetOf):
        through = t.w.loop(who, v, enter)
    else:
        through = f"{{ num {v} = {t.w.value(who)}; {enter} }}"
    share = f"{number} = sharing({ranks}, {here});"
    return [f"int {here}[PLAYERS] = {{0}};", through, share]


def _game_ends(t: CFlow, node: m.GameEnds, end: int) -> None:
    del node, end
    t.close("return game_ends(g);")


FLOWS: FlowTable = {
    m.Step: _step,
    Blocks: _blocks,
    m.If: _if,
    m.Each: _each,
    m.Together: _together,
    m.Repeat: _repeat,
    m.Call: _call,
    m.CarryOut: _carry_out,
    m.Wins: _wins,
    m.GameEnds: _game_ends,
}
