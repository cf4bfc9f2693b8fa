"""Requirements that the effects of an action imply.

A `place` or `move` that an action makes before it asks anything becomes a requirement
of the action. The rules themselves must guard any later one.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import attrs

from rulebook import model as m
from rulebook.check.declare.symbol_table import SymbolTable
from rulebook.check.facts.holdings import certainly_has
from rulebook.check.facts.piece_supply import may_run_out
from rulebook.check.typing.card_holders import is_slot_type
from rulebook.signatures import (
    CardTransfer,
    Effects,
    Pause,
    PieceTransfer,
    VariablePlace,
    Write,
    effects_of,
    effects_within,
)
from rulebook.traversal import find, rewrite, walk

VALUE_PARTS_MAX = 100
"""Maximum number of nodes in a value that replaces its variable in a requirement."""


def with_implied_requirements(
    world: SymbolTable, requirements: list[m.Requirement], body: list[m.Stmt]
) -> list[m.Requirement]:
    """Return the requirements, and those implied by the first effects of the action."""
    needs = list(requirements)
    removed: list[tuple[str, m.Expr | None]] = []
    placed: dict[tuple[str, str], m.Expr] = {}
    for node in _predictable_effects(_first_effects(body)):
        effects = effects_of(node)
        pieces, cards = effects.pieces, effects.cards
        if pieces is not None and pieces.destination is None:
            if pieces.count is None:
                removed.append((pieces.piece, pieces.owner))
        elif pieces is not None and pieces.source is None:
            if pieces.count is None and (pieces.piece, pieces.owner) in removed:
                removed.remove((pieces.piece, pieces.owner))
            elif may_run_out(world, pieces):
                key = (pieces.piece, repr(pieces.owner))
                placed[key] = _total_placed(placed.get(key), pieces)
                _add_stock_requirement(
                    needs, world.pieces[pieces.piece], pieces, placed[key]
                )
        elif cards is not None and cards.source is not None:
            if is_slot_type(world, cards.source.type):
                continue  # the check of effects reports it
            known = cards.bag is not None and cards.is_exact
            known = known and not _is_endless(world, cards.source)
            if known and not _is_covered(needs, cards):
                _add_enough_requirement(needs, cards)
    return needs


def _first_effects(body: Iterable[m.Stmt]) -> Iterator[m.Stmt]:
    """Yield the statements that always run before a seat is asked for a decision."""
    for node in body:
        effects = effects_of(node)
        if effects.label is not None:
            for block in effects.blocks:
                yield from _first_effects(block.body)
                if any(map(_may_ask, map(effects_of, block.body))):
                    return
        elif _may_ask(effects):
            return
        else:
            yield node


def _may_ask(effects: Effects) -> bool:
    """Return whether a statement itself may ask a seat for a decision."""
    together = effects.pause is Pause.SIMULTANEOUS
    return effects.asks is not None or together or bool(effects.runs)


def _predictable_effects(effects: Iterator[m.Stmt]) -> Iterator[m.Stmt]:
    """Yield the effects that are completely known before the action runs.

    Variables are replaced by their values. An effect that reads a variable without a
    value (a drawn card, a member of a loop) is omitted.
    """
    values: dict[int, m.Expr] = {}
    unknown: set[int] = set()
    sizes: dict[int, int] = {}

    def size(node: object) -> int:
        return sum(sizes.get(getattr(inner, "slot", -1), 1) for inner in walk(node))

    def valued(node: object) -> object:
        return values.get(node.slot, node) if m.is_variable(node) else node

    for node in effects:
        match effects_of(node).writes:
            case (
                Write(
                    place=VariablePlace(slot=slot, indices=()), value=m.Typed() as value
                ),
            ) if not (size(value) > VALUE_PARTS_MAX or reads_slots(value, unknown)):
                sizes[slot] = size(value)
                values[slot] = rewrite(value, valued)
                unknown.discard(slot)
                continue
        bound = assigned_slots(effects_within(node))
        unknown |= bound
        for slot in bound:
            values.pop(slot, None)
        if not reads_slots(node, unknown):
            yield rewrite(node, valued)


def reads_slots(node: object, slots: set[int]) -> bool:
    """Return whether a node reads a variable in one of these slots."""
    return any(local.slot in slots for local in find(node, (m.Local, m.TallyValue)))


def assigned_slots(inside: Iterable[Effects]) -> set[int]:
    """Return the slots of the variables to which statements assign."""
    return {binding.slot for effects in inside for binding in effects.bindings}


def assigned_fields(inside: Iterable[Effects]) -> set[str]:
    """Return the keys of the fields to which statements assign."""
    return {place.field for effects in inside for place in effects.overwritten_fields}


def _is_endless(world: SymbolTable, source: m.Expr) -> bool:
    return m.is_field(source) and world.fields[source.field].endless


def _total_placed(placed_before: m.Expr | None, transfer: PieceTransfer) -> m.Expr:
    """Return the sum of the pieces placed before and now, as an expression."""
    more = transfer.count
    if more is None:
        more = m.number(1, transfer.span)
    if placed_before is None:
        return more
    if m.is_constant(placed_before) and m.is_constant(more):
        return m.number(placed_before.value + more.value, transfer.span)
    return m.add(placed_before, more, more.type, transfer.span)


def _add_stock_requirement(
    requirements: list[m.Requirement],
    piece: m.Piece,
    transfer: PieceTransfer,
    needed: m.Expr,
) -> None:
    left = m.piece_left(transfer.piece, transfer.owner, transfer.span)
    _add_requirement(
        requirements,
        m.Requirement(
            label="stock",
            sort=m.RequirementSort.STOCK,
            condition=m.at_least(left, needed, transfer.span),
            reason=transfer.piece,
            cites=piece.cites,
            span=transfer.span,
        ),
    )


def _add_enough_requirement(
    requirements: list[m.Requirement], transfer: CardTransfer
) -> None:
    assert transfer.source is not None and transfer.bag is not None
    _add_requirement(
        requirements,
        m.Requirement(
            label="enough",
            sort=m.RequirementSort.ENOUGH,
            condition=m.covers(transfer.source, transfer.bag, transfer.span),
            reason="",
            holder=transfer.source,
            bag=transfer.bag,
            span=transfer.span,
        ),
    )


def _add_requirement(
    requirements: list[m.Requirement], requirement: m.Requirement
) -> None:
    labels = {need.label for need in requirements}
    label, number = requirement.label, 2
    while label in labels:
        label, number = f"{requirement.label}_{number}", number + 1
    requirements.append(attrs.evolve(requirement, label=label))


def _is_covered(requirements: list[m.Requirement], transfer: CardTransfer) -> bool:
    """Return whether the requirements already ensure that the source has the cards."""
    assert transfer.bag is not None
    facts = (part for need in requirements for part in m.conjuncts(need.condition))
    return certainly_has(tuple(facts), transfer.source, transfer.bag)
