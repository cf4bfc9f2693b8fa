"""Generated games on given boards, which depend on the number of the game."""

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from interpreter import Game, check_invariant, run_scenario
from rulebook import Rulebook, load, loads
from rulebook.tooling import parse_scenarios
from tests.support.commands import Output, document_of
from workbench.analysis.simulation.boards import rearranged_board
from workbench.analysis.simulation.settings import Settings
from workbench.bots.randomness import KeyedRandom
from workbench.testing.rule_tests.generated_games import (
    BOARD_PERIOD,
    GeneratedGame,
    comparison_games,
    suite_games,
    with_board,
)
from workbench.testing.rule_tests.playouts import GameList, broken_invariant_item
from workbench.testing.rule_tests.rule_coverage import (
    Coverage,
    CoverageRun,
    run_coverage,
)

PLOTS = Path(__file__).parent / "guided" / "plots.rules"
LATER = """
invariant "the end is poor"
  require not at_the_end or no player where player's grain > 3
"""
ANYWHERE = """
invariant "nobody has much"
  require no player where player's grain > 3
"""
FIRST = """
invariant "the best lies where it should"
  require not at_the_end
"""
HEAD = "rules language 1\nscenarios of plots\n\n"


@pytest.fixture(scope="module")
def plots() -> Rulebook:
    return load(PLOTS)


def with_more(text: str) -> Rulebook:
    return loads(PLOTS.read_text(encoding="utf-8") + text, "plots.rules")


def worths(board: Any) -> list[int]:
    return [space["worth"] for space in board.values()]


# ---------------------------------------------------------------- boards


def test_board_has_the_dealt_values_in_other_places(plots: Rulebook) -> None:
    boards = [
        rearranged_board(plots, Settings(players=1), KeyedRandom("some", number))
        for number in range(30)
    ]
    laid = [worths(board) for board in boards if board is not None]

    assert {tuple(sorted(each)) for each in laid} == {(0, 0, 0, 1, 1, 2)}
    assert len({tuple(each) for each in laid}) > 10
    assert len([each for each in laid if each[-1] == 2]) > 3, "set-up deals none such"


def test_boards_that_break_an_invariant_are_rejected() -> None:
    book = with_more(FIRST)
    for number in range(30):
        board = rearranged_board(book, Settings(players=1), KeyedRandom("some", number))
        assert board is None or worths(board)[-1] != 2


def test_game_without_a_deal_has_no_board(tiny: Rulebook) -> None:
    assert rearranged_board(tiny, Settings(), KeyedRandom("some", 1)) is None
    games = list(comparison_games(tiny, Settings(), 3 * BOARD_PERIOD))
    assert not any(made.settings.board for made in games)


# ---------------------------------------------------------------- games


def test_games_get_boards_at_regular_intervals(plots: Rulebook) -> None:
    games, again = (list(comparison_games(plots, Settings(), 40)) for _ in range(2))
    longer = list(comparison_games(plots, Settings(), 60))

    assert games == again == longer[:40]
    given = [made for made in games if made.settings.board is not None]
    assert {made.number % BOARD_PERIOD for made in given} == {BOARD_PERIOD - 1}
    assert {made.settings.players for made in given} == {1, 2}
    assert {made.settings.options.get("tithe") for made in given} == {None, True}
    for made in given:
        *_, last = made.play(plots)
        assert last.given_board == made.settings.board == last.position["board"]
        assert Game.replay(last.record, plots) == last


def test_a_board_that_is_given_to_all_games_stays(plots: Rulebook) -> None:
    board = Game.start(plots, players=2, seed=4).position["board"]
    games = comparison_games(plots, Settings(board=board), 2 * BOARD_PERIOD)

    assert all(made.settings.board == board for made in games)


def test_games_of_tests_have_boards_too(plots: Rulebook) -> None:
    games = [
        with_board(plots, made)
        for made in suite_games(plots, Settings(), 2 * BOARD_PERIOD)
    ]

    given = Counter(made.settings.players for made in games if made.settings.board)
    assert set(given) == {1, 2}
    assert sum(given.values()) > 2


def reached(coverage: Coverage) -> bool:
    """Return whether the best value was ever at the end of the row."""
    [part] = [part for part in coverage.parts if part.text.startswith("if at_the_end")]
    return part.true_count > 0


@pytest.mark.parametrize("guided", [True, False])
def test_given_boards_reach_parts_that_set_up_does_not(
    plots: Rulebook, *, guided: bool
) -> None:
    def covered(book: Rulebook, games: int) -> Coverage:
        measure = CoverageRun(book)
        listed = GameList(list(comparison_games(book, Settings(), games)))
        wanted = measure.make_guide(games) if guided else listed
        return run_coverage(measure, wanted, lambda items, total, what: items)

    assert not reached(covered(plots, BOARD_PERIOD - 1))
    assert reached(covered(plots, 60))


# ---------------------------------------------------------------- failures


def header(record: str | None) -> dict[str, Any]:
    assert record is not None
    head: dict[str, Any] = json.loads(record.splitlines()[0])
    return head


def item_of(capsys: Output, *given: str) -> dict[str, Any]:
    document = document_of(capsys, *given, status=1)
    items = document["items"] if given[0] == "test" else document["failed"]
    [item] = [item for item in items if item["status"] == "failed"]
    return dict(item)


@pytest.mark.parametrize("command", ["test", "coverage"])
def test_failure_on_a_given_board_is_reported_with_the_board(
    command: str, capsys: Output, tmp_path: Path
) -> None:
    path = tmp_path / "plots.rules"
    path.write_text(PLOTS.read_text(encoding="utf-8") + LATER, encoding="utf-8")
    book = load(path)

    item = item_of(capsys, command, str(path), "--games", "60")

    assert ", a given board" in item["message"].splitlines()[-1]
    assert worths(header(item["record"])["board"])[-1] == 2
    short = Game.replay(item["record"], book)
    assert check_invariant(short, book.model.invariants[0]).status == "failed"


def test_failure_without_a_board_is_reported_with_simple_settings() -> None:
    book, base = with_more(ANYWHERE), Settings()
    [invariant] = book.model.invariants
    chosen = Settings(players=2, options={"tithe": True})
    made = next(
        made
        for number in range(BOARD_PERIOD - 1, 20 * BOARD_PERIOD, BOARD_PERIOD)
        if (made := with_board(book, GeneratedGame(chosen, number))).settings.board
        and worths(made.settings.board)[-1] != 2
        and any(check_invariant(g, invariant).message for g in made.play(book))
    )

    item = broken_invariant_item(book, made, invariant, base)

    assert header(item.record)["board"] is None
    assert header(item.record)["players"] == 1
    assert header(item.record)["options"] == {"tithe": False}
    assert item.message is not None
    last = item.message.splitlines()[-1]
    assert ", 1 player, as in generated game " in last
    assert last.endswith(", seed 1, 2 players, tithe=yes, a given board")
    kept = broken_invariant_item(
        book, made, invariant, Settings(players=2, options={"tithe": True})
    )
    assert header(kept.record)["players"] == 2
    assert header(kept.record)["options"] == {"tithe": True}


def test_a_broken_invariant_comes_with_a_scenario_that_fails(
    capsys: Output, tmp_path: Path
) -> None:
    path = tmp_path / "plots.rules"
    path.write_text(PLOTS.read_text(encoding="utf-8") + ANYWHERE, encoding="utf-8")

    item = item_of(capsys, "coverage", str(path), "--games", "9")

    scenarios, diagnostics = parse_scenarios(
        load(path), HEAD + item["scenario"], "pasted"
    )
    assert not diagnostics
    assert run_scenario(load(path), scenarios[0]).status == "failed"
