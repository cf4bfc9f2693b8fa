"""Independent implementation of backgammon moves in plain Python.

A position is seen by the side that rolls: `own` and `other` are the numbers of checkers
at each distance from the own goal, 25 for the bar. Missing checkers have been borne
off. It does not use the engine.
"""

from __future__ import annotations

import random

Side = tuple[int, ...]
Position = tuple[Side, Side]

START = {24: 2, 13: 5, 8: 3, 6: 5}
ROLLS = [(a, b) for a in range(1, 7) for b in range(1, a + 1)]


def side(men: dict[int, int]) -> Side:
    """Return the numbers of checkers as a list by distance; index 0 is never used."""
    return tuple(men.get(far, 0) for far in range(26))


def start() -> Position:
    """Return the starting position."""
    return side(START), side(START)


def moved(position: Position, far: int, pips: int) -> Position | None:
    """Return the position after moving a checker, or None if that is illegal."""
    own, other = list(position[0]), list(position[1])
    if not own[far] or (far < 25 and own[25]):
        return None
    goal = far - pips
    if goal > 0:
        if other[25 - goal] > 1:
            return None
        if other[25 - goal] == 1:
            other[25 - goal], other[25] = 0, other[25] + 1
        own[goal] += 1
    elif any(own[7:]) or (goal < 0 and any(own[far + 1 :])):
        return None
    own[far] -= 1
    return tuple(own), tuple(other)


def ways(
    position: Position, dice: tuple[int, ...]
) -> list[tuple[tuple[int, ...], Position]]:
    """Return all ways to use dice until none can be used, with their positions."""
    ends: dict[tuple[tuple[int, ...], Position], None] = {}
    for n, pips in enumerate(dice):
        if pips in dice[:n]:
            continue
        rest = dice[:n] + dice[n + 1 :]
        for far in range(1, 26):
            after = moved(position, far, pips)
            if after is not None:
                for used, end in ways(after, rest):
                    ends[(pips, *used), end] = None
    return list(ends) or [((), position)]


def is_narrow(position: Position, roll: tuple[int, int]) -> bool:
    """Return whether the rule on using both dice forbids a move here."""
    first, second = roll
    ends = {end for _, end in ways(position, roll)}
    return first != second and ends != results(position, roll)


def results(position: Position, roll: tuple[int, int]) -> set[Position]:
    """Return the positions to which a roll can lead.

    As many dice as possible must be used and, if only one can be, the higher one.
    """
    first, second = roll
    used_up = ways(position, (first,) * 4 if first == second else roll)
    most = max(len(used) for used, _ in used_up)
    best = [(used, end) for used, end in used_up if len(used) == most]
    if first != second and most == 1:
        highest = max(used[0] for used, _ in best)
        best = [(used, end) for used, end in best if used[0] == highest]
    return {end for _, end in best}


def random_position(numbers: random.Random) -> Position:
    """Return a random position, sometimes with checkers on the bar or borne off."""
    own, other = [0] * 26, [0] * 26
    late = numbers.random() < 0.5
    for men, theirs in ((own, other), (other, own)):
        for _ in range(15):
            kind = numbers.random()
            if kind < (0.4 if late else 0.05):
                continue  # borne off
            far = numbers.randint(1, 6 if late and kind < 0.97 else 24)
            if kind > 0.97:
                far = 25
            if far < 25 and theirs[25 - far]:
                continue
            men[far] += 1
    if not any(own):
        own[1 if not other[24] else 25] = 1
    if not any(other):
        other[1 if not own[24] else 25] = 1
    return tuple(own), tuple(other)
