"""Seating in a ladder, verified by counting.

Verified by manual mutations: moving by a seat, line-ups with an additional bot, the
orders of the bots, the order of names, the number of a cycle.
"""

from collections import Counter
from collections.abc import Iterator
from itertools import permutations
from math import factorial

import pytest

from workbench.analysis.ladder.ladder_games import whole_cycles
from workbench.analysis.ladder.lineups import LineupSchedule, Seating
from workbench.errors import RequestError

SIZES = [(bots, seats) for bots in range(2, 6) for seats in range(2, 6)]


def lineups(bots: int, seats: int) -> LineupSchedule:
    return LineupSchedule([f"bot{number}" for number in range(bots)], seats)


def seatings(lineups: LineupSchedule, cycles: int = 1) -> Iterator[Seating]:
    return map(lineups.seating, range(cycles * lineups.games_per_cycle))


@pytest.mark.parametrize(("bots", "seats"), SIZES)
def test_in_a_cycle_each_bot_has_each_seat_equally_often(bots: int, seats: int) -> None:
    made = lineups(bots, seats)
    sat = Counter((bot, seat) for who in seatings(made) for seat, bot in enumerate(who))

    assert len(sat) == bots * seats
    assert set(sat.values()) == {made.games_per_cycle // bots}


@pytest.mark.parametrize(("bots", "seats"), SIZES)
def test_in_a_cycle_each_pair_meets_equally_often(bots: int, seats: int) -> None:
    made = lineups(bots, seats)
    games = Counter(
        frozenset((first, second))
        for who in seatings(made)
        for first in set(who)
        for second in set(who)
        if first < second
    )
    chairs = Counter(
        (who[first], who[second])
        for who in seatings(made)
        for first, second in permutations(range(seats), 2)
    )

    assert len(games) == bots * (bots - 1) // 2
    assert len(set(games.values())) == 1
    assert len({n for pair, n in chairs.items() if len(set(pair)) == 2}) == 1
    assert len({n for pair, n in chairs.items() if len(set(pair)) == 1}) <= 1


@pytest.mark.parametrize(("bots", "seats"), [(2, 2), (3, 3), (5, 3), (4, 4), (2, 4)])
def test_after_all_orders_each_pair_has_had_each_pair_of_seats(
    bots: int, seats: int
) -> None:
    made = lineups(bots, seats)
    sat = Counter(
        (who[first], who[second], first, second)
        for who in seatings(made, factorial(seats - 1))
        for first, second in permutations(range(seats), 2)
    )

    assert len({n for (a, b, *_), n in sat.items() if a != b}) == 1


def test_after_two_cycles_each_has_had_each_neighbour_left_and_right() -> None:
    made = lineups(4, 4)
    beside = Counter(
        (who[seat], who[(seat + 1) % 4])
        for who in seatings(made, 2)
        for seat in range(4)
    )

    assert all(beside[a, b] == beside[b, a] for a, b in beside)


def test_line_ups_are_as_mixed_as_possible() -> None:
    def letters(bots: str, seats: int) -> list[str]:
        return ["".join(lineup) for lineup in LineupSchedule(bots, seats).all_lineups]

    assert letters("abc", 2) == ["ab", "ac", "bc"]
    assert letters("abc", 3) == ["abc"]
    assert letters("abc", 4) == ["aabc", "abbc", "abcc"]
    assert letters("ab", 3) == ["aab", "abb"]
    assert letters("ab", 4) == ["aabb"]
    assert [
        LineupSchedule("abcde", 4).lineup_count,
        LineupSchedule("abcde", 4).games_per_cycle,
    ] == [5, 20]


def test_order_of_names_changes_no_game() -> None:
    every = [
        list(seatings(LineupSchedule(order, 3), 2)) for order in permutations("abcd")
    ]

    assert all(games == every[0] for games in every)


def test_longer_ladder_starts_with_the_same_games() -> None:
    made = lineups(4, 3)

    assert [*seatings(made, 3)][: made.games_per_cycle] == [*seatings(made)]


@pytest.mark.parametrize(("asked", "played"), [(12, 12), (23, 12), (24, 24), (100, 96)])
def test_only_whole_cycles_are_played(asked: int, played: int) -> None:
    assert whole_cycles(lineups(4, 2), asked) == played


def test_rejects_fewer_games_than_a_cycle() -> None:
    with pytest.raises(
        RequestError, match="--games 11 is less than one cycle of 12 games"
    ) as said:
        whole_cycles(lineups(4, 2), 11)
    assert "--games 12" in str(said.value)
