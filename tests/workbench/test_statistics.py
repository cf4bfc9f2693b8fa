"""Named statistics of results."""

from collections.abc import Sequence

import pytest

from workbench.simulation.statistics import Result, spread, summary


def result(seed: int, winner: str | None, decisions: int) -> Result:
    return Result(
        seed=seed,
        finished=winner is not None,
        winners=() if winner is None else (winner,),
        reason=None,
        points={},
        turns=decisions // 2,
        decisions=decisions,
        actions={"go": decisions},
    )


@pytest.mark.parametrize(
    ("values", "median", "p95"),
    [([], 0, 0), ([7], 7, 7), ([1, 2], 1, 2), (range(1, 101), 50, 95)],
)
def test_spread_is_by_nearest_rank(
    values: Sequence[int], median: int, p95: int
) -> None:
    statistics = spread(list(values))

    assert (statistics["median"], statistics["p95"]) == (median, p95)


def test_every_seat_is_listed_even_without_a_win() -> None:
    totals = summary([result(1, "a", 4), result(2, None, 10)], ["a", "b"], 2.0)

    assert totals["wins"] == {"a": 1, "b": 0}
    assert (totals["finished"], totals["unfinished"], totals["draws"]) == (1, 1, 0)
    assert totals["actions"] == {"go": 14}
    assert totals["decisions_per_second"] == 7


def test_a_draw_is_finished_and_won_by_nobody() -> None:
    drawn = Result(1, True, (), "stuck", {}, 3, 6, {})

    totals = summary([drawn], ["a"], 1.0)

    assert (totals["finished"], totals["draws"], totals["wins"]) == (1, 1, {"a": 0})
