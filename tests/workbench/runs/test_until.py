"""Runs with `--until`: only the games determine when they stop."""

import statistics
from math import inf
from pathlib import Path
from random import Random
from typing import Any

import pytest

from tests.support.commands import Output, document_of, errors_of
from workbench.analysis.runs.columns import TRUTH, WHOLE, Column
from workbench.analysis.runs.precision import (
    FIRST_CHECK,
    MIN_CONSTANT_GAMES,
    PrecisionGoal,
    RunningInterval,
)
from workbench.cli import main
from workbench.errors import RequestError

TURNS = Column("turns", WHOLE, "")
WINS = Column("wins.north", TRUTH, "")


def narrowing(width: float, column: Column = TURNS) -> RunningInterval:
    return RunningInterval(PrecisionGoal(column, width))


@pytest.mark.parametrize(
    ("text", "name", "width"),
    [
        ("turns ±0.5", "turns", 0.5),
        ("turns±2", "turns", 2),
        (" wins.north +- 0.01 ", "wins.north", 0.01),
        ("turns +/-3", "turns", 3),
    ],
)
def test_parses_a_precision_goal(text: str, name: str, width: float) -> None:
    until = PrecisionGoal.parse(text, [TURNS, WINS])

    assert (until.column.name, until.width) == (name, width)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "is not MEASURE ±WIDTH"),
        ("turns", "is not MEASURE ±WIDTH"),
        ("turns 5", "is not MEASURE ±WIDTH"),
        ("±5", "is not MEASURE ±WIDTH"),
        ("turns ±-1", "is not MEASURE ±WIDTH"),
        ("turns ±nan", "is not MEASURE ±WIDTH"),
        ("turns ±1e9", "is not MEASURE ±WIDTH"),
        ("turns ±" + "9" * 400, "is not MEASURE ±WIDTH"),
        ("turns ±0", "narrower than any number of games can reach"),
        ("turms ±1", "there is no measure `turms`; did you mean `turns`?"),
        ("luck ±1", "there is no measure `luck`; measures are turns, wins.north, …"),
    ],
)
def test_rejects_an_invalid_precision_goal(text: str, said: str) -> None:
    with pytest.raises(RequestError) as refused:
        PrecisionGoal.parse(text, [TURNS, WINS])

    assert said in str(refused.value)


def test_half_width_of_a_mean_is_students() -> None:
    drawn = Random(1)
    numbers = [drawn.gauss(70, 9) for _ in range(150)]
    narrow = narrowing(1e-9)
    for value in numbers:
        narrow.add(value)

    error = statistics.stdev(numbers) / len(numbers) ** 0.5
    assert narrow.mean == pytest.approx(statistics.fmean(numbers))
    assert narrow.half_width == pytest.approx(1.97601 * error, rel=1e-4)  # Student's t


def test_half_width_of_a_share_is_wilsons() -> None:
    narrow = narrowing(1e-9, WINS)
    for number in range(100):
        narrow.add(number < 20)
    assert narrow.half_width == pytest.approx((0.288827 - 0.133367) / 2, abs=1e-4)

    never = narrowing(0.01, WINS)
    for _ in range(FIRST_CHECK):
        never.add(False)
    assert never.half_width == pytest.approx(0.0185, abs=1e-3)
    assert never.end is None


def test_interval_is_checked_rarely_and_ends_at_a_check() -> None:
    numbers, narrow = Random(2), narrowing(1.0)
    looks = [FIRST_CHECK]
    while looks[-1] < 20_000:
        looks.append(looks[-1] + looks[-1] // 10)
    while narrow.end is None:
        narrow.add(numbers.gauss(50, 15))

    assert narrow.end in looks
    assert narrow.end > FIRST_CHECK
    assert narrow.half_width <= 1.0


def test_constant_measure_is_known_only_after_many_games() -> None:
    narrow = narrowing(0.5)
    for _ in range(MIN_CONSTANT_GAMES - 1):
        narrow.add(7)
        assert narrow.end is None
    assert narrow.half_width == inf
    assert narrow.estimated_games(5000) == 5000
    while narrow.end is None:
        narrow.add(7)

    assert (narrow.mean, narrow.half_width) == (7, 0)
    assert MIN_CONSTANT_GAMES <= narrow.end < MIN_CONSTANT_GAMES * 1.1


def test_interval_has_about_its_stated_coverage(deep: bool) -> None:
    """Repeated checks lower the coverage slightly below 95 %."""
    times, numbers, held = 2000 if deep else 300, Random(3), 0
    for _ in range(times):
        narrow = narrowing(0.6)
        while narrow.end is None:
            narrow.add(numbers.expovariate(0.2))
        held += abs(narrow.mean - 5) <= narrow.half_width

    assert 0.90 < held / times < 0.98


@pytest.mark.parametrize("more", [(), ("--jobs", "2"), ("--games", "100000")])
def test_the_end_is_the_same_with_any_number_of_processes(
    more: tuple[str, ...], tiny_path: Path, tmp_path: Path, capsys: Output
) -> None:
    documents: list[Any] = []
    for jobs in (("--jobs", "1"), more):
        out = tmp_path / f"{len(documents)}.csv"
        until = ["--players", "2", "--until", "turns ±3.5", "--out", str(out)]
        document = document_of(capsys, "simulate", str(tiny_path), *until, *jobs)
        documents.append((document["games"], document["until"], out.read_bytes()))

    assert documents[0] == documents[1]
    games, until, rows = documents[0]
    assert FIRST_CHECK <= games == rows.count(b"\n") - 1 < 1000
    assert until["reached"]
    assert until["half_width"] <= until["wanted"] == 3.5


def test_game_without_the_measure_has_no_value() -> None:
    narrow, plain = narrowing(1e-9), narrowing(1e-9)
    for number in range(300):
        narrow.add(None if number % 3 else number)
    for number in range(0, 300, 3):
        plain.add(number)

    assert (narrow.mean, narrow.half_width) == (plain.mean, plain.half_width)
    assert (narrow.games, plain.games) == (300, 100)


def test_reports_an_interval_that_is_too_wide_at_the_end(
    tiny_path: Path, capsys: Output
) -> None:
    words = ["simulate", str(tiny_path), "--players", "2", "--games", "120"]

    assert main([*words, "--until", "turns ±0.01"]) == 1

    printed = capsys.readouterr()
    assert "after 120 games, wider than ±0.01" in printed.err
    assert "120 games" in printed.out
    assert "at 95 %" in printed.out


def test_one_variant_at_a_time(tiny_path: Path, capsys: Output) -> None:
    words = ["simulate", str(tiny_path), "germany", "--until", "turns ±1"]

    assert "can only be used with a single variant" in errors_of(capsys, *words)
