"""`rulebook sweep` varies numbers in the rules and reports measures.

Verified by manual mutations: the varied number, the seeds of the points, the goal, the
saved rules.
"""

import json
import os
import re
import signal
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import attrs
import pytest

from rulebook import Rulebook
from tests.workbench.test_schemas import valid
from workbench import load
from workbench.analysis.report.charts import PAPER
from workbench.cli import main

pytest.importorskip("numpy")

from tests.support.commands import Output, errors_of, output_of
from workbench.analysis.comparison.variant_games import VariantGames
from workbench.analysis.simulation.statistics import Result
from workbench.analysis.sweep.axes import Value, parse_axis
from workbench.analysis.sweep.points import make_point
from workbench.analysis.sweep.sweep_goals import Goal, measure_interval, parse_goal
from workbench.analysis.sweep.sweep_run import PlayedPoint, Sweep
from workbench.errors import RequestError

FIRST = "examples/first/first.rules"
SMALL = ("--games", "12", "--players", "3", "--measure", "turns")


@pytest.fixture(scope="module")
def germany() -> Rulebook:
    return load("germany")


@pytest.mark.parametrize(
    ("text", "clause", "word", "values", "now"),
    [
        ("cost landmark.ore = 1..4", "cost.landmark", "ore", (1, 2, 3, 4), 2),
        ("landmark.ore=1..5 by 2", "cost.landmark", "ore", (1, 3, 5), 2),
        ("cost.landmark.wool = 0, 1", "cost.landmark", "wool", (0, 1), None),
        ("option gifts = yes, no", "option.gifts", "default", (True, False), False),
        ("option points_to_win = 8, 8", "option.points_to_win", "default", (8,), None),
        ("action play_banking#1 = 3", "action.play_banking", "#1", (3,), 2),
        ("action play_banking = 3", "action.play_banking", "#1", (3,), 2),
    ],
)
def test_an_axis_is_read(
    germany: Rulebook,
    text: str,
    clause: str,
    word: str,
    values: tuple[int, ...],
    now: int | None,
) -> None:
    here = parse_axis(germany, text)
    assert (here.address, here.word, here.values, here.current_value) == (
        clause,
        word,
        values,
        now,
    )


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("x", "does not name a number to vary"),
        ("cost landmark.ore = 4..1", "has no values"),
        ("cost landmark.ore = many", "is not a valid value"),
        ("cost landmark.ore = 1..5000", "more than 1,000 values"),
        ("cost landmark = 1", "`cost.landmark.ore`"),
        ("cost landmrk.ore = 1", "did you mean `cost.landmark`"),
        ("cost landmark.gold = 1", "unknown card `gold`"),
        ("dice white_die = 1", "`dice.white_die#2`"),
        ("setup = 1", "`setup` contains no number"),
        ("action play_banking#7 = 1", "has no number `#7`"),
    ],
)
def test_rejects_an_invalid_axis(germany: Rulebook, text: str, said: str) -> None:
    with pytest.raises(RequestError) as caught:
        parse_axis(germany, text)
    assert said in str(caught.value)


def test_a_point_is_a_house_rule(germany: Rulebook, tmp_path: Path) -> None:
    axes = [
        parse_axis(germany, "cost landmark.ore = 1"),
        parse_axis(germany, "option gifts = yes"),
    ]
    here = make_point(germany, axes, (1, True))
    file = tmp_path / "point.rules"
    file.write_text(here.text, encoding="utf-8")

    assert here.book is not None
    assert load(str(file)).digest == here.book.digest
    assert here.name == "germany_landmark_ore_1_gifts_yes"
    assert not here.is_same


def test_two_figures_of_a_clause_are_varied_together(germany: Rulebook) -> None:
    axes = [
        parse_axis(germany, f"cost landmark.{kind} = 1..3") for kind in ("ore", "grain")
    ]
    assert (
        "replace cost landmark: 3 ore, 2 grain"
        in make_point(germany, axes, (3, 2)).text
    )
    assert make_point(germany, axes, (2, 1)).is_same


def test_invalid_point_has_a_reason(germany: Rulebook) -> None:
    here = make_point(
        germany, [parse_axis(germany, "option discard_limit = 99")], (99,)
    )
    assert here.book is None
    assert "is not in the range" in here.error


def swept(capsys: Output, *words: str) -> tuple[int, Any]:
    """Return the exit code and the JSON document of the command."""
    status = main(["sweep", FIRST, *SMALL, "--json", *words])
    return status, json.loads(capsys.readouterr().out)


def test_a_sweep_is_drawn(tmp_path: Path, capsys: Output) -> None:
    """Each mark is drawn where the document says; the unchanged game is hollow."""
    file = tmp_path / "swept.svg"
    vary = (
        "--vary",
        "cost hut.reed = 1..3",
        "--vary",
        "rule victory = 3, 4",
    )
    status, document = swept(capsys, *vary, *SMALL, "--out", str(file))

    assert status == 0
    svg = file.read_text(encoding="utf-8")
    drawn = []
    for each in document["points"]:
        reed, huts = each["values"]
        turns = each["measures"]["turns"]
        numbers = " ".join(str(turns[name]) for name in ("low", "value", "high"))
        line = f"turns, {document['axes'][1]['name']} {huts}"
        drawn.append(f'data-figure="{line}" data-value="{reed} {numbers}"')
    assert len(set(drawn)) == 6
    assert [svg.count(mark) for mark in drawn] == [1] * 6
    hollow = [
        mark
        for mark in drawn
        if re.search(f'{re.escape(mark)}[^>]*fill="{PAPER}"', svg)
    ]
    assert ">Turns</text>" in svg and ">cost hut: reed</text>" in svg
    assert re.match(r'<svg [^>]*role="img" aria-label="[^"]*Turns[^"]* by cost', svg)
    same = [each["same"] for each in document["points"]]
    assert hollow == [drawn[same.index(True)]]


@pytest.mark.parametrize(("kind", "lines"), [("mean", 1), ("median", 0)])
def test_goal_is_drawn_only_for_means(
    kind: str, lines: int, tmp_path: Path, capsys: Output
) -> None:
    file = tmp_path / "swept.svg"
    words = ("--vary", "cost hut.reed = 1..2", "--goal", f"turns.{kind} = 9")

    swept(capsys, *words, "--out", str(file))

    assert file.read_text(encoding="utf-8").count('stroke-dasharray="3,3"') == lines


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("swept.png", "a sweep can only be drawn as .svg, not as .png"),
        ("notes.svg", "notes.svg"),
    ],
)
def test_impossible_picture_is_rejected_before_any_game(
    name: str,
    said: str,
    tmp_path: Path,
    capsys: Output,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    (tmp_path / "notes.svg").write_text("mine", encoding="utf-8")
    monkeypatch.setattr(Sweep, "played_points", lambda *_: pytest.fail("it plays"))

    words = ["sweep", FIRST, "--vary", "cost hut.reed = 1..3", *SMALL]
    assert said in errors_of(capsys, *words, "--out", str(tmp_path / name))
    assert (tmp_path / "notes.svg").read_text(encoding="utf-8") == "mine"


def test_a_grid_has_every_point(capsys: Output, tmp_path: Path) -> None:
    status, here = swept(
        capsys, "--vary", "cost hut.reed = 1..3", "--keep", str(tmp_path / "points")
    )
    turns = [each["measures"]["turns"]["value"] for each in here["points"]]

    assert status == 0
    assert [each["values"] for each in here["points"]] == [[1], [2], [3]]
    assert [each["same"] for each in here["points"]] == [False, True, False]
    assert turns == sorted(turns)
    assert turns[0] < turns[1] < turns[2]
    assert here["points"][0]["measures"]["turns"]["change"] == "certain"
    assert here["points"][1]["measures"]["turns"]["change"] == "same"
    for each in here["points"]:
        assert "rulebook" in Path(each["file"]).read_text(encoding="utf-8")


def test_a_point_has_the_games_of_simulate(capsys: Output, tmp_path: Path) -> None:
    folder = tmp_path / "points"
    _, here = swept(capsys, "--vary", "cost hut.reed = 3", "--keep", str(folder))
    words = ("--games", "12", "--players", "3", "--bots", "greedy", "--json")
    assert main(["simulate", here["points"][0]["file"], *words]) == 0
    simulated = json.loads(capsys.readouterr().out)

    turns = here["points"][0]["measures"]["turns"]["value"]
    assert turns == pytest.approx(simulated["turns"]["mean"], abs=0.001)


def test_a_game_with_house_rules_is_varied_too(capsys: Output, tmp_path: Path) -> None:
    words = ["germany+cheap_landmarks", "--vary", "cost landmark.ore = 1, 2"]
    few = ["--games", "1", "--bots", "random", "--measure", "turns", "--json"]
    here = json.loads(output_of(capsys, "sweep", *words, *few, "--keep", str(tmp_path)))

    assert [each["same"] for each in here["points"]] == [True, False]
    file = here["points"][1]["file"]
    assert load(file).model.costs == load("germany").model.costs


def test_other_rules_in_the_folder_stay_unchanged(
    capsys: Output, tmp_path: Path
) -> None:
    words = ["--vary", "cost hut.reed = 3", "--keep", str(tmp_path)]
    assert main(["sweep", FIRST, *SMALL, *words]) == 0
    assert main(["sweep", FIRST, *SMALL, *words]) == 0
    (tmp_path / "first_hut_reed_3.rules").write_text("mine\n")
    assert main(["sweep", FIRST, *SMALL, *words]) == 2
    assert "already exists with different content" in capsys.readouterr().err
    assert (tmp_path / "first_hut_reed_3.rules").read_text() == "mine\n"


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("turns.mean = 60", Goal("turns", "mean", 60.0)),
        ("turns.median=60.5", Goal("turns", "median", 60.5)),
        ("wins_from.1 = 0.25", Goal("wins_from.1", "mean", 0.25)),
    ],
)
def test_a_goal_is_read(text: str, wanted: Goal) -> None:
    assert parse_goal(text) == wanted


@pytest.mark.parametrize("text", ["", "turns", "turns = many", "= 3"])
def test_rejects_an_invalid_goal(text: str) -> None:
    with pytest.raises(RequestError, match="is not a valid goal"):
        parse_goal(text)


def test_a_goal_is_found(capsys: Output) -> None:
    pytest.importorskip("optuna")
    words = ("--vary", "cost hut.reed = 1..4", "--goal", "turns = 11", "--points", "4")
    status, here = swept(capsys, *words)
    nearest = min(here["points"], key=lambda each: each["off"])

    assert status == 0
    assert nearest["values"] == [3]
    assert len({tuple(each["values"]) for each in here["points"]}) == 4


def test_exits_with_1_if_no_point_reaches_the_goal(capsys: Output) -> None:
    pytest.importorskip("optuna")
    words = ("--vary", "cost hut.reed = 1..2", "--goal", "turns = 5000")
    status, here = swept(capsys, *words)

    assert status == 1
    assert len(here["points"]) == 2


def test_a_sweep_that_is_stopped_keeps_the_points_that_were_played(
    capsys: Output, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = Sweep.play_point
    played: list[Sequence[Value]] = []

    def reached(
        self: Sweep, values: Sequence[Value], base: VariantGames
    ) -> PlayedPoint:
        played.append(values)
        if len(played) == 3:
            os.kill(os.getpid(), number)
        return whole(self, values, base)

    monkeypatch.setattr(Sweep, "play_point", reached)
    for number in (signal.SIGINT, signal.SIGTERM):
        played.clear()
        status = main(["sweep", FIRST, *SMALL, "--vary", "hut.reed = 1..4", "--json"])
        printed = capsys.readouterr()
        here = json.loads(printed.out)

        valid("sweep", here)
        assert status == 128 + number
        assert here["stopped"] == number.name
        assert [each["values"] for each in here["points"]] == [[1], [2]]
        assert f"stopped by {number.name} after 2 of 4 points" in printed.err


def test_point_without_the_goal_measure_is_skipped(capsys: Output) -> None:
    pytest.importorskip("optuna")
    words = ["--vary", "cost hut.reed = 2, 4", "--goal", "margin = 1.4"]
    words += ["--max-turns", "60"]
    status, here = swept(capsys, *words)
    by_values = {each["values"][0]: each for each in here["points"]}

    valid("sweep", here)
    assert status == 0
    assert by_values[4]["off"] is None
    assert by_values[4]["lacks"] == ["margin"]
    assert by_values[2]["lacks"] == []
    said = output_of(capsys, "sweep", FIRST, *SMALL, *words)
    assert "margin unknown" in said
    assert "nearest: first_hut_reed_2 (" in said


def without(result: Result, name: str) -> Result:
    """Return a game without the value of a measure."""
    measures = {x: value for x, value in (result.measures or {}).items() if x != name}
    return attrs.evolve(result, measures=measures)


def test_point_without_a_measure_is_skipped(
    capsys: Output, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("optuna")
    whole = Sweep.play_variant

    def played(self: Sweep, book: Rulebook, variant: str) -> VariantGames:
        games = whole(self, book, variant)
        if not variant.endswith("_3.rules"):
            return games
        return attrs.evolve(
            games, results=[without(x, "margin") for x in games.results]
        )

    monkeypatch.setattr(Sweep, "play_variant", played)
    words = ("--vary", "cost hut.reed = 2, 3", "--goal", "margin = 1.4")
    status, here = swept(capsys, *words)

    assert status == 0
    assert {each["values"][0]: each["lacks"] for each in here["points"]} == {
        2: [],
        3: ["margin"],
    }


def test_bot_errors_stop_a_sweep_or_are_counted_by_point(
    capsys: Output, tmp_path: Path
) -> None:
    wrong = tmp_path / "wrong.py"
    wrong.write_text("def nothing(view, legal, sample, numbers):\n    return None\n")
    words = ["sweep", FIRST, "--vary", "cost hut.reed = 2, 3", *SMALL]
    words += ["--bots", f"{wrong}:nothing,random,random"]

    assert "returned None" in errors_of(capsys, *words, status=1)
    words += ["--on-bot-error", "lose"]
    assert main([*words, "--json"]) == 0
    for each in json.loads(capsys.readouterr().out)["points"]:
        assert [row["lost"] for row in each["bot_errors"]] == [12]
    assert output_of(capsys, *words).count("and lost 12 because of it") == 2


def test_interval_is_computed_from_the_games() -> None:
    numpy = pytest.importorskip("numpy")
    columns = {"turns": numpy.array([1.0, 2.0, 3.0, numpy.nan])}
    mean, median = (
        measure_interval(columns, "turns"),
        measure_interval(columns, "turns", "median"),
    )

    assert mean.value == median.value == 2.0
    assert mean.high - mean.value == pytest.approx(1.959964 / 3**0.5)
    assert (median.low, median.high) == (1.0, 3.0)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--vary", "cost hut.reed = 1", "--vary", "hut.reed = 2"], "is varied twice"),
        (
            ["--vary", "cost hut.reed = 1", "--games", "0"],
            "--games must be at least 1, not 0",
        ),
        (["--vary", "cost hut.reed = 1", "--measure", "turnz"], "did you mean `turns`"),
        (["--vary", "cost hut.reed = 1", "--goal", "x"], "is not a valid goal"),
    ],
)
def test_rejects_nonsensical_arguments(
    words: list[str], said: str, capsys: Output
) -> None:
    assert said in errors_of(capsys, "sweep", FIRST, *SMALL, *words)
