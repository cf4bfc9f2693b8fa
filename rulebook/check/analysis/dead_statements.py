"""Detection of statements that can never have an effect.

The game ends as soon as somebody wins, and the first player is fixed when the first
turn begins. Statements that come too late would be ignored silently.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from rulebook import model as m
from rulebook.addresses import AWARD, PHASE, RULE, sort_of
from rulebook.check.bodies.endings import END_PROCEDURE
from rulebook.check.declare.symbol_table import Mistake, World, mistake
from rulebook.check.facts.loops import searched_set
from rulebook.model.value_types import Member, SetOf
from rulebook.queries.calls import Graph, action_code, call_graph
from rulebook.traversal import find, walk

PLAYER = "player"
LATER = frozenset({PHASE, RULE, AWARD, END_PROCEDURE, "before_round", "after_round"})
OVER = m.Wins | m.GameEnds


def check_dead_statements(world: World) -> None:
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
            mistakes += [_late_first_player(node) for node in find(unit.body, m.Starts)]
        if name in closing:
            mistakes += [_repeated_end(node) for node in find(unit.body, m.GameEnds)]
        for wrong in mistakes:
            with world.collecting():
                raise wrong


def _unreachable_statements(body: tuple[m.Stmt, ...]) -> Iterator[Mistake]:
    """Yield an error for the first unreachable statement of each block."""
    for block in _blocks(body):
        for end, after in pairwise(block):
            if isinstance(end, OVER | m.StopUnit) and not _may_continue(end):
                what = "the game ends" if isinstance(end, OVER) else "`stop` comes"
                yield mistake(
                    "RB149",
                    after.span,
                    f"this never runs: {what} before it",
                    related=((end.span, "here"),),
                )
                break


def _may_continue(end: m.Wins | m.GameEnds | m.StopUnit) -> bool:
    """Return whether play may continue after this statement, because nobody may win."""
    if not isinstance(end, m.Wins):
        return False
    if end.ranking is not None:
        return end.ranking.where is not None
    if end.who is None:
        return False
    return not isinstance(end.who.type, Member) or end.who.type.optional


def _blocks(body: tuple[m.Stmt, ...]) -> Iterator[tuple[m.Stmt, ...]]:
    yield body
    for node in walk(body):
        for name in ("body", "otherwise"):
            block = getattr(node, name, None)
            if isinstance(block, tuple):
                yield block


def _multiple_winners(body: tuple[m.Stmt, ...]) -> Iterator[Mistake]:
    """Yield an error for each loop in which every player wins; only the first can.

    Loops in turn order are accepted, since the file specifies which player comes first.
    """
    for loop in find(body, m.EachMember):
        if loop.set.type != SetOf(PLAYER) or isinstance(
            searched_set(loop), m.Clockwise | m.SortedMembers
        ):
            continue
        for win in find(loop.body, m.Wins):
            if isinstance(win.who, m.Local) and win.who.slot == loop.slot:
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


def _late_first_player(node: m.Starts) -> Mistake:
    return mistake(
        "RB149",
        node.span,
        "this has no effect: the first turn has already begun, and turns"
        " follow in order",
        "set the first player in `setup`, or in a procedure that only `setup` "
        "calls; later, write `PLAYER has the next turn`",
    )


def _repeated_end(node: m.GameEnds) -> Mistake:
    return mistake(
        "RB149",
        node.span,
        "the game has already ended here: the clause `end` only determines the winners",
        "name the winners",
    )


def _reachable_units(calls: Graph, sorts: frozenset[str]) -> set[str]:
    """Return the procedures and actions of the given sorts, and all that they call."""
    waiting = [name for name in calls if sort_of(name) in sorts]
    met = set(waiting)
    while waiting:
        called = calls.get(waiting.pop(), {})
        waiting += [name for name in called if name not in met]
        met.update(called)
    return met
