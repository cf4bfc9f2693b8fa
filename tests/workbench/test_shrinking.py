"""A long failing game is shrunk to a short game with the same failure."""

import pytest

from interpreter import Game
from rulebook import Rulebook
from workbench.analysis.simulation.settings import Settings
from workbench.testing.rule_tests.generated_games import GeneratedGame
from workbench.testing.rule_tests.shrinking import replay_until_failure, shrink_game

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
