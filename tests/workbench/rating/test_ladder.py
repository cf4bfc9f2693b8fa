"""`rulebook ladder` rates bots by games in all seats.

Verified by manual mutations: the seating, the engine of a game, stored games of another
run, the bots of a row, unfinished games.
"""

import json
import re
import shlex
import signal
from collections import Counter
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

from tests.native.compilers import NEEDS_C
from tests.support.commands import Output, document_of, errors_of, output_of
from tests.workbench.test_schemas import valid
from workbench.analysis.ladder.lineups import LineupSchedule
from workbench.analysis.runs.interruptions import RunStopped
from workbench.analysis.runs.partial_runs import PartialRun
from workbench.analysis.simulation.simulation import simulate
from workbench.cli import main
from workbench.cli.analysis import ladder

pytest.importorskip("scipy")

ROOT = Path(__file__).parents[3]
FIRST = str(ROOT / "examples" / "first" / "first.rules")
PLACELESS = str(ROOT / "examples" / "games" / "nine_men.rules")
BOTH = ("--bots", "random,greedy")
PLAYED = ("--engine", "reference", "--jobs", "1")
OWN = """\
def last(view, legal, sample, numbers):
    return legal[-1]


def first(view, legal, sample, numbers):
    return legal[0]
"""
TIMES = ("seconds", "games_per_second")


def run_json(capsys: Output, *words: str, status: int = 0) -> dict[str, Any]:
    """Return the document of a ladder, without its duration."""
    told: dict[str, Any] = document_of(capsys, "ladder", *words, status=status)
    valid("ladder", told)
    return {name: value for name, value in told.items() if name not in TIMES}


def rows_of(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text().splitlines()]


@pytest.fixture
def own(tmp_path: Path) -> str:
    """Return a file with two custom bots."""
    path = tmp_path / "own.py"
    path.write_text(OWN)
    return str(path)


# ---------------------------------------------------------------- played games


def test_games_follow_the_line_ups(tmp_path: Path, capsys: Output) -> None:
    out = tmp_path / "rows.jsonl"
    words = (*BOTH, "--players", "3", "--games", "14", "--seed", "5", *PLAYED)
    told = run_json(capsys, FIRST, *words, "--out", str(out))
    rows = rows_of(out)

    assert (told["games"], told["cycle"], told["left_over"]) == (12, 6, 2)
    lineups = LineupSchedule(["random", "greedy"], 3)
    seatings = [tuple(row["bots"].values()) for row in rows]
    assert seatings == [lineups.seating(game) for game in range(12)]
    assert [row["seed"] for row in rows] == [*range(5, 17)]
    for row in rows:
        valid("rows", row)
    won = Counter(row["bots"][seat] for row in rows for seat in row["winners"])
    shares = {rung["bot"]: rung["won"] * rung["games"] for rung in told["bots"]}
    alone = all(len(row["winners"]) == 1 for row in rows)
    assert alone
    assert shares == pytest.approx(dict(won), abs=0.01)
    assert sum(told["seats"].values()) == pytest.approx(1, abs=1e-3)


def test_ladder_game_equals_a_simulated_game(tmp_path: Path, capsys: Output) -> None:
    whole, alone = tmp_path / "ladder.jsonl", tmp_path / "alone.jsonl"
    words = ("--players", "3", *PLAYED, "--out")
    run_json(capsys, FIRST, *BOTH, "--games", "6", *words, str(whole))
    row = rows_of(whole)[4]
    seating = row.pop("bots").values()
    bots = ("--bots", ",".join(seating), "--games", "5")
    assert main(["simulate", FIRST, *bots, *words, str(alone)]) == 0

    assert rows_of(alone)[4] == row


def test_order_of_bots_has_no_effect(own: str, capsys: Output) -> None:
    bots = ["random", f"{own}:last", f"{own}:first"]
    words = ("--players", "2", "--games", "12", *PLAYED)
    orders = [bots, bots[::-1], [bots[1], bots[2], bots[0]]]
    told = [run_json(capsys, FIRST, "--bots", ",".join(o), *words) for o in orders]

    assert told[0] == told[1] == told[2]


@NEEDS_C
def test_both_engines_play_the_same_games_with_custom_bots(
    own: str, capsys: Output
) -> None:
    words = ("--players", "2", "--games", "50", "--bots", f"random,greedy,{own}:last")
    auto = run_json(capsys, FIRST, *words)
    slow = run_json(capsys, FIRST, *words, "--engine", "reference", "--jobs", "2")

    assert (auto.pop("engine"), slow.pop("engine")) == ("native", "reference")
    assert auto == slow
    said = errors_of(capsys, "ladder", FIRST, *words, "--engine", "native")
    assert "the native engine cannot play this" in said


@NEEDS_C
def test_greedy_is_clearly_above_random_in_germany(capsys: Output) -> None:
    told = run_json(capsys, "germany", *BOTH, "--players", "3", "--games", "24")
    (step,) = told["steps"]

    assert [rung["bot"] for rung in told["bots"]] == ["greedy", "random"]
    assert step["better"] == "greedy"
    assert step["rating"]["low"] > 150
    assert step["gain"]["low"] > 0.2


def test_games_without_points_are_rated(capsys: Output) -> None:
    words = (*BOTH, "--games", "4", "--max-turns", "30", *PLAYED)
    told = run_json(capsys, PLACELESS, *words, status=1)

    assert told["unfinished"] == told["games"] == 4
    assert [rung["rating"] for rung in told["bots"]] == [None, None]
    assert told["steps"] == told["lineups"] == []
    said = errors_of(capsys, "ladder", PLACELESS, *words, status=1)
    assert "no ratings: too few finished games" in said


# ---------------------------------------------------------------- continuation


@pytest.fixture
def words(tmp_path: Path) -> list[str]:
    out = str(tmp_path / "ladder.svg")
    size = ("--players", "3", "--games", "12")
    return [FIRST, *BOTH, *size, *PLAYED, "--out", out]


@pytest.mark.parametrize("cut", [0.0001, 0.4, 0.75, 1])
def test_stopped_ladder_can_be_resumed(
    cut: float,
    words: list[str],
    tmp_path: Path,
    capsys: Output,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(PartialRun, "remove", lambda _: None)
        whole = run_json(capsys, *words)
    files = [tmp_path / name for name in ("ladder.svg", "ladder.jsonl")]
    made = [path.read_bytes() for path in files]
    part = tmp_path / "ladder.jsonl.part"
    kept = part.read_bytes()
    part.write_bytes(kept[: int(len(kept) * cut)])
    for path in files:
        path.unlink()
    if part.read_bytes().count(b"\n") > 1:
        assert "continue it with --resume" in errors_of(capsys, "ladder", *words)

    assert run_json(capsys, *words, "--resume") == whole

    assert [path.read_bytes() for path in files] == made
    assert not part.exists()


def test_interrupted_ladder_prints_the_resuming_command(
    words: list[str],
    own: str,
    tmp_path: Path,
    capsys: Output,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    more = ["--bots", f"random,{own}:last", "--seed", "3"]
    whole = run_json(capsys, *words, *more)
    rows = (tmp_path / "ladder.jsonl").read_bytes()

    def stopping(*given: Any, **more: Any) -> Iterator[Any]:
        yield from islice(simulate(*given, **more), 7)
        raise RunStopped(signal.SIGTERM)

    with monkeypatch.context() as patch:
        patch.setattr(ladder, "simulate", stopping)
        capsys.readouterr()
        assert main(["ladder", *words, *more, "--json"]) == 128 + signal.SIGTERM
    told = capsys.readouterr()
    document = json.loads(told.out)
    valid("ladder", document)
    assert (document["games"], document["stopped"]) == (7, "SIGTERM")
    assert "stopped by SIGTERM after 7 of 12 games; to continue: `" in told.err
    typed = shlex.split(told.err.partition("`")[2].partition("`")[0])

    assert typed[:2] == ["rulebook", "ladder"]
    assert run_json(capsys, *typed[2:-1]) == whole
    assert typed[-1] == "--json"
    assert (tmp_path / "ladder.jsonl").read_bytes() == rows


def test_ladder_of_other_bots_cannot_be_resumed(
    words: list[str], own: str, capsys: Output, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(PartialRun, "remove", lambda _: None)
        run_json(capsys, *words)
    more = [*words, "--bots", f"random,greedy,{own}:last", "--resume"]

    assert "games of a different run: bots" in errors_of(capsys, "ladder", *more)


def test_more_games_are_added(
    words: list[str], tmp_path: Path, capsys: Output, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(PartialRun, "remove", lambda _: None)
        run_json(capsys, *words)
    more = run_json(capsys, *words, "--games", "18", "--resume")
    other = run_json(capsys, *words, "--games", "18", "--out", str(tmp_path / "b.svg"))

    assert more == other
    rows = [(tmp_path / name).read_bytes() for name in ("ladder.jsonl", "b.jsonl")]
    assert rows[0] == rows[1]


# ---------------------------------------------------------------- messages


def test_report_of_a_ladder(words: list[str], capsys: Output) -> None:
    said = output_of(capsys, "ladder", *words)
    told = run_json(capsys, *words)

    assert said.startswith("first, 3 players, 12 games\n")
    assert re.search(r"^ +bot +rating +95 % +games +won of 100", said, re.MULTILINE)
    places = [said.index(f"\n  {rung['bot']}") for rung in told["bots"]]
    assert places == sorted(places)
    (step,) = told["steps"]
    assert f"{step['better']} over {step['worse']}" in said
    assert f"{100 * step['gain']['value']:+.1f}" in said
    assert (
        "100 points above all others, a bot wins 47.1 of 100 games instead of 33.3"
        in said
    )
    assert "ladder.svg: the picture" in said


def test_a_picture_shows_each_bot(
    words: list[str], tmp_path: Path, capsys: Output
) -> None:
    told = run_json(capsys, *words)
    svg = (tmp_path / "ladder.svg").read_text()

    assert svg.startswith("<svg")
    for rung in told["bots"]:
        rating = rung["rating"]
        assert f'data-figure="{rung["bot"]}/rating"' in svg
        assert f'data-value="{rating["value"]}"' in svg
        for end in ("low", "high"):
            is_open = f'data-figure="{rung["bot"]}/{end}"' in svg
            assert is_open == (rating[end] is None)


@pytest.mark.parametrize(
    ("more", "said"),
    [
        (("--bots", "random"), "a ladder needs more than one bot"),
        (("--bots", "random,greedy,random"), "`random` is listed twice"),
        (
            ("--bots", "mcts(20),mcts( 20 )"),
            "`mcts(20)` and `mcts( 20 )` are the same bot",
        ),
        (("--bots", "mcts,random,mcts(0)"), "`mcts(0)`"),
        (("--bots", "random,,greedy"), "contains an empty name"),
        (("--bots", "random,greedy(3"), "has unbalanced parentheses"),
        (("--bots", "random,gredy"), "did you mean `greedy`?"),
        (("--games", "5"), "--games 5 is less than one cycle of 6 games"),
        (("--games", "0"), "--games must be at least 1, not 0"),
        (("--jobs", "0"), "--jobs must be at least 1, not 0"),
        (("--resume",), "--resume requires --out FILE"),
        (("--out", "ladder.png"), "has no known file type"),
        (("--out", "/dev/null"), "is not a regular file"),
        (("--players", "9"), "9"),
    ],
)
def test_rejects_invalid_options(
    more: tuple[str, ...], said: str, capsys: Output
) -> None:
    words = (FIRST, *BOTH, "--players", "3", "--games", "12", *PLAYED)

    assert said in errors_of(capsys, "ladder", *words, *more)


def test_does_not_overwrite_unrelated_files(
    words: list[str], tmp_path: Path, capsys: Output
) -> None:
    (tmp_path / "ladder.jsonl").write_text("my notes\n")

    assert "already exists" in errors_of(capsys, "ladder", *words)
    assert (tmp_path / "ladder.jsonl").read_text() == "my notes\n"
    assert not (tmp_path / "ladder.svg").exists()
