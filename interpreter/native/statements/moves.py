"""C code for moves of cards between bags, stacks and fields."""

from __future__ import annotations

from interpreter.core.optional import may_hold_none
from interpreter.native.statements.effects import CEffects, EffectTable, Lines, under
from interpreter.plan.queries import CardHolder, everybody
from rulebook import model as m
from rulebook import tooling


class CHolder(CardHolder):
    """Source or destination of moved cards, as C code."""

    def __init__(self, t: CEffects, value: m.Expr | None) -> None:
        super().__init__(t.w.facts, value)
        self.t = t
        self.w = t.w

    @property
    def tests(self) -> Lines:
        """C conditions that the holder exists, if its owner may be none."""
        return [] if self.value is None else self.t.there_is(self.value.owner)

    @property
    def stack(self) -> str:
        """C address of the stack."""
        assert self.value is not None
        return self.w.stack(self.value)

    @property
    def cell(self) -> str:
        """C code of the slot's cell."""
        assert self.value is not None
        return self.w.cell(self.w.row(self.value))

    def count(self, member: str) -> str:
        """Return the C code of the cell in which a bag counts a card."""
        assert self.value is not None
        return self.w.cell(f"{self.w.row(self.value)} + {member}")

    def held(self, member: str) -> str:
        """Return the C number of copies of a card in the holder."""
        if self.is_stack:
            return f"stack_held({self.stack}, {member})"
        if self.is_slot:
            return f"({self.cell} == {member})"
        return self.count(member) if self.counts else "ENDLESS"

    def take(self, member: str, number: str, knowing: str) -> Lines:
        """Return the C lines that remove cards; `knowing` are the seats that
        know them.
        """
        assert self.value is not None
        if self.is_stack:
            i = self.w.file.new("i")
            take = f"stack_take(g, {self.stack}, {member}, {knowing});"
            lines = [f"for (num {i} = 0; {i} < {number}; {i}++) {take}"]
        elif self.is_slot:
            lines = [f"if ({number}) {self.cell} = -1;"]
        else:
            cell = self.count(member)
            lines = [f"{cell} = (cell)({cell} - {number});"]
        return lines + self.t.written(self.value, knowing)

    def put(self, member: str, number: str, end: m.StackEnd, knowing: str) -> Lines:
        """Return the C lines that add cards; `knowing` are the seats that know them."""
        assert self.value is not None
        if self.is_stack:
            lines = self.room(f"{self.stack}->size", number)
            on_top = int(end is m.StackEnd.TOP)
            what = f"{self.stack}, {member}, {number}, {on_top}, {knowing}"
            lines.append(f"stack_put(g, {what});")
        elif self.is_slot:
            wrong = self.t.fails(f"{self.cell} >= 0")
            put = f"{self.cell} = (cell){member};"
            lines = [f"if ({number}) {{", wrong, f"{put} }}"]
        else:
            cell = self.count(member)
            lines = self.room(cell, number)
            lines.append(f"{cell} = (cell)({cell} + {number});")
        return lines + self.t.written(self.value, knowing)

    def room(self, held: str, number: str) -> Lines:
        """Return the C lines that limit the number of cards from outside."""
        if not self.may_grow:
            return []
        return [self.t.fails(f"{held} + {number} > {tooling.HOLDER_MAX}")]

    def audience(self) -> str:
        """Return the seats that see the contents, as bits in C."""
        if self.is_open:
            return all_seats(self.t)
        seat = self.onlooker
        return "0" if seat is None else f"bit({self.w.value(seat)})"


def all_seats(t: CEffects) -> str:
    """Return all seats as bits in C."""
    return f"{everybody(t.w.facts)}u"


def knowing(
    t: CEffects, source: CHolder, destination: CHolder, chooser: m.Expr | None
) -> str:
    """Return the seats, as bits in C, that know a card which was chosen and moved."""
    who = t.w.slot(m.YOU) if chooser is None else t.w.value(chooser)
    parts = [source.audience(), destination.audience(), f"bit({who})"]
    every = all_seats(t)
    return every if every in parts else f"({' | '.join(parts)})"


def transfer(
    t: CEffects,
    source: CHolder,
    destination: CHolder,
    member: str,
    number: str,
    end: m.StackEnd,
    chooser: m.Expr | None = None,
) -> Lines:
    """Return the C lines that move copies of one card."""
    lines: Lines = []
    seats = knowing(t, source, destination, chooser)
    if source.counts:
        lines += source.take(member, number, seats)
    if destination.counts:
        lines += destination.put(member, number, end, seats)
    return under(source.tests + destination.tests, lines)


def _move_cards(t: CEffects, node: m.MoveCards) -> Lines:
    bag = node.bag
    source, destination = CHolder(t, node.source), CHolder(t, node.destination)
    if isinstance(bag, m.SingleBag):
        return _move_of_one(t, node, bag.member, bag.count)
    lines: Lines = []
    if isinstance(node.bag, m.Const) and not node.up_to:
        for card, count in enumerate(node.bag.value):
            if count:
                number = t.w.amount(count, node.bag, card)
                lines += not_there(t, node, source, str(card), number)
                lines += transfer(t, source, destination, str(card), number, node.end)
        return lines
    member, number = t.w.file.new("m"), t.w.file.new("n")
    if node.up_to and source.counts:
        lines = [f"{number} = smaller({number}, {source.held(member)});"]
    lines += not_there(t, node, source, member, number)
    lines += transfer(t, source, destination, member, number, node.end)
    return through_bag(t, node.bag, member, number, lines)


def through_bag(
    t: CEffects, bag: m.Expr, member: str, number: str, lines: Lines
) -> Lines:
    """Return the C lines that repeat `lines` for each kind of card in a bag."""
    array, size = t.w.file.new("b"), t.w.kinds(bag.type)
    fill = f"num {array}[{size}]; {t.w.filled(bag, array)}"
    if isinstance(bag.type, m.Stack):
        k = t.w.file.new("k")
        fill = (
            f"num {array}[{size}]; for (num {k} = 0; {k} < {size}; {k}++) "
            f"{array}[{k}] = {t.w.count(bag, k)};"
        )
    head = f"for (num {member} = 0; {member} < {size}; {member}++) {{"
    count = f"VAR {number} = {array}[{member}]; if (!{number}) continue;"
    return ["{", fill, head, count, *lines, "} }"]


def _move_of_one(t: CEffects, node: m.MoveCards, card: m.Expr, count: m.Expr) -> Lines:
    """Return the C lines that move copies of one given card."""
    source, destination = CHolder(t, node.source), CHolder(t, node.destination)
    member, number = t.w.file.new("m"), t.w.file.new("n")
    amount = t.w.value(count)
    if node.up_to and source.counts:
        amount = f"smaller({amount}, {source.held(member)})"
    tests = [f"{member} >= 0"] if may_hold_none(card) else []
    moved = not_there(t, node, source, member, number)
    moved += transfer(t, source, destination, member, number, node.end, t.chooser(card))
    lines = [f"{{ VAR {member} = {t.w.value(card)};"]
    lines += [f"VAR {number} = at_least_0({amount});", *under(tests, moved), "}"]
    return lines


def not_there(
    t: CEffects, node: m.MoveCards, source: CHolder, member: str, number: str
) -> Lines:
    """Return the C line that checks that the source contains the cards to be moved."""
    if node.up_to or not source.counts:
        return []
    tests = [*source.tests, f"{source.held(member)} < {number}"]
    return [t.fails(" && ".join(tests))]


def _move_all(t: CEffects, node: m.MoveAll) -> Lines:
    source, destination = CHolder(t, node.source), CHolder(t, node.destination)
    member, number = t.w.file.new("m"), t.w.file.new("n")
    lines = transfer(t, source, destination, member, number, m.StackEnd.TOP)
    if node.member is None:
        if not source.is_slot:
            return through_bag(t, node.source, member, number, lines)
        held = t.w.value(node.source)
        return [
            f"{{ VAR {member} = {held}; VAR {number} = 1;",
            f"if ({member} >= 0) {{",
            *lines,
            "} }",
        ]
    tests = [f"{member} >= 0"] if may_hold_none(node.member) else []
    first = f"{{ VAR {member} = {t.w.value(node.member)};"
    held = source.held(member)
    return [first, f"VAR {number} = {held};", *under(tests, lines), "}"]


def _shuffle(t: CEffects, node: m.Shuffle) -> Lines:
    return [f"stack_shuffle({CHolder(t, node.stack).stack});"]


EFFECTS: EffectTable = {
    m.MoveCards: _move_cards,
    m.MoveAll: _move_all,
    m.Shuffle: _shuffle,
}
