"""Perft: the number of leaves of the game tree, by depth.

A leaf is a sequence of exactly D plies; a ply is a decision or a chance outcome, or
with drawn chance a decision. A game that is over earlier has no leaf.

Where a ply is a whole turn, ways through it that differ in a decision or an outcome are
told apart. A turn in which nobody decides anything is a ply with one way through, or
none if it ends the game; what is decided in set-up is one ply too.
"""

from interpreter import Game


def leaves(game: Game, depth: int) -> int:
    """How many sequences of exactly `depth` plies begin at this game."""
    if depth == 0:
        return 1
    if game.to_act is None:
        return 0
    plies = game.legal_actions()
    if depth == 1:
        return len(plies)
    total = 0
    for ply in plies:
        after = game.copy()
        after.apply(ply)
        total += leaves(after, depth - 1)
    return total


def turn_leaves(game: Game, depth: int) -> int:
    """How many sequences of exactly `depth` whole turns begin at this game."""
    if depth <= 0:
        return 1
    if game.to_act is None:
        return 0
    total = 0
    for ply in game.legal_actions():
        after = game.copy()
        after.apply(ply)
        total += turn_leaves(after, depth - max(after.turn - game.turn, after.over))
    return total
