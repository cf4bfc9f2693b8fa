"""Flow facts: conditions that are certainly true where a statement runs.

Facts come from requirements, from the conditions of `if` and of binders, and from the
set of a choice. A statement removes facts that it may make false, and adds facts that
it makes true.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import attrs

from rulebook import model as m
from rulebook.check.declare.symbol_table import SymbolTable
from rulebook.check.facts.fact_expansion import found_value_facts
from rulebook.check.facts.holdings import fact_after_move, facts_after_move
from rulebook.check.facts.piece_positions import (
    implies_existence,
    may_invalidate,
    space_facts_added,
    varies_by_round,
)
from rulebook.check.facts.preconditions import (
    assigned_fields,
    assigned_slots,
    reads_slots,
)
from rulebook.check.typing.ranges import Facts, range_given_facts
from rulebook.model.value_types import Bag, Member, Stack, Type, Whole
from rulebook.signatures import (
    Binding,
    Block,
    CardTransfer,
    Effects,
    FieldPlace,
    PieceTransfer,
    VariablePlace,
    Write,
    effects_of,
    effects_within,
)
from rulebook.signatures.range_arithmetic import ZERO, join_ranges
from rulebook.traversal import rewrite

CASES_DEPTH_MAX = 4
"""Maximum number of conditions about the difference of two cards in one case."""


def facts_after(world: SymbolTable, facts: Facts, node: m.Stmt) -> Facts:
    """Return the facts that remain true after a statement, and in each round of a loop.

    Moved cards are no longer in their source, and placed pieces no longer in the
    supply. Facts about written fields, slots that received cards, and spaces where
    pieces were placed or removed are dropped.
    """
    again = effects_of(node).is_loop
    inside = tuple(effects_within(node))
    bound, written = assigned_slots(inside), assigned_fields(inside)
    pieces = [effects.pieces for effects in inside if effects.pieces is not None]
    moves = [
        (moved, again and varies_by_round(moved, bound, written)) for moved in pieces
    ]
    slots = set(_changed_card_slots(inside))
    facts = tuple(
        fact
        for fact in facts
        if not any(may_invalidate(world, fact, *move) for move in moves)
        and not (written and written & m.fields_read(fact))
        and not (slots and any(read in slots for read in m.field_values(fact)))
        and not (bound and reads_slots(fact, bound))
    )
    for moved, known in _card_moves(node, facts, _slots_written(inside), written):
        rest = (fact_after_move(fact, moved, known, may_repeat=again) for fact in facts)
        facts = tuple(fact for fact in rest if fact is not None)
    for placed in pieces:
        if placed.source is None:
            remaining_facts = (
                _fact_after_placing(fact, placed, may_repeat=again) for fact in facts
            )
            facts = tuple(fact for fact in remaining_facts if fact is not None)
    return facts


def _card_moves(
    node: m.Stmt, known: Facts, slots: set[int], fields: set[str]
) -> Iterator[tuple[CardTransfer, Facts]]:
    """Yield the card moves inside a statement, each with the facts known there.

    Facts about the variables in `slots` and about `fields` are omitted.
    """
    effects = effects_of(node)
    if effects.cards is not None:
        yield effects.cards, known
    for block in effects.blocks:
        lasting = tuple(
            fact
            for fact in (*known, *block_facts(block))
            if not (slots and reads_slots(fact, slots))
            and not (fields and fields & m.fields_read(fact))
        )
        for inner in block.body:
            yield from _card_moves(inner, lasting, slots, fields)


def block_facts(block: Block) -> Facts:
    """Return the facts that are true when a block, or each round of it, begins."""
    facts = () if block.binder is None else binder_facts(block.binder)
    true = (fact for condition in block.holds for fact in m.conjuncts(condition))
    false = (fact for test in block.fails for fact in m.negated_conjuncts(test))
    return (*facts, *true, *false)


def _slots_written(inside: Iterable[Effects]) -> set[int]:
    """Return the slots of the variables to which statements write a value."""
    places = [write.place for effects in inside for write in effects.writes]
    return {place.slot for place in places if isinstance(place, VariablePlace)}


def _changed_card_slots(inside: Iterable[Effects]) -> Iterator[m.Expr]:
    """Yield the card slots that statements name as the source or destination of a card.

    Two expressions may mean the same slot at play time; this case is ignored.
    """
    for effects in inside:
        for holder in () if effects.cards is None else effects.cards.holders:
            if holder is not None and isinstance(holder.type, Member):
                yield holder


def _fact_after_placing(
    fact: m.Expr, placing: PieceTransfer, *, may_repeat: bool
) -> m.Expr | None:
    """Return the part of a fact that remains true after pieces are placed, or None."""
    match fact:
        case m.Compare(left=m.PieceLeft(piece=piece) as left, right=right):
            if piece != placing.piece:
                return fact
            number = piece_count(placing)
            if may_repeat or number is None or not m.is_constant(right):
                return None
            rest = right.value - number
            if rest <= 0:
                return None
            return m.compare(fact.op, left, rest, left.span)
    return fact


def piece_count(transfer: PieceTransfer) -> int | None:
    """Return the number of pieces placed, removed or moved, or None if unknown."""
    return 1 if transfer.count is None else m.constant_value(transfer.count)


def facts_added(world: SymbolTable, node: m.Stmt, facts: Facts) -> Facts:
    """Return the facts that a statement adds.

    A choice satisfies its condition, and a field has the value written to it.
    """
    effects = effects_of(node)
    added: list[m.Expr] = []
    if effects.cards is not None:
        added += facts_after_move(effects.cards)
    for write in effects.writes:
        match write:
            case Write(place=FieldPlace() as place, value=m.Typed() as value):
                added += _field_facts(world, place, value, facts)
            case Write(place=VariablePlace(slot=slot, indices=()), value=value) if (
                value is not None
            ):
                local = m.variable(slot, effects.bindings[0].name, value.type)
                added += _let_facts(world, local, value, facts)
    for block in effects.blocks:
        if block.binder is not None and not block.loop:
            added += binder_facts(block.binder)
    for binding in effects.bindings:
        added += _choice_facts(binding, by_chance=effects.event is not None)
    moved = effects.pieces
    if moved is not None and moved.destination is None:
        added += _supply_fact(moved)
    return (*added, *space_facts_added(world, node))


def _field_facts(
    world: SymbolTable, place: FieldPlace, value: m.Expr, facts: Facts
) -> Facts:
    """Return the facts about a field after a value was written to it."""
    if not isinstance(value.type, Whole):
        return ()
    stored = m.field_value(place.field, place.owner, world.fields[place.field].type)
    bounds = range_given_facts(value, facts)
    if place.owner is not None and getattr(place.owner.type, "optional", False):
        bounds = join_ranges(bounds, ZERO)  # the owner may be none: 0
    return _bound_facts(stored, bounds)


def _choice_facts(binding: Binding, *, by_chance: bool) -> Facts:
    """Return the facts about cards that a seat chose, or a member that chance chose."""
    slot, name, source = binding.slot, binding.name, binding.source
    if source is not None:
        assert isinstance(source.type, Bag | Stack)
        bag = m.variable(slot, name, Bag(source.type.domain))
        return (m.covers(source, bag),)
    if by_chance and binding.members is not None:
        return binder_facts(m.Binder(slot, name, binding.members, None))
    return ()


def _let_facts(
    world: SymbolTable, local: m.Local, value: m.Expr, facts: Facts
) -> Facts:
    """Return the facts about a variable after a value was assigned to it."""
    match value:
        case m.FindMember():
            exists = (m.presence(local),) if _certainly_finds(value, facts) else ()
            known = _found_member_facts(
                binder_facts(value), value.slot, local.slot, value.type
            )
            return (
                *(fact for fact in known if not implies_existence(fact, local)),
                *exists,
            )
        case m.OnlyMember(set=m.BestMembers() | m.Filter() as set_):
            facts = binder_facts(set_)
            return _found_member_facts(facts, set_.slot, local.slot, value.type)
    assert world.model is not None
    known = (*facts, *found_value_facts(world.model.defines, value))
    return (*_variable_facts(local, value, known), *_space_fact(local, value))


def _supply_fact(transfer: PieceTransfer) -> Facts:
    """Return the fact that removed pieces are back in the supply."""
    number = piece_count(transfer)
    if not number:
        return ()
    left = m.piece_left(transfer.piece, transfer.owner, transfer.span)
    return (m.at_least(left, number, transfer.span),)


def _certainly_finds(search: m.FindMember, facts: Facts) -> bool:
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

    def unify(node: object) -> object:
        if m.is_variable(node) and node.slot in (fact.slot, search.slot):
            return attrs.evolve(node, slot=-1, name="")
        return node

    return bool(rewrite(fact.where, unify) == rewrite(search.where, unify))


def _bound_facts(value: m.Expr, bounds: Whole) -> Facts:
    return m.at_least(value, bounds.low), m.at_most(value, bounds.high)


def _found_member_facts(facts: Facts, bound_slot: int, slot: int, type_: Type) -> Facts:
    """Return the facts about a search's result, rewritten for the variable in *slot*.

    The value of a `let` may be none, but inside an `if` that found a member the value
    is not none. The facts are returned for both types.
    """
    types = [type_]
    if isinstance(type_, Member):
        types.append(Member(type_.domain))

    def facts_for(type_: Type) -> Iterator[m.Expr]:
        def change(node: object) -> object:
            if m.is_variable(node, bound_slot):
                return attrs.evolve(node, slot=slot, type=type_)
            return node

        return iter(rewrite(facts, change))

    return tuple(fact for kind in dict.fromkeys(types) for fact in facts_for(kind))


def _variable_facts(local: m.Expr, value: m.Expr, facts: Facts) -> Facts:
    """Return the facts about a value, rewritten for the variable that stores it."""

    def change(node: object) -> object:
        return local if node == value else node

    if m.is_constant(value):
        return ()
    pairs = [(fact, rewrite(fact, change)) for fact in facts]
    return tuple(new for fact, new in pairs if new != fact)


def _space_fact(local: m.Local, value: m.Expr) -> Facts:
    """Return the fact that a variable is the space of a piece."""
    if not isinstance(value, m.PieceSpace):
        return ()
    return (m.equal(local, value),)


def binder_facts(binder: m.Binder) -> Facts:
    """Return the facts inside a binder: its condition is true and its member exists."""
    slot, name, set_ = binder.slot, binder.name, binder.set
    facts = [] if binder.where is None else list(m.conjuncts(binder.where))
    if isinstance(set_, m.Subset) and set_.slot == slot:
        inner = m.Binder(slot, name, set_.set, set_.where)
        return (*facts, *binder_facts(inner))
    if isinstance(set_, m.PieceSpaces):
        here = m.variable(slot, name, Member(set_.domain))
        facts.append(m.piece_on(set_.piece, set_.owner, here))
    if isinstance(set_, m.KindsIn):
        domain = getattr(set_.type, "domain", "")
        local = m.variable(slot, name, Member(domain))
        facts.append(m.at_least(m.count_in(set_.holder, local), 1))
    if isinstance(set_, m.Clockwise) and set_.after:
        other = m.variable(slot, name, set_.start.type)
        facts.append(m.unequal(other, set_.start))
    return tuple(facts)


def split_cases(facts: Facts, depth: int = CASES_DEPTH_MAX) -> tuple[Facts, ...]:
    """Return the facts for each case of an `or` about two cards.

    `a != b or BAG has 2 a` has two cases: different cards, or twice the same card. In
    the second, each fact about one variable is also true of the other. Cases are split
    again, but only up to *depth* times.
    """
    for fact in facts if depth else ():
        for differ in _differences(fact):
            if differ in facts:
                continue
            rest = tuple(other for other in facts if other is not fact)
            parts = tuple(part for part in m.or_parts(fact) if part is not differ)
            either = (m.disjunction(parts),)
            same = (*rest, *either)
            left, right = differ.left, differ.right
            same += _variable_facts(left, right, same) + _variable_facts(
                right, left, same
            )
            cases = ((*rest, differ), tuple(dict.fromkeys(same)))
            return tuple(x for case in cases for x in split_cases(case, depth - 1))
    return (facts,)


def _differences(fact: m.Expr) -> Iterator[m.Compare]:
    """Yield the parts of an `or` which state that two variables differ."""
    parts = m.or_parts(fact)
    for part in parts if len(parts) > 1 else ():
        if not m.is_comparison(part) or part.op is not m.Comparison.UNEQUAL:
            continue
        if m.is_variable(part.left) and m.is_variable(part.right):
            yield part
