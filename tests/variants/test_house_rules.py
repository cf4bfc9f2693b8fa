"""House rules are short and work with every game that they name, and with one another.
The project's plugin tests each file with the first game that it names; this module
tests the others. `--deep` combines every pair with every game that both name, and plays
ten games of each; the quick form plays one game of a few pairs.
"""

from itertools import combinations

import pytest

import variants
from rulebook import Rulebook, RulesError
from rulebook.parse import parse
from rulebook.syntax import File, ScenarioClause
from workbench import load
from workbench.analysis.simulation.settings import Settings
from workbench.analysis.simulation.simulation import (
    GameLimits,
    GameTask,
    bots_by_seat,
    play_game,
)
from workbench.files.library.loading import examine
from workbench.testing.rule_tests.suite import run_scenario_test, run_suite

LINES_MAX = 12
GAMES, GAMES_DEEP = 1, 10
MEETING = [
    {"endless_bank", "first_come"},
    {"fifteen_points", "small_map"},
    {"five_or_six", "small_map"},
]
"""Pairs that change the same clause, whatever their game is."""

TURNS = 400
GO_ON = {"classic_fifteen_points_five_or_six": 3}
"""Games that bots may leave unfinished: five players do not always reach 15 points."""


def parsed(name: str) -> File:
    file = parse(variants.path(name).read_text(encoding="utf-8"), name).file
    assert file is not None
    return file


def over(name: str) -> tuple[str, ...]:
    header = parsed(name).header
    assert header is not None
    return tuple(game.text for game in header.over)


LAID = [(game, name) for name in variants.house_rules() for game in over(name)]
PAIRS = [
    (game, *pair)
    for game in variants.names()
    for pair in combinations([name for base, name in LAID if base == game], 2)
]

SAMPLE = PAIRS[::40]
"""Pairs in the quick form; conflicting pairs are also tested with the standard game."""


def test_every_house_rule_names_its_games() -> None:
    assert len(variants.house_rules()) >= 12
    for name in variants.house_rules():
        assert over(name)
        assert set(over(name)) <= set(variants.names())


@pytest.mark.parametrize("name", variants.house_rules())
def test_house_rules_have_at_most_twelve_lines(name: str) -> None:
    text = variants.path(name).read_text(encoding="utf-8")
    tested = {
        line
        for clause in parsed(name).clauses
        if isinstance(clause, ScenarioClause)
        for line in range(clause.span.line, clause.span.end_line + 1)
    }
    lines = [
        line
        for number, line in enumerate(text.splitlines(), 1)
        if line.strip() and not line.lstrip().startswith("#") and number not in tested
    ]

    assert len(lines) <= LINES_MAX


@pytest.mark.parametrize(("game", "name"), LAID)
def test_works_over_every_game_that_it_names(game: str, name: str, deep: bool) -> None:
    if game == over(name)[0] and not deep:
        return
    book, diagnostics = examine(f"{game}+{name}")

    assert book is not None
    assert diagnostics == ()
    assert own(book, name)
    if deep:
        items = list(run_suite(book, Settings(), games=4))
    else:
        items = [run_scenario_test(book, scenario) for scenario in book.model.scenarios]
    assert [item for item in items if item.status != "passed"] == []


@pytest.mark.parametrize("name", variants.house_rules())
def test_is_rejected_over_other_games(name: str) -> None:
    other = next(game for game in variants.names() if game not in over(name))

    with pytest.raises(RulesError) as caught:
        load(f"{other}+{name}")

    (diagnostic,) = caught.value.diagnostics
    assert diagnostic.code == "RB168"
    for game in over(name):
        assert f"`{game}`" in diagnostic.message


@pytest.mark.parametrize(("game", "rule", "other"), PAIRS)
def test_pairs_combine_or_are_rejected(
    game: str, rule: str, other: str, deep: bool
) -> None:
    meeting = {rule, other} in MEETING
    quick = (meeting and game == "classic") or (game, rule, other) in SAMPLE
    if not deep and not quick:
        return
    first, second = laid(game, rule, other), laid(game, other, rule)
    if isinstance(first, RulesError) or isinstance(second, RulesError):
        assert meeting
        are_refused_well(first, second, rule, other)
        return
    assert not meeting
    assert first.digest == second.digest
    assert own(first, rule)
    assert own(first, other)
    items = [run_scenario_test(first, scenario) for scenario in first.model.scenarios]
    assert [item for item in items if item.status != "passed"] == []
    finish(first, GAMES_DEEP if deep else GAMES)


def laid(game: str, rule: str, other: str) -> Rulebook | RulesError:
    """Return a game with two house rules, or the errors that reject it."""
    try:
        return load(f"{game}+{rule}+{other}")
    except RulesError as error:
        return error


def own(book: Rulebook, name: str) -> list[str]:
    """Return the tests of a house rule that exist."""
    tests = [(scenario.title, scenario.span) for scenario in book.model.scenarios]
    tests += [(invariant.title, invariant.span) for invariant in book.model.invariants]
    return [title for title, span in tests if span.file.endswith(f"{name}.rules")]


def are_refused_well(
    first: Rulebook | RulesError, second: Rulebook | RulesError, rule: str, other: str
) -> None:
    """Assert that both orders are rejected with a reason that names both rules and
    places. Their boards may conflict too.
    """
    assert isinstance(first, RulesError)
    assert isinstance(second, RulesError)
    assert first.diagnostics == second.diagnostics
    for diagnostic in first.diagnostics:
        assert diagnostic.code == "RB167"
        files = {diagnostic.span.file, *(span.file for span, _ in diagnostic.related)}
        names = {file.removesuffix(".rules").removesuffix("_board") for file in files}
        assert names == {rule, other}
        for file in files:
            assert f"`{file.removesuffix('.rules')}`" in diagnostic.message


def finish(book: Rulebook, games: int) -> None:
    """Play games of bots to their ends, with the minimum number of players."""
    settings = Settings(players=book.players[0])
    seats = settings.start(book).seats
    task = GameTask(bots_by_seat(["greedy"], seats), settings, GameLimits(turns=TURNS))
    played = [play_game(book, task, number) for number in range(games)]
    unfinished = sum(not game_result.finished for game_result in played)
    assert unfinished <= GO_ON.get(book.name, 0)
