"""Perft: the number of leaves of a game tree at a given depth.

A leaf is a sequence of exactly this many plies; a ply is an action, or an outcome of
chance that must be given. A game that ends earlier has no leaf. If plies are whole
turns, sequences that differ in any choice count separately. A turn without choices is a
ply with one sequence, or with none if it ends the game. All choices in set-up form one
ply.
"""

from __future__ import annotations

from interpreter.play.courses.reference import ReferenceCourse


def count_leaves(course: ReferenceCourse, depth: int) -> int:
    """Return the number of possible sequences of exactly `depth` choices."""
    if depth <= 0:
        return 1
    counted = course.count_sequences(depth)
    if counted is not None:
        return counted
    return sum(count_leaves(after, depth - 1) for after in course.branches())


def count_turn_leaves(course: ReferenceCourse, depth: int) -> int:
    """Return the number of possible sequences of exactly `depth` whole turns."""
    if depth <= 0:
        return 1
    return sum(
        count_turn_leaves(
            after, depth - max(after.turn - course.turn, int(after.is_over))
        )
        for after in course.branches()
    )
