"""Check of seats named in rules: with few players, some seats do not play.

A seat that does not play owns nothing. It may be compared, and may be given the next
turn, which is then skipped. Any other use must be where the seat certainly plays.
"""

from __future__ import annotations

from collections.abc import Iterable

import attrs

from rulebook import model as m
from rulebook.check.declare.symbol_table import PLAYER, World, mistake
from rulebook.check.facts.preconditions import conjuncts
from rulebook.traversal import children

ALLOWED_PARTS = (m.Compare, m.NextTurn)
"""Model classes in which the name of a seat that does not play is allowed."""


def check_seats(world: World) -> None:
    """Report each use of a seat's name where the seat may not play."""
    if world.model is None:
        return
    fewest = world.players[0]
    _check_parts(world, children(attrs.evolve(world.model, scenarios=())), fewest)
    for scenario in world.model.scenarios:
        _check_parts(world, children(scenario), scenario.players or world.players[1])


def _check_part(world: World, part: m.Part | m.Typed, min_players: int) -> None:
    """Check a part that runs only with at least *fewest* players."""
    match part:
        case m.IfElse(condition=condition, body=body, otherwise=otherwise):
            _check_parts(world, [condition], min_players)
            _check_parts(
                world,
                body,
                _min_players(condition, min_players, world.players[1], holds=True),
            )
            _check_parts(
                world,
                otherwise,
                _min_players(condition, min_players, world.players[1], holds=False),
            )
        case m.Const(value=int(seat), type=m.Member(domain=domain)):
            if domain == PLAYER and seat >= min_players:
                _report(world, part, seat)
        case _ if isinstance(part, ALLOWED_PARTS):
            inside = [it for it in children(part) if not isinstance(it, m.Const)]
            _check_parts(world, inside, min_players)
        case _:
            _check_parts(world, children(part), min_players)


def _check_parts(
    world: World, parts: Iterable[m.Part | m.Typed], min_players: int
) -> None:
    for part in parts:
        _check_part(world, part, min_players)


def _min_players(condition: m.Expr, low: int, high: int, *, holds: bool) -> int:
    """Return the minimum number of players for which a condition equals *holds*."""
    parts = conjuncts(condition) if holds else (condition,)
    for count in range(low, high + 1):
        if all(_comparison_value(part, count) in (None, holds) for part in parts):
            return count
    return high + 1


def _comparison_value(condition: m.Expr, count: int) -> bool | None:
    """Return the value of a comparison if *count* seats play, or None if unknown."""
    match condition:
        case m.Compare(op=op, left=m.PlayerCount(), right=m.Const(value=other)):
            return op.meaning(count, other)
        case m.Compare(op=op, left=m.Const(value=other), right=m.PlayerCount()):
            return op.meaning(other, count)
        case _:
            return None


def _report(world: World, name: m.Const, seat: int) -> None:
    """Report a seat name that is used where the seat may not play."""
    with world.collecting():
        raise mistake(
            "RB145",
            name.span,
            f"`{world.seats[seat]}` plays only with {seat + 1} players or more",
            f"put it under `if number of players > {seat}:`, or give the scenario that "
            f"names it `with {seat + 1} players`",
        )
