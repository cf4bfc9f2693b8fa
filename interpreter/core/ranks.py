"""Ranks at the end of a game: the place of each seat, 1 for all winners.

Equal seats share a rank, and the next rank counts them all: 1, 1, 3. A draw has no
ranks. A member of a team has the rank of its best member.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

Ranks = tuple[int, ...]
Key = tuple[int, ...]


def shared_ranks(players: int, winners: Iterable[int]) -> Ranks:
    """Return rank 1 for winners and the next rank for others; () without winners."""
    first = {seat for seat in winners if 0 <= seat < players}
    last = len(first) + 1
    return tuple([1 if seat in first else last for seat in range(players) if first])


def ranks_by_key(
    players: int, members: Sequence[int], key: Callable[[int], Key]
) -> Ranks:
    """Return ranks by a key, largest first; seats that are not members come last."""
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


def team_ranks(ranks: Ranks, teams: Iterable[Sequence[int]]) -> Ranks:
    """Return ranks in which all members of a team have the best rank in the team."""
    best = list(ranks)
    for team in teams if ranks else ():
        for seat in team:
            best[seat] = min([ranks[member] for member in team])
    return tuple([1 + sum([other < rank for other in best]) for rank in best])


def winners_of(ranks: Ranks) -> tuple[int, ...]:
    """Return the seats that are ranked first."""
    return tuple([seat for seat, rank in enumerate(ranks) if rank == 1])
