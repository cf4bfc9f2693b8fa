"""Statements about turn order: next turn, missed turns and direction."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from rulebook import model as m
from rulebook import syntax as s
from rulebook.check.declare.scope import Unit, UnitSort, parameters
from rulebook.check.declare.symbols import PLAYER, World, mistake
from rulebook.check.typing.binders import asked_once
from rulebook.check.typing.expressions import check_player, check_truth
from rulebook.model.types import Member, Truth

SKIPPED = "skip"
"""Name of the definition that is true for players the turn order skips."""


def _next_turn(unit: Unit, node: s.NextTurn) -> list[m.Stmt]:
    return [m.NextTurn(who=check_player(unit, node.who), span=node.span)]


def _misses_turn(unit: Unit, node: s.MissesTurn) -> list[m.Stmt]:
    return [m.MissesTurn(who=check_player(unit, node.who), span=node.span)]


def _turns_go(unit: Unit, node: s.TurnsGo) -> list[m.Stmt]:
    return [m.TurnsGo(way=node.way, span=node.span)]


ORDER: dict[type[Any], Callable[[Unit, Any], list[m.Stmt]]] = {
    s.NextTurn: _next_turn,
    s.MissesTurn: _misses_turn,
    s.TurnsGo: _turns_go,
}
"""Check functions by class of syntax node."""


def round_name(clause: s.RoundClause) -> str:
    """Return the name of the procedure that runs before or after each round."""
    return f"{clause.when}_round"


def check_skip(world: World, clause: s.SkipClause) -> m.Define:
    """Check a `skip` clause; return it as a definition."""
    binder = clause.binder
    kind = world.words.get(binder.kind.text)
    if binder.still:
        raise asked_once(binder)
    plain = binder.domain is None and binder.order is None and not binder.best
    if kind != PLAYER or not plain or binder.where is None:
        raise mistake(
            "RB136",
            binder.span,
            "`skip` needs players and a condition",
            "write `skip player where …`",
        )
    unit = Unit(world, SKIPPED, UnitSort.DEFINE, you=False)
    name = (binder.name or binder.kind).text
    bound = parameters(unit, ((name, Member(PLAYER)),))
    unit.mine = bound[0].slot
    condition = check_truth(unit, binder.where)
    line = m.DefineLine(
        label="",
        value=m.Const(value=True, type=Truth(), span=binder.span),
        condition=condition,
        cites=clause.cites,
        span=binder.span,
    )
    return m.Define(
        name=SKIPPED,
        sentence="player is skipped",
        parameters=bound,
        type=Truth(),
        lines=(line,),
        slots=tuple(unit.slots),
        cites=clause.cites,
        span=clause.span,
    )
