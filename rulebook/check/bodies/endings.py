"""Endings of a game: statements that name winners, and the `end` clause."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import attrs

from rulebook import model as m
from rulebook import syntax as s
from rulebook.addresses import Address
from rulebook.check.bodies.turn_order import SKIP_DEFINITION
from rulebook.check.declare.scope import Unit, UnitSort
from rulebook.check.declare.symbol_table import PLAYER, SymbolTable, mistake
from rulebook.check.declare.teams import MEMBERS, TEAM
from rulebook.check.typing.assignability import expect_type
from rulebook.check.typing.binders import bind_over, matching_members
from rulebook.check.typing.expression_checks import check_expr, check_player
from rulebook.check.typing.superlatives import check_measures
from rulebook.model.value_types import Member, SetOf
from rulebook.signatures import Ending, statements_in

PLAYERS = SetOf(PLAYER)
END_PROCEDURE = "end"
"""Name of the procedure that determines the winners when the game is over."""


def _reason(unit: Unit) -> str:
    """Return the reason recorded for the end of the game: the clause's name."""
    return Address.parse(unit.clause).last_word


def _wins(unit: Unit, node: s.WinsStatement) -> list[m.Stmt]:
    return [
        m.Wins(player=_winners(unit, node.player), reason=_reason(unit), span=node.span)
    ]


def _winners(unit: Unit, node: s.Expr) -> m.Expr:
    """Return the winners: a player, or a set of players such as a team."""
    value = check_expr(unit, node, Member(PLAYER))
    alone = (
        isinstance(node, s.NameRef) and node.name.text == PLAYER
    )  # not the set of all players
    if value.type == PLAYERS and not alone:
        return value
    if isinstance(value.type, Member) and value.type.domain == TEAM:
        return m.column_value(TEAM, MEMBERS, value, PLAYERS, value.span)
    return expect_type(value, Member(PLAYER))


def _win_together(unit: Unit, node: s.WinTogether) -> list[m.Stmt]:
    """Return the statement that makes several named players win."""
    with unit.block():
        bound = bind_over(unit, PLAYER, m.all_of(PLAYER, node.span), None)
    player = bound.variable(node.span)
    named = [check_player(unit, who) for who in node.player]
    tests = tuple(m.equal(player, who, who.span) for who in named)
    bound = attrs.evolve(bound, where=m.disjunction(tests, node.span))
    who = matching_members(bound)
    return [m.Wins(player=who, reason=_reason(unit), span=node.span)]


def _best_win(unit: Unit, node: s.BestWin) -> list[m.Stmt]:
    with unit.block():
        bound = bind_over(unit, PLAYER, m.all_of(PLAYER, node.span), node.where)
        by = check_measures(unit, bound.variable(node.span), node.best)
    ranking = bound.make_node(m.Ranking, by=by, span=node.span)
    reason = _reason(unit)
    return [m.Wins(player=None, reason=reason, ranking=ranking, span=node.span)]


def _draws(unit: Unit, node: s.Draws) -> list[m.Stmt]:
    return [m.Wins(player=None, reason=_reason(unit), span=node.span)]


def _game_ends(unit: Unit, node: s.GameEndsStatement) -> list[m.Stmt]:
    if unit.sort is UnitSort.TEST:
        raise mistake(
            "RB130",
            node.span,
            "a test cannot end the game",
            "name the winner, or do the action that ends the game",
        )
    return [m.GameEnds(span=node.span)]


ENDING_CHECKS: dict[type[Any], Callable[[Unit, Any], list[m.Stmt]]] = {
    s.WinsStatement: _wins,
    s.WinTogether: _win_together,
    s.BestWin: _best_win,
    s.Draws: _draws,
    s.GameEndsStatement: _game_ends,
}
"""Functions that check statements about endings, by class of syntax node."""


# ---------------------------------------------------------------- the clause `end`


def check_end(world: SymbolTable) -> None:
    """Report each statement that ends the game although no clause names a winner."""
    model = world.model
    if world.header.rounds == 0:
        raise mistake("RB103", world.header.span, "a game needs at least one round")
    if model is None or END_PROCEDURE in model.procedures:
        return
    for span, what in _ends_without_winner(world, model):
        with world.collect_errors():
            raise mistake(
                "RB157",
                span,
                f"{what}, but no rule determines who wins",
                "add a clause `end` that names the winner, such as `the"
                " players with the most points win`",
            )


def _ends_without_winner(
    world: SymbolTable, model: m.Model
) -> Iterator[tuple[Any, str]]:
    if model.rounds is not None:
        yield world.header.span, f"the game is over after {model.rounds} rounds"
    skip = model.defines.get(SKIP_DEFINITION)
    if skip is not None:
        yield skip.span, "the game is over when all are skipped"
    for node, effects in statements_in(model.procedures, model.actions):
        if effects.ends is Ending.GAME and not effects.writes:
            yield node.span, "the game ends here"
