"""`rulebook show` prints each line with its source and the line that it replaced."""

import re
from pathlib import Path

import pytest

import variants
import workbench
from rulebook.tooling import SourceLine, lines_of, removed_lines
from tests.support.commands import Output, document_of, errors_of, output_of
from workbench.cli import main

HOUSE = "classic+friendly_robber+no_early_sevens+fifteen_points"
QUICK = ("germany", HOUSE)
WORD = re.compile(r"\w+")
SPARE = {"otherwise", "the", "cost", "colour", "stop"}
"""Optional words of a line; `nothing` is shown as `stop`."""


@pytest.mark.parametrize("variant", [*variants.names(), HOUSE])
def test_every_line_is_at_its_stated_place(variant: str, deep: bool) -> None:
    if variant not in QUICK and not deep:
        return
    book = workbench.load(variant)
    files = {file: text.splitlines() for file, text in book.files.items()}
    wrong = [
        (info.address, line)
        for info in book.clauses.values()
        for line in (*lines_of(info), *removed_lines(info))
        if not stands(line, set(WORD.findall(files[line.file][line.line - 1])))
    ]

    assert wrong == []


def stands(line: SourceLine, there: set[str]) -> bool:
    """Return whether a line is at its stated place; a cell of a look is in its row."""
    if line.text.startswith("hint ") and "hint" not in there:
        text = WORD.findall(line.text)
        return bool(set(text[1:3]) & there) and set(text[3:]) <= there
    return said(line) <= there


def said(line: SourceLine) -> set[str]:
    """Return what the file must contain: the first names of the line.

    In the file, fields and prices share one heading.
    """
    code = re.split(r'"|\s+\[', line.text)[0]
    return set() if code.endswith(" has") else set(WORD.findall(code)[:2]) - SPARE


def test_added_requirement_is_listed_with_the_others(capsys: Output) -> None:
    (clause,) = document_of(capsys, "show", HOUSE, "move_robber")

    files = [line["file"] for line in clause["lines"]]
    assert files == [
        *("common.rules", "common.rules", "friendly_robber.rules", "common.rules")
    ]
    assert "needs friendly" in clause["lines"][2]["text"]
    assert clause["gone"] == []


def test_replaced_step_shows_the_original(capsys: Output) -> None:
    (clause,) = document_of(capsys, "show", HOUSE, "production")

    new = {line["file"] for line in clause["lines"]}
    assert new == {"island.rules", "no_early_sevens.rules"}
    assert [line["text"].strip() for line in clause["gone"]] == [
        "step roll: roll white_die and red_die"
    ]
    assert clause["gone"][0]["file"] == "island.rules"


def test_prints_lines_with_sources(capsys: Output) -> None:
    out = output_of(capsys, "show", HOUSE, "points_to_win").splitlines()
    assert out[0] == "# option.points_to_win"
    assert out[1].startswith(
        "fifteen_points.rules:6  option points_to_win (3 to 25): 15"
    )
    assert out[2] == "# in place of"
    assert out[3].startswith("common.rules:")
    assert "points_to_win (3 to 25): 10" in out[3]


def test_names_are_grouped_by_file(capsys: Output) -> None:
    lines = output_of(capsys, "show", HOUSE, "--names").splitlines()
    named = {line[2:] for line in lines if line.startswith("# ")}
    assert {"classic.rules", "common.rules", "friendly_robber.rules"} <= named
    names = {line.strip() for line in lines if not line.startswith("# ")}
    assert names == set(workbench.load(HOUSE).clauses)


def test_rules_are_listed_before_tests(capsys: Output) -> None:
    rows = document_of(capsys, "show", "germany")
    tests = [row["clause"].startswith(("scenario ", "invariant ")) for row in rows]

    assert any(tests)
    assert tests == sorted(tests)


def test_turn_lists_all_phases(capsys: Output) -> None:
    clauses = [row["clause"] for row in document_of(capsys, "show", HOUSE, "turn")]

    assert len(clauses) > 1
    assert all(clause.startswith("phase.") for clause in clauses)


@pytest.mark.parametrize(
    ("wanted", "said"),
    [
        ("move_robbr", "did you mean `move_robber`?"),
        ("costs.road", "did you mean `cost.road`?"),
        ("roads", "did you mean `road`?"),
        ("xyzzy", "--names` lists all clauses"),
    ],
)
def test_unknown_name_gets_a_suggestion(capsys: Output, wanted: str, said: str) -> None:
    assert said in errors_of(capsys, "show", HOUSE, wanted)


UNCITED = """rules language 1
rulebook noted "A game with notes"
  players 2
  source book "The book" in en

kind good (goods): salt, silk                  [book "Goods"]

section "Play"

game has                                       [ours]
  height: 0 to 9, seen by all

turn
  phase day
    you may, until rest:
      climb

action climb                                   [ours]
  needs room: height < 9  "this is the top"
  increase height by 1

section "Our own"                              [ours]

rule top
  whenever height = 9: you win

hint colour salt: "#ffffff"
"""


def test_rules_that_cite_no_passage_are_listed(capsys: Output, tmp_path: Path) -> None:
    path = tmp_path / "noted.rules"
    path.write_text(UNCITED, encoding="utf-8")

    names = output_of(capsys, "show", str(path), "--uncited", "--names").split()[2:]
    assert names == ["game.height", "action.climb", "rule.top"]
    assert main(["show", str(path), "kind.good", "--uncited"]) == 0
    assert capsys.readouterr().out == "all rules of noted cite a passage\n"


def test_prints_several_clauses_and_reports_an_unknown_one(
    capsys: Output,
) -> None:
    both = document_of(capsys, "show", HOUSE, "production", "move_robber")
    names = [clause["clause"].rpartition(".")[2] for clause in both]
    assert names == ["production", "move_robber"]

    assert main(["show", "classic", "move_robber", "move_rober"]) == 2
    assert "classic has no clause `move_rober`" in capsys.readouterr().err
