"""Ranks at the end of a game: for each seat its place, 1 for all who win together.

Two who are equal have one rank, and the next rank counts both: 1, 1, 3. A draw has no
ranks. One of a team has the rank of its best member.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

Ranks = tuple[int, ...]
Key = tuple[int, ...]


def sharing(players: int, winners: Iterable[int]) -> Ranks:
    """Return the ranks where some win, and all others are last; of nobody none."""
    first = {seat for seat in winners if 0 <= seat < players}
    last = len(first) + 1
    return tuple([1 if seat in first else last for seat in range(players) if first])


def ranked(players: int, members: Sequence[int], key: Callable[[int], Key]) -> Ranks:
    """Return the ranks by a key, the largest first; who is no member is last."""
    keys = {seat: key(seat) for seat in members}
    last = len(keys) + 1
    return tuple(
        [
            1 + sum([other > keys[seat] for other in keys.values()])
            if seat in keys
            else last
            for seat in range(players)
            if keys
        ]
    )


def in_teams(ranks: Ranks, teams: Iterable[Sequence[int]]) -> Ranks:
    """Return the ranks where the members of a team share the best of theirs."""
    best = list(ranks)
    for team in teams if ranks else ():
        for seat in team:
            best[seat] = min([ranks[member] for member in team])
    return tuple([1 + sum([other < rank for other in best]) for rank in best])


def first_of(ranks: Ranks) -> tuple[int, ...]:
    """Return who has won."""
    return tuple([seat for seat, rank in enumerate(ranks) if rank == 1])
