"""Facts about pieces on spaces and about the room left there.

A placed piece needs a space with room, and a removed piece must be on its space. A
requirement, a condition or an earlier statement ensures this. Two expressions may mean
the same space at play time; this case is ignored.
"""

from __future__ import annotations

import attrs

from rulebook import model as m
from rulebook.check.declare.symbol_table import SymbolTable, mistake
from rulebook.check.facts.fact_expansion import found_value_facts
from rulebook.check.facts.preconditions import reads_slots
from rulebook.check.facts.wording import (
    may_be_none,
    possessive,
    rule_text,
    space_text,
)
from rulebook.check.typing.pieces import count_on_space, room_limit
from rulebook.check.typing.ranges import Facts, range_given_facts
from rulebook.model.value_types import NONE, Member, Whole
from rulebook.signatures import Block, PieceTransfer, effects_of
from rulebook.traversal import find

ONE = m.number(1)


def is_same_expression(left: m.Expr | None, right: m.Expr | None) -> bool:
    """Return whether two expressions are equal as written, whatever their values."""
    if m.is_variable(left) and m.is_variable(right):
        return left.slot == right.slot
    if m.is_field(left) and m.is_field(right):
        same = left.field == right.field
        return same and is_same_expression(left.owner, right.owner)
    return left == right


# ---------------------------------------------------------------- facts


def is_certainly_on(
    facts: Facts, piece: str, owner: m.Expr | None, space: m.Expr
) -> bool:
    """Return whether a piece (of the owner, or of any) is certainly on a space."""
    return any(
        on.piece == piece
        and not on.another
        and is_same_expression(on.space, space)
        and (owner is None or is_same_expression(on.owner, owner))
        for on in facts
        if isinstance(on, m.PieceOn)
    )


def is_certainly_absent(
    facts: Facts, piece: str, owner: m.Expr | None, space: m.Expr
) -> bool:
    """Return whether certainly no piece (of the owner, or of any) is on a space."""
    whose = [
        on
        for fact in facts
        if isinstance(fact, m.Not) and isinstance(on := fact.value, m.PieceOn)
        if on.piece == piece and is_same_expression(on.space, space)
    ]
    if any(on.owner is None for on in whose):
        return True
    own = [on for on in whose if not on.another]
    if owner is not None:
        return any(is_same_expression(on.owner, owner) for on in own)
    others = [on for on in whose if on.another]
    return any(
        is_same_expression(on.owner, other.owner) for on in own for other in others
    )


def are_others_absent(facts: Facts, piece: str, owner: m.Expr, space: m.Expr) -> bool:
    """Return whether certainly no piece of another owner is on a space."""
    return is_certainly_absent(facts, piece, None, space) or any(
        isinstance(fact, m.Not)
        and isinstance(on := fact.value, m.PieceOn)
        and (on.piece == piece and on.another)
        and (
            is_same_expression(on.space, space) and is_same_expression(on.owner, owner)
        )
        for fact in facts
    )


def piece_count_range(
    world: SymbolTable,
    facts: Facts,
    piece: m.Piece,
    owner: m.Expr | None,
    space: m.Expr,
) -> Whole:
    """Return the range of the number of pieces (of *owner*, or all) on a space."""
    bounds = range_given_facts(count_on_space(world, piece, owner, space), facts)
    if is_certainly_absent(facts, piece.name, owner, space):
        return Whole(0, 0)
    if is_certainly_on(facts, piece.name, owner, space):
        return Whole(max(1, bounds.low), max(1, bounds.high))
    return bounds


def certainly_exists(world: SymbolTable, facts: Facts, value: m.Expr) -> bool:
    """Return whether a value is certainly not none."""
    if not may_be_none(value):
        return True
    if isinstance(value, m.SpaceAt) and _is_on_grid(world, value, facts):
        return True
    if isinstance(value, m.ColumnValue) and _has_value_for_each(world, value):
        return certainly_exists(world, facts, value.of)
    return any(implies_existence(fact, value) for fact in facts)


def _has_value_for_each(world: SymbolTable, value: m.ColumnValue) -> bool:
    """Return whether a column of members has a value for each member of its kind."""
    column = world.domains[value.domain].columns.get(value.column)
    return column is not None and NONE not in column.values


def _is_on_grid(world: SymbolTable, value: m.SpaceAt, facts: Facts) -> bool:
    """Return whether the coordinates of a space are certainly on the board."""
    axes = world.domains[value.domain].axes
    return all(
        _is_on_axis(axis, coordinate, facts)
        for axis, coordinate in zip(axes, value.coordinates, strict=True)
    )


def _is_on_axis(axis: m.Axis, value: m.Expr, facts: Facts) -> bool:
    if not isinstance(value.type, Whole):
        return m.is_constant(value) and value.value != NONE
    bounds = range_given_facts(value, facts)
    return axis.low <= bounds.low and bounds.high < axis.low + axis.size


def implies_existence(fact: m.Expr, value: m.Expr) -> bool:
    """Return whether a fact implies that a value is not none."""
    match fact:
        case m.PieceOn(space=space):
            return is_same_expression(space, value) and may_be_none(space)
        case m.Contains(member=member):
            return is_same_expression(member, value) and may_be_none(member)
        case m.Compare(op=op, left=left, right=right) if op.is_equality_test:
            for side, other in ((left, right), (right, left)):
                none = m.is_none(other)
                sure = isinstance(other.type, Member) and not other.type.optional
                if (is_same_expression(side, value) and may_be_none(side)) and (
                    none if op is m.Comparison.UNEQUAL else sure and not none
                ):
                    return True
    return False


# ---------------------------------------------------------------- checks


def check_piece_effect(
    world: SymbolTable, transfer: PieceTransfer, facts: Facts, *, has_begun: bool
) -> None:
    """Raise `Mistake` if a piece may be impossible to place, remove or move.

    Unless `has_begun`, the board starts empty, and only pieces that are certainly
    on the space block it.
    """
    assert world.model is not None
    facts = (*facts, *found_value_facts(world.model.defines, transfer.spaces[-1]))
    if transfer.source is not None:
        _require_piece(world, transfer, transfer.source, facts)
        facts = facts_after_leaving(world, transfer, transfer.source, facts)
    if transfer.destination is not None:
        _require_space(world, transfer.destination, facts)
        if not transfer.replaces:
            _require_room(
                world, transfer, transfer.destination, facts, has_begun=has_begun
            )


def _require_space(world: SymbolTable, space: m.Expr, facts: Facts) -> None:
    if certainly_exists(world, facts, space):
        return
    named = space_text(world, space)
    raise mistake(
        "RB142",
        space.span,
        f"`{named}` may be none",
        f"write `if {named} is not none:` above it, or add a `needs` line",
    )


def _require_piece(
    world: SymbolTable, node: PieceTransfer, space: m.Expr, facts: Facts
) -> None:
    piece = world.pieces[node.piece]
    if _is_present(world, node, space, facts):
        _require_space(world, space, facts)
        return
    whose, named = possessive(world, node.owner), space_text(world, space)
    several = node.count is not None
    number = rule_text(world, node.count) or "NUMBER"
    has = (
        f"at least {number} of {whose}{piece.plural}"
        if whose
        else (f"at least {number} {piece.plural}")
    )
    if not several:
        has = f"{whose}{piece.name}" if whose else f"a {piece.name}"
    every = f"`all {whose}{piece.plural}` takes as many as there are"
    raise mistake(
        "RB142",
        node.span,
        f"there may be {'too few' if several else 'no'} `"
        f"{piece.plural if several else piece.name}` here to take",
        f"write `if {named} has {has}:` above it, or add a `needs` line; {every}",
        ((piece.span, "declared here"),),
    )


def _is_present(
    world: SymbolTable, node: PieceTransfer, space: m.Expr, facts: Facts
) -> bool:
    piece, owner, count = world.pieces[node.piece], node.owner, node.count
    present = count_on_space(world, piece, owner, space)
    match count:
        case m.PieceCount():
            return True
        case m.Extreme(smaller=True, right=m.PieceCount()):
            return True
        case None if _is_own_space(facts, piece.name, owner, space):
            return True
    least = piece_count_range(world, facts, piece, owner, space).low
    wanted = count if count is not None else ONE
    if range_given_facts(wanted, facts).high <= least:
        return True
    return range_given_facts(m.subtract(present, wanted, present.type), facts).low >= 0


def _is_own_space(
    facts: Facts, piece: str, owner: m.Expr | None, space: m.Expr
) -> bool:
    """Return whether a space is certainly where the piece is, as in `storm's field`."""

    def its(expr: m.Expr) -> bool:
        of_piece = isinstance(expr, m.PieceSpace) and expr.piece == piece
        return of_piece and is_same_expression(getattr(expr, "owner", None), owner)

    return its(space) or any(
        fact.op is m.Comparison.EQUAL
        and (
            (is_same_expression(fact.left, space) and its(fact.right))
            or (is_same_expression(fact.right, space) and its(fact.left))
        )
        for fact in facts
        if m.is_comparison(fact)
    )


def _require_room(
    world: SymbolTable,
    node: PieceTransfer,
    space: m.Expr,
    facts: Facts,
    *,
    has_begun: bool,
) -> None:
    piece = world.pieces[node.piece]
    if _has_room(world, node, space, facts):
        return
    if not has_begun and piece.room is None and node.count is None:
        if not is_certainly_on(facts, piece.name, None, space):
            return
    elif not has_begun:
        return
    named = space_text(world, space)
    whose = possessive(world, node.owner)
    only = piece.room is None
    wanted = f"no {piece.name}" if only else f"room for {whose or 'a '}{piece.name}"
    raise mistake(
        "RB142",
        space.span,
        f"there may be no room for this `{piece.name}`"
        + (": a space holds only one" if only else ""),
        f"write `if {named} has {wanted}:` above it, add a `needs` line, or add "
        "`in place of what stands there`",
        ((piece.span, "declared here"),),
    )


def _has_room(
    world: SymbolTable, node: PieceTransfer, space: m.Expr, facts: Facts
) -> bool:
    piece = world.pieces[node.piece]
    most, wanted = room_limit(piece), node.count or ONE
    if most is None:
        return True
    shared = piece.room is not None
    if piece.moves and piece.owner is None and not shared:
        return True
    if piece.moves and node.owner is not None and not shared:
        return are_others_absent(facts, piece.name, node.owner, space)
    whose = node.owner if piece.room is not None and piece.room.each_owner else None
    present = count_on_space(world, piece, whose, space)
    more = range_given_facts(wanted, facts).high
    assert isinstance(most.type, Whole)
    known = piece_count_range(world, facts, piece, whose, space)
    if known.high + more <= most.type.low or _all_fit(world, piece, whose, most.type):
        return True
    if range_given_facts(m.subtract(most, present, present.type), facts).low >= more:
        return True
    return any(_states_room(fact, present, wanted, most, facts) for fact in facts)


def _all_fit(
    world: SymbolTable, piece: m.Piece, owner: m.Expr | None, limit: Whole
) -> bool:
    """Return whether a space with room for *limit* pieces can take all that exist."""
    owners = world.owner_count(piece) if owner is None else 1
    assert isinstance(piece.count.type, Whole)
    return piece.count.type.high * owners <= limit.low


def _states_room(
    fact: m.Expr, present: m.Expr, needed: m.Expr, limit: m.Expr, facts: Facts
) -> bool:
    """Return whether a fact states that a space has room: `space has room for …`."""
    match fact:
        case m.Compare(
            op=m.Comparison.AT_MOST,
            left=m.Arith(op=m.ArithmeticOperator.PLUS, left=number_, right=more),
            right=room,
        ) if number_ == present and room == limit:
            enough = (
                range_given_facts(needed, facts).high
                <= range_given_facts(more, facts).low
            )
            return more == needed or enough
    return False


# ---------------------------------------------------------------- changes


def facts_after_leaving(
    world: SymbolTable, node: PieceTransfer, space: m.Expr, facts: Facts
) -> Facts:
    """Return the facts after a piece has left a space."""
    piece = world.pieces[node.piece]
    remaining = tuple(fact for fact in facts if not _is_about(fact, piece.name, space))
    return (*remaining, *_departure_facts(piece, node, space))


def _departure_facts(piece: m.Piece, node: PieceTransfer, space: m.Expr) -> Facts:
    """Return the fact that a space has no such piece after one has left, if certain."""
    nobody = piece.room is None
    if not nobody and not isinstance(node.count, m.PieceCount):
        return ()
    on = m.piece_on(piece.name, None if nobody else node.owner, space, node.span)
    return (m.negation(on, node.span),)


def may_invalidate(
    world: SymbolTable, fact: m.Expr, transfer: PieceTransfer, any_space: bool
) -> bool:
    """Return whether a move of pieces may make a fact false.

    With `any_space`, the move may affect any space.
    """
    if _counts_all_spaces(fact, transfer.piece):
        return True
    anywhere = any_space or (
        world.pieces[transfer.piece].moves and transfer.source is None
    )
    return any(
        anywhere or any(_is_about(on, on.piece, at) for at in transfer.spaces)
        for on in find(fact, (m.PieceOn, m.PieceCount))
        if on.piece == transfer.piece
    )


def varies_by_round(transfer: PieceTransfer, slots: set[int], fields: set[str]) -> bool:
    """Return whether the rounds of a loop may move pieces on different spaces.

    The rounds assign to the variables in `slots` and to `fields`.
    """
    return any(
        reads_slots(space, slots) or fields & m.fields_read(space)
        for space in transfer.spaces
    )


def _counts_all_spaces(fact: m.Expr, piece: str) -> bool:
    """Return whether a fact depends on the pieces on all spaces."""
    return any(
        read.piece == piece
        and not (
            isinstance(read, m.PieceCount)
            and read.spaces is not None
            and isinstance(read.spaces.type, Member)
        )
        for read in find(fact, (m.PieceSpace, m.PieceSpaces, m.PieceCount))
    )


def _is_about(fact: m.Expr, piece: str, space: m.Expr) -> bool:
    """Return whether a fact is about this piece on this space."""
    return any(
        read.piece == piece
        and is_same_expression(
            read.space if isinstance(read, m.PieceOn) else read.spaces, space
        )
        for read in find(fact, (m.PieceOn, m.PieceCount))
    )


def space_facts_added(world: SymbolTable, node: m.Stmt) -> Facts:
    """Return the facts about spaces that a statement adds."""
    effects = effects_of(node)
    moved = effects.pieces
    if moved is not None:
        facts: Facts = ()
        if moved.source is not None:
            piece = world.pieces[moved.piece]
            facts = _departure_facts(piece, moved, moved.source)
        if moved.destination is None:
            return facts
        on = m.piece_on(moved.piece, moved.owner, moved.destination, moved.span)
        return (*facts, on)
    match [block for block in effects.blocks if block.body]:
        case [Block(holds=(condition,), body=body)]:
            return _facts_after_clearing(world, condition, body, None)
        case [Block(binder=m.Binder(where=m.Typed() as where) as loop, body=body)] if (
            effects.member_loop and _has_all_members(loop.set)
        ):
            return _facts_after_clearing(world, where, body, loop.slot)
    return ()


def _has_all_members(members: m.Expr) -> bool:
    """Return whether a set has all members of its domain."""
    match members:
        case m.AllOf() | m.Clockwise(after=False):
            return True
    return False


def _facts_after_clearing(
    world: SymbolTable, condition: m.Expr, body: tuple[m.Stmt, ...], slot: int | None
) -> Facts:
    """Return the facts after a body that removes the piece *condition* is about."""
    (on, *others) = m.conjuncts(condition)
    if others or not isinstance(on, m.PieceOn) or on.another:
        return ()
    for node in body:
        moved = effects_of(node).pieces
        if moved is None or moved.source is None or moved.piece != on.piece:
            continue
        every = is_same_expression(moved.owner, on.owner)
        if every and is_same_expression(moved.source, on.space):
            return _absence_fact(world, on, moved, slot)
    return ()


def _absence_fact(
    world: SymbolTable, presence: m.PieceOn, node: PieceTransfer, slot: int | None
) -> Facts:
    """Return the fact that no piece (or none of this owner) is on the space now."""
    all_gone = world.pieces[presence.piece].room is None
    if not all_gone and not isinstance(node.count, m.PieceCount):
        return ()
    if slot is None:
        gone = presence
    elif m.is_variable(presence.owner, slot):
        gone = attrs.evolve(presence, owner=None)
    else:
        return ()
    return (m.negation(gone, node.span),)
