"""Units with statements that wait, flattened to numbered steps with jumps.

A step is a Python function of (g, s, f) that returns the number of the next step, or
WAIT or SWITCH. Every step at which a frame can be left standing has a name, made of the
labels round it and of what it is: so a position says where it stands without numbers.
Labels are written `@n@` in the text and replaced by step numbers at the end.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import attrs

import rulebook as rb
from interpreter.actions import ActionSpace
from interpreter.effects import Effects, Lines, Quiet, counted, new_frame
from interpreter.expressions import FIRST_LOCAL, Writer
from interpreter.reads import children, walk
from interpreter.secrecy import NOTHING, OTHERS
from interpreter.source import indented
from interpreter.state import SWITCH
from interpreter.superlatives import ranks, surely_wins
from interpreter.teaching import LEAVES, Teaching

LABEL = re.compile(r"@(\d+)@")
BINDERS = (
    rb.SetLocal,
    rb.SetTally,
    rb.Reveal,
    rb.ChanceChoose,
    rb.Choose,
    rb.Each,
    rb.Together,
)


@attrs.define
class Split:
    """Where a simultaneous block keeps its players: places in the frame, a step.

    `member` is the player whose part it is, `part` the places of what is bound in it.
    """

    began: int
    rest: int
    everybody: int
    member: int
    part: tuple[int, ...]
    again: int = 0

    @property
    def own(self) -> tuple[int, ...]:
        """The places that tell who is asked, which everybody knows."""
        return (self.began, self.rest, self.everybody, self.member)


@attrs.define
class Round:
    """A loop that keeps who is left, where it hangs on something hidden who that is.

    `grade` says who knows it; `member` and `rest` are places in the frame.
    """

    set: rb.Expr
    grade: int
    member: int
    rest: int


@attrs.define
class Promise:
    """Cards in a local that lie in a bag: they are picked there, or will be moved.

    `step` is up to where, `slot` the local's, `owner` the slot of the bag's owner
    if that is a local, `row` gives the bag's first cell, `count` how many of a card.
    """

    step: int
    slot: int
    owner: int | None
    row: Any
    size: int
    count: int


@attrs.define(eq=False)
class Unit:
    """A code unit that is ready to run. `points` are names of steps by number.

    `slots` are the names of the locals, the hidden ones of loops included; `types` are
    their types, where they have one that is a value's. `splits` are its simultaneous
    blocks, `tallies` the domains of its tallies by slot, `whole` the function that a
    unit is which never waits. `wakes` are the triggers that are woken when it ends: the
    rule whose procedure it is.
    `teaches` are the steps by which a seat may learn what was hidden from it,
    `hidden_from` the slots that the seat of a frame may not know, `grades` who knows
    which. `promises` are cards that will be moved, `rounds` loops over what is hidden,
    `binders` slots with their steps. `bound` are the places of the locals that have a
    value wherever a step has a name.
    """

    name: str
    slots: tuple[str, ...]
    types: tuple[rb.Type | None, ...]
    visible: int
    steps: list[Callable[..., int]] = attrs.field(factory=list)
    points: dict[int, str] = attrs.field(factory=dict)
    splits: list[Split] = attrs.field(factory=list)
    tallies: dict[int, tuple[str, ...]] = attrs.field(factory=dict)
    promises: list[Promise] = attrs.field(factory=list)
    rounds: list[Round] = attrs.field(factory=list)
    binders: list[tuple[int, int]] = attrs.field(factory=list)
    bound: dict[int, frozenset[int]] = attrs.field(factory=dict)
    grades: dict[int, int] = attrs.field(factory=dict)
    teaches: set[int] = attrs.field(factory=set)
    hidden_from: set[int] = attrs.field(factory=set)
    whole: Callable[..., Any] | None = None
    code: rb.Procedure | rb.Action | None = None
    number: int = 0
    wakes: int = 0
    empty: list[None] = attrs.field(factory=list)

    @property
    def hidden(self) -> int:
        """How many locals belong to loops."""
        return len(self.slots) - self.visible

    def frame(self, *values: Any) -> list[Any]:
        """Return a new frame; the values are of the first slots."""
        return [self.number, 0, *values, *self.empty[len(values) :]]


class Flow(Effects):
    """Flattens one unit."""

    def __init__(
        self,
        writer: Writer,
        procedures: dict[str, tuple[str, int]],
        quiet: Quiet,
        unit: Unit,
        code: rb.Procedure | rb.Action,
        actions: ActionSpace,
        teaching: Teaching,
    ) -> None:
        super().__init__(writer, procedures, "return @0@")
        self.quiet = quiet
        self.unit = unit
        self.code = code
        self.actions = actions
        self.teaching = teaching
        self.steps: list[Lines] = []
        self.current: Lines | None = None
        self.places: dict[int, int] = {}
        self.labels = 0
        self.path: list[str] = []
        self.used: dict[str, int] = {}
        self.names: list[tuple[int, str]] = []
        self.bound: list[int] = [one.slot for one in code.parameters]
        self.bound_at: list[frozenset[int]] = []
        self.splits: list[int] = []

    # ------------------------------------------------------------ building

    def add(self, *lines: str) -> None:
        """Add lines to the step that is being written."""
        if self.current is None:
            self.current = []
        self.current.extend(lines)

    def close(self, *lines: str) -> None:
        """Add the last lines of a step; the last one returns."""
        self.add(*lines)
        assert self.current is not None
        self.steps.append(self.current)
        self.current = None

    def label(self) -> int:
        """Return a new label that has no place yet."""
        self.labels += 1
        return self.labels

    def place(self, label: int) -> int:
        """Put a label here, at the beginning of a step."""
        if self.current is not None:
            self.close(f"return {len(self.steps) + 1}")
        self.places[label] = len(self.steps)
        return label

    def here(self) -> int:
        """Return a label that is placed here."""
        return self.place(self.label())

    def point(self, what: str, label: int | None = None) -> str:
        """Name the step that begins here (or at a label) where a frame may stand."""
        name = "/".join([*self.path, what])
        number = self.used[name] = self.used.get(name, 0) + 1
        full = name if number == 1 else f"{name} {number}"
        self.name(self.here() if label is None else label, full)
        return full

    def name(self, label: int, full: str) -> None:
        """Name the step of a label, with what has a value where the label is made."""
        self.names.append((label, full))
        self.bound_at.append(frozenset(self.bound))

    def at(self, label: int) -> int:
        """Return the step number of a label, when all are placed."""
        return self.places[label]

    def hide(self, name: str, kind: rb.Type | None = None) -> str:
        """Return a new hidden local; a position writes it by its type."""
        self.unit.slots = (*self.unit.slots, name)
        self.unit.types = (*self.unit.types, kind)
        return f"f[{self.last_slot + FIRST_LOCAL}]"

    @property
    def last_slot(self) -> int:
        """The slot of the newest hidden local."""
        return len(self.unit.slots) - 1

    def link(self, make: Callable[[], Any]) -> str:
        """Return the name of an object that is made when all steps are known."""
        source = self.w.source
        name = source.new_name("D")
        source.linkers.append(lambda: source.names.__setitem__(name, make()))
        return name

    def fetch(self, name: str) -> Any:
        """Return a compiled function (in a linker)."""
        return self.w.source.names[name]

    def value(self, expression: rb.Expr) -> str:
        """Return the name of a function that gives a value."""
        return self.w.function(expression)

    def common(self, point: str, label: int) -> dict[str, Any]:
        """Return what every waiting step knows of itself (in a linker)."""
        return {"unit": self.unit.number, "pc": self.at(label), "name": point}

    def chooser(self, member: rb.Expr) -> rb.Expr | None:
        """Return the seat that chose a card which is moved; None: nobody did."""
        if isinstance(member, rb.Local):
            for node in walk(*self.code.body):
                if isinstance(node, rb.Choose) and node.slot == member.slot:
                    return node.who
        return None

    # ------------------------------------------------------------ blocks

    @contextmanager
    def binding(self, *slots: int) -> Iterator[None]:
        """Let slots have a value inside."""
        self.bound += slots
        yield
        del self.bound[-len(slots) :]

    def body(self, block: Sequence[Any]) -> None:
        """Flatten a block, which counts when it begins."""
        if block:
            self.add(*counted(block))
        self.part(block)

    def part(self, statements: Sequence[Any]) -> None:
        """Flatten statements, the end of which may be left for."""
        end, before = self.label(), len(self.bound)
        for statement in statements:
            self.statement(statement, end)
            self.bound += surely_bound(statement)
        self.place(end)
        del self.bound[before:]

    def statement(self, node: Any, end: int) -> None:
        """Flatten a statement; `end` is the label at the end of its block."""
        first, open_ = len(self.steps), self.current is not None
        if self.quiet.statement(node):
            if self.teaching.anything(self.code, [node]):
                self.unit.teaches.add(first)
            self.note(node, first)
            self.add(*self.lines([node]))
            return
        FLOWS[type(node)](self, node, end)
        if self.teaching.statement(self.code, node):
            self.unit.teaches.update(self.own_steps(node, first, open_))

    def note(self, node: Any, step: int) -> None:
        """Note what a statement that never waits binds and moves."""
        for inner in walk(node):
            self.unit.binders += [(slot, step) for slot in slots_of(inner)]
            match inner:
                case rb.MoveCards(
                    bag=rb.SingleBag(
                        member=rb.Local(slot=slot), count=rb.Const(value=count)
                    ),
                    up_to=False,
                ):
                    self.promise(slot, inner.source, step, count)
                case rb.MoveCards(bag=rb.Local(slot=slot), up_to=False):
                    self.promise(slot, inner.source, step)
                case _:
                    pass

    def promise(
        self, slot: int, source: rb.Expr | None, step: int, count: int = 1
    ) -> None:
        """Note that up to a step the cards that a local holds lie in a bag."""
        if not isinstance(source, rb.FieldValue) or not isinstance(source.type, rb.Bag):
            return
        match source.owner:
            case None | rb.Const():
                owner = None
            case rb.Local(slot=owner):
                pass
            case _:
                return
        size = self.w.facts.sizes[source.type.domain]
        name = self.w.source.new_name("x")
        self.w.source.function(name, "s, f", [f"return {self.w.row(source)}"])
        self.unit.promises.append(Promise(step, slot, owner, name, size, count))

    def keeps(self, node: rb.Each) -> None:
        """Note that the last hidden local keeps who is left of a loop."""
        grade, slot = self.teaching.grade(self.code, node.set), len(self.unit.slots) - 1
        if grade == NOTHING:
            return
        if grade == OTHERS:
            self.unit.hidden_from.add(slot)
        places = (node.slot + FIRST_LOCAL, slot + FIRST_LOCAL)
        self.unit.rounds.append(Round(node.set, grade, *places))

    def own_steps(self, node: Any, first: int, open_: bool) -> range:
        """Return the steps that a statement is, those of its blocks left aside."""
        if isinstance(node, LEAVES):
            return range(first, max(first + 1, len(self.steps)))
        loops = isinstance(node, rb.Each | rb.Repeat)  # a test before each round
        more = open_ if isinstance(node, rb.Choose | rb.Ask) else loops
        return range(first, first + 1 + more)

    def settle_here(self, here: int, what: str) -> None:
        """Settle at a label just placed; a frame may be left standing here."""
        self.point(what, here)
        self.add(f"if g.triggers and g.settle(f, @{here}@):", f"    return {SWITCH}")

    def finish(self) -> None:
        """Write the last step, and all steps as functions."""
        end = self.place(0)
        self.name(end, "the end")
        if self.unit.wakes:
            self.add(f"g.triggers |= {self.unit.wakes}")
        self.close("return g.leave()")
        names = [self.w.source.new_name("p") for _ in self.steps]
        for name, lines in zip(names, self.steps, strict=True):
            text = [LABEL.sub(lambda m: str(self.places[int(m[1])]), x) for x in lines]
            self.w.source.function(name, "g, s, f", text)
        self.w.source.linkers.append(lambda: self.linked(names))

    def linked(self, names: list[str]) -> None:
        """Hand the compiled steps to the unit."""
        self.unit.steps = [self.fetch(name) for name in names]
        for one in self.unit.promises:
            one.row = self.fetch(one.row)
        self.unit.points = {self.at(label): name for label, name in self.names}
        for (label, _), slots in zip(self.names, self.bound_at, strict=True):
            here = self.unit.bound.get(self.at(label), slots)
            self.unit.bound[self.at(label)] = here & slots
        self.unit.empty = [None] * len(self.unit.slots)
        for split, label in zip(self.unit.splits, self.splits, strict=True):
            split.again = self.at(label)


FLOWS: dict[type, Callable[[Flow, Any, int], None]] = {}


def flows(kind: type) -> Callable[..., Callable[[Flow, Any, int], None]]:
    """Enter a function that flattens a class of statements."""

    def enter(
        function: Callable[[Flow, Any, int], None],
    ) -> Callable[[Flow, Any, int], None]:
        FLOWS[kind] = function
        return function

    return enter


# ---------------------------------------------------------------- control


@flows(rb.Step)
def _step(t: Flow, node: rb.Step, end: int) -> None:
    del end
    t.path.append(node.label)
    t.part(node.body)
    t.path.pop()


@flows(rb.If)
def _if(t: Flow, node: rb.If, end: int) -> None:
    del end
    otherwise, done = t.label(), t.label()
    t.add(f"if not {t.w.text(node.condition)}:", f"    return @{otherwise}@")
    t.body(node.body)
    t.close(f"return @{done}@")
    t.place(otherwise)
    t.body(node.otherwise)
    t.place(done)


@flows(rb.Each)
def _each(t: Flow, node: rb.Each, end: int) -> None:
    del end
    rest = t.hide(f"remaining {node.name}", node.set.type)
    hidden = [t.last_slot]
    member = t.w.slot(node.slot)
    t.add(f"{rest} = tuple({t.w.text(node.set)})")
    t.keeps(node)
    loop(t, node, rest, member, [], [], hidden)


def loop(
    t: Flow,
    node: rb.Each | rb.Together,
    rest: str,
    at: str,
    begin: Lines,
    end: Lines,
    hidden: list[int],
) -> None:
    """Write the loop over the members that are left in a hidden local.

    `begin` are lines before each round, and before the end of the loop; `hidden` are
    the slots of its hidden locals.
    """
    again, done = t.here(), t.label()
    if isinstance(node, rb.Together):
        t.splits.append(again)
    leave = [f"{rest} = {at} = None", *end, f"return @{done}@"]
    t.add(*begin, f"r = {rest}", "if not r:", *indented(leave))
    t.add(f"{at} = r[0]", f"{rest} = r[1:]")
    if node.where is not None and isinstance(node, rb.Each):
        t.add(f"if not {t.w.text(node.where)}:", f"    return @{again}@")
    with t.binding(node.slot, *hidden):
        t.body(node.body)
    t.close(f"return @{again}@")
    t.place(done)


@flows(rb.Together)
def _together(t: Flow, node: rb.Together, end: int) -> None:
    del end
    rest = t.hide(f"remaining {node.name}", node.set.type)
    member = t.w.slot(node.slot)
    own = t.hide("began", rb.Truth())
    all_of_them = t.hide("everybody", node.set.type)
    with t.w.binding(node.slot) as name:
        where = "" if node.where is None else f" if {t.w.text(node.where)}"
        chosen = f"tuple([{name} for {name} in {t.w.members(node)}{where}])"
    t.add(f"{rest} = in_turn(s, {t.w.facts.players}, {chosen})")
    t.add(f"{own} = g.split is None", f"{all_of_them} = {rest}")
    t.add(f"if {own}:", "    g.split, g.answered = tuple(s), ()")
    last = len(t.unit.slots) - 1 + FIRST_LOCAL
    at, part = node.slot + FIRST_LOCAL, bound_in_part(t.code, node)
    t.unit.splits.append(Split(last - 1, last - 2, last, at, part))
    forget = ["".join(f"f[{place}] = " for place in part) + "None"] if part else []
    ended = [f"if {own}:", "    g.split, g.answered = None, ()"]
    end_split = [*ended, f"{own} = {all_of_them} = None"]
    loop(
        t,
        node,
        rest,
        member,
        forget,
        end_split,
        [last - FIRST_LOCAL - n for n in range(3)],
    )


def bound_in_part(code: rb.Procedure | rb.Action, node: rb.Together) -> tuple[int, ...]:
    """Return the places of what only the body of a simultaneous block binds.

    They are emptied between the parts: nobody finds there what another has chosen.
    """
    inside = dict.fromkeys(bound(*node.body))
    outside = {one.slot for one in code.parameters} | {rb.YOU, node.slot}
    left: list[rb.Part] = list(code.body)
    while left:
        part = left.pop()
        if part is not node:
            outside.update(slots_of(part))
            left.extend(children(part))
    return tuple(slot + FIRST_LOCAL for slot in inside if slot not in outside)


def bound(*nodes: Any) -> Iterator[int]:
    """Yield the slots that statements bind."""
    for node in walk(*nodes):
        yield from slots_of(node)


def surely_bound(node: Any) -> tuple[int, ...]:
    """Return the slots that have a value in what follows a statement in its block."""
    match node:
        case rb.Gather(bag=bag):
            return (bag,)
        case rb.Choose(optional=True):
            return ()
        case rb.Choose() | rb.ChanceChoose() | rb.Reveal() | rb.SetLocal():
            return (node.slot,)
        case rb.SetTally():
            return (node.slot,)
        case rb.DrawCard(slot=int(slot)):
            return (slot,)
        case _:
            return ()


def slots_of(node: Any) -> tuple[int, ...]:
    """Return the slots that one statement binds."""
    match node:
        case rb.Gather(slot=slot, bag=bag):
            return (slot, bag)
        case rb.DrawCard(slot=slot):
            return () if slot is None else (slot,)
        case _ if isinstance(node, BINDERS):
            return (node.slot,)
        case _:
            return ()


@flows(rb.Repeat)
def _repeat(t: Flow, node: rb.Repeat, end: int) -> None:
    del end
    left = t.hide("times left", rounds_of(node.times))
    hidden = t.last_slot
    t.add(f"{left} = {t.w.text(node.times)}")
    again, done = t.here(), t.label()
    through = f"{left} <= 0"
    if node.until is not None:
        through += f" or {t.w.text(node.until)}"
    t.add(f"if {through}:", f"    {left} = None", f"    return @{done}@")
    t.add(f"{left} -= 1", "g.goes_on()")
    with t.binding(hidden):
        t.body(node.body)
    t.close(f"return @{again}@")
    t.place(done)


def rounds_of(times: rb.Expr) -> rb.Whole:
    """Return the type of how many rounds of a loop are left."""
    most = times.type.high if isinstance(times.type, rb.Whole) else rb.HOLDER_MAX
    return rb.Whole(0, max(0, most))


@flows(rb.Call)
def _call(t: Flow, node: rb.Call, end: int) -> None:
    del end
    after = t.label()
    t.close(
        f"f[1] = @{after}@",
        f"g.frames.append({new_frame(t, node)})",
        f"return {SWITCH}",
    )
    t.place(after)
    t.point(f"after {node.procedure}", after)


@flows(rb.CarryOut)
def _carry_out(t: Flow, node: rb.CarryOut, end: int) -> None:
    del end
    assert isinstance(node.card.type, rb.Member)
    after = t.label()
    units = [
        t.procedures[f"card.{card}"][1] if f"card.{card}" in t.procedures else -1
        for card in t.w.facts.names[node.card.type.domain]
    ]
    table = t.w.source.table((*units, -1))
    who = t.w.slot(rb.YOU) if node.who is None else t.w.text(node.who)
    nobody = "" if node.who is None else " or v < 0"
    t.close(
        f"u, v = {table}[{t.w.text(node.card)}], {who}",
        f"if u < 0{nobody}:",
        f"    return @{after}@",
        f"f[1] = @{after}@",
        "g.frames.append(g.plan.units[u].frame(v))",
        f"return {SWITCH}",
    )
    t.place(after)
    t.point("after the card", after)


@flows(rb.Wins)
def _wins(t: Flow, node: rb.Wins, end: int) -> None:
    del end
    over = f"return g.finish(r, {node.reason!r})"
    t.add(f"r = {ranks(t.w, node)}")
    if surely_wins(t.w, node):
        t.close(over)
    else:
        t.add("if r:", f"    {over}")


@flows(rb.GameEnds)
def _game_ends(t: Flow, node: rb.GameEnds, end: int) -> None:
    del node, end
    t.close("return g.ends()")
