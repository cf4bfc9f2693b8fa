"""Report of a ladder, from given results.

Verified by manual mutations: shared wins, unfinished games, the order of rungs,
deviations and their threshold, the arrows of the chart.
"""

import re
from collections import Counter
from random import Random

import pytest

pytest.importorskip("scipy")

from tests.workbench.rating.test_model import simulated
from workbench.analysis.ladder.chart import ladder_chart
from workbench.analysis.ladder.ladder_games import LadderResults
from workbench.analysis.ladder.ladder_text import Ladder, rung_cells, step_cells
from workbench.analysis.ladder.lineups import LineupSchedule
from workbench.analysis.simulation.statistics import Result

WIDE_LETTER = 6.6
"""Width in pixels of a letter in a wide font."""
SEATS = ("red", "blue", "white")


def ended(game: int, *winners: str, finished: bool = True) -> Result:
    return Result(
        *(1 + game, finished, winners, None, {}, 1, 1, {}), bot_seed=1, game=game
    )


def of_two(*winners: tuple[str, ...]) -> Ladder:
    """Return the ladder of a and b, given the winner of each game."""
    table = LadderResults(LineupSchedule("ab", 2), SEATS[:2])
    for game, who in enumerate(winners):
        seating = dict(zip(table.lineups.seating(game), SEATS, strict=False))
        table.add(ended(game, *[seating[bot] for bot in who]))
    return Ladder.from_results(table)


def test_win_is_shared_by_winners_or_by_all() -> None:
    table = LadderResults(LineupSchedule("abc", 3), SEATS)
    assert table.lineups.seating(0) == ("a", "b", "c")
    table.add(ended(0, "red"))
    table.add(ended(3, "red", "white"))
    table.add(ended(6))
    table.add(ended(9, finished=False))
    seating = table.lineups.seating(3)

    assert table.finished_games == 3
    won = dict.fromkeys("abc", 1 / 3)
    won["a"] += 1
    for bot in (seating[0], seating[2]):
        won[bot] += 1 / 2
    for bot, part in won.items():
        standing = table.results_of(bot)
        assert standing.games == 3
        assert standing.wins == pytest.approx(part)
        assert standing.expected_wins == pytest.approx(1)
    assert table.won == pytest.approx({"red": 11 / 6, "blue": 1 / 3, "white": 5 / 6})


def test_best_bot_is_listed_first() -> None:
    ladder = of_two(*[("b",)] * 15, *[("a",)] * 5)

    assert [rung.bot for rung in ladder.rungs] == ["b", "a"]
    assert [rung.gain for rung in ladder.rungs] == pytest.approx([0.25, -0.25])
    (step,) = ladder.steps
    assert (step.better, step.worse) == ("b", "a")
    assert step_cells(step)[0] == "b over a"


def test_gain_of_a_step_is_the_wins_beyond_the_share() -> None:
    """For two bots, the gain is that of the games, apart from the prior."""
    (step,) = of_two(*[("b",)] * 150, *[("a",)] * 50).steps

    assert step.gain.value == pytest.approx(0.25, abs=0.002)
    assert step.gain.low is not None
    assert step.gain.high is not None
    assert step.gain.low < 0.2
    assert step.gain.high > 0.3


def ring(games: int, won: int) -> Ladder:
    """Return a ladder in which a beats b, b beats c and c beats a equally often."""
    table = LadderResults(LineupSchedule("abc", 2), SEATS[:2])
    better = {("a", "b"): "a", ("b", "c"): "b", ("a", "c"): "c"}
    times: Counter[tuple[str, ...]] = Counter()
    for game in range(3 * games):
        seating = table.lineups.seating(game)
        pair = tuple(sorted(seating))
        times[pair] += 1
        winner = better[pair[0], pair[1]]
        if times[pair] > won:
            (winner,) = {*pair} - {winner}
        table.add(ended(game, SEATS[seating.index(winner)]))
    assert set(times.values()) == {games}
    return Ladder.from_results(table)


def test_deviation_from_the_ratings_is_reported() -> None:
    ladder = ring(40, 32)

    assert [rung_cells(rung)[1] for rung in ladder.rungs] == ["0", "0", "0"]
    assert ladder.largest_deviation is not None
    assert re.search("won [28]0.0 of 100 games with", str(ladder.largest_deviation))
    assert str(ladder.largest_deviation).endswith("; its rating predicts 50.0")
    assert ladder.to_json()["odd"]["said"] == 0.5


def test_random_deviation_is_not_reported() -> None:
    assert ring(40, 26).largest_deviation is None
    assert ring(4, 4).largest_deviation is None
    assert of_two(*[("b",)] * 40).largest_deviation is None


def test_false_deviations_are_rarely_reported() -> None:
    points = {"a": 150, "b": 50, "c": 0, "d": -200}
    random, told = Random(3), 0
    for _ in range(100):
        table = LadderResults(LineupSchedule(points, 3), SEATS)
        table.games = simulated(points, 3, 120, 0.1, random)
        told += Ladder.from_results(table).largest_deviation is not None

    assert told <= 10


def test_bots_that_always_draw_have_equal_ratings() -> None:
    ladder = of_two(*[()] * 40)

    assert [rung_cells(rung)[1] for rung in ladder.rungs] == ["0", "0"]
    assert [rung.gain for rung in ladder.rungs] == [0, 0]


def test_an_end_that_no_game_bounds_is_an_arrow() -> None:
    ladder = of_two(*[("b",)] * 20)
    svg = ladder_chart(ladder, "made up")

    assert {rung_cells(rung)[2].split("+")[0] for rung in ladder.rungs} >= {"at least "}
    arrows = re.findall(r'data-figure="(\w)/(low|high)"', svg)
    assert sorted(arrows) == [("a", "low"), ("b", "high")]
    bounded = ladder_chart(of_two(*[("b",)] * 20, ("a",)), "made up")
    assert not re.findall(r'data-figure="(\w)/(low|high)"', bounded)
    assert "made up" in bounded
    assert re.match(r'<svg [^>]*role="img" aria-label="made up\. Ratings: ', bounded)


def test_notes_of_the_chart_end_inside_it() -> None:
    """Programs may draw the text in a wider font than the one that was measured."""
    svg = ladder_chart(of_two(*[("b",)] * 20, ("a",)), "made up")
    width = float(re.findall(r'width="(\d+)"', svg)[0])
    left = float(re.findall(r"translate\((\d+),", svg)[0])
    notes = re.findall(r'start" transform="translate\((\d+),[^>]*>([^<]+)<', svg)
    ends = {note: left + int(x) + WIDE_LETTER * len(note) for x, note in notes}
    assert any("(" in note for note in ends)
    assert max(ends.values()) < width, (ends, width)
