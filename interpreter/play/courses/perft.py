"""The number of leaves of a game tree, by depth: perft.

A leaf is a sequence of so many plies; a ply is a choice, of an action or of an outcome
of chance. A game that is over earlier has no leaf.

Where a ply is a whole turn, ways through it that differ in a choice are told apart. A
turn in which nothing is chosen is a ply with one way through, or none if it ends the
game; what is chosen in set-up is one ply too.
"""

from __future__ import annotations

from interpreter.play.courses.reference import ReferenceCourse


def leaves(course: ReferenceCourse, depth: int) -> int:
    """Return how many sequences of exactly `depth` choices begin here."""
    if depth <= 0:
        return 1
    counted = course.counted(depth)
    if counted is not None:
        return counted
    return sum(leaves(after, depth - 1) for after in course.branches())


def turn_leaves(course: ReferenceCourse, depth: int) -> int:
    """Return how many sequences of exactly `depth` whole turns begin here."""
    if depth <= 0:
        return 1
    return sum(
        turn_leaves(after, depth - max(after.turn - course.turn, int(after.over)))
        for after in course.branches()
    )
