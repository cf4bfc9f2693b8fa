"""Checks of statements about turn order: next turn, missed turns, direction."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from rulebook import model as m
from rulebook import syntax as s
from rulebook.check.declare.scope import Unit, UnitSort, bind_parameters
from rulebook.check.declare.symbol_table import PLAYER, SymbolTable, mistake
from rulebook.check.typing.binders import still_not_allowed_error
from rulebook.check.typing.expression_checks import check_condition, check_player
from rulebook.model.value_types import Member, Truth

SKIP_DEFINITION = "skip"
"""Name of the definition that is true for players whom the turn order skips."""


def _next_turn(unit: Unit, node: s.NextTurnStatement) -> list[m.Stmt]:
    return [m.NextTurn(player=check_player(unit, node.player), span=node.span)]


def _misses_turn(unit: Unit, node: s.MissesTurnStatement) -> list[m.Stmt]:
    return [m.MissesTurn(player=check_player(unit, node.player), span=node.span)]


def _turns_go(unit: Unit, node: s.TurnsGoStatement) -> list[m.Stmt]:
    return [m.TurnsGo(way=node.way, span=node.span)]


TURN_ORDER_CHECKS: dict[type[Any], Callable[[Unit, Any], list[m.Stmt]]] = {
    s.NextTurnStatement: _next_turn,
    s.MissesTurnStatement: _misses_turn,
    s.TurnsGoStatement: _turns_go,
}
"""Functions that check statements about turn order, by class of syntax node."""


def round_procedure_name(clause: s.RoundClause) -> str:
    """Return the name of the procedure that runs before or after each round."""
    return f"{clause.when}_round"


def check_skip(world: SymbolTable, clause: s.SkipClause) -> m.Define:
    """Check a `skip` clause; return it as a definition."""
    binder = clause.binder
    kind = world.words.get(binder.kind.text)
    if binder.still:
        raise still_not_allowed_error(binder)
    plain = binder.domain is None and binder.order is None and not binder.best
    if kind != PLAYER or not plain or binder.where is None:
        raise mistake(
            "RB136",
            binder.span,
            "`skip` needs players and a condition",
            "write `skip player where …`",
        )
    if world.phases_each_round:
        raise mistake(
            "RB136",
            clause.span,
            "nobody has a turn to skip, as the phases run once in each round",
            "write the condition after the players of a phase: `phase NAME, each "
            "player where …`",
        )
    unit = Unit(world, SKIP_DEFINITION, UnitSort.DEFINE, has_actor=False)
    name = (binder.name or binder.kind).text
    bound = bind_parameters(unit, ((name, Member(PLAYER)),))
    unit.excluded_slot = bound[0].slot
    condition = check_condition(unit, binder.where)
    line = m.DefineLine(
        label="",
        value=m.truth(True, binder.span),
        condition=condition,
        cites=clause.cites,
        span=binder.span,
    )
    return m.Define(
        name=SKIP_DEFINITION,
        sentence="player is skipped",
        parameters=bound,
        type=Truth(),
        lines=(line,),
        slots=tuple(unit.slots),
        cites=clause.cites,
        span=clause.span,
    )
