"""Perft: number of leaves of the game tree at a depth.

A leaf is a sequence of exactly D plies. A ply is a decision or a chance outcome; if
chance is drawn, only decisions are plies. A game that is over earlier has no leaf.

If a ply is a whole turn, sequences that differ within a turn are counted separately. A
turn without decisions is a ply with one sequence, or with none if it ends the game. All
decisions of set-up are one ply.
"""

from collections.abc import Callable
from functools import partial

from interpreter import Game
from workbench import budget
from workbench.analysis.simulation.processes import map_in_processes
from workbench.defaults import NATIVE


def count_leaves(game: Game, depth: int) -> int:
    """Return the number of sequences of exactly *depth* plies from this position."""
    return game.leaves(depth)


def count_turn_leaves(game: Game, depth: int) -> int:
    """Return the number of sequences of exactly *depth* whole turns from here."""
    return game.leaves(depth, turns=True)


def count_interruptibly(
    count: Callable[[Game, int], int], game: Game, depth: int
) -> int:
    """Return the result of a count, which a time budget can interrupt.

    A call of the native engine cannot be interrupted, so it runs in another process.
    """
    if budget.running_budget() is None or game.engine != NATIVE:
        return count(game, depth)
    (leaves,) = map_in_processes(partial(partial, count, game), [depth], 1)
    return int(leaves)
