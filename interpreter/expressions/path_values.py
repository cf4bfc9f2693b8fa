"""Lowering of ways over a board and of longest trails."""

from __future__ import annotations

from interpreter.algorithms.shortest_paths import links_by_space
from interpreter.core.dependencies import walk
from interpreter.core.facts import PLAYER
from interpreter.expressions.lowerer import ZERO, Lowerer, Rules
from interpreter.kernel import operations as k
from rulebook import model as m


def _ways(t: Lowerer, e: m.Reach) -> k.Ways:
    size = t.facts.sizes[e.domain]
    neighbours: tuple[tuple[int, ...], ...] = ()
    links = None
    if e.links:
        board = t.facts.board
        assert board is not None
        links = tuple(map(tuple, links_by_space(board.link_ends, size)))
    else:
        neighbours = t.facts.relations[f"{e.domain}.neighbours"]
    return k.Ways(
        size,
        places(t, e.start),
        neighbours,
        links,
        None if e.where is None else k.PerElement(e.slot, t.value(e.where)),
        per_element(t, e.through),
        None if e.within is None else t.number(e.within),
        None
        if e.step is None
        else k.StepCondition(e.step.slot, e.slot, t.value(e.step.value)),
    )


def places(t: Lowerer, e: m.Expr) -> k.Value | k.Sequence:
    """Lower one place to a value, or a set of places to a sequence."""
    return t.value(e) if isinstance(e.type, m.Member) else t.sequence(e)


def per_element(t: Lowerer, e: m.Per | None) -> k.PerElement | None:
    """Lower an expression that is evaluated for each member; return None for None."""
    return None if e is None else k.PerElement(e.slot, t.value(e.value))


def _distance(t: Lowerer, e: m.Distance) -> k.Value:
    assert isinstance(e.type, m.Whole)
    ways, price = _ways(t, e.way), per_element(t, e.price)
    if price is not None:
        price = k.PerElement(price.slot, k.Binary("max", price.value, ZERO))
    return k.LinkDistance(ways, places(t, e.goal), e.type.high, price)


def trail(t: Lowerer, e: m.LongestTrail) -> k.Value:
    """Lower the length of a longest trail; on a board without links it is 0."""
    board = t.facts.board
    assert board is not None and board.link is not None
    if not board.link_ends:
        return ZERO
    sets = (e.links, *e.also)
    sorts = 1 if e.joint is None else len(sets)
    return k.TrailLength(
        tuple([t.sequence(links) for links in sets]),
        k.PerElement(e.slot, t.value(e.closed)),
        per_element(t, e.weight),
        per_element(t, e.joint),
        tuple([(first, last) for first, last in board.link_ends]),
        seat_read(t, e),
        t.facts.limits.max_trail_states(sorts),
        e.span,
    )


def seat_read(t: Lowerer, e: m.LongestTrail) -> k.Value | None:
    """Lower the only seat variable that a trail reads, or return None without one."""
    own = {node.slot for node in walk(e) if node.scope}
    for node in walk(e):
        if m.is_variable(node) and node.slot not in own and is_seat(node.type):
            return t.value(node)
    return None


def is_seat(kind: m.Type) -> bool:
    """Return whether a type is the type of seats."""
    return isinstance(kind, m.Member) and kind.domain == PLAYER


VALUES: Rules = {m.Distance: _distance, m.LongestTrail: trail}
SEQUENCES: Rules = {m.Reach: lambda t, e: k.Reached(_ways(t, e))}
