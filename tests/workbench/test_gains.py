"""Gains of bots beyond their share of the seats, when several bots play.

Verified by manual mutations: the share of the seats, a shared win, the interval, a bot
that is listed twice.
"""

import json
from math import sqrt
from pathlib import Path
from statistics import mean, stdev
from typing import Any

import pytest

from tests.support.commands import Output, document_of
from tests.workbench.test_schemas import valid
from workbench.analysis.measures.game_course import win_gains
from workbench.analysis.simulation.bot_gains import BotGains
from workbench.analysis.simulation.statistics import Result
from workbench.cli import main

pytest.importorskip("numpy")

FIRST = str(Path(__file__).parents[2] / "examples" / "first" / "first.rules")
BOTH = ("--players", "3", "--bots", "random,greedy,random", "--games")


@pytest.mark.parametrize(
    ("winners", "bots", "gains"),
    [
        ((0,), "ab", {"a": 0.5, "b": -0.5}),
        ((1,), "abbb", {"a": -0.25, "b": 0.25}),
        ((0, 1), "abbb", {"a": 0.25, "b": -0.25}),
        ((0, 1, 2, 3), "abbb", {"a": 0.0, "b": 0.0}),
        ((), "ab", {"a": 0.0, "b": 0.0}),
        ((2,), "abca", {"a": -0.5, "b": -0.25, "c": 0.75}),
        ((0,), "aaaa", {}),
        ((), "aaaa", {}),
    ],
)
def test_gain_is_the_share_of_the_win_minus_the_share_of_the_seats(
    winners: tuple[int, ...], bots: str, gains: dict[str, float]
) -> None:
    assert win_gains(winners, tuple(bots)) == gains


def run_json(capsys: Output, *words: str) -> dict[str, Any]:
    told: dict[str, Any] = document_of(capsys, *words)
    valid(words[0], told)
    return told


def test_simulate_reports_the_gain_of_the_better_bot(
    tmp_path: Path, capsys: Output
) -> None:
    out = tmp_path / "rows.jsonl"
    told = run_json(capsys, "simulate", FIRST, *BOTH, "60", "--out", str(out))
    rows = [json.loads(line) for line in out.read_text().splitlines()]
    won = [row["winners"] for row in rows]
    each = [("blue" in who) / len(who) - 1 / 3 if who else 0 for who in won]
    random, greedy = told["gains"]

    assert (random["bot"], random["seats"]) == ("random", 2)
    assert (greedy["bot"], greedy["seats"]) == ("greedy", 1)
    assert greedy["mean"] == pytest.approx(mean(each), abs=1e-6)
    half = 1.959964 * stdev(each) / sqrt(len(each))
    assert greedy["high"] - greedy["mean"] == pytest.approx(half, abs=1e-5)
    assert random["mean"] == pytest.approx(-greedy["mean"], abs=2e-6)
    better = max(told["gains"], key=lambda gain: gain["mean"])
    main(["simulate", FIRST, *BOTH, "60"])
    said = capsys.readouterr().out
    assert said.count("of 100 games beyond its share of the seats") == 1
    numbers = f"{100 * better['low']:.1f} to {100 * better['high']:.1f}"
    assert f"  gain        {better['bot']} wins {numbers} of 100 games" in said


def test_one_bot_gains_nothing(capsys: Output) -> None:
    words = ("simulate", FIRST, "--players", "2", "--games", "3")

    assert run_json(capsys, *words)["gains"] == []
    main([*words, "--measures"])
    assert "gain" not in capsys.readouterr().out


def test_one_game_has_no_interval() -> None:
    gains = BotGains({"red": "a", "blue": "b"})
    gains.add(Result(1, True, ("red",), None, {}, 1, 1, {}))

    assert [(x.bot, x.mean, x.low) for x in gains.gains] == [
        ("a", 0.5, None),
        ("b", -0.5, None),
    ]
    assert [str(x) for x in gains.nonnegative_gains] == [
        "a wins 50.0 of 100 games beyond its share of the seats"
    ]


def test_compare_reports_gains_and_their_differences(
    tmp_path: Path, capsys: Output
) -> None:
    dear = tmp_path / "dear.rules"
    dear.write_text(Path(FIRST).read_text().partition("\nscenario")[0] + "\n")
    text = dear.read_text().replace("rulebook first", "rulebook dear")
    dear.write_text(text.replace("cost hut: 2 reed", "cost hut: 3 reed"))
    words = ("compare", FIRST, str(dear), *BOTH, "240")
    told = run_json(capsys, *words)
    rows = {
        row["of"]: row
        for row in told["comparisons"][0]["measures"]
        if row["measure"] == "gain"
    }

    for side, name in zip(told["variants"], ("first", "second"), strict=True):
        for gain in side["gains"]:
            assert rows[gain["bot"]][name] == pytest.approx(gain["mean"], abs=2e-6)
    assert rows["greedy"]["unit"] == "share"
    main(list(words))
    said = capsys.readouterr().out
    assert "random as red, greedy as blue, random as white" in said
    assert "  in first greedy wins " in said
    assert "  in dear greedy wins " in said
    assert ("gain greedy" in said) + ("gain random" in said) == 1


def test_gain_can_be_the_measure_of_a_sweep(capsys: Output) -> None:
    vary = ("--vary", "cost hut.reed = 2", "--measure", "gain.greedy")
    told = run_json(capsys, "sweep", FIRST, *vary, *BOTH, "20")
    played = run_json(capsys, "simulate", FIRST, *BOTH, "20")

    (point,) = told["points"]
    greedy = next(gain for gain in played["gains"] if gain["bot"] == "greedy")
    value = point["measures"]["gain.greedy"]["value"]
    assert value == pytest.approx(greedy["mean"], abs=1e-6)
