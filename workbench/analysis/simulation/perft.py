"""Perft: the number of leaves of the game tree, by depth.

A leaf is a sequence of exactly D plies; a ply is a decision or a chance outcome, or
with drawn chance a decision. A game that is over earlier has no leaf.

Where a ply is a whole turn, ways through it that differ in a decision or an outcome are
told apart. A turn in which nobody decides anything is a ply with one way through, or
none if it ends the game; what is decided in set-up is one ply too.
"""

from collections.abc import Callable
from functools import partial

from interpreter import Game
from workbench import budget
from workbench.analysis.simulation.processes import spread
from workbench.defaults import NATIVE


def leaves(game: Game, depth: int) -> int:
    """How many sequences of exactly `depth` plies begin at this game."""
    return game.leaves(depth)


def turn_leaves(game: Game, depth: int) -> int:
    """How many sequences of exactly `depth` whole turns begin at this game."""
    return game.leaves(depth, turns=True)


def interruptible(count: Callable[[Game, int], int], game: Game, depth: int) -> int:
    """Count the leaves at a depth; with a time budget C counts in its own process.

    Nothing interrupts a call of C here.
    """
    if budget.running() is None or game.engine != NATIVE:
        return count(game, depth)
    (leaves,) = spread(partial(partial, count, game), [depth], 1)
    return int(leaves)
