"""Statements that neither ask nor draw, as lines of Python over `g`, `s` and `f`.

`g` is the running state, `s` its cells, `f` the frame. A write that an award or a rule
reads marks it in `g.triggers`. Loops and conditions around such statements become
Python's own; everything that may wait is in `interpreter.flow`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import rulebook as rb
from interpreter.assertion import told_by
from interpreter.budget import statements_in
from interpreter.expressions import FIRST_LOCAL, Writer, tally_index
from interpreter.failing import Failing
from interpreter.layout import BACKWARDS, MISSING, NEXT, STARTER, Block
from interpreter.missing import may_hold_none
from interpreter.source import indented

Lines = list[str]
Effect = Callable[["Effects", Any], Lines]
EFFECTS: dict[type, Effect] = {}
WAITING = (
    rb.Choose,
    rb.Gather,
    rb.Ask,
    rb.DrawCard,
    rb.RollDice,
    rb.ChanceChoose,
    rb.Spread,
    rb.Sees,
    rb.Reveal,
    rb.CarryOut,
    rb.Wins,
    rb.GameEnds,
    rb.Together,
)


def effect(kind: type) -> Callable[[Effect], Effect]:
    """Enter a template for a class of statements."""

    def enter(template: Effect) -> Effect:
        EFFECTS[kind] = template
        return template

    return enter


class Quiet:
    """Tells which statements and procedures never wait and never end the game."""

    def __init__(self, model: rb.Model) -> None:
        self.model = model
        self.known: dict[str, bool] = {}

    def block(self, statements: Iterable[Any]) -> bool:
        """Whether none of the statements waits."""
        return all(self.statement(statement) for statement in statements)

    def statement(self, node: Any) -> bool:
        """Whether a statement never waits."""
        match node:
            case rb.Call():
                return self.procedure(node.procedure)
            case rb.If():
                return self.block(node.body) and self.block(node.otherwise)
            case rb.Each() | rb.Repeat() | rb.Step():
                return self.block(node.body)
            case _:
                return not isinstance(node, WAITING)

    def procedure(self, name: str) -> bool:
        """Whether a procedure never waits."""
        if name not in self.known:
            self.known[name] = self.block(self.model.procedures[name].body)
        return self.known[name]


def counted(block: Iterable[Any]) -> Lines:
    """Return the line that counts the statements of a block."""
    number = statements_in(block)
    return [f"g.executed += {number}"] if number else []


class Effects:
    """Writes the statements of one unit; `stop` is the line that leaves it."""

    def __init__(
        self, writer: Writer, procedures: dict[str, tuple[str, int]], stop: str
    ) -> None:
        self.w = writer
        self.procedures = procedures
        self.stop = stop

    def block(self, statements: Iterable[Any]) -> Lines:
        """Return the lines of a block, which counts when it begins."""
        return [*counted(statements), *self.lines(statements)]

    def lines(self, statements: Iterable[Any]) -> Lines:
        """Return the lines of some statements."""
        lines: Lines = []
        for statement in statements:
            lines.extend(EFFECTS[type(statement)](self, statement))
        return lines

    def nested(self, statements: Iterable[Any]) -> Lines:
        """Return the lines of a block one level further in."""
        return indented(self.block(statements) or ["pass"])

    def mark(self, part: str) -> Lines:
        """Return the line that wakes what reads a part of the state."""
        mask = self.w.facts.masks.get(part, 0)
        return [f"g.triggers |= {mask}"] if mask else []

    def chooser(self, member: rb.Expr) -> rb.Expr | None:
        """Return the seat that chose a card which is moved; None: nobody did."""
        del member
        return None

    def written(
        self, field: rb.FieldValue | rb.SetField, knowing: str | None = None
    ) -> Lines:
        """Return what follows a write of a field: it is no longer as it was seen.

        Seats that know what was moved (`knowing`, as bits) still know what is in it.
        """
        key = self.w.facts.key(field.field, field.owner)
        block = self.w.facts.layout.fields[key]
        lines = self.mark(f"field {key}")
        if block.seen is not None:
            owner = "0" if field.owner is None else self.w.text(field.owner)
            change = "= 0" if knowing is None else f"&= {knowing}"
            lines.append(f"s[{block.seen} + {owner}] {change}")
        return lines


# ---------------------------------------------------------------- variables and fields


@effect(rb.SetLocal)
def _set_local(t: Effects, node: rb.SetLocal) -> Lines:
    return [f"{t.w.slot(node.slot)} = {t.w.text(node.value)}"]


@effect(rb.SetTally)
def _set_tally(t: Effects, node: rb.SetTally) -> Lines:
    t.w.facts.tallies[node.slot] = node.domains
    slot = t.w.slot(node.slot)
    if node.value is None:
        size = 1
        for domain in node.domains:
            size *= t.w.facts.sizes[domain]
        return [f"{slot} = (0,) * {size}"]
    place = tally_index(t.w, node.slot, node.indices)
    lines = [f"{slot} = changed({slot}, {place}, {t.w.text(node.value)})"]
    tests = [f"{t.w.text(i)} >= 0" for i in node.indices if may_hold_none(i)]
    return guarded(tests, lines)


def guarded(tests: list[str], lines: Lines) -> Lines:
    """Put lines under conditions, if there are any."""
    if not tests:
        return lines
    return [f"if {' and '.join(tests)}:", *indented(lines)]


@effect(rb.SetField)
def _set_field(t: Effects, node: rb.SetField) -> Lines:
    place = rb.FieldValue(node.field, node.owner, type=node.value.type)
    block = t.w.facts.block(place)
    row, value = t.w.row(place), t.w.text(node.value)
    if isinstance(block.field.type, rb.Bag):
        end = t.w.source.folded(f"({row} + {block.size})")
        lines = [f"s[{row}:{end}] = {value}"]
    else:
        lines = [f"s[{row}] = {value}", *beyond(t, node, block.field, row)]
    lines += t.written(node)
    tests = []
    if node.owner is not None and may_hold_none(node.owner):
        tests = [f"{t.w.text(node.owner)} >= 0"]
    return guarded(tests, lines)


def beyond(t: Effects, node: rb.SetField, field: rb.Field, row: str) -> Lines:
    """Return the lines that see that a number lies in the range of its field."""
    kind, value = field.type, rb.surely(t.w.facts.model, node.value)
    if not isinstance(kind, rb.Whole):
        return []
    if value is not None and kind.low <= value.low and value.high <= kind.high:
        return []
    here = t.w.source.given(Failing(node.span, field))
    return [f"if not {kind.low} <= s[{row}] <= {kind.high}: beyond({here}, s[{row}])"]


@effect(rb.NextTurn)
def _next_turn(t: Effects, node: rb.NextTurn) -> Lines:
    who = t.w.text(node.who)
    return guarded([f"0 <= {who} < {t.w.facts.players}"], [f"s[{NEXT}] = {who}"])


@effect(rb.MissesTurn)
def _misses_turn(t: Effects, node: rb.MissesTurn) -> Lines:
    everybody = (1 << t.w.facts.players) - 1
    return [f"s[{MISSING}] |= seat_bit({t.w.text(node.who)}) & {everybody}"]


@effect(rb.TurnsGo)
def _turns_go(t: Effects, node: rb.TurnsGo) -> Lines:
    way = f"not s[{BACKWARDS}]"
    if node.way != "other way":
        way = str(node.way == "counterclockwise")
    return [f"s[{BACKWARDS}] = {way}", *t.mark("turn")]


@effect(rb.Starts)
def _starts(t: Effects, node: rb.Starts) -> Lines:
    tests = [f"{t.w.text(node.who)} >= 0"] if may_hold_none(node.who) else []
    return guarded(tests, [f"s[{STARTER}] = {t.w.text(node.who)}"])


# ---------------------------------------------------------------- cards


class Holder:
    """A holder of cards in a move: a bag or stack field, or outside the game.

    `node` is the statement, which is where it fails if it does.
    """

    def __init__(self, t: Effects, value: rb.Expr | None, node: rb.Stmt) -> None:
        self.t = t
        self.span = node.span
        self.value: rb.FieldValue | None = None
        self.block: Block | None = None
        if value is not None:
            assert isinstance(value, rb.FieldValue), value
            self.value = value
            self.block = t.w.facts.block(value)

    @property
    def counts(self) -> bool:
        """Whether moves change it: it is in the game and can run out."""
        return self.block is not None and not self.block.field.endless

    @property
    def is_stack(self) -> bool:
        """Whether it is a stack."""
        return self.block is not None and isinstance(self.block.field.type, rb.Stack)

    @property
    def is_slot(self) -> bool:
        """Whether it holds one card or none."""
        return self.block is not None and isinstance(self.block.field.type, rb.Member)

    @property
    def tests(self) -> list[str]:
        """The condition that there is such a holder, where its owner may be none."""
        owner = None if self.value is None else self.value.owner
        if owner is None or not may_hold_none(owner):
            return []
        return [f"{self.t.w.text(owner)} >= 0"]

    @property
    def row(self) -> str:
        """The index of its first cell."""
        assert self.value is not None
        return self.t.w.row(self.value)

    def held(self, member: str) -> str:
        """Return how many cards of a member it holds."""
        if self.is_stack:
            return f"stack_count(s[{self.row}], {member})"
        if self.is_slot:
            return f"int(s[{self.row}] == {member})"
        return f"s[{self.row} + {member}]"

    def take(self, member: str, number: str, knowing: str) -> Lines:
        """Return the lines that take out cards which some seats know."""
        assert self.value is not None
        if self.is_stack:
            one = f"s[{self.row}] = take(s[{self.row}], {member}, {knowing})"
            lines = [f"for _ in range({number}):", f"    {one}"]
        elif self.is_slot:
            lines = [f"if {number}: s[{self.row}] = -1"]
        else:
            lines = [f"s[{self.row} + {member}] -= {number}"]
        return lines + self.t.written(self.value, knowing)

    def put(self, member: str, number: str, end: str, seats: str) -> Lines:
        """Return the lines that put in cards which some seats know."""
        assert self.value is not None
        if self.is_stack:
            put = f"put(s[{self.row}], {member}, {number}, {end!r}, {seats})"
            lines = [*self.room(f"len(s[{self.row}][0])", number)]
            lines.append(f"s[{self.row}] = {put}")
        elif self.is_slot:
            assert self.block is not None
            here = self.t.w.source.given(Failing(self.span, self.block.field))
            put = f"filled(s[{self.row}], {member}, {number}, {here})"
            lines = [f"s[{self.row}] = {put}"]
        else:
            lines = self.room(f"s[{self.row} + {member}]", number)
            lines.append(f"s[{self.row} + {member}] += {number}")
        return lines + self.t.written(self.value, seats)

    def room(self, held: str, number: str) -> Lines:
        """Return the lines that see that not too many cards come from outside."""
        assert self.block is not None
        field = self.block.field
        if getattr(field.type, "domain", None) not in self.t.w.facts.growing:
            return []
        here = self.t.w.source.given(Failing(field.span, field))
        return [f"if {held} + {number} > {rb.HOLDER_MAX}: too_many({here})"]

    def audience(self) -> str:
        """Return the seats that see what lies in it, as bits."""
        everybody = (1 << self.t.w.facts.players) - 1
        if self.block is None or self.block.field.seen_by == "all":
            return str(everybody)
        owned = self.block.field.owner == "player"
        if self.block.field.seen_by == "owner" and owned:
            assert self.value is not None and self.value.owner is not None
            owner = self.t.w.text(self.value.owner)
            sure = not may_hold_none(self.value.owner)
            return f"(1 << {owner})" if sure else f"seat_bit({owner})"
        return "0"


def knowing(
    t: Effects, source: Holder, destination: Holder, chooser: rb.Expr | None
) -> str:
    """Return the seats that know a card which was chosen and moved."""
    who = t.w.slot(rb.YOU) if chooser is None else t.w.text(chooser)
    parts = [source.audience(), destination.audience(), f"seat_bit({who})"]
    everybody = str((1 << t.w.facts.players) - 1)
    return everybody if everybody in parts else f"({' | '.join(parts)})"


def transfer(
    t: Effects,
    source: Holder,
    destination: Holder,
    member: str,
    number: str,
    end: str,
    chooser: rb.Expr | None = None,
) -> Lines:
    """Return the lines that move cards of one member."""
    lines: Lines = []
    seats = knowing(t, source, destination, chooser)
    if source.counts:
        lines += source.take(member, number, seats)
    if destination.counts:
        lines += destination.put(member, number, end, seats)
    return guarded(source.tests + destination.tests, lines) if lines else lines


@effect(rb.MoveCards)
def _move_cards(t: Effects, node: rb.MoveCards) -> Lines:
    source = Holder(t, node.source, node)
    destination = Holder(t, node.destination, node)
    lines: Lines = []
    if isinstance(node.bag, rb.SingleBag):
        member, number = t.w.text(node.bag.member), amount(t, node.bag.count)
        if not member.isidentifier() and not member.isdigit():
            lines.append(f"m = {member}")
            member = "m"
        if node.up_to and source.counts:
            lines.append(f"n = max(min({number}, {source.held(member)}), 0)")
            number = "n"
        elif not number.isdigit():
            lines.append(f"n = max({number}, 0)")
            number = "n"
        tests = [f"{member} >= 0"] if may_hold_none(node.bag.member) else []
        chooser = t.chooser(node.bag.member)
        moved = not_there(t, node, source, member, number)
        moved += transfer(t, source, destination, member, number, node.end, chooser)
        return lines + guarded(tests, moved)
    if node.up_to and source.counts:
        lines = [f"n = min(n, {source.held('m')})"]
    lines += not_there(t, node, source, "m", "n")
    lines += transfer(t, source, destination, "m", "n", node.end)
    head = f"for m, n in enumerate({t.w.text(node.bag)}):"
    return [head, "    if n:", *indented(indented(lines or ["pass"]))]


def amount(t: Effects, count: rb.Expr) -> str:
    """Return how many cards are moved; fewer than none are none."""
    text, surely = t.w.text(count), rb.surely(t.w.facts.model, count)
    return text if surely is not None and surely.low >= 0 else f"max({text}, 0)"


def not_there(
    t: Effects, node: rb.MoveCards, source: Holder, member: str, number: str
) -> Lines:
    """Return the lines that see that cards lie where they are taken from."""
    if node.up_to or not source.counts:
        return []
    assert source.block is not None
    here = t.w.source.given(Failing(node.bag.span, source.block.field))
    tests = [*source.tests, f"{source.held(member)} < {number}"]
    return [f"if {' and '.join(tests)}: not_there({here})"]


@effect(rb.MoveAll)
def _move_all(t: Effects, node: rb.MoveAll) -> Lines:
    source = Holder(t, node.source, node)
    destination = Holder(t, node.destination, node)
    assert source.block is not None
    if node.member is None:
        held = t.w.text(node.source)
        lines = transfer(t, source, destination, "m", "n", "top")
        if source.is_slot:
            return [f"m, n = {held}, 1", "if m >= 0:", *indented(lines)]
        cards = f"contents({held})" if source.is_stack else held
        head = f"for m, n in enumerate({cards}):"
        return [head, "    if n:", *indented(indented(lines or ["pass"]))]
    lines = [f"m = {t.w.text(node.member)}", f"n = {source.held('m')}"]
    moved = transfer(t, source, destination, "m", "n", "top")
    tests = ["m >= 0"] if may_hold_none(node.member) else []
    return lines + guarded(tests, moved)


@effect(rb.Shuffle)
def _shuffle(t: Effects, node: rb.Shuffle) -> Lines:
    holder = Holder(t, node.stack, node)
    return [f"s[{holder.row}] = shuffled(s[{holder.row}])"]


# ---------------------------------------------------------------- control


@effect(rb.Stop)
def _stop(t: Effects, node: rb.Stop) -> Lines:
    del node
    return [t.stop]


@effect(rb.Require)
def _require(t: Effects, node: rb.Require) -> Lines:
    told = told_by(node.condition, t.w.facts.shared)
    here = t.w.source.given((node, told))
    values = "".join([f"{t.w.text(part)}, " for part in told])
    return [f"if not {t.w.text(node.condition)}:", f"    failed({here}, ({values}))"]


@effect(rb.Step)
def _step(t: Effects, node: rb.Step) -> Lines:
    return t.lines(node.body)


@effect(rb.If)
def _if(t: Effects, node: rb.If) -> Lines:
    condition = t.w.text(node.condition)
    if condition in {"True", "False"}:
        return t.block(node.body if condition == "True" else node.otherwise)
    lines = [f"if {condition}:", *t.nested(node.body)]
    if node.otherwise:
        lines += ["else:", *t.nested(node.otherwise)]
    return lines


@effect(rb.Each)
def _each(t: Effects, node: rb.Each) -> Lines:
    members = t.w.text(node.set)
    with t.w.binding(node.slot) as name:
        lines = [f"for {name} in {members}:"]
        if node.where is not None:
            lines += [f"    if not {t.w.text(node.where)}:", "        continue"]
        return lines + t.nested(node.body)


@effect(rb.Repeat)
def _repeat(t: Effects, node: rb.Repeat) -> Lines:
    head = f"for _ in range({t.w.text(node.times)}):"
    asked: Lines = []
    if node.until is not None:
        asked = [f"    if {t.w.text(node.until)}:", "        break"]
    return [head, *asked, "    g.goes_on()", *t.nested(node.body)]


@effect(rb.Call)
def _call(t: Effects, node: rb.Call) -> Lines:
    return [f"{t.procedures[node.procedure][0]}(g, s, {new_frame(t, node)})"]


def new_frame(t: Effects, node: rb.Call) -> str:
    """Return the text of a frame for a procedure that is called."""
    _, unit = t.procedures[node.procedure]
    arguments = ", ".join(t.w.text(argument) for argument in node.arguments)
    return f"g.plan.units[{unit}].frame({t.w.slot(rb.YOU)}, {arguments})"


__all__ = ["EFFECTS", "FIRST_LOCAL", "Effects", "Holder", "Quiet", "new_frame"]
