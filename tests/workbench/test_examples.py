"""Rows of an example table: each is a scenario that can be run, counted and listed."""

from pathlib import Path

import pytest

from rulebook import loads
from rulebook.model import Scenario
from rulebook.tooling import Mutant, mutants
from tests.support.commands import Output, document_of, output_of
from tests.workbench.test_pytest_plugin import pytest_in
from workbench import load
from workbench.cli import main
from workbench.testing.rule_tests.mutation import noticing_scenarios
from workbench.testing.rule_tests.rule_coverage import measure_coverage

TITLE = "a pair is worth a point"
ROWS = """
scenario "a pair is worth a point" with 2 players
  examples
    pair  | cards            | worth
    white | 2 white          |     1
    black | 2 black, 1 white |     1
    white | 3 white          |     2
  given
    move cards from heap to north's pouch
    north is to move in swap
  when
    north does cash_in(pair)
  then
    require north's score = worth
"""
WRONG = f"{TITLE} (white, 3 white, 2)"


@pytest.fixture
def file(tmp_path: Path, tiny_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    path = tmp_path / "tiny.rules"
    path.write_text(tiny_path.read_text(encoding="utf-8") + ROWS, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return path


def line_of(file: Path, text: str) -> int:
    lines = file.read_text(encoding="utf-8").splitlines()
    return next(n for n, line in enumerate(lines, 1) if text in line)


def test_failing_row_is_reported_at_its_line(file: Path, capsys: Output) -> None:
    said = output_of(capsys, "test", "tiny.rules", "--games", "0", status=1)
    assert f"failed: scenario “{WRONG}”" in said
    assert f"--> tiny.rules:{line_of(file, '3 white')}\n" in said
    assert f"line {line_of(file, 'require north')}: require north's score" in said
    assert "2 passed, 1 failed" in said


def test_the_json_has_each_row_and_the_title_of_the_clause(
    file: Path, capsys: Output
) -> None:
    items = document_of(capsys, "test", "tiny.rules", "--games", "0", status=1)["items"]
    rows = [item for item in items if item["clause"] == TITLE]
    assert [row["status"] for row in rows] == ["passed", "passed", "failed"]
    assert rows[-1]["name"] == WRONG
    assert rows[-1]["line"] == line_of(file, "3 white")


def test_a_row_is_run_alone(file: Path, capsys: Output) -> None:
    assert "1 passed" in output_of(capsys, "test", "tiny.rules", "-k", "2 black")


def test_a_row_is_an_item_of_pytest(file: Path) -> None:
    status, said = pytest_in(file.parent, "-v", "tiny.rules")

    assert status == 1
    assert f"scenario: {TITLE} (white, 2 white, 1) PASSED" in said
    assert f"scenario: {WRONG} FAILED" in said
    assert f"tiny.rules:{line_of(file, '3 white')}" in said


def test_coverage_says_which_rows_reach_a_part(file: Path) -> None:
    coverage = measure_coverage(load(str(file)), ())

    titles = {title for part in coverage.parts for title in part.titles}
    assert f"{TITLE} (white, 2 white, 1)" in titles


def test_rows_detect_a_mutant(file: Path) -> None:
    text = file.read_text(encoding="utf-8").replace("|     2\n", "|     1\n")
    book = loads(text, "tiny.rules")

    def titles(changed: Mutant) -> list[str]:
        return [
            row.title for row in noticing_scenarios(book, changed, book.model.scenarios)
        ]

    def change(said: str) -> Mutant:
        return next(m for m in mutants(book, "action.cash_in") if said in m.change)

    rows = [scenario.title for scenario in book.model.scenarios]
    assert titles(change("move 2 pebble")) == []
    assert titles(change("increase your score by 1 → (nothing)")) == rows


def test_rows_have_the_address_of_their_clause(file: Path) -> None:
    rows: tuple[Scenario, ...] = load(str(file)).model.scenarios

    assert {row.clause for row in rows} == {TITLE}
    assert len({row.title for row in rows}) == len(rows)
    assert main(["show", "tiny.rules", f'scenario "{TITLE}"']) == 0
