"""Ways over a board: the longest trail, and how far neighbours lead."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from rulebook import model as m
from rulebook import syntax as s
from rulebook.check.binders import bind, domain_set
from rulebook.check.expressions import TRUTH, check_expr, describe
from rulebook.check.scope import Unit
from rulebook.check.world import mistake
from rulebook.types import Member, SetOf, Type, Whole


def _trail(unit: Unit, node: s.LongestTrail, expected: Type | None) -> m.Expr:
    world = unit.world
    if world.board is None or world.board.link is None:
        raise mistake("RB106", node.span, "a trail needs a board with links")
    links = domain_set(unit, node.links, world.board.link)
    if links.type != SetOf(world.board.link):
        raise mistake(
            "RB120", links.span, f"a trail runs over {world.board.link}s, not this"
        )
    with unit.block():
        bound = bind(unit, node.broken_at)
    closed = bound.where or m.Const(value=False, type=TRUTH, span=node.span)
    return m.LongestTrail(
        links=links,
        slot=bound.slot,
        name=bound.name,
        closed=closed,
        type=Whole(0, len(world.board.link_ends)),
        span=node.span,
    )


def _reach(unit: Unit, node: s.Reach, expected: Type | None) -> m.Expr:
    start = check_expr(unit, node.start)
    domain = getattr(start.type, "domain", None)
    if not isinstance(start.type, Member | SetOf) or domain is None:
        raise mistake(
            "RB120", start.span, f"one reaches from spaces, not {describe(start.type)}"
        )
    if (domain, "neighbours") not in unit.world.relations:
        raise mistake(
            "RB106",
            start.span,
            f"no links lead from one {domain} to another",
            f"declare them, as in `links bond between {domain} by (1, 0), (0, 1)`",
        )
    with unit.block():
        bound = bind(unit, node.over)
    if bound.type != Member(domain):
        raise mistake(
            "RB120",
            node.over.span,
            f"one reaches from one {domain} to another {domain}, not over this",
        )
    if node.over.domain is not None:
        raise mistake(
            "RB120",
            node.over.span,
            "a way runs over all spaces of a kind",
            "say in a `where` over which of them",
        )
    return m.Reach(
        start=start,
        slot=bound.slot,
        name=bound.name,
        domain=domain,
        where=bound.where,
        type=SetOf(domain),
        span=node.span,
    )


#: The checks of these phrases, by their classes of syntax.
WAYS: dict[type[Any], Callable[..., m.Expr]] = {s.LongestTrail: _trail, s.Reach: _reach}
