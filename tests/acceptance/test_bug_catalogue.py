"""Bugs of other programs of these games are found when planted. Each bug is an
amendment of a shipped game in `bugs/`, or is planted in the engine if the language
cannot express it. A tool finds it with only the shipped scenarios and invariants, in
less than a minute, and shows it in a short game. As a module, this file writes
docs/bug-catalogue.md. A row fails if its bug is removed from its file.
"""

from __future__ import annotations

import sys
import time
from pathlib import Path

import pytest

from interpreter import Game, run_scenario_with_game
from rulebook import Rulebook, RulesError
from tests.support.bugs import (
    BUGS,
    CATALOGUE,
    CHECK,
    MADE_UP,
    PLAYERS,
    SCENARIO,
    Bug,
)
from workbench import load
from workbench.analysis.simulation.settings import Settings
from workbench.testing.rule_tests import suite
from workbench.testing.rule_tests.exploration import Exploration, ExplorationLimits
from workbench.testing.rule_tests.suite import SuiteItem

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "bug-catalogue.md"
EVENTS_MAX = 30
SECONDS_MAX = 60


# ---------------------------------------------------------------- finding them


def found_by(bug: Bug, folder: Path) -> SuiteItem | str:
    """Return the item that fails because of a bug, or why the rules are rejected."""
    with bug.double():
        if bug.tool == CHECK:
            return refusal(bug)
        book = book_of(bug, folder)
        if bug.tool == SCENARIO:
            return failed_scenario(book, bug)
        return made_up(book, bug) if bug.tool == MADE_UP else explored(book, bug)


def refusal(bug: Bug) -> str:
    """Return why the rules, with the shipped tests, are rejected."""
    try:
        load(str(bug.path))
    except RulesError as error:
        return str(error)
    pytest.fail(f"{bug.name} is not refused")


def book_of(bug: Bug, folder: Path) -> Rulebook:
    """Return the rules with the bug, and a scenario with the start position."""
    if not bug.given:
        return load(str(bug.path))
    text = 'rules language 1\nrulebook plain "No bug in the rules"\n  extends classic\n'
    if not bug.law:
        text = bug.path.read_text(encoding="utf-8")
    number = 3 if "white" in bug.given else PLAYERS
    here = (
        f'\nscenario "here" with {number} players\n  given\n    {bug.given.strip()}\n'
    )
    file = folder / "with_position.rules"
    file.write_text(text + here, encoding="utf-8")
    return load(str(file))


def failed_scenario(book: Rulebook, bug: Bug) -> SuiteItem:
    """Return the failing shipped scenario with the bug's title."""
    items = [
        suite.run_scenario_test(book, scenario)
        for scenario in book.model.scenarios
        if bug.title in scenario.title
    ]
    wrong = [item for item in items if item.is_failed]
    assert wrong, f"{bug.name} is not noticed by any of {[i.name for i in items]}"
    return wrong[0]


def made_up(book: Rulebook, bug: Bug) -> SuiteItem:
    """Return the invariant that a random game on a given board violates."""
    board = Game.start(book, players=PLAYERS, seed=1).position["board"]
    base = Settings(players=PLAYERS, board=board)
    for watch in suite.play_and_check(book, book.model.invariants, base, 3):
        if bug.title in watch.broken:
            return watch.broken[bug.title]
    pytest.fail(f"{bug.name} is not noticed")


def explored(book: Rulebook, bug: Bug) -> SuiteItem:
    """Return the first invariant violated when exploring from the row's position."""
    here = next(s for s in book.model.scenarios if s.title == "here")
    verdict, stage = run_scenario_with_game(book, here)
    assert stage is not None, verdict.message
    begin = Game.from_any_position(book, stage.position, chance="given")
    exploration = Exploration(
        begin,
        book.model.invariants,
        ExplorationLimits(bug.depth, 100_000, 1 << 30),
        lambda items, _total, _what: items,
    )
    assert [level.depth for level in exploration.explore()] or exploration.failures
    broken = {item.name: item for item in exploration.failures}
    assert bug.title in broken, f"{bug.name}: {list(broken)}, {exploration.sentence}"
    return broken[bug.title]


def events_of(came: SuiteItem | str) -> int:
    """Return the number of events in the game that shows a bug, or 0 without a game."""
    if isinstance(came, str) or came.record is None:
        return 0
    lines = came.record.splitlines()[1:]
    return sum(not line.startswith('{"end"') for line in lines)


# ---------------------------------------------------------------- the tests


@pytest.mark.parametrize("bug", CATALOGUE, ids=lambda bug: bug.name)
def test_finds_a_planted_bug(bug: Bug, deep: bool, tmp_path: Path) -> None:
    if not (deep or bug.quick):
        pytest.skip("one bug for each tool here, the others with --deep")
    begun = time.process_time()

    came = found_by(bug, tmp_path)

    assert time.process_time() - begun < SECONDS_MAX
    assert events_of(came) <= EVENTS_MAX
    if isinstance(came, str):
        assert bug.title in came
    else:
        assert bug.title in came.name
    assert row_of(bug, came) in PAGE.read_text(encoding="utf-8")


def test_each_row_of_the_catalogue_has_a_bug_and_each_file_a_row() -> None:
    files = {bug.path for bug in CATALOGUE if not bug.law}

    assert {bug.row for bug in CATALOGUE} == set(range(1, 14))
    assert files == set(BUGS.glob("*.rules"))


def test_the_page_matches_the_table() -> None:
    text = PAGE.read_text(encoding="utf-8")

    rows = [line for line in text.splitlines() if line.startswith("| ") and "|" in line]
    assert len(rows) == len(CATALOGUE) + 2
    for bug in CATALOGUE:
        assert head_of(bug) in text
    assert all(bug.law in text for bug in CATALOGUE)


# ---------------------------------------------------------------- the page


def head_of(bug: Bug) -> str:
    """Return the start of a row: the bug, its place and the tool that finds it."""
    where = "in the engine" if bug.law else f"[{bug.file}]({link(bug)})"
    return f"| {bug.row} | {bug.what} | {where} | {bug.tool} |"


def link(bug: Bug) -> str:
    return f"../{bug.path.relative_to(ROOT).as_posix()}"


def row_of(bug: Bug, came: SuiteItem | str) -> str:
    """Return a row of the page."""
    said = bug.title if isinstance(came, str) else came.name
    return f"{head_of(bug)} {said} | {events_of(came)} |"


BEGINNING = """# Bugs of other programs, reproduced here

Public programs for the shipped games had the bugs in this table. An amendment
reproduces each bug in a shipped game. A tool of Rulebook finds each bug with only the
game's shipped scenarios and invariants. The last column is the number of events from
the starting position to the bug.

`python -m tests.acceptance.test_bug_catalogue` writes this page. `.ci/deep bugs`
repeats all searches.

"""
ENDING = """
An amendment cannot reproduce bugs *in the engine*:

"""


def page(folder: Path) -> str:
    """Return the expected page."""
    rows = [row_of(bug, found_by(bug, folder)) for bug in CATALOGUE]
    titles = "| row | bug | amendment | found by | failure | events |"
    heads = [titles, "| --- " * 6 + "|"]
    laws = [f"* row {bug.row}: {bug.law}." for bug in CATALOGUE if bug.law]
    return BEGINNING + "\n".join([*heads, *rows, ENDING.rstrip("\n"), "", *laws]) + "\n"


if __name__ == "__main__":
    from tempfile import TemporaryDirectory

    with TemporaryDirectory() as made:
        PAGE.write_text(page(Path(made)), encoding="utf-8")
    sys.stdout.write(f"{PAGE} is written\n")
