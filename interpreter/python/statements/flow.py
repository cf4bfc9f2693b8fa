"""Python code for units with statements that wait: numbered steps with jumps.

A step is a Python function of (g, s, f) that returns the number of the next step, or
WAIT or SWITCH. Every step at which a frame can wait has a name
(`interpreter.plan.wait_labels`), so that positions need no step numbers. Lines that
continue at a label are jumps, which get the step's number at the end.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

import attrs

from interpreter.core.action_index import ActionSpace, PlannedAction
from interpreter.core.dependencies import walk
from interpreter.core.slots import FIRST_LOCAL
from interpreter.plan.queries import chooser, procedures_of_cards, surely_wins
from interpreter.plan.specialise.rules import Rules
from interpreter.plan.specialise.terms import Blocks
from interpreter.plan.units import Promise, Round, Split, Unit
from interpreter.plan.wait_labels import Stand, Standing
from interpreter.plan.waiting import Quiet
from interpreter.python.expressions.writer import Writer
from interpreter.python.statements.bindings import bound_in_part, slots_of, surely_bound
from interpreter.python.statements.effects import (
    Effects,
    EffectTable,
    Procedures,
    counted,
    new_frame,
)
from interpreter.python.statements.endings import ranks
from interpreter.secrecy.disclosure import LEAVES, Teaching
from interpreter.secrecy.levels import NOTHING, OTHERS
from interpreter.source import code
from interpreter.source.lines import Jump, Lines, goes_to, indented, placed, unless
from interpreter.state.state import SWITCH
from rulebook import model as m

FlowTable = Mapping[type, Callable[["Flow", Any, int], None]]
Lister = Callable[[Writer, Rules, PlannedAction, tuple[int, ...]], str]
"""Writer of the function that lists an action, some of whose parameters are fixed."""
Tried = Callable[[Writer, m.Expr], str]
"""Writer of a function called for each arrangement of a deal; the code `None` means no
function.
"""


@attrs.frozen
class Tables:
    """Templates of statements: those that never wait, and those that may.

    `lists` writes the function that lists the legal actions of an offer. `tried` writes
    the function that is called for each arrangement tried in a deal.
    """

    effects: EffectTable
    flows: FlowTable
    lists: Lister
    tried: Tried


class Flow(Effects):
    """Writer of one unit as steps; `code` is the unit in the book, which names the
    steps.
    """

    def __init__(
        self,
        writer: Writer,
        tables: Tables,
        procedures: Procedures,
        quiet: Quiet,
        unit: Unit,
        code: m.Procedure | m.Action,
        actions: ActionSpace,
        teaching: Teaching,
        rules: Rules,
    ) -> None:
        book = rules.statements.book
        super().__init__(writer, tables.effects, procedures, goes_to(0), book)
        self.rules = rules
        self.standing = Standing(code, quiet)
        self.flows = tables.flows
        self.lists = tables.lists
        self.tried = tables.tried
        self.quiet = quiet
        self.unit = unit
        self.code = code
        self.actions = actions
        self.teaching = teaching
        self.steps: list[Lines] = []
        self.current: Lines | None = None
        self.places: dict[int, int] = {}
        self.labels = 0
        self.names: list[tuple[int, str]] = []
        self.bound: list[int] = [parameter.slot for parameter in code.parameters]
        self.bound_at: list[frozenset[int]] = []
        self.splits: list[int] = []

    # ------------------------------------------------------------ building

    def add(self, *lines: str | Jump) -> None:
        """Add lines to the current step."""
        if self.current is None:
            self.current = []
        self.current.extend(lines)

    def close(self, *lines: str | Jump) -> None:
        """Add the last lines of the current step, which return."""
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
            self.close(f"return {len(self.steps) + 1}")
        self.places[label] = len(self.steps)
        return label

    def here(self) -> int:
        """Return a new label that is placed here."""
        return self.place(self.label())

    def stand(self, node: Any) -> Stand:
        """Return the step names and hidden variables of a statement."""
        return self.standing.of(self.book(node))

    def point(self, node: Any, label: int, number: int = 0) -> str:
        """Name the step at a label where a frame may wait; return the name."""
        full = self.stand(node).names[number]
        self.name(label, full)
        return full

    def name(self, label: int, full: str) -> None:
        """Name the step of a label, and record the variables that have a
        value there.
        """
        self.names.append((label, full))
        self.bound_at.append(frozenset(self.bound))

    def at(self, label: int) -> int:
        """Return the step number of a label, once all labels are placed."""
        return self.places[label]

    def hidden(self, node: Any) -> list[str]:
        """Return the code of the hidden variables of a statement."""
        return [f"f[{slot + FIRST_LOCAL}]" for slot in self.stand(node).slots]

    def link(self, make: Callable[[], Any]) -> str:
        """Return the name of an object that *make* creates when all steps are known."""
        source = self.w.source
        name = source.new_name("D")
        source.linkers.append(lambda: source.names.__setitem__(name, make()))
        return name

    def fetch(self, name: str) -> Any:
        """Return a compiled function by name, for use when linking."""
        return self.w.source.names[name]

    def value(self, expression: m.Expr) -> str:
        """Add a function that returns the value of an expression, and return
        its name.
        """
        return self.w.function(expression)

    def common(self, point: str, label: int) -> dict[str, Any]:
        """Return the data common to all wait points, for use when linking."""
        return {"unit": self.unit.number, "pc": self.at(label), "name": point}

    def chooser(self, member: m.Expr) -> m.Expr | None:
        """Return the seat that chose the moved card, or None if no seat did."""
        return chooser(self.code, member)

    # ------------------------------------------------------------ blocks

    @contextmanager
    def binding(self, *slots: int) -> Iterator[None]:
        """Treat slots as having a value inside the block."""
        self.bound += slots
        yield
        del self.bound[-len(slots) :]

    def body(self, block: Sequence[Any]) -> None:
        """Write a block, which is counted when it starts."""
        if block:
            self.add(*counted(block))
        self.part(block)

    def part(self, statements: Sequence[Any]) -> None:
        """Write statements that may jump to their end."""
        end, before = self.label(), len(self.bound)
        for statement in statements:
            self.statement(statement, end)
            self.bound += surely_bound(statement)
        self.place(end)
        del self.bound[before:]

    def statement(self, node: Any, end: int) -> None:
        """Write a statement; `end` is the label at the end of its block."""
        first, open_ = len(self.steps), self.current is not None
        said = self.book(node)
        if self.quiet.statement(said):
            if self.teaching.anything(self.code, [said]):
                self.unit.teaches.add(first)
            self.note(said, first)
            self.add(*self.lines([node]))
            return
        self.flows[type(node)](self, node, end)
        if self.teaching.statement(self.code, said):
            self.unit.teaches.update(self.own_steps(said, first, open_))

    def note(self, node: Any, step: int) -> None:
        """Record what a statement that never waits binds and moves."""
        for inner in walk(node):
            self.unit.binders += [(slot, step) for slot in slots_of(inner)]
            match inner:
                case m.MoveCards(
                    bag=m.SingleBag(
                        member=m.Local(slot=slot), count=m.Const(value=count)
                    ),
                    up_to=False,
                ):
                    self.promise(slot, inner.source, step, count)
                case m.MoveCards(bag=m.Local(slot=slot), up_to=False):
                    self.promise(slot, inner.source, step)
                case _:
                    pass

    def promise(
        self, slot: int, source: m.Expr | None, step: int, count: int = 1
    ) -> None:
        """Record that the cards in a local variable are in a bag until a step."""
        if not isinstance(source, m.FieldValue) or not isinstance(source.type, m.Bag):
            return
        match source.owner:
            case None | m.Const():
                owner = None
            case m.Local(slot=owner):
                pass
            case _:
                return
        size = self.w.facts.sizes[source.type.domain]
        name = self.w.source.new_name("x")
        row = self.w.row(source)
        self.w.source.function(name, "s, f", [f"return {row.text}"])
        promise = Promise(step, slot, owner, name, size, count, source)
        self.unit.promises.append(promise)

    def keeps(self, node: m.Each, slot: int) -> None:
        """Record that a hidden variable stores the remaining members of a loop."""
        grade = self.teaching.grade(self.code, node.set)
        if grade == NOTHING:
            return
        if grade == OTHERS:
            self.unit.hidden_from.add(slot)
        places = (node.slot + FIRST_LOCAL, slot + FIRST_LOCAL)
        self.unit.rounds.append(Round(node.set, grade, *places))

    def own_steps(self, node: Any, first: int, open_: bool) -> range:
        """Return the steps of a statement, without those of its blocks."""
        if isinstance(node, LEAVES):
            return range(first, max(first + 1, len(self.steps)))
        loops = isinstance(node, m.Each | m.Repeat)  # a test before each round
        more = open_ if isinstance(node, m.Choose | m.Ask) else loops
        return range(first, first + 1 + more)

    def settle_here(self, node: Any, here: int, number: int) -> None:
        """Write the evaluation of triggers at a label just placed; a frame may wait
        here.
        """
        self.point(node, here, number)
        settles = Jump("if g.triggers and g.settle(f, ", here, "):")
        self.add(settles, f"    return {SWITCH}")

    def finish(self) -> None:
        """Write the last step, and add all steps as functions."""
        end = self.place(0)
        self.name(end, "the end")
        if self.unit.wakes:
            self.add(f"g.triggers |= {self.unit.wakes}")
        self.close("return g.leave()")
        names = [self.w.source.new_name("p") for _ in self.steps]
        for name, lines in zip(names, self.steps, strict=True):
            self.w.source.function(name, "g, s, f", placed(lines, self.places))
        self.w.source.linkers.append(lambda: self.linked(names))

    def linked(self, names: list[str]) -> None:
        """Pass the compiled steps to the unit."""
        self.unit.steps = [self.fetch(name) for name in names]
        for promise in self.unit.promises:
            promise.row = self.fetch(promise.row)
        self.unit.points = {self.at(label): name for label, name in self.names}
        for (label, _), slots in zip(self.names, self.bound_at, strict=True):
            here = self.unit.bound.get(self.at(label), slots)
            self.unit.bound[self.at(label)] = here & slots
        self.unit.empty = [None] * len(self.unit.slots)
        for split, label in zip(self.unit.splits, self.splits, strict=True):
            split.again = self.at(label)


# ---------------------------------------------------------------- control


def _step(t: Flow, node: m.Step, end: int) -> None:
    del end
    t.part(node.body)


def _blocks(t: Flow, node: Blocks, end: int) -> None:
    """Write the branch of an `if` that is always taken, then start a new step.

    The new step keeps the names of steps equal to those of the book.
    """
    del end
    for block in node.blocks:
        t.body(block.body)
    done = t.label()
    t.close(goes_to(done))
    t.place(done)


def _if(t: Flow, node: m.If, end: int) -> None:
    del end
    otherwise, done = t.label(), t.label()
    t.add(f"if not {t.w.text(node.condition)}:", *indented([goes_to(otherwise)]))
    t.body(node.body)
    t.close(goes_to(done))
    t.place(otherwise)
    t.body(node.otherwise)
    t.place(done)


def _each(t: Flow, node: m.Each, end: int) -> None:
    del end
    [rest], slots = t.hidden(node), t.stand(node).slots
    member = t.w.slot(node.slot).text
    t.add(f"{rest} = tuple({t.w.code(node.set).text})")
    t.keeps(t.book(node), slots[0])
    loop(t, node, rest, member, [], [])


def loop(
    t: Flow,
    node: m.Each | m.Together,
    rest: str,
    at: str,
    begin: Lines,
    end: Lines,
) -> None:
    """Write the loop over the remaining members in a hidden variable.

    `begin` are lines before each round, and `end` those before the end of the loop.
    """
    again, done = t.here(), t.label()
    if isinstance(node, m.Together):
        t.splits.append(again)
    leave: Lines = [f"{rest} = {at} = None", *end, goes_to(done)]
    t.add(*begin, f"r = {rest}", "if not r:", *indented(leave))
    t.add(f"{at} = r[0]", f"{rest} = r[1:]")
    if node.where is not None and isinstance(node, m.Each):
        t.add(*unless(t.w.code(node.where), [goes_to(again)]))
    with t.binding(node.slot, *t.stand(node).slots):
        t.body(node.body)
    t.close(goes_to(again))
    t.place(done)


def _together(t: Flow, node: m.Together, end: int) -> None:
    del end
    rest, own, all_of_them = t.hidden(node)
    member = t.w.slot(node.slot).text
    chosen = code.call("tuple", t.w.candidates(node))
    t.add(f"{rest} = in_turn(s, {t.w.facts.players}, {chosen.text})")
    t.add(f"{own} = g.split is None", f"{all_of_them} = {rest}")
    t.add(f"if {own}:", "    g.split, g.answered = tuple(s), ()")
    last = t.stand(node).slots[-1] + FIRST_LOCAL
    at, part = node.slot + FIRST_LOCAL, bound_in_part(t.code, t.book(node))
    t.unit.splits.append(Split(last - 1, last - 2, last, at, part))
    forget: Lines = (
        ["".join(f"f[{place}] = " for place in part) + "None"] if part else []
    )
    ended: Lines = [f"if {own}:", "    g.split, g.answered = None, ()"]
    end_split: Lines = [*ended, f"{own} = {all_of_them} = None"]
    loop(t, node, rest, member, forget, end_split)


def _repeat(t: Flow, node: m.Repeat, end: int) -> None:
    del end
    [left] = t.hidden(node)
    t.add(f"{left} = {t.w.code(node.times).text}")
    again, done = t.here(), t.label()
    through = [code.compared(code.name(left), "<=", code.literal(0))]
    if node.until is not None:
        through.append(t.w.code(node.until))
    leave: Lines = [f"{left} = None", goes_to(done)]
    t.add(f"if {code.chain('or', through).text}:", *indented(leave))
    t.add(f"{left} -= 1", "g.goes_on()")
    with t.binding(*t.stand(node).slots):
        t.body(node.body)
    t.close(goes_to(again))
    t.place(done)


def _call(t: Flow, node: m.Call, end: int) -> None:
    del end
    after = t.label()
    t.close(
        Jump("f[1] = ", after),
        f"g.frames.append({new_frame(t, node)})",
        f"return {SWITCH}",
    )
    t.place(after)
    t.point(node, after)


def _carry_out(t: Flow, node: m.CarryOut, end: int) -> None:
    del end
    after = t.label()
    units = [
        t.procedures[name][1] if name in t.procedures else -1
        for name in procedures_of_cards(t.w.facts, node)
    ]
    table = t.w.source.table((*units, -1))
    who = t.w.slot(m.YOU) if node.who is None else t.w.text(node.who)
    nobody = "" if node.who is None else " or v < 0"
    t.close(
        f"u, v = {table}[{t.w.code(node.card).text}], {who}",
        f"if u < 0{nobody}:",
        *indented([goes_to(after)]),
        Jump("f[1] = ", after),
        "g.frames.append(g.plan.units[u].frame(v))",
        f"return {SWITCH}",
    )
    t.place(after)
    t.point(node, after)


def _wins(t: Flow, node: m.Wins, end: int) -> None:
    del end
    over = f"return g.finish(r, {node.reason!r})"
    t.add(f"r = {ranks(t.w, node).text}")
    if surely_wins(t.w.facts, node):
        t.close(over)
    else:
        t.add("if r:", f"    {over}")


def _game_ends(t: Flow, node: m.GameEnds, end: int) -> None:
    del node, end
    t.close("return g.ends()")


FLOWS: FlowTable = {
    m.Step: _step,
    m.If: _if,
    Blocks: _blocks,
    m.Each: _each,
    m.Together: _together,
    m.Repeat: _repeat,
    m.Call: _call,
    m.CarryOut: _carry_out,
    m.Wins: _wins,
    m.GameEnds: _game_ends,
}
