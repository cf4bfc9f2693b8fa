"""A long failing game is shrunk to a short game with the same failure."""

from pathlib import Path

import pytest
from hypothesis.stateful import run_state_machine_as_test

from interpreter import Game
from rulebook import Rulebook, loads
from workbench.analysis.simulation.settings import Settings
from workbench.testing import InvariantBroken, machine_for
from workbench.testing.rule_tests.exploration import Exploration, ExplorationLimits
from workbench.testing.rule_tests.generated_games import GeneratedGame
from workbench.testing.rule_tests.shrinking import (
    nearest_failure,
    replay_until_failure,
    shrink_game,
)
from workbench.testing.rule_tests.suite import SuiteItem, run_suite

SETTINGS = Settings(players=3)


def begin(book: Rulebook) -> Game:
    return SETTINGS.start(book, chance="given")


def rich(game: Game) -> bool:
    return any(game.points(seat) >= 2 for seat in game.seats)


@pytest.fixture
def long(tiny: Rulebook) -> Game:
    for number in range(1, 100):
        *_, game = GeneratedGame(SETTINGS, number).play(tiny)
        if rich(game) and game.steps > 40:
            return game
    pytest.fail("no long game")


def test_shrunk_game_fails_and_is_shorter(tiny: Rulebook, long: Game) -> None:
    short = shrink_game(lambda: begin(tiny), long.events, rich)

    assert rich(short)
    assert short.steps < long.steps / 2


def test_no_single_event_can_be_left_out(tiny: Rulebook, long: Game) -> None:
    short = shrink_game(lambda: begin(tiny), long.events, rich)

    for place in range(short.steps):
        rest = (*short.events[:place], *short.events[place + 1 :])
        again = replay_until_failure(begin(tiny), rest, rich, max_events=short.steps)
        assert again is None


def test_shrunk_game_is_legal(tiny: Rulebook, long: Game) -> None:
    short = shrink_game(lambda: begin(tiny), long.events, rich)

    assert Game.replay(short.record, tiny) == short


def test_game_that_fails_at_the_start_has_no_events(tiny: Rulebook, long: Game) -> None:
    assert shrink_game(lambda: begin(tiny), long.events, lambda _: True).steps == 0


# ---------------------------------------------------------------- the nearest failure


LEAKY = """
invariant "nobody scores"
  each player:
    require player's score = 0
"""


@pytest.fixture(scope="module")
def leaky(tiny_path: Path) -> Rulebook:
    return loads(tiny_path.read_text(encoding="utf-8") + LEAKY, "leaky.rules")


def explored_item(book: Rulebook) -> SuiteItem:
    """Return the failure of a search of all positions, with the fewest players."""
    start = Settings(players=book.players[0]).start(book, chance="given")
    limits = ExplorationLimits(None, 100_000, 1 << 30)
    exploration = Exploration(
        start, book.model.invariants, limits, lambda items, total, label: items
    )
    assert list(exploration.explore())
    (item,) = exploration.failures
    return item


def test_all_tools_report_the_same_shortest_game(leaky: Rulebook) -> None:
    """Whatever game breaks an invariant first, its report is the nearest failure."""
    explored = explored_item(leaky)
    machine = machine_for(leaky, events=60, max_examples=5, derandomize=True)
    with pytest.raises(InvariantBroken) as caught:
        run_state_machine_as_test(machine, settings=machine.TestCase.settings)
    items = [
        item
        for seed in (1, 2, 3)
        for item in run_suite(leaky, Settings(seed=seed), games=20)
        if item.is_failed
    ]

    assert explored.scenario is not None
    assert [item.scenario for item in items] == 3 * [explored.scenario]
    assert caught.value.scenario == explored.scenario
    steps = {Game.replay(item.record or "", leaky).steps for item in items}
    assert steps == {Game.replay(explored.record or "", leaky).steps}


def test_search_of_the_nearest_failure_is_bounded(tiny: Rulebook) -> None:
    start = begin(tiny)

    assert nearest_failure(start, rich, 3) is None
    assert nearest_failure(start, lambda game: game.steps == 30, 40) is None
    assert nearest_failure(start, lambda game: True, 0) == start
