"""Requirements that the effects of an action imply.

A `place` or `move` that an action makes before it asks anything becomes a requirement
of the action. The rules themselves must guard any later one.
"""

from __future__ import annotations

from collections.abc import Iterator

import attrs

from rulebook import model as m
from rulebook.check.declare.symbol_table import PLAYER, World
from rulebook.check.facts.holdings import certainly_has
from rulebook.check.facts.piece_supply import may_run_out, pieces_left
from rulebook.check.typing.card_holders import is_slot_type
from rulebook.model.value_types import Member, Truth, Whole
from rulebook.traversal import find, rewrite, walk

WAITS = (m.Choose, m.Gather, m.Ask, m.Together, m.CallProcedure, m.CarryOut)
BINDERS = (
    *(m.SetLocal, m.SetTally, m.DrawCard, m.Reveal, m.ChanceChoose),
    *(m.Choose, m.Gather, m.EachMember, m.Together),
)

VALUE_PARTS_MAX = 100
"""Maximum number of nodes in a value that replaces its variable in a requirement."""


def with_implied_requirements(
    world: World, requirements: list[m.Requirement], body: list[m.Stmt]
) -> list[m.Requirement]:
    """Return the requirements, extended by those that the first effects imply."""
    needs = list(requirements)
    removed: list[tuple[str, m.Expr | None]] = []
    placed: dict[tuple[str, str], m.Expr] = {}
    for node in _effects_known_before(_first_effects(body)):
        match node:
            case m.RemovePiece(piece=piece, owner=owner, count=None):
                removed.append((piece, owner))
            case m.PlacePiece(piece=piece, owner=owner):
                if node.count is None and (piece, owner) in removed:
                    removed.remove((piece, owner))
                elif may_run_out(world, node):
                    key = (piece, repr(owner))
                    placed[key] = _total_placed(placed.get(key), node)
                    _add_stock(needs, world.pieces[piece], node, placed[key])
            case m.MoveCards(source=source, up_to=False) if source is not None:
                if is_slot_type(world, source.type):
                    continue  # the check of effects reports it
                if not _endless(world, source) and not _is_covered(needs, node):
                    _add_enough(needs, node)
    return needs


def _first_effects(body: list[m.Stmt] | tuple[m.Stmt, ...]) -> Iterator[m.Stmt]:
    """Yield the statements that always run before a seat is asked anything."""
    for node in body:
        if isinstance(node, m.LabelledBlock):
            yield from _first_effects(node.body)
            if any(isinstance(inner, WAITS) for inner in node.body):
                return
        elif isinstance(node, WAITS):
            return
        else:
            yield node


def _effects_known_before(effects: Iterator[m.Stmt]) -> Iterator[m.Stmt]:
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
        return values.get(node.slot, node) if isinstance(node, m.Local) else node

    for node in effects:
        match node:
            case m.SetLocal(slot=slot, value=value) if not (
                size(value) > VALUE_PARTS_MAX or reads_slots(value, unknown)
            ):
                sizes[slot] = size(value)
                values[slot] = rewrite(value, valued)
                unknown.discard(slot)
                continue
        bound = set(assigned_slots(node))
        unknown |= bound
        for slot in bound:
            values.pop(slot, None)
        if not reads_slots(node, unknown):
            yield rewrite(node, valued)


def reads_slots(node: object, slots: set[int]) -> bool:
    """Return whether a node reads a variable in one of these slots."""
    return any(local.slot in slots for local in find(node, (m.Local, m.TallyValue)))


def assigned_slots(node: m.Stmt) -> Iterator[int]:
    """Yield the slots of the variables to which a statement assigns."""
    for binder in find(node, BINDERS):
        if binder.slot is not None:
            yield binder.slot
        if isinstance(binder, m.Gather):
            yield binder.bag


def _endless(world: World, source: m.Expr) -> bool:
    return isinstance(source, m.FieldValue) and world.fields[source.field].endless


def _total_placed(before: m.Expr | None, node: m.PlacePiece) -> m.Expr:
    """Return the total number of pieces placed, including earlier placings."""
    more = node.count
    if more is None:
        more = m.Const(value=1, type=Whole(1, 1), span=node.span)
    match before, more:
        case None, _:
            return more
        case m.Const(value=first), m.Const(value=second):
            sum_ = first + second
            return m.Const(value=sum_, type=Whole(sum_, sum_), span=node.span)
    assert before is not None
    return m.Arith(
        op=m.Reckoning.PLUS, left=before, right=more, type=more.type, span=node.span
    )


def _add_stock(
    requirements: list[m.Requirement], piece: m.Piece, node: m.PlacePiece, need: m.Expr
) -> None:
    _add(
        requirements,
        m.Requirement(
            label="stock",
            sort=m.RequirementSort.STOCK,
            condition=m.Compare(
                op=m.Comparison.AT_LEAST,
                left=pieces_left(node),
                right=need,
                type=Truth(),
                span=node.span,
            ),
            reason=node.piece,
            cites=piece.cites,
            span=node.span,
        ),
    )


def _add_enough(requirements: list[m.Requirement], node: m.MoveCards) -> None:
    assert node.source is not None
    _add(
        requirements,
        m.Requirement(
            label="enough",
            sort=m.RequirementSort.ENOUGH,
            condition=m.Covers(
                holder=node.source, bag=node.bag, type=Truth(), span=node.span
            ),
            reason="",
            holder=node.source,
            bag=node.bag,
            span=node.span,
        ),
    )


def _add(requirements: list[m.Requirement], requirement: m.Requirement) -> None:
    labels = {need.label for need in requirements}
    label, number = requirement.label, 2
    while label in labels:
        label, number = f"{requirement.label}_{number}", number + 1
    requirements.append(attrs.evolve(requirement, label=label))


def _is_covered(requirements: list[m.Requirement], node: m.MoveCards) -> bool:
    """Return whether a requirement of the file already ensures that the cards exist."""
    facts = (part for need in requirements for part in conjuncts(need.condition))
    return certainly_has(tuple(facts), node.source, node.bag)


def conjuncts(condition: m.Expr) -> Iterator[m.Expr]:
    """Yield the parts of a condition that must all be true."""
    if isinstance(condition, m.And):
        for part in condition.parts:
            yield from conjuncts(part)
    else:
        yield condition


def you_expression() -> m.Local:
    """Return `you` as an expression."""
    return m.Local(slot=m.YOU, name="you", type=Member(PLAYER))
