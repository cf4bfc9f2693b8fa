"""`rulebook compare` reports what a variant changes, in pairs of games by seed."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.support.commands import Output, document_of, errors_of, output_of
from tests.workbench.test_schemas import valid
from workbench.analysis.comparison.comparison_text import MAX_SENTENCES
from workbench.cli import main

FIRST = Path(__file__).parents[2] / "examples" / "first" / "first.rules"
DARE = Path(__file__).parents[2] / "examples" / "tiny" / "dare.rules"
FEW = ["--bots", "random", "--players", "2", "--games", "120"]
VERDICTS = {"certain", "certain but slight", "unchanged", "not known"}


@pytest.fixture
def dear(tmp_path: Path) -> str:
    """Return the game with more expensive huts."""
    text = FIRST.read_text(encoding="utf-8").partition("\nscenario")[0]
    path = tmp_path / "dear.rules"
    text = text.replace("rulebook first", "rulebook dear")
    path.write_text(text.replace("cost hut: 2 reed", "cost hut: 3 reed") + "\n")
    return str(path)


def document(capsys: Output, *arguments: str) -> dict[str, Any]:
    told: dict[str, Any] = document_of(capsys, "compare", *arguments)
    valid("compare", told)
    return told


def measures(told: dict[str, Any], place: int = 0) -> dict[str, dict[str, Any]]:
    rows = told["comparisons"][place]["measures"]
    return {".".join(filter(None, (row["measure"], row["of"]))): row for row in rows}


def test_a_dearer_piece_makes_games_longer(dear: str, capsys: Output) -> None:
    told = document(capsys, str(FIRST), dear, *FEW)

    turns = measures(told)["turns"]
    assert turns["verdict"] == "certain"
    assert turns["says"].startswith("games are ")
    assert turns["says"].endswith(" turns longer")
    assert 0 < turns["low"] < turns["difference"] < turns["high"]
    assert turns["difference"] == pytest.approx(turns["second"] - turns["first"])
    assert (told["pairs"], turns["pairs"]) == (60, 60)
    assert told["bots"] == {"red": "random", "blue": "random"}
    assert not [name for name in measures(told) if name.startswith("used.")]


def test_means_are_those_of_the_games_that_simulate_plays(
    dear: str, capsys: Output
) -> None:
    told = measures(document(capsys, str(FIRST), dear, *FEW))
    capsys.readouterr()
    given = ["--bots", "random", "--players", "2", "--games", "60", "--json"]
    main(["simulate", dear, *given])
    played = json.loads(capsys.readouterr().out)

    assert told["turns"]["second"] == pytest.approx(played["turns"]["mean"], abs=1e-3)
    wins = played["wins"]["red"] / 60
    assert told["wins.red"]["second"] == pytest.approx(wins, abs=1e-6)


def test_the_same_rules_are_the_same_in_every_pair(
    tmp_path: Path, capsys: Output
) -> None:
    copy = tmp_path / "copy.rules"
    copy.write_text(FIRST.read_text(encoding="utf-8"))
    told = document(capsys, str(FIRST), str(copy), *FEW)

    assert {row["verdict"] for row in measures(told).values()} == {"same"}
    assert all(row["low"] is None for row in measures(told).values())
    assert told["comparisons"][0]["looked_at"] == 0
    said = output_of(capsys, "compare", str(FIRST), str(copy), *FEW)
    assert "no difference is certain" in said
    assert "±" not in said


def test_reports_the_number_of_tested_measures(dear: str, capsys: Output) -> None:
    (compared,) = document(capsys, str(FIRST), dear, *FEW)["comparisons"]

    tested = [row for row in compared["measures"] if row["verdict"] in VERDICTS]
    assert compared["looked_at"] == len(tested) > 5
    assert compared["correction"] == "Bonferroni"
    said = output_of(capsys, "compare", str(FIRST), dear, *FEW)
    assert f"{len(tested)} measures, corrected together by Bonferroni" in said
    assert "2 players, random in every seat" in said


def test_prints_sentences_then_a_table_then_a_line(dear: str, capsys: Output) -> None:
    said = output_of(capsys, "compare", str(FIRST), dear, *FEW)

    assert said.startswith("dear against first: 60 pairs, seeds 1 to 60\n")
    sentences, table = said.split(" verdict\n")
    assert "\ncertain\n" in sentences
    certain = [line for line in table.splitlines() if line.endswith("  certain")]
    shown = min(len(certain), MAX_SENTENCES)
    assert 0 < shown <= sentences.count(" of 100 pairs")
    assert (" more, in the table" in sentences) == (len(certain) > MAX_SENTENCES)
    same = [line for line in said.splitlines() if line.startswith("the same in every")]
    assert len(same) == 1


def test_each_variant_is_compared_with_the_first(
    dear: str, tmp_path: Path, capsys: Output
) -> None:
    cheap = tmp_path / "cheap.rules"
    text = Path(dear).read_text().replace("rulebook dear", "rulebook cheap")
    cheap.write_text(text.replace("3 reed", "1 reed"))
    told = document(capsys, str(FIRST), dear, str(cheap), *FEW)

    both = [(row["variant"], row["against"]) for row in told["comparisons"]]
    assert both == [("dear", "first"), ("cheap", "first")]
    assert told["pairs"] == 40
    assert measures(told, 0)["turns"]["difference"] > 0
    assert measures(told, 1)["turns"]["difference"] < 0


def test_several_processes_play_the_same_games(dear: str, capsys: Output) -> None:
    told = [document(capsys, str(FIRST), dear, *FEW, "--jobs", jobs) for jobs in "12"]

    assert told[0] == told[1]


def test_unfinished_games_are_counted(dear: str, capsys: Output) -> None:
    told = document(capsys, str(FIRST), dear, *FEW, "--max-turns", "3")

    assert [side["unfinished"] for side in told["variants"]] == [60, 60]
    assert main(["compare", str(FIRST), dear, *FEW, "--max-turns", "3"]) == 0
    assert "dear: 60 unfinished games" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ([], "compare needs at least two variants"),
        ([str(FIRST)], "is listed twice"),
        ([str(DARE)], "the seats are not the same"),
        ([str(DARE), "--games", "3"], "--games must be at least 4, not 3"),
        ([str(DARE), "--jobs", "0"], "--jobs must be at least 1, not 0"),
    ],
)
def test_rejects_an_impossible_comparison(
    given: list[str], said: str, capsys: Output
) -> None:
    assert said in errors_of(capsys, "compare", str(FIRST), *given)
