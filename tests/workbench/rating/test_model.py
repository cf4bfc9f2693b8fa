"""Ratings agree with values computed by hand, and intervals have their coverage.

Verified by manual mutations: the penalty, its gradient, the variance of shared wins,
the minimum variance, the unbounded ends, Elo points, the origin of the scale.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import permutations
from math import log10
from random import Random

import pytest

pytest.importorskip("scipy")

from workbench.analysis.ladder.lineups import LineupSchedule
from workbench.analysis.ladder.rating_model import (
    Estimate,
    RatedGame,
    Ratings,
    rate_bots,
    win_gain,
)

WON, DRAWN, LOST = (1.0, 0.0), (0.5, 0.5), (0.0, 1.0)
NARROW, WIDE = 92, 98
"""Percentage of cases in which a 95 % interval contains the true value."""


def two(won: int, drawn: int, lost: int) -> Ratings:
    """Return the ratings of a and b from games of a against b."""
    often = {WON: won, DRAWN: drawn, LOST: lost}
    games = {RatedGame(("a", "b"), parts): n for parts, n in often.items() if n}
    made = rate_bots("ab", games)
    assert made is not None
    return made


def rating_difference(ratings: Ratings) -> Estimate:
    return ratings.difference_between("a", "b")


# ---------------------------------------------------------------- known results


@pytest.mark.parametrize(("won", "lost"), [(30, 10), (17, 4), (40, 0), (1, 0)])
def test_rating_of_two_bots_is_the_log_of_wins_plus_one_half(
    won: int, lost: int
) -> None:
    """For two bots, Firth's penalty equals half a win for each."""
    points = 400 * log10((won + 0.5) / (lost + 0.5))

    assert rating_difference(two(won, 0, lost)).value == pytest.approx(points, abs=0.01)


def test_a_draw_is_half_a_win() -> None:
    assert rating_difference(two(10, 20, 10)).value == pytest.approx(0, abs=1e-6)
    drawn, decided = (
        rating_difference(two(20, 20, 0)),
        rating_difference(two(30, 0, 10)),
    )
    assert drawn.value == pytest.approx(decided.value, abs=1e-3)


def test_draws_narrow_the_interval_more_than_wins_and_losses() -> None:
    drawn, decided = (
        rating_difference(two(10, 20, 10)),
        rating_difference(two(20, 0, 20)),
    )
    assert drawn.high is not None
    assert decided.high is not None
    # half of the games are draws, which halves the variance
    assert (drawn.high / decided.high) ** 2 == pytest.approx(0.5, abs=0.02)


def test_bots_that_always_draw_are_equal_with_an_interval() -> None:
    none, known = (
        rating_difference(two(0, 100, 0)),
        rating_difference(two(0, 10_000, 0)),
    )

    assert none.value == pytest.approx(0, abs=1e-6)
    assert none.high is not None
    assert known.high is not None
    assert 3 < none.high < 10
    assert 0 < known.high < none.high / 10


def test_undefeated_bot_has_only_a_lower_bound() -> None:
    ratings = two(40, 0, 0)
    a, b = ratings.rating_of("a"), ratings.rating_of("b")

    assert a.high is None
    assert b.low is None
    assert a.low is not None
    assert b.high is not None
    assert a.low > 100 > -100 > b.high
    assert a.value == pytest.approx(-b.value, abs=1e-6)
    assert rating_difference(ratings).high is None
    assert ratings.difference_between("b", "a").low is None


def test_draw_bounds_an_undefeated_bot() -> None:
    assert rating_difference(two(40, 1, 0)).high is not None


def test_bot_between_one_sided_results_is_not_bounded() -> None:
    pairs = ("ab", "bc", "ac")
    ratings = rate_bots("abc", {RatedGame(tuple(pair), WON): 20 for pair in pairs})
    assert ratings is not None
    middle = ratings.rating_of("b")

    assert (middle.low, middle.high) == (None, None)
    assert middle.value == pytest.approx(0, abs=0.01)
    for upper, lower in map(tuple, pairs):
        step = ratings.difference_between(upper, lower)
        assert step.low is not None
        assert step.low > 50
        assert step.high is None


def test_cycle_of_wins_bounds_all_ratings() -> None:
    games = {RatedGame(("a", "b"), WON): 9, RatedGame(("b", "c"), WON): 9}
    ratings = rate_bots("abc", games | {RatedGame(("a", "c"), LOST): 9})
    assert ratings is not None

    for bot in "abc":
        assert None not in (ratings.rating_of(bot).low, ratings.rating_of(bot).high)
        assert ratings.rating_of(bot).value == pytest.approx(0, abs=0.01)


AB, CD = RatedGame(("a", "b"), WON), RatedGame(("c", "d"), DRAWN)


@pytest.mark.parametrize("games", [{}, {AB: 5}, {AB: 5, CD: 5}])
def test_bots_that_did_not_meet_are_not_rated(games: dict[RatedGame, int]) -> None:
    assert rate_bots("abcd", games) is None


def weights_of(ratings: Ratings | None) -> dict[str, float]:
    """Return the weight of each bot in the origin of the scale."""
    assert ratings is not None
    return dict(zip(ratings.bots, ratings.weights, strict=True))


def test_bot_that_never_wins_does_not_affect_others() -> None:
    """Uncertainty about such a bot affects only its own rating."""
    games = {RatedGame(("a", "b"), WON): 30, RatedGame(("a", "b"), LOST): 20}
    alone = rate_bots("ab", games)
    beside = rate_bots(
        "abc", games | {RatedGame(("a", "c"), WON): 50, RatedGame(("b", "c"), WON): 50}
    )
    assert alone is not None
    assert beside is not None

    for bot in "ab":
        here, there = beside.rating_of(bot), alone.rating_of(bot)
        assert here.value == pytest.approx(there.value, abs=4)
        assert here.low == pytest.approx(there.low, abs=4)
        assert here.high == pytest.approx(there.high, abs=4)
    last = beside.rating_of("c")
    assert last.low is None
    assert last.high is not None
    assert last.high < -200


def test_mean_rating_is_0_in_any_order() -> None:
    games = simulated({"a": 150, "b": 0, "c": -30, "d": -120}, 3, 600, 0.1, Random(1))
    every = [rate_bots(order, games) for order in permutations("abcd")]
    values = [{bot: it.rating_of(bot).value for bot in "abcd"} for it in every if it]

    assert len(values) == 24
    mean = sum(values[0][bot] * part for bot, part in weights_of(every[0]).items())
    assert mean == pytest.approx(0, abs=1e-6)
    for other in values:
        assert other == pytest.approx(values[0], abs=0.01)


def test_a_bot_in_several_seats_wins_with_each() -> None:
    """Seats and wins at two to one show no difference between bots."""
    games = {RatedGame(("a", "a", "b"), WON): 40, RatedGame(("a", "a", "b"), LOST): 20}
    ratings = rate_bots("ab", games)
    assert ratings is not None

    assert abs(rating_difference(ratings).value) < 5


@pytest.mark.parametrize(
    ("points", "seats", "won"), [(0, 2, 50), (400, 2, 1000 / 11), (400, 4, 1000 / 13)]
)
def test_gain_of_a_rating_difference(points: float, seats: int, won: float) -> None:
    assert 100 * (win_gain(points, seats) + 1 / seats) == pytest.approx(won)


# ---------------------------------------------------------------- known true values


def simulated(
    points: Mapping[str, float], seats: int, games: int, drawn: float, random: Random
) -> Counter[RatedGame]:
    """Return random games of bots with known ratings; two seats may share a win."""
    lineups = LineupSchedule(points, seats)
    strengths = {bot: 10 ** (value / 400) for bot, value in points.items()}
    made: Counter[RatedGame] = Counter()
    for game in range(games):
        seating = lineups.seating(game)
        chances = [strengths[bot] for bot in seating]
        times = 2 if random.random() < drawn else 1
        won = dict.fromkeys(sorted(seating), 0.0)
        for winner in random.choices(seating, chances, k=times):
            won[winner] += 1 / times
        made[RatedGame(tuple(sorted(seating)), tuple(won.values()))] += 1
    return made


KNOWN: Sequence[tuple[dict[str, float], int, int, float]] = (
    ({"a": 60, "b": -60}, 2, 60, 0.0),
    ({"a": 200, "b": 0, "c": -200}, 2, 90, 0.0),
    ({"a": 200, "b": 0, "c": -200}, 2, 90, 0.5),
    ({"a": 150, "b": 50, "c": 0, "d": -200}, 3, 120, 0.1),
    ({"a": 100, "b": -100}, 4, 80, 0.2),
    ({"a": 100, "b": 0, "c": -100}, 4, 60, 0.0),
)


@pytest.mark.parametrize(("points", "seats", "games", "drawn"), KNOWN)
def test_intervals_have_their_stated_coverage(
    points: dict[str, float], seats: int, games: int, drawn: float, deep: bool
) -> None:
    repeats = 3_000 if deep else 250
    random = Random(f"{seats} {games} {drawn}")
    held = of_steps = number = steps = 0
    for _ in range(repeats):
        came = rate_bots(sorted(points), simulated(points, seats, games, drawn, random))
        assert came is not None
        weights = weights_of(came)
        nought = sum(points[bot] * part for bot, part in weights.items())
        for bot, truth in points.items():
            held += holds(came.rating_of(bot), truth - nought)
            number += 1
        for upper, lower in permutations(points, 2):
            step = came.difference_between(upper, lower)
            of_steps += holds(step, points[upper] - points[lower])
            steps += 1

    assert NARROW <= 100 * held / number <= WIDE
    assert NARROW <= 100 * of_steps / steps <= WIDE


def holds(estimate: Estimate, truth: float) -> bool:
    """Return whether the true value is in an interval."""
    low = estimate.low is None or estimate.low <= truth
    return low and (estimate.high is None or truth <= estimate.high)


def test_many_games_find_the_ratings() -> None:
    points = {"a": 180, "b": 20, "c": -200}
    came = rate_bots("abc", simulated(points, 3, 30_000, 0.2, Random(7)))
    assert came is not None

    nought = sum(points[bot] * part for bot, part in weights_of(came).items())
    for bot, truth in points.items():
        assert came.rating_of(bot).value == pytest.approx(truth - nought, abs=12)
