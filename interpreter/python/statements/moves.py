"""Python code for moves of cards between bags, stacks and fields."""

from __future__ import annotations

from interpreter.core.optional import may_hold_none
from interpreter.plan.queries import CardHolder, everybody
from interpreter.python.expressions.values import there_is
from interpreter.python.statements.effects import Effects, EffectTable
from interpreter.source import code
from interpreter.source.code import Binds, Code
from interpreter.source.failures import Failing
from interpreter.source.lines import Lines, guarded, indented
from rulebook import model as m
from rulebook import tooling

M, N = code.name("m"), code.name("n")
ZERO = code.literal(0)


class Holder(CardHolder):
    """Source or destination of moved cards, as Python code.

    `node` is the statement, which failures report.
    """

    def __init__(self, t: Effects, value: m.Expr | None, node: m.Stmt) -> None:
        super().__init__(t.w.facts, value)
        self.t = t
        self.span = node.span

    @property
    def tests(self) -> list[Code]:
        """Conditions that the holder exists, if its owner may be none."""
        owner = None if self.value is None else self.value.owner
        if owner is None or not may_hold_none(owner):
            return []
        return [there_is(self.t.w, owner)]

    @property
    def row(self) -> Code:
        """Code for the index of the holder's first cell."""
        assert self.value is not None
        return self.t.w.row(self.value)

    @property
    def cell(self) -> Code:
        """Code for the holder's first cell, which contains a whole stack or
        one card.
        """
        return code.cell(self.row)

    def count(self, member: Code) -> Code:
        """Return code for the cell in which a bag counts a card."""
        return code.cell(code.added(self.row, member))

    def held(self, member: Code) -> Code:
        """Return code for the number of copies of a card in the holder."""
        if self.is_stack:
            return code.call("stack_count", self.cell, member)
        if self.is_slot:
            return code.call("int", code.compared(self.cell, "==", member))
        return self.count(member)

    def take(self, member: Code, number: Code, knowing: str) -> Lines:
        """Return the lines that remove cards; `knowing` are the seats that
        know them.
        """
        assert self.value is not None
        lines: Lines
        if self.is_stack:
            statement = f"{self.cell} = take({self.cell}, {member.text}, {knowing})"
            lines = [f"for _ in range({number.text}):", f"    {statement}"]
        elif self.is_slot:
            lines = [f"if {number.text}: {self.cell} = -1"]
        else:
            lines = [f"{self.count(member)} -= {number.text}"]
        return lines + self.t.written(self.value, knowing)

    def put(self, member: Code, number: Code, end: m.StackEnd, seats: str) -> Lines:
        """Return the lines that add cards; `seats` know them."""
        assert self.value is not None
        what = f"{self.cell}, {member.text}, {number.text}"
        if self.is_stack:
            lines = self.room(f"len({self.cell}[0])", number)
            lines.append(f"{self.cell} = put({what}, {str(end)!r}, {seats})")
        elif self.is_slot:
            assert self.block is not None
            here = self.t.w.source.given(Failing(self.span, self.block.field))
            lines = [f"{self.cell} = filled({what}, {here})"]
        else:
            lines = self.room(self.count(member).text, number)
            lines.append(f"{self.count(member)} += {number.text}")
        return lines + self.t.written(self.value, seats)

    def room(self, held: str, number: Code) -> Lines:
        """Return the lines that limit the number of cards from outside."""
        if not self.may_grow:
            return []
        assert self.block is not None
        field = self.block.field
        here = self.t.w.source.given(Failing(field.span, field))
        return [f"if {held} + {number} > {tooling.HOLDER_MAX}: too_many({here})"]

    def audience(self) -> str:
        """Return code for the seats that see the contents, as bits."""
        if self.is_open:
            return str(everybody(self.facts))
        owner = self.onlooker
        if owner is None:
            return "0"
        seat = self.t.w.code(owner)
        return f"seat_bit({seat.text})" if may_hold_none(owner) else f"(1 << {seat})"


def knowing(
    t: Effects, source: Holder, destination: Holder, chooser: m.Expr | None
) -> str:
    """Return code for the seats that know a card which was chosen and moved."""
    who = t.w.slot(m.YOU) if chooser is None else t.w.code(chooser)
    parts = [source.audience(), destination.audience(), f"seat_bit({who.text})"]
    every = str(everybody(t.w.facts))
    return every if every in parts else f"({' | '.join(parts)})"


def transfer(
    t: Effects,
    source: Holder,
    destination: Holder,
    member: Code,
    number: Code,
    end: m.StackEnd,
    chooser: m.Expr | None = None,
) -> Lines:
    """Return the lines that move copies of one card."""
    lines: Lines = []
    seats = knowing(t, source, destination, chooser)
    if source.counts:
        lines += source.take(member, number, seats)
    if destination.counts:
        lines += destination.put(member, number, end, seats)
    return guarded(source.tests + destination.tests, lines) if lines else lines


def _move_cards(t: Effects, node: m.MoveCards) -> Lines:
    source = Holder(t, node.source, node)
    destination = Holder(t, node.destination, node)
    if isinstance(node.bag, m.SingleBag):
        return _move_of_one(t, node, node.bag.member, node.bag.count)
    if isinstance(node.bag, m.Const) and not node.up_to:
        return _move_known(t, node, source, destination, node.bag.value)
    lines: Lines = []
    if node.up_to and source.counts:
        lines = [f"n = min(n, {source.held(M).text})"]
    lines += not_there(t, node, source, M, N)
    lines += transfer(t, source, destination, M, N, node.end)
    head = f"for m, n in enumerate({t.w.code(node.bag).text}):"
    return [head, "    if n:", *indented(indented(lines or ["pass"]))]


def _move_known(
    t: Effects,
    node: m.MoveCards,
    source: Holder,
    destination: Holder,
    bag: tuple[int, ...],
) -> Lines:
    """Return the lines that move a constant set of cards, kind by kind."""
    lines: Lines = []
    for card, count in enumerate(bag):
        if count:
            member, number = code.literal(card), code.literal(count)
            lines += not_there(t, node, source, member, number)
            lines += transfer(t, source, destination, member, number, node.end)
    return lines


def _move_of_one(t: Effects, node: m.MoveCards, card: m.Expr, count: m.Expr) -> Lines:
    """Return the lines that move copies of one given card."""
    source = Holder(t, node.source, node)
    destination = Holder(t, node.destination, node)
    lines: Lines = []
    member, number = t.w.code(card), amount(t, count)
    if not isinstance(card, m.Const | m.Local):
        lines.append(f"m = {member.text}")
        member = M
    if node.up_to and source.counts:
        lines.append(f"n = max(min({number.text}, {source.held(member).text}), 0)")
        number = N
    elif not number.known:
        lines.append(f"n = max({number.text}, 0)")
        number = N
    tests = []
    if may_hold_none(card):
        tests = [code.compared(member, ">=", ZERO)]
    moved = not_there(t, node, source, member, number)
    moved += transfer(t, source, destination, member, number, node.end, t.chooser(card))
    return lines + guarded(tests, moved)


def amount(t: Effects, count: m.Expr) -> Code:
    """Return code for the number of moved cards; a negative number counts as 0."""
    number, surely = t.w.code(count), tooling.range_of(t.w.facts.model, count)
    if surely is not None and surely.low >= 0:
        return number
    return code.call("max", number, ZERO)


def not_there(
    t: Effects, node: m.MoveCards, source: Holder, member: Code, number: Code
) -> Lines:
    """Return the lines that check that the source contains the cards."""
    if node.up_to or not source.counts:
        return []
    assert source.block is not None
    here = t.w.source.given(Failing(node.bag.span, source.block.field))
    tests = [*source.tests, code.compared(source.held(member), "<", number)]
    return [f"if {code.chain('and', tests).at(Binds.OR)}: not_there({here})"]


def _move_all(t: Effects, node: m.MoveAll) -> Lines:
    source = Holder(t, node.source, node)
    destination = Holder(t, node.destination, node)
    assert source.block is not None
    if node.member is None:
        held = t.w.code(node.source)
        lines = transfer(t, source, destination, M, N, m.StackEnd.TOP)
        if source.is_slot:
            return [f"m, n = {held.text}, 1", "if m >= 0:", *indented(lines)]
        cards = code.call("contents", held) if source.is_stack else held
        head = f"for m, n in enumerate({cards.text}):"
        return [head, "    if n:", *indented(indented(lines or ["pass"]))]
    first: Lines = [f"m = {t.w.code(node.member).text}", f"n = {source.held(M).text}"]
    moved = transfer(t, source, destination, M, N, m.StackEnd.TOP)
    tests = [code.compared(M, ">=", ZERO)] if may_hold_none(node.member) else []
    return first + guarded(tests, moved)


def _shuffle(t: Effects, node: m.Shuffle) -> Lines:
    holder = Holder(t, node.stack, node)
    return [f"{holder.cell} = shuffled({holder.cell})"]


EFFECTS: EffectTable = {
    m.MoveCards: _move_cards,
    m.MoveAll: _move_all,
    m.Shuffle: _shuffle,
}
