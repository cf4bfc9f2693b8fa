"""Parts of a condition whose values explain it, for `why` and failed `require`
statements.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from interpreter.core.dependencies import children, walk
from interpreter.plan.specialise.terms import BINDERS
from rulebook import model as m
from rulebook import tooling

Told = tuple[m.Expr, ...]
Shared = frozenset[str]


def compared_expressions(
    part: m.Expr, readable: Callable[[m.Typed], bool]
) -> Iterator[m.Expr]:
    """Yield the expressions whose values decide a part of a requirement.

    If the part compares nothing, yield all its direct parts that can be evaluated.
    """
    inner = m.unnegated(part)
    match part:
        case _ if isinstance(inner, m.Exists):
            yield from members_found(inner, readable)
        case _ if inner is not None:
            yield from compared_expressions(inner, readable)
        case _ if sides := m.operands(part):
            yield from sides
        case m.Covers(holder=holder, bag=bag):
            yield holder
            yield bag
        case m.Contains(member=member):
            yield member
        case m.Exists(set=members):
            if not m.is_all_of(members) and readable(members):
                yield members
        case m.Binder() if isinstance(part.type, m.Truth):
            yield from members_found(part, readable)
        case _:
            for inner in children(part):
                if isinstance(inner, m.Typed) and readable(inner):
                    yield inner


def members_found(part: Any, readable: Callable[[m.Typed], bool]) -> Iterator[m.Expr]:
    """Yield the set of members that meet the condition of a quantifier."""
    members = part.set
    if part.where is not None:
        members = m.Filter(
            part.slot,
            part.name,
            part.set,
            part.where,
            type=members.type,
            span=part.span,
        )
    if all(map(readable, free_locals(members))):
        yield members


def explaining_expressions(condition: m.Expr, shared: Shared) -> Told:
    """Return the expressions whose values explain why a condition is false.

    `shared` are the pieces that may share a space with others of the same name.
    """
    expressions: dict[str, m.Expr] = {}
    for part in (*free_locals(condition), *deciding_expressions(condition, shared)):
        if not (m.is_constant(part) or m.is_all_of(part)):
            expressions.setdefault(repr(part), part)
    return tuple(expressions.values())


def free_locals(condition: m.Expr) -> Iterator[m.Expr]:
    """Yield the local variables of a condition that are bound outside it."""
    nodes = list(walk(condition))
    bound = {node.slot for node in nodes if type(node) in BINDERS}
    for node in nodes:
        if m.is_variable(node) and node.slot not in bound:
            yield node


def deciding_expressions(e: m.Expr, shared: Shared) -> Iterator[m.Expr]:
    """Yield the compared values and lookups in a condition."""
    match e:
        case _ if (parts := m.logical_parts(e)) is not None:
            for part in parts:
                yield from deciding_expressions(part, shared)
        case _ if sides := m.operands(e):
            for side in sides:
                yield from operands(side, shared)
        case m.Contains(set=members, member=member):
            yield from operands(member, shared)
            yield members
        case m.Covers(holder=holder):
            yield holder
        case m.PieceOn(piece=piece, space=space) if piece in shared:
            count = m.Whole(0, tooling.HOLDER_MAX)
            yield m.PieceCount(
                piece, e.owner, space, e.another, type=count, span=e.span
            )
        case m.PieceOn(piece=piece, owner=owner, space=space) if owner is not None:
            player = m.Member("player", optional=True)
            yield m.PieceOwner(piece, space, type=player, span=space.span)
        case m.Exists(where=None):
            yield e.set
        case m.Exists(where=where) if where is not None:
            yield m.Filter(e.slot, e.name, e.set, where, type=e.set.type, span=e.span)
        case _:
            yield e


def operands(e: m.Expr, shared: Shared) -> Iterator[m.Expr]:
    """Yield a compared value, and the values from which it is calculated."""
    if m.is_comparison(e) or m.logical_parts(e) is not None:
        yield from deciding_expressions(e, shared)
        return
    yield e
    match e:
        case m.Arith(left=left, right=right) | m.Extreme(left=left, right=right):
            yield from operands(left, shared)
            yield from operands(right, shared)
        case _:
            pass
