"""Detection of statements that can never have an effect.

The game ends as soon as somebody wins, and the first player is fixed when the first
turn begins. Later statements about either would be silently ignored.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import Any

from rulebook import model as m
from rulebook.addresses import AWARD, PHASE, RULE, sort_of
from rulebook.check.bodies.endings import END_PROCEDURE
from rulebook.check.declare.symbol_table import Mistake, SymbolTable, mistake
from rulebook.check.facts.loops import searched_set
from rulebook.model.value_types import SetOf
from rulebook.queries.calls import Graph, action_code, call_graph, reachable_code
from rulebook.signatures import (
    Ending,
    TurnState,
    effects_of,
    effects_within,
    is_statement,
)
from rulebook.traversal import walk

PLAYER = "player"
LATER = frozenset({PHASE, RULE, AWARD, END_PROCEDURE, "before_round", "after_round"})


def check_dead_statements(world: SymbolTable) -> None:
    """Report every statement that cannot have an effect where it is written."""
    model = world.model
    if model is None:
        return
    units = model.procedures | {action_code(n): a for n, a in model.actions.items()}
    calls = call_graph(model, world.code.values())
    later = _reachable_units(calls, LATER)
    closing = _reachable_units(calls, frozenset({END_PROCEDURE}))
    for name, unit in units.items():
        mistakes = [*_unreachable_statements(unit.body), *_multiple_winners(unit.body)]
        if name in later:
            mistakes += _late_first_players(unit.body)
        if name in closing:
            mistakes += _repeated_ends(unit.body)
        for wrong in mistakes:
            with world.collect_errors():
                raise wrong


def _unreachable_statements(body: tuple[m.Stmt, ...]) -> Iterator[Mistake]:
    """Yield an error for the first unreachable statement of each block."""
    for block in _blocks(body):
        for end, after in pairwise(block):
            effects = effects_of(end)
            if effects.ends is not Ending.NOTHING and not effects.may_continue:
                over = effects.ends is Ending.GAME
                what = "the game ends" if over else "`stop` comes"
                yield mistake(
                    "RB149",
                    after.span,
                    f"this never runs: {what} before it",
                    related=((end.span, "here"),),
                )
                break


def _blocks(body: tuple[m.Stmt, ...]) -> Iterator[tuple[m.Stmt, ...]]:
    yield body
    for effects in effects_within(body):
        for block in effects.blocks:
            yield block.body


def _writers(body: Any, place: TurnState) -> Iterator[tuple[m.Part, m.Expr | None]]:
    """Yield the statements that write *place*, with the new value if it is known."""
    for node in filter(is_statement, walk(body)):
        for write in effects_of(node).writes:
            if write.place is place:
                yield node, write.value


def _multiple_winners(body: tuple[m.Stmt, ...]) -> Iterator[Mistake]:
    """Yield an error for each statement that makes every player of a loop win.

    Loops in turn order are accepted, since the file specifies which player comes first.
    """
    for effects in effects_within(body):
        if (loop := effects.member_loop) is not None:
            yield from _winners_of_loop(loop.binder, loop.body)


def _winners_of_loop(loop: Any, body: tuple[m.Stmt, ...]) -> Iterator[Mistake]:
    if loop.set.type == SetOf(PLAYER) and not isinstance(
        searched_set(loop), m.Clockwise | m.SortedMembers
    ):
        for win, who in _writers(body, TurnState.WINNER):
            if m.is_variable(who, loop.slot):
                yield mistake(
                    "RB149",
                    win.span,
                    "only the first of these players wins, because the game ends "
                    "at once",
                    "say who comes first: "
                    f"`each {loop.name} in players clockwise from you where …`, or let "
                    f"them win together: `every {loop.name} where …, wins`",
                    related=((loop.span, "for each of these players"),),
                )


def _late_first_players(body: tuple[m.Stmt, ...]) -> Iterator[Mistake]:
    for node, _ in _writers(body, TurnState.FIRST_PLAYER):
        yield mistake(
            "RB149",
            node.span,
            "this has no effect: the first turn has already begun, and turns"
            " follow in order",
            "set the first player in `setup`, or in a procedure that only `setup` "
            "calls; later, write `PLAYER has the next turn`",
        )


def _repeated_ends(body: tuple[m.Stmt, ...]) -> Iterator[Mistake]:
    for node in filter(is_statement, walk(body)):
        effects = effects_of(node)
        if effects.ends is Ending.GAME and not effects.writes:
            yield mistake(
                "RB149",
                node.span,
                "the game has already ended here: the clause `end` only determines the "
                "winners",
                "name the winners",
            )


def _reachable_units(calls: Graph, sorts: frozenset[str]) -> set[str]:
    """Return the names of all code of the given sorts and of the code it calls."""
    return reachable_code(calls, [name for name in calls if sort_of(name) in sorts])
