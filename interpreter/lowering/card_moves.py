"""Lowering of moves of cards between bags, stacks and fields."""

from __future__ import annotations

from interpreter.core.layout import ENDLESS, Block
from interpreter.core.optional import may_be_none
from interpreter.expressions.card_values import kinds_of
from interpreter.expressions.lowerer import NONE, ZERO, add, all_of, at_least_0, exists
from interpreter.kernel import operations as k
from interpreter.lowering.statement_effects import EffectTable, StatementLowerer
from rulebook import model as m
from rulebook import tooling
from rulebook.signatures import Failure


class LoweredHolder:
    """Source or target of moved cards: a bag, stack or slot, or outside the game."""

    def __init__(self, t: StatementLowerer, value: m.Expr | None, node: m.Stmt) -> None:
        self.t = t
        self.facts = t.low.facts
        self.span = node.span
        self.value: m.FieldValue | None = None
        self.block: Block | None = None
        if value is not None:
            assert m.is_field(value), value
            self.value = value
            self.block = self.facts.block(value)

    @property
    def has_count(self) -> bool:
        """Whether the holder's cards are counted: it is in the game and not endless."""
        return self.block is not None and not self.block.field.endless

    @property
    def is_stack(self) -> bool:
        """Whether the holder is a stack."""
        return self.block is not None and isinstance(self.block.field.type, m.Stack)

    @property
    def is_slot(self) -> bool:
        """Whether the holder is a slot, which contains one card or none."""
        return self.block is not None and isinstance(self.block.field.type, m.Member)

    @property
    def may_grow(self) -> bool:
        """Whether the holder can receive cards from outside the game."""
        assert self.block is not None
        domain = getattr(self.block.field.type, "domain", None)
        return domain in self.facts.growing_domains

    @property
    def is_public(self) -> bool:
        """Whether everybody sees the cards in the holder."""
        return self.block is None or self.block.field.seen_by is m.Audience.ALL

    @property
    def only_viewer(self) -> m.Expr | None:
        """Seat that alone sees the holder's cards; None if all seats or none do."""
        if self.block is None:
            return None
        field = self.block.field
        if field.seen_by is not m.Audience.OWNER or not field.each_player:
            return None
        assert self.value is not None and self.value.owner is not None
        return self.value.owner

    @property
    def existence_test(self) -> k.Value | None:
        """Condition that the holder's owner exists, or None if that is certain."""
        owner = None if self.value is None else self.value.owner
        if owner is None or not may_be_none(owner):
            return None
        return exists(self.t.low.value(owner))

    @property
    def stack(self) -> k.Stack:
        """Holder as a kernel stack."""
        assert self.value is not None
        return self.t.low.stack(self.value)

    @property
    def cell(self) -> k.Value:
        """First cell of the holder."""
        assert self.value is not None
        return self.t.low.first_cell(self.value)

    def count_of(self, card: k.Value) -> k.Value:
        """Return the number of cards of a kind in the holder."""
        if self.is_stack:
            return k.Element(k.StackRow(self.stack), card)
        if self.is_slot:
            return k.CountTrue((k.CompareValues("==", k.Load(self.cell), card),))
        return k.Load(add(self.cell, card)) if self.has_count else k.Int(ENDLESS)

    def take(self, card: k.Value, number: k.Value, observers: k.Value) -> k.Block:
        """Return the operations that remove cards; seats in *observers* know them."""
        assert self.value is not None
        ops: k.Block
        if self.is_stack:
            take = k.StackTake(self.stack, card, observers)
            ops = (take,) if is_one(number) else (k.Times(number, None, (take,)),)
        elif self.is_slot:
            ops = unless_zero(number, (k.Store(self.cell, NONE),))
        else:
            cell = add(self.cell, card)
            ops = (k.Store(cell, k.Binary("-", k.Load(cell), number)),)
        return (*ops, *self.t.after_write(self.value, observers))

    def put(
        self, card: k.Value, number: k.Value, end: m.StackEnd, observers: k.Value
    ) -> k.Block:
        """Return the operations that add cards; seats in *observers* know them."""
        assert self.value is not None
        ops: k.Block
        if self.is_stack:
            on_top = end is m.StackEnd.TOP
            put = k.StackPut(self.stack, card, number, on_top, observers)
            ops = (*self.limit_check(k.StackSize(self.stack), number), put)
        elif self.is_slot:
            full = k.CompareValues(">=", k.Load(self.cell), ZERO)
            fail = self.fail(full, Failure.NOT_FREE)
            ops = unless_zero(number, (fail, k.Store(self.cell, card)))
        else:
            cell = add(self.cell, card)
            more = k.Store(cell, k.Binary("+", k.Load(cell), number))
            ops = (*self.limit_check(k.Load(cell), number), more)
        return (*ops, *self.t.after_write(self.value, observers))

    def fail(self, condition: k.Value, reason: Failure) -> k.Statement:
        """Return the operation that fails if a condition is true."""
        assert self.block is not None
        return k.Fail(condition, reason, self.span, self.block.field)

    def limit_check(self, held_count: k.Value, number: k.Value) -> k.Block:
        """Return the check of the limit on cards; empty if the holder cannot grow."""
        if not self.may_grow:
            return ()
        assert self.block is not None
        field = self.block.field
        more = k.Binary("+", held_count, number)
        beyond = k.CompareValues(">", more, k.Int(tooling.HOLDER_MAX))
        return (k.Fail(beyond, Failure.TOO_MANY, field.span, field),)

    def audience(self) -> k.Value:
        """Return the seats that see the holder's contents, as bits."""
        if self.is_public:
            return k.Int(self.facts.all_seats)
        owner = self.only_viewer
        return ZERO if owner is None else k.SeatBit(self.t.low.value(owner))


def is_one(number: k.Value) -> bool:
    """Return whether a number is certainly 1."""
    return isinstance(number, k.Int | k.Amount) and number.value == 1


def unless_zero(number: k.Value, ops: k.Block) -> k.Block:
    """Return a block that is skipped if a number is 0."""
    return ops if is_one(number) else (k.When(number, ops),)


def union(*seats: k.Value) -> k.Value:
    """Return the union of sets of seats, as bits."""
    left = [seat for seat in dict.fromkeys(seats) if seat != ZERO]
    result = left[0] if left else ZERO
    for seat in left[1:]:
        result = k.Binary("|", result, seat)
    return result


def informed_seats(
    t: StatementLowerer,
    source: LoweredHolder,
    destination: LoweredHolder,
    chooser: m.Expr | None,
) -> k.Value:
    """Return the seats that know a moved card, as bits.

    They see it in one of its places, or one of them chose it.
    """
    who = ZERO if chooser is None else k.SeatBit(t.low.value(chooser))
    every = k.Int(t.low.facts.all_seats)
    parts = (source.audience(), destination.audience(), who)
    return every if every in parts else union(*parts)


def transfer(
    t: StatementLowerer,
    source: LoweredHolder,
    destination: LoweredHolder,
    card: k.Value,
    number: k.Value,
    end: m.StackEnd,
    chooser: m.Expr | None = None,
) -> k.Block:
    """Return the operations that move cards of one kind, without a presence check."""
    ops: k.Block = ()
    seats = informed_seats(t, source, destination, chooser)
    if source.has_count:
        ops += source.take(card, number, seats)
    if destination.has_count:
        ops += destination.put(card, number, end, seats)
    test = all_of(source.existence_test, destination.existence_test)
    return ops if test is None or not ops else (k.When(test, ops),)


def presence_check(
    node: m.MoveCards, source: LoweredHolder, card: k.Value, number: k.Value
) -> k.Block:
    """Return the check that the source contains enough cards; empty if unnecessary."""
    if node.up_to or not source.has_count:
        return ()
    assert source.block is not None
    short = all_of(
        source.existence_test, k.CompareValues("<", source.count_of(card), number)
    )
    assert short is not None
    return (k.Fail(short, Failure.NOT_THERE, node.bag.span, source.block.field),)


def _move_cards(t: StatementLowerer, node: m.MoveCards) -> k.Block:
    source = LoweredHolder(t, node.source, node)
    destination = LoweredHolder(t, node.destination, node)
    match node.bag:
        case m.SingleBag(member=card, count=count):
            return move_one_kind(t, node, source, destination, card, count)
        case bag if m.is_constant(bag) and not node.up_to:
            return move_constant_cards(t, node, source, destination, bag.value)
        case bag:
            kind, number = k.Var(t.low.new_slot()), k.Var(t.low.new_slot())
            moved: k.Value = number
            before: k.Block = ()
            if node.up_to and source.has_count:
                moved = k.Var(t.low.new_slot())
                fewer = k.Binary("min", number, source.count_of(kind))
                before = (k.Bind(moved.slot, fewer),)
            ops = (
                *before,
                *presence_check(node, source, kind, moved),
                *transfer(t, source, destination, kind, moved, node.end),
            )
            return (for_counts(t, bag, kind, number, ops),)


def move_constant_cards(
    t: StatementLowerer,
    node: m.MoveCards,
    source: LoweredHolder,
    destination: LoweredHolder,
    counts: tuple[int, ...],
) -> k.Block:
    """Return the operations that move a constant set of cards, kind by kind."""
    ops: k.Block = ()
    for kind, number in enumerate(counts):
        if number:
            card, amount = k.Int(kind), k.Amount(number, node.bag, (kind,))
            ops += presence_check(node, source, card, amount)
            you = m.you(node.bag.span)
            ops += transfer(t, source, destination, card, amount, node.end, you)
    return ops


def for_counts(
    t: StatementLowerer, bag: m.Expr, card: k.Var, number: k.Var, ops: k.Block
) -> k.Statement:
    """Return the operation that runs a block for each kind of card in a bag."""
    size = kinds_of(t.low, bag.type)
    return k.ForCounts(card.slot, number.slot, t.low.row(bag), size, ops)


def move_one_kind(
    t: StatementLowerer,
    node: m.MoveCards,
    source: LoweredHolder,
    destination: LoweredHolder,
    card: m.Expr,
    count: m.Expr,
) -> k.Block:
    """Return the operations that evaluate a card and a count, and move these cards."""
    kind, amount, binds = t.low.value(card), t.low.value(count), []
    if not isinstance(kind, k.Int | k.Var):
        new = k.Var(t.low.new_slot(), t.low.size_of(card))
        binds.append(k.Bind(new.slot, kind))
        kind = new
    natural = t.low.is_natural(count)
    if node.up_to and source.has_count:
        amount, natural = k.Binary("min", amount, source.count_of(kind)), False
    if not natural:
        amount = at_least_0(amount)
    if not isinstance(amount, k.Int | k.Amount | k.Var):
        number = k.Var(t.low.new_slot())
        binds.append(k.Bind(number.slot, amount))
        amount = number
    moved = presence_check(node, source, kind, amount)
    moved += transfer(t, source, destination, kind, amount, node.end, t.chooser(card))
    if may_be_none(card) and moved:
        moved = (k.When(exists(kind), moved),)
    return (k.Scope((*binds, *moved)),) if binds else moved


def _move_all(t: StatementLowerer, node: m.MoveAll) -> k.Block:
    source = LoweredHolder(t, node.source, node)
    destination = LoweredHolder(t, node.destination, node)
    card, number = k.Var(t.low.new_slot()), k.Var(t.low.new_slot())
    top = m.StackEnd.TOP
    if node.member is None and not source.is_slot:
        ops = transfer(t, source, destination, card, number, top)
        return (for_counts(t, node.source, card, number, ops),)
    if node.member is None:
        held = k.Bind(card.slot, t.low.value(node.source))
        ops = transfer(t, source, destination, card, k.Int(1), top)
        return (k.Scope((held, k.When(exists(card), ops))),)
    ops = transfer(t, source, destination, card, number, top)
    if may_be_none(node.member):
        ops = (k.When(exists(card), ops),)
    first = k.Bind(card.slot, t.low.value(node.member))
    return (k.Scope((first, k.Bind(number.slot, source.count_of(card)), *ops)),)


EFFECTS: EffectTable = {
    m.MoveCards: _move_cards,
    m.MoveAll: _move_all,
    m.Shuffle: lambda t, node: (k.StackShuffle(t.low.stack(node.stack)),),
}
