"""Who sits where in which game: every bot meets every other, and sits in every seat.

A *line-up* is which bots sit in a game, in whatever seats. Each has every bot as often
as any other, or once more where the seats do not go up: with three bots there are three
line-ups for two seats (each two of them), one for three, and three for four (each bot
twice, beside the others). In a *cycle* every line-up is played once for each seat, all
moving on by one seat in between. So after a cycle each bot has sat in each seat equally
often and has met each other one equally often. The next cycle seats them in another
order, until every order has been.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations, islice, permutations
from math import comb, factorial

import attrs

Seating = tuple[str, ...]
"""The bots of a game, in the order of its seats."""
Lineup = tuple[str, ...]
"""The bots of a game in order of their names; one may be there several times."""


def _sorted(names: Iterable[str]) -> tuple[str, ...]:
    return tuple(sorted(names))


@attrs.frozen
class Lineups:
    """The games of some bots at so many seats; in what order they are named is nothing.

    Game 0 begins the first cycle.
    """

    bots: tuple[str, ...] = attrs.field(converter=_sorted)
    seats: int

    @property
    def number(self) -> int:
        """How many line-ups there are."""
        return comb(len(self.bots), self.seats % len(self.bots))

    @property
    def cycle(self) -> int:
        """How many games a cycle has."""
        return self.number * self.seats

    @property
    def all(self) -> Iterator[Lineup]:
        """The line-ups, in the order of a cycle."""
        often, over = divmod(self.seats, len(self.bots))
        for more in combinations(self.bots, over):
            yield tuple(sorted([*self.bots * often, *more]))

    def seating(self, game: int) -> Seating:
        """Who sits where in a game, by its number."""
        cycle, place = divmod(game, self.cycle)
        lineup, turn = divmod(place, self.seats)
        there = next(islice(self.all, lineup, None))
        ring = [there[at] for at in order(self.seats, cycle)]
        return tuple(ring[turn:] + ring[:turn])


def order(seats: int, cycle: int) -> Sequence[int]:
    """In what order a line-up sits round the table in a cycle: each order, then back.

    The first stays where it is: that all move on by a seat is part of a cycle.
    """
    if seats < 3:
        return range(seats)
    pair, back = divmod(cycle % factorial(seats - 1), 2)
    ways = (way for way in permutations(range(1, seats)) if way[0] < way[-1])
    way = next(islice(ways, pair, None))
    return (0, *(reversed(way) if back else way))
