"""Flow facts: conditions that are certainly true where a statement runs.

Facts come from requirements, from the conditions of `if` and of binders, and from the
set of a choice. A statement removes the facts that it changes and adds those that it
ensures.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import attrs

from rulebook import model as m
from rulebook.check.declare.symbol_table import World
from rulebook.check.facts.fact_expansion import found_value_facts
from rulebook.check.facts.holdings import (
    MOVING,
    Moving,
    at_least,
    fact_after_move,
    facts_after_move,
)
from rulebook.check.facts.piece_positions import (
    implies_existence,
    may_invalidate,
    space_facts_added,
)
from rulebook.check.facts.piece_supply import pieces_left
from rulebook.check.facts.preconditions import assigned_slots, conjuncts, reads_slots
from rulebook.check.typing.ranges import Facts, range_given_facts
from rulebook.model.value_types import NONE, Bag, Member, Truth, Type, Whole
from rulebook.signatures.range_arithmetic import ZERO, join_ranges
from rulebook.traversal import children, find, rewrite

LOOPS = (m.EachMember, m.Together, m.Repeat)


def facts_after(world: World, facts: Facts, node: m.Stmt) -> Facts:
    """Return the facts that remain true after a statement and in each loop round.

    Moved cards are no longer in their source, and placed pieces no longer in the
    supply. All facts about a written field, a slot that received a card, and a space
    where pieces came or went are dropped.
    """
    again = isinstance(node, LOOPS)
    facts = tuple(
        fact for fact in facts if not may_invalidate(world, fact, node, again=again)
    )
    written = set(_written_fields(node))
    facts = tuple(fact for fact in facts if not written & set(_fields_read(fact)))
    facts = tuple(fact for fact in facts if not _changes_slot(fact, node))
    bound = set(assigned_slots(node))
    facts = tuple(fact for fact in facts if not reads_slots(fact, bound))
    for moving, known in _card_moves(node, facts, _assigned_slots(node)):
        left = (fact_after_move(fact, moving, known, again=again) for fact in facts)
        facts = tuple(fact for fact in left if fact is not None)
    for placing in find(node, m.PlacePiece):
        less = (_fact_after_placing(fact, placing, again=again) for fact in facts)
        facts = tuple(fact for fact in less if fact is not None)
    return facts


def _card_moves(
    node: m.Stmt, known: Facts, assigned: set[int]
) -> Iterator[tuple[Moving, Facts]]:
    """Yield the card moves inside a statement, each with the facts known there.

    Conditions on variables in `assigned` are left out.
    """
    if isinstance(node, MOVING):
        yield node, known
        return
    blocks: list[tuple[Facts, Iterable[m.Stmt]]] = [(known, children(node))]
    match node:
        case m.IfElse(condition=condition, body=body, otherwise=otherwise):
            blocks = [
                ((*known, *conjuncts(condition)), body),
                ((*known, *negated_facts(condition)), otherwise),
            ]
        case m.EachMember() | m.Together():
            blocks = [((*known, *binder_facts(node)), node.body)]
    for facts, block in blocks:
        lasting = tuple(fact for fact in facts if not reads_slots(fact, assigned))
        for inner in block:
            yield from _card_moves(inner, lasting, assigned)


def _assigned_slots(node: m.Stmt) -> set[int]:
    """Return the slots of the variables that a statement sets."""
    return {setting.slot for setting in find(node, (m.SetLocal, m.SetTally))}


def _written_fields(node: m.Stmt) -> Iterator[str]:
    """Yield the fields to which a statement assigns."""
    for writing in find(node, (m.SetField, m.Spread, m.RollDice)):
        if isinstance(writing, m.RollDice):
            yield from writing.fields
        else:
            yield writing.field


def _fields_read(fact: m.Expr) -> Iterator[str]:
    """Yield the fields that a fact reads directly."""
    for read in find(fact, m.FieldValue):
        yield read.field


def _changes_slot(fact: m.Expr, node: m.Stmt) -> bool:
    """Return whether a card certainly moves to or from a slot that a fact reads.

    Slots written differently may be the same at play time; this is not considered.
    """
    slots = [
        holder
        for moving in find(node, MOVING)
        for holder in (moving.source, moving.destination)
        if holder is not None and isinstance(holder.type, Member)
    ]
    return any(read in slots for read in find(fact, m.FieldValue))


def _fact_after_placing(
    fact: m.Expr, placing: m.PlacePiece, *, again: bool
) -> m.Expr | None:
    """Return what remains true of a fact after pieces are placed, or None."""
    match fact:
        case m.Compare(left=m.PieceLeft(piece=piece) as left, right=right):
            if piece != placing.piece:
                return fact
            number = piece_count(placing)
            if again or number is None or not isinstance(right, m.Const):
                return None
            rest = right.value - number
            return attrs.evolve(at_least(left, rest), op=fact.op) if rest > 0 else None
    return fact


def piece_count(node: m.PlacePiece | m.RemovePiece | m.MovePiece) -> int | None:
    """Return the number of pieces placed, removed or moved, or None if unknown."""
    if node.count is None:
        return 1
    return int(node.count.value) if isinstance(node.count, m.Const) else None


def facts_added(world: World, node: m.Stmt, facts: Facts) -> Facts:
    """Return the facts that a statement adds.

    A choice satisfies its condition, and a field has the value written to it.
    """
    match node:
        case m.SetField(field=field, owner=owner, value=value):
            if not isinstance(value.type, Whole):
                return ()
            here = m.FieldValue(field, owner, type=world.fields[field].type)
            bounds = range_given_facts(value, facts)
            if owner is not None and getattr(owner.type, "optional", False):
                bounds = join_ranges(bounds, ZERO)  # the owner may be none: 0
            return _between(here, bounds)
        case m.Choose():
            return binder_facts(node)
        case m.ChanceChoose(slot=slot, name=name, set=set_):
            return binder_facts(m.Binder(slot, name, set_, None))
        case m.MoveCards() | m.MoveAll() | m.DrawCard():
            return facts_after_move(node)
        case m.Gather(source=source, bag=bag, set=set_) if source is not None:
            domain = getattr(set_.type, "domain", "")
            local = m.Local(slot=bag, name="", type=Bag(domain or ""))
            return (m.Covers(holder=source, bag=local, type=Truth()),)
        case m.SetLocal(slot=slot, name=name, value=m.FindMember() as search):
            local = m.Local(slot=slot, name=name, type=search.type)
            there = (existence_fact(local),) if _is_found(search, facts) else ()
            known = _found_member_facts(
                binder_facts(search), search.slot, slot, search.type
            )
            return (
                *(fact for fact in known if not implies_existence(fact, local)),
                *there,
            )
        case m.SetLocal(
            slot=slot, value=m.OnlyMember(set=m.BestMembers() | m.Filter() as set_)
        ):
            facts = binder_facts(set_)
            return _found_member_facts(facts, set_.slot, slot, node.value.type)
        case m.SetLocal(slot=slot, name=name, value=value):
            local = m.Local(slot=slot, name=name, type=value.type)
            assert world.model is not None
            known = (*facts, *found_value_facts(world.model.defines, value))
            return (*_variable_facts(local, value, known), *_space_fact(local, value))
        case m.RemovePiece():
            return (*_supply_fact(node), *space_facts_added(world, node))
    return space_facts_added(world, node)


def _supply_fact(node: m.RemovePiece) -> Facts:
    """Return the fact that removed pieces are back in the supply."""
    number = piece_count(node)
    if not number:
        return ()
    return (at_least(pieces_left(node), number),)


def _is_found(search: m.FindMember, facts: Facts) -> bool:
    """Return whether the facts ensure that a search finds a member."""
    return any(
        fact.set == search.set
        and (fact.where is None) == (search.where is None)
        and (search.where is None or _is_same_search(fact, search))
        for fact in facts
        if isinstance(fact, m.Exists)
    )


def _is_same_search(fact: m.Exists, search: m.FindMember) -> bool:
    """Return whether a search and an existence fact test the same condition."""

    def apart(node: object) -> object:
        if isinstance(node, m.Local) and node.slot in (fact.slot, search.slot):
            return attrs.evolve(node, slot=-1, name="")
        return node

    return bool(rewrite(fact.where, apart) == rewrite(search.where, apart))


def existence_fact(value: m.Expr) -> m.Expr:
    """Return the fact that a value is not none."""
    none = m.Const(value=NONE, type=value.type)
    return m.Compare(op=m.Comparison.UNEQUAL, left=value, right=none, type=Truth())


def _between(value: m.Expr, bounds: Whole) -> Facts:
    ends = (
        (m.Comparison.AT_LEAST, bounds.low),
        (m.Comparison.AT_MOST, bounds.high),
    )
    return tuple(
        m.Compare(
            op=op,
            left=value,
            right=m.Const(value=end, type=Whole(end, end)),
            type=Truth(),
        )
        for op, end in ends
    )


def _found_member_facts(facts: Facts, bound_slot: int, slot: int, type_: Type) -> Facts:
    """Return the facts about a member found by a search, for its new variable.

    The value of a `let` may be none; inside an `if` that found a member it is not. The
    facts are returned for both types.
    """
    types = [type_]
    if isinstance(type_, Member):
        types.append(Member(type_.domain))

    def called(type_: Type) -> Iterator[m.Expr]:
        def change(node: object) -> object:
            if isinstance(node, m.Local) and node.slot == bound_slot:
                return attrs.evolve(node, slot=slot, type=type_)
            return node

        return iter(rewrite(facts, change))

    return tuple(fact for kind in dict.fromkeys(types) for fact in called(kind))


def _variable_facts(local: m.Expr, value: m.Expr, facts: Facts) -> Facts:
    """Return the facts about a value, rewritten for the variable that stores it."""

    def change(node: object) -> object:
        return local if node == value else node

    if isinstance(value, m.Const):
        return ()
    said = [(fact, rewrite(fact, change)) for fact in facts]
    return tuple(new for fact, new in said if new != fact)


def _space_fact(local: m.Local, value: m.Expr) -> Facts:
    """Return the fact that a variable is the space of a piece."""
    if not isinstance(value, m.PieceSpace):
        return ()
    return (m.Compare(op=m.Comparison.EQUAL, left=local, right=value, type=Truth()),)


def binder_facts(binder: m.Binder) -> Facts:
    """Return the facts inside a binder: its condition is true and its member exists."""
    slot, name, set_ = binder.slot, binder.name, binder.set
    facts = [] if binder.where is None else list(conjuncts(binder.where))
    if (
        isinstance(set_, m.Filter | m.BestMembers | m.SortedMembers)
        and set_.slot == slot
    ):
        inner = m.Binder(slot, name, set_.set, set_.where)
        return (*facts, *binder_facts(inner))
    if isinstance(set_, m.PieceSpaces):
        here = m.Local(slot=slot, name=name, type=Member(set_.domain))
        facts.append(m.PieceOn(set_.piece, set_.owner, here, type=Truth()))
    if isinstance(set_, m.KindsIn):
        domain = getattr(set_.type, "domain", "")
        local = m.Local(slot=slot, name=name, type=Member(domain))
        count = m.CountIn(holder=set_.holder, member=local, type=Whole(0, 10_000))
        facts.append(at_least(count, 1))
    if isinstance(set_, m.Clockwise) and set_.after:
        other = m.Local(slot=slot, name=name, type=set_.start.type)
        facts.append(
            m.Compare(
                op=m.Comparison.UNEQUAL, left=other, right=set_.start, type=Truth()
            )
        )
    return tuple(facts)


def negated_facts(condition: m.Expr) -> Facts:
    """Return the negation of a condition as separate facts, for `otherwise`."""
    match condition:
        case m.Not(value=value):
            return tuple(conjuncts(value))
        case m.Or(parts=parts):
            return tuple(fact for part in parts for fact in negated_facts(part))
        case m.Compare(op=op):
            return (attrs.evolve(condition, op=op.contrary),)
    return (m.Not(value=condition, type=Truth(), span=condition.span),)


def split_cases(facts: Facts) -> tuple[Facts, ...]:
    """Return the facts for each case of an `or` about two cards.

    `a != b or BAG has 2 a` has two cases: different cards, or twice the same card. In
    the second, each fact about one variable also holds for the other.
    """
    for fact in facts:
        for differ in _differences(fact):
            assert isinstance(fact, m.Or)
            rest = tuple(other for other in facts if other is not fact)
            parts = tuple(part for part in fact.parts if part is not differ)
            either = parts if len(parts) == 1 else (m.Or(parts, type=Truth()),)
            same = (*rest, *either)
            left, right = differ.left, differ.right
            same += _variable_facts(left, right, same) + _variable_facts(
                right, left, same
            )
            return (*split_cases((*rest, differ)), *split_cases(same))
    return (facts,)


def _differences(fact: m.Expr) -> Iterator[m.Compare]:
    """Yield the parts of an `or` that say that two variables differ."""
    for part in fact.parts if isinstance(fact, m.Or) else ():
        match part:
            case m.Compare(op=m.Comparison.UNEQUAL, left=m.Local(), right=m.Local()):
                yield part
