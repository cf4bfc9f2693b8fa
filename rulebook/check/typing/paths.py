"""Checks of paths over a board: longest trails, reachable spaces, distances."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from rulebook import model as m
from rulebook import syntax as s
from rulebook.check.declare.scope import Unit
from rulebook.check.declare.symbol_table import mistake
from rulebook.check.typing.assignability import describe_type
from rulebook.check.typing.binders import (
    CheckedBinder,
    bind,
    bind_over,
    bind_within,
    check_binder_set,
)
from rulebook.check.typing.expression_checks import check_expr, check_number
from rulebook.check.typing.superlatives import check_measure
from rulebook.model.value_types import Member, SetOf, Type, Whole
from rulebook.signatures.range_arithmetic import clip_range

# ---------------------------------------------------------------- trails


def _trail(unit: Unit, node: s.LongestTrailExpression, expected: Type | None) -> m.Expr:
    world = unit.world
    if world.board is None or world.board.link is None:
        raise mistake("RB106", node.span, "a trail needs a board with links")
    corner = world.board.corner
    sets = [
        _links(unit, linked, world.board.link) for linked in (node.links, *node.also)
    ]
    if node.changing_at is not None and not node.also:
        raise mistake(
            "RB120",
            node.changing_at.span,
            "`changing at` needs a second kind of link to change to",
            "add it with `and`, as in `longest trail of … and …`",
        )
    link = world.board.link
    weight = None if node.by is None else _member_measure(unit, link, link, node.by)
    joint = _per(unit, node.changing_at, corner)
    stop = _per(
        unit, node.broken_at or s.BinderPhrase(s.Name(corner, span=node.span)), corner
    )
    assert stop is not None
    links = len(world.board.link_ends)
    each = 1 if weight is None else _upper_bound(weight.value.type)
    return m.LongestTrail(
        links=sets[0],
        slot=stop.slot,
        name=stop.name,
        closed=stop.value
        if _has_condition(node.broken_at)
        else m.truth(False, node.span),
        also=tuple(sets[1:]),
        weight=weight,
        joint=joint,
        type=Whole(0, links * max(0, each)),
        span=node.span,
    )


def _has_condition(binder: s.BinderPhrase | None) -> bool:
    return binder is not None and binder.where is not None


def _upper_bound(kind: Type) -> int:
    assert isinstance(kind, Whole)
    return kind.high


def _links(unit: Unit, node: s.Expr, link: str) -> m.Expr:
    links = check_binder_set(unit, node, link)
    if links.type != SetOf(link):
        raise mistake("RB120", links.span, f"a trail needs {link}s, not this")
    return links


# ---------------------------------------------------------------- ways


def _reach(unit: Unit, node: s.ReachExpression, expected: Type | None) -> m.Expr:
    start = _start(unit, node)
    return _path_reach(unit, node, start, _start_kind(unit, start), node.within)


def _distance(unit: Unit, node: s.DistanceExpression, expected: Type | None) -> m.Expr:
    start = _start(unit, node)
    domain = _start_kind(unit, start)
    goal = check_expr(unit, node.goal, Member(domain))
    if getattr(goal.type, "domain", None) != domain or not isinstance(
        goal.type, Member | SetOf
    ):
        raise mistake(
            "RB120",
            goal.span,
            f"steps lead from one {domain} to another, not to "
            f"{describe_type(goal.type)}",
        )
    reach = _path_reach(unit, node, start, domain, None)
    price = _price(unit, node, reach)
    spaces = unit.world.member_count(domain)
    farthest = spaces if price is None else _cost_above_all(spaces, price)
    return m.Distance(
        way=reach, goal=goal, price=price, type=clip_range(0, farthest), span=node.span
    )


def _price(unit: Unit, node: s.DistanceExpression, reach: m.Reach) -> m.Per | None:
    """Return the cost of each link or space, or None if a distance counts steps."""
    if node.by is None:
        return None
    domain = reach.domain
    if reach.links:
        assert unit.world.board is not None and unit.world.board.link is not None
        domain = unit.world.board.link
    return _member_measure(unit, domain, reach.name, node.by)


def _cost_above_all(spaces: int, price: m.Per) -> int:
    """Return a cost above that of any path, which has fewer links than spaces."""
    return (spaces - 1) * max(0, _upper_bound(price.value.type)) + 1


def _start(unit: Unit, node: s.ReachExpression | s.DistanceExpression) -> m.Expr:
    """Check the space or spaces where a path starts.

    In `some SPACE where …`, the expected kind is that of the spaces on the path.
    """
    board = unit.world.board
    domain = unit.world.words.get(node.over.kind.text)
    if board is not None and domain == board.link:
        domain = board.corner
    return check_expr(unit, node.start, None if domain is None else Member(domain))


def _start_kind(unit: Unit, start: m.Expr) -> str:
    """Return the kind of the space or spaces where a path starts."""
    kind = start.type
    domain = kind.domain if isinstance(kind, Member | SetOf) else None
    if domain is None:
        raise mistake(
            "RB120",
            start.span,
            f"a path starts from spaces, not from {describe_type(kind)}",
        )
    if (domain, "neighbours") not in unit.world.relations:
        raise mistake(
            "RB106",
            start.span,
            f"no links lead from one {domain} to another",
            f"declare them, as in `links bond between {domain} by (1, 0), (0, 1)`",
        )
    return domain


def _path_reach(
    unit: Unit,
    node: s.ReachExpression | s.DistanceExpression,
    start: m.Expr,
    domain: str,
    within: s.Expr | None,
) -> m.Reach:
    board = unit.world.board
    named = node.over.before
    with unit.block():
        before = None
        if named is not None:
            _require_two_names(named, node.over.name)
            before = bind_over(unit, named.text, m.all_of(domain), None)
        bound = bind(unit, node.over)
    link = board.link if board is not None and domain == board.corner else None
    over_links = link is not None and bound.type == Member(link)
    if bound.type != Member(domain) and not over_links:
        words = [domain] if link is None else [domain, link]
        raise mistake(
            "RB120",
            node.over.span,
            f"a path from one {domain} to another cannot go over this",
            f"write {' or '.join(f'`over {word} where …`' for word in words)}",
        )
    _require_all_members(node.over, bound)
    if named is not None and over_links:
        raise mistake(
            "RB120",
            node.over.span,
            f"a step leads from one {domain} to another, not over a {link}",
            f"write `over {domain} {named.text} to {bound.name} where …`",
        )
    where, step = bound.where, None
    if before is not None and where is not None:
        step = m.Per(before.slot, before.name, where, span=where.span)
        where = None
    return m.Reach(
        start=start,
        slot=bound.slot,
        name=bound.name,
        domain=domain,
        where=where,
        links=over_links,
        through=_per(unit, node.through, domain),
        within=None if within is None else check_number(unit, within),
        step=step,
        type=SetOf(domain),
        span=node.span,
    )


def _require_two_names(before: s.Name, after: s.Name | None) -> None:
    """Raise `Mistake` if the two ends of a step have the same name."""
    if after is not None and before.text == after.text:
        raise mistake(
            "RB102",
            after.span,
            f"both ends of the step are called `{after.text}`",
            "choose another name for one of them",
        )


# ---------------------------------------------------------------- binders of paths


def _member_measure(unit: Unit, domain: str, name: str, measure: s.Expr) -> m.Per:
    """Return a number for each member of a kind; *measure* reads it as *name*."""
    with unit.block():
        bound = bind_over(unit, name, m.all_of(domain), None)
        value = check_measure(unit, bound.variable(measure.span), measure)
    return m.Per(bound.slot, name, value, span=measure.span)


def _per(unit: Unit, node: s.BinderPhrase | None, domain: str) -> m.Per | None:
    """Return a binder's condition as a value per space, or None if *node* is None."""
    if node is None:
        return None
    bound = bind_within(unit, node)
    if bound.type != Member(domain):
        plural = unit.world.domains[domain].plural
        raise mistake("RB120", node.span, f"expected {plural}, not this")
    _require_all_members(node, bound)
    value = bound.where or m.truth(True, node.span)
    return m.Per(bound.slot, bound.name, value, span=node.span)


def _require_all_members(node: s.BinderPhrase, binder: CheckedBinder) -> None:
    """Raise `Mistake` unless the binder of a path ranges over a whole kind."""
    if not m.is_all_of(binder.set):
        raise mistake(
            "RB120",
            node.span,
            "a path must be over all spaces of a kind",
            "select some of them with `where`",
        )


#: Check functions by class of syntax node.
PATH_CHECKS: dict[type[Any], Callable[..., m.Expr]] = {
    s.LongestTrailExpression: _trail,
    s.ReachExpression: _reach,
    s.DistanceExpression: _distance,
}
