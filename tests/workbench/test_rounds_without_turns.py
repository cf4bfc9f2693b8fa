"""Words of games in which nobody has a turn."""

import pytest

import rulebook
from interpreter import Game
from workbench.presentation.localization.localizer import Localizer
from workbench.presentation.narration.view_text import turn_lines
from workbench.presentation.picture import scene_of
from workbench.presentation.picture.captions import status_line
from workbench.web.views.turn_panel import turn_text

GIFTS = """rules language 1
rulebook gifts "Gifts in rounds"
  players 2
  seats red, blue

each player has
  coins: 0 to 9, seen by all, starts at 5

action take
  increase your coins by up to 1

round
  phase giving, each player in falling order of coins
    you may do take
"""


@pytest.fixture
def game() -> Game:
    game = Game.start(rulebook.loads(GIFTS, "gifts"), seed=1)
    game.apply("take")
    return game


@pytest.mark.parametrize(
    ("language", "line", "status"),
    [
        ("en", "Round 1 · giving", "round 1"),
        ("de", "Runde 1 · giving", "Runde 1"),
    ],
)
def test_texts_name_the_round(
    game: Game, language: str, line: str, status: str
) -> None:
    view, localizer = game.view(None), Localizer.for_book(game.book, language)

    assert game.to_act == "blue"
    assert list(turn_lines(view, localizer)) == [line]
    assert status_line(scene_of(game, None, language)) == status
    assert turn_text(game, view, localizer) == line


def test_a_refusal_names_who_decides(game: Game) -> None:
    refusal = game.why("take", "red")

    assert refusal.reason == "blue must decide now, not red"


def test_after_the_end_no_seat_stands_in_for_the_phase(game: Game) -> None:
    ended = Game.start(game.book, seed=1)
    ended.limit_turns(1)
    for action in ("pass", "pass"):
        ended.apply(action)
    view, localizer = ended.view(None), Localizer.for_book(ended.book, "en")

    assert ended.over
    assert turn_text(ended, view, localizer) == "Round 1"
