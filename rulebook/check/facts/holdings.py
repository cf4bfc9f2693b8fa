"""Facts about cards in holders, and how card moves change them.

A fact survives a move only if the move cannot make it false: the holder or the card
certainly differs, or enough cards remain.
"""

from __future__ import annotations

from collections.abc import Iterator

from rulebook import model as m
from rulebook.check.typing.ranges import Facts, range_given_facts
from rulebook.model.value_types import Bag, Member, Stack
from rulebook.signatures import CardTransfer

MINIMUMS = (m.Comparison.AT_LEAST, m.Comparison.MORE)

# ---------------------------------------------------------------- facts


def certainly_has(facts: Facts, holder: m.Expr | None, bag: m.Expr) -> bool:
    """Return whether the facts ensure that a holder has all cards of a bag."""
    if holder is None:
        return False
    facts = (*facts, *(least for fact in facts for least in implied_minimums(fact)))
    if any(_states_holding(fact, holder, bag) for fact in facts):
        return True
    lots = list(_card_lots(bag))
    return bool(lots) and all(_has_enough(facts, holder, lot) for lot in lots)


def _states_holding(fact: m.Expr, holder: m.Expr, bag: m.Expr) -> bool:
    """Return whether one fact states that exactly this holder has these cards."""
    match fact, bag:
        case m.Covers(), _:
            return fact.holder == holder and fact.bag == bag
        case m.Compare(op=m.Comparison.EQUAL, left=left, right=right), m.SingleBag(
            member=card
        ):
            return (left, right) in ((holder, card), (card, holder))
    return False


def _card_lots(bag: m.Expr) -> Iterator[m.SingleBag]:
    """Yield a bag as one lot for each different card, or nothing for a computed bag."""
    match bag:
        case m.SingleBag():
            yield bag
        case m.Const(value=tuple() as numbers, type=Bag(domain=domain)):
            for card, number in enumerate(numbers):
                if number:
                    member = m.constant(card, Member(domain))
                    yield m.single_bag(m.number(number), member)


def _has_enough(facts: Facts, holder: m.Expr, lot: m.SingleBag) -> bool:
    """Return whether the facts ensure enough copies of a lot's card in a holder."""
    owned = m.count_in(holder, lot.member)
    if range_given_facts(owned, facts).low >= range_given_facts(lot.count, facts).high:
        return True
    rest = m.subtract(owned, lot.count, owned.type)
    return range_given_facts(rest, facts).low >= 0


def implied_minimums(fact: m.Expr) -> Facts:
    """Return the minimum card counts that a fact implies, as `at least` facts."""
    match fact:
        case m.Compare(op=m.Comparison.AT_LEAST, left=m.CountIn(), right=m.Const()):
            return ()
        case m.Compare(left=left, right=right):
            counts = [side for side in (left, right) if isinstance(side, m.CountIn)]
            lows = [(count, range_given_facts(count, (fact,)).low) for count in counts]
        case m.Covers(holder=holder, bag=bag):
            lows = [
                (m.count_in(holder, lot.member), range_given_facts(lot.count, ()).low)
                for lot in _card_lots(bag)
            ]
        case m.Contains(set=m.KindsIn(holder=holder), member=card):
            lows = [(m.count_in(holder, card), 1)]
        case _:
            return ()
    return tuple(m.at_least(count, low, count.span) for count, low in lows if low > 0)


def surely_differ(left: m.Expr | None, right: m.Expr | None, facts: Facts) -> bool:
    """Return whether two values certainly differ, given the facts."""
    if m.is_constant(left) and m.is_constant(right):
        return bool(left.value != right.value)
    return any(
        _implies_difference(fact, left, right) or _implies_difference(fact, right, left)
        for fact in facts
        if m.is_comparison(fact) and fact.op.is_equality_test
    )


def _implies_difference(
    fact: m.Compare, left: m.Expr | None, right: m.Expr | None
) -> bool:
    """Return whether a fact states or implies that two values differ."""
    if fact.op is m.Comparison.UNEQUAL:
        return fact.left == left and fact.right == right
    both = m.is_constant(fact.right) and m.is_constant(right)
    return fact.left == left and both and fact.right != right


# ---------------------------------------------------------------- changes


def facts_after_move(transfer: CardTransfer) -> Facts:
    """Return the facts about source and destination that a card move makes true."""
    source, destination = transfer.holders
    if not transfer.is_exact:
        return ()
    facts: list[m.Expr] = []
    slot = source if isinstance(getattr(source, "type", None), Member) else None
    if slot is not None and m.field_key(destination) != m.field_key(slot):
        facts.append(m.equal(slot, m.no_value(slot.type)))
    if transfer.bag is not None and destination is not None:
        for lot in _card_lots(transfer.bag):
            if isinstance(destination.type, Member):
                facts.append(m.equal(destination, lot.member))
                continue
            count = m.count_in(destination, lot.member)
            facts.append(m.at_least(count, range_given_facts(lot.count, ()).low))
    return tuple(facts)


def fact_after_move(
    fact: m.Expr, transfer: CardTransfer, known: Facts, *, may_repeat: bool
) -> m.Expr | None:
    """Return the part of a fact that remains true after a move of cards, or None.

    With `may_repeat`, the move may happen any number of times.
    """
    affected = [
        read
        for read in m.field_values(fact)
        if isinstance(read.type, Bag | Stack)
        and (
            _may_be_same_holder(read, transfer.source, known)
            or _may_be_same_holder(read, transfer.destination, known)
        )
    ]
    if not affected:
        return fact
    match fact:
        case m.Compare(left=m.CountIn(holder=holder, member=card), right=right) if (
            affected == [holder]
        ):
            taken = _max_taken(transfer, card, known)
            lost = taken if _may_lose_cards(holder, transfer, known) else 0
            if taken == 0 or (lost == 0 and fact.op in MINIMUMS):
                return fact
            if lost is None or may_repeat or fact.op is not m.Comparison.AT_LEAST:
                return None
            rest = right.value - lost if m.is_constant(right) else 0
            return m.at_least(fact.left, rest, fact.left.span) if rest > 0 else None
        case m.Covers(holder=holder, bag=bag) if affected == [holder]:
            lots = list(_card_lots(bag))
            other = lots and all(
                _max_taken(transfer, lot.member, known) == 0 for lot in lots
            )
            if other or not _may_lose_cards(holder, transfer, known):
                return fact
    return None


def _may_be_same_holder(
    holder: m.FieldValue, other: m.Expr | None, known: Facts
) -> bool:
    """Return whether two holders may be the same, given the facts *known*."""
    same = m.is_field(other) and holder.field == other.field
    return same and not surely_differ(
        holder.owner, getattr(other, "owner", None), known
    )


def _may_lose_cards(holder: m.Expr, transfer: CardTransfer, known: Facts) -> bool:
    """Return whether a holder may have fewer cards after a card move.

    The destination loses no cards, even if it is also the source.
    """
    assert m.is_field(holder)
    return transfer.destination != holder and _may_be_same_holder(
        holder, transfer.source, known
    )


def _max_taken(transfer: CardTransfer, card: m.Expr, known: Facts) -> int | None:
    """Return how many copies of a card a move takes at most, or None if unknown."""
    if transfer.card is not None and surely_differ(transfer.card, card, known):
        return 0
    match transfer.bag:
        case m.SingleBag(count=count):
            return max(0, range_given_facts(count, ()).high)
        case m.Const(value=tuple() as numbers):
            if m.is_constant(card):
                return int(numbers[card.value])
            return int(max(numbers))
    return transfer.maximum
