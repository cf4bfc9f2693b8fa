"""Check of seats named in rules: with few players, some seats do not play.

A seat that does not play owns nothing. It may be compared, and may be given the next
turn, which is then skipped. Other uses of its name are allowed only where the seat
certainly plays.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import attrs

from rulebook import model as m
from rulebook.check.declare.symbol_table import PLAYER, SymbolTable, mistake
from rulebook.signatures import TurnState, direct_parts, effects_of, is_statement
from rulebook.traversal import children


def check_seats(world: SymbolTable) -> None:
    """Report each use of a seat's name where the seat may not play."""
    if world.model is None:
        return
    fewest = world.players[0]
    _check_parts(world, children(attrs.evolve(world.model, scenarios=())), fewest)
    for scenario in world.model.scenarios:
        _check_parts(world, children(scenario), scenario.players or world.players[1])


def _check_part(world: SymbolTable, part: m.Part | m.Typed, min_players: int) -> None:
    """Check a part that runs only with at least *min_players* players."""
    match part:
        case m.Const(value=int(seat), type=m.Member(domain=domain)):
            if domain == PLAYER and seat >= min_players:
                _report(world, part, seat)
        case m.Compare():
            _check_parts(world, _without_names(children(part)), min_players)
        case _ if is_statement(part):
            _check_statement(world, part, min_players)
        case _:
            _check_parts(world, children(part), min_players)


def _check_statement(world: SymbolTable, node: m.Part, min_players: int) -> None:
    """Check a statement; conditions of its blocks may guarantee more players."""
    effects, inside = effects_of(node), direct_parts(node)
    if any(write.place is TurnState.NEXT_PLAYER for write in effects.writes):
        inside = _without_names(inside)
    _check_parts(world, inside, min_players)
    for block in effects.blocks:
        fewest, most = min_players, world.players[1]
        for condition in block.holds:
            fewest = _min_players(condition, fewest, most, holds=True)
        for condition in block.fails:
            fewest = _min_players(condition, fewest, most, holds=False)
        _check_parts(world, block.body, fewest)


def _without_names(parts: list[Any]) -> list[Any]:
    """Return the parts except bare seat names, which are allowed here."""
    return [part for part in parts if not m.is_constant(part)]


def _check_parts(
    world: SymbolTable, parts: Iterable[m.Part | m.Typed], min_players: int
) -> None:
    for part in parts:
        _check_part(world, part, min_players)


def _min_players(condition: m.Expr, low: int, high: int, *, holds: bool) -> int:
    """Return the minimum number of players with which *condition* may equal *holds*.

    It is *high* + 1 if no number from *low* to *high* suffices.
    """
    parts = m.conjuncts(condition) if holds else (condition,)
    for count in range(low, high + 1):
        if all(_comparison_value(part, count) in (None, holds) for part in parts):
            return count
    return high + 1


def _comparison_value(condition: m.Expr, count: int) -> bool | None:
    """Return the value of a comparison if *count* seats play, or None if unknown."""
    match condition:
        case m.Compare(op=op, left=m.PlayerCount(), right=m.Const(value=other)):
            return op.function(count, other)
        case m.Compare(op=op, left=m.Const(value=other), right=m.PlayerCount()):
            return op.function(other, count)
        case _:
            return None


def _report(world: SymbolTable, name: m.Const, seat: int) -> None:
    """Report a seat name that is used where the seat may not play."""
    with world.collect_errors():
        raise mistake(
            "RB145",
            name.span,
            f"`{world.seats[seat]}` plays only in games with {seat + 1} or more "
            "players",
            f"put it under `if number of players > {seat}:`, or give the scenario that "
            f"names it `with {seat + 1} players`",
        )
