"""Assignment of bots to seats, so that every bot meets all others in every seat.

A *line-up* is the set of bots in a game, regardless of their seats. Every bot appears
equally often in it, or once more if the seats do not divide evenly. Three bots form
three line-ups for two seats and one for three seats. For four seats they form three,
and in each of these one bot appears twice.

In a *cycle*, every line-up is played once per seat; after each game all its bots move
on by one seat. After a whole cycle, each bot has sat in each seat and met each other
bot equally often. The next cycle starts from another order of the bots, until all
orders have been used.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations, islice, permutations
from math import comb, factorial

import attrs

Seating = tuple[str, ...]
"""Bots of a game, in the order of its seats."""
Lineup = tuple[str, ...]
"""Bots of a game, sorted by name; a bot can appear several times."""


def _sorted_names(names: Iterable[str]) -> tuple[str, ...]:
    """Return names in the order used for line-ups."""
    return tuple(sorted(names))


@attrs.frozen
class LineupSchedule:
    """Assignment of *bots* to games with *seats* seats.

    The order of *bots* does not matter. Game 0 starts the first cycle.
    """

    bots: tuple[str, ...] = attrs.field(converter=_sorted_names)
    seats: int

    @property
    def lineup_count(self) -> int:
        """Number of line-ups."""
        return comb(len(self.bots), self.seats % len(self.bots))

    @property
    def games_per_cycle(self) -> int:
        """Number of games in one cycle."""
        return self.lineup_count * self.seats

    @property
    def all_lineups(self) -> Iterator[Lineup]:
        """All line-ups, in the order in which a cycle plays them."""
        times, remainder = divmod(self.seats, len(self.bots))
        for extra in combinations(self.bots, remainder):
            yield tuple(sorted([*self.bots * times, *extra]))

    def seating(self, game: int) -> Seating:
        """Return the bots of a game in seating order."""
        cycle, offset = divmod(game, self.games_per_cycle)
        index, shift = divmod(offset, self.seats)
        bots = next(islice(self.all_lineups, index, None))
        ring = [bots[bot_index] for bot_index in seating_order(self.seats, cycle)]
        return tuple(ring[shift:] + ring[:shift])


def seating_order(seats: int, cycle: int) -> Sequence[int]:
    """Return the order in which a line-up takes its seats in a cycle, as indices.

    The first bot keeps its place, because bots move on by a seat within a cycle. Cycles
    use each order of the others, and then the same orders reversed.
    """
    if seats < 3:
        return range(seats)
    index, is_reversed = divmod(cycle % factorial(seats - 1), 2)
    orders = (order for order in permutations(range(1, seats)) if order[0] < order[-1])
    order = next(islice(orders, index, None))
    return (0, *(reversed(order) if is_reversed else order))
