"""Seating of bots over games: every bot meets every other and sits in every seat.

A *line-up* is the bots of a game, in whatever seats. Every bot appears equally
often, or once more if the seats do not divide evenly. With three bots and two seats
there are three line-ups of two bots each. With three seats there is one line-up. With
four seats there are three, in each of which one bot appears twice.

In a *cycle*, every line-up is played once per seat, and all bots move on by one seat in
between. After a cycle, each bot has sat in each seat equally often and met each other
bot equally often. The next cycle uses another order, until all orders have been used.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations, islice, permutations
from math import comb, factorial

import attrs

Seating = tuple[str, ...]
"""Bots of a game, in the order of its seats."""
Lineup = tuple[str, ...]
"""Bots of a game, sorted by name; a bot may appear several times."""


def _sorted(names: Iterable[str]) -> tuple[str, ...]:
    return tuple(sorted(names))


@attrs.frozen
class Lineups:
    """Seatings of bots in games with *seats* seats; the order of *bots* is irrelevant.

    Game 0 starts the first cycle.
    """

    bots: tuple[str, ...] = attrs.field(converter=_sorted)
    seats: int

    @property
    def number(self) -> int:
        """Number of line-ups."""
        return comb(len(self.bots), self.seats % len(self.bots))

    @property
    def cycle(self) -> int:
        """Number of games in a cycle."""
        return self.number * self.seats

    @property
    def all(self) -> Iterator[Lineup]:
        """Line-ups, in the order of a cycle."""
        often, over = divmod(self.seats, len(self.bots))
        for more in combinations(self.bots, over):
            yield tuple(sorted([*self.bots * often, *more]))

    def seating(self, game: int) -> Seating:
        """Return the seating of a game, by its number."""
        cycle, place = divmod(game, self.cycle)
        lineup, turn = divmod(place, self.seats)
        there = next(islice(self.all, lineup, None))
        ring = [there[at] for at in order(self.seats, cycle)]
        return tuple(ring[turn:] + ring[:turn])


def order(seats: int, cycle: int) -> Sequence[int]:
    """Return the order in which a line-up sits in a cycle: each order, then reversed.

    The first bot keeps its place, since the bots move on by a seat within a cycle.
    """
    if seats < 3:
        return range(seats)
    pair, back = divmod(cycle % factorial(seats - 1), 2)
    ways = (way for way in permutations(range(1, seats)) if way[0] < way[-1])
    way = next(islice(ways, pair, None))
    return (0, *(reversed(way) if back else way))
