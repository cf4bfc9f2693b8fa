"""Fields with a value per pair: positions, views, samples, records and displays."""

from __future__ import annotations

from typing import Any

import pytest

import rulebook
from interpreter import Game, PositionError
from workbench.presentation.localization.localizer import Localizer
from workbench.presentation.picture.scene import pair_table_text

TEXT = """rules language 1
rulebook paths "Each has a level on each path"
  players 2 to 3
  seats red, blue, green
  turns 12
kind path (paths): science, trade
each player has
  level(path): 0 to 5, starts at 1
  plan(path): 0 to 3, seen by owner
  owes(player): 0 to 9
each path has
  fee(1 to 2 size): 0 to 9, starts at 2
game has
  lead(path): player or none
  met(path, 0 to 1 side): yes/no
action climb(path)
  needs more: your level(path) < 5       "it is complete"
  increase your level(path) by 1
  set lead(path) to you
  set met(path, 1) to yes
  if path's fee(2) < 9: increase path's fee(2) by 1
action borrow(player)
  needs other: player is not you         "from yourself?"
  needs few: your owes(player) < 9       "that is enough"
  increase your owes(player) by 1
action scheme(path)
  needs few: your plan(path) < 3         "that is enough"
  chance chooses path other
  increase your plan(path) by 1
turn
  phase only
    you do climb, borrow, scheme
"""


@pytest.fixture(scope="module")
def book() -> rulebook.Rulebook:
    return rulebook.loads(TEXT)


def played(book: rulebook.Rulebook) -> Game:
    """Return a game in which every field has been written."""
    game = Game.start(book, players=2, seed=3)
    for text in ("climb(trade)", "borrow(red)", "scheme(science)", "scheme(trade)"):
        game.apply(text)
    return game


def test_a_position_has_a_table_for_each_owner(book: rulebook.Rulebook) -> None:
    position = played(book).position

    assert position["player"]["red"] == {
        "level": {"science": 1, "trade": 2},
        "plan": {"science": 1, "trade": 0},
        "owes": {"red": 0, "blue": 0},
    }
    assert position["player"]["blue"]["owes"] == {"red": 1, "blue": 0}
    assert position["path"]["trade"] == {"fee": {"1": 2, "2": 3}}
    assert position["game"]["lead"] == {"science": None, "trade": "red"}
    assert position["game"]["met"]["trade"] == {"0": False, "1": True}


def test_a_position_survives_a_round_trip(book: rulebook.Rulebook) -> None:
    game = played(book)

    assert Game.from_position(book, game.position) == game
    assert Game.replay(game.record, book) == game
    position = game.position
    del position["player"]["red"]["level"]["trade"]
    other = Game.from_position(book, position)
    assert other.position["player"]["red"]["level"] == {"science": 1, "trade": 1}


@pytest.mark.parametrize(
    ("home", "value", "path"),
    [
        ("player.red.level", {"art": 1}, "player.red.level.art"),
        ("player.red.level", {"trade": 7}, "player.red.level.trade"),
        ("player.red.level", 3, "player.red.level"),
        ("player.red.owes", {"green": 1}, "player.red.owes.green"),
        ("path.trade.fee", {"3": 1}, "path.trade.fee.3"),
        ("game.met", {"trade": {"1": 2}}, "game.met.trade.1"),
        ("game.met", {"trade": True}, "game.met.trade"),
    ],
)
def test_an_impossible_value_is_reported_with_its_path(
    book: rulebook.Rulebook, home: str, value: Any, path: str
) -> None:
    position: Any = played(book).position
    *way, last = home.split(".")
    inner = position
    for word in way:
        inner = inner[word]
    inner[last] = value

    with pytest.raises(PositionError) as error:
        Game.from_position(book, position)
    assert error.value.value == path


def test_a_view_hides_fields_that_only_the_owner_sees(book: rulebook.Rulebook) -> None:
    game = played(book)

    assert game.view("red")["player"]["red"]["plan"] == {"science": 1, "trade": 0}
    hidden = game.view("blue")["player"]["red"]
    assert hidden["plan"] == {"science": None, "trade": None}
    assert hidden["level"] == {"science": 1, "trade": 2}
    assert game.view(None)["player"]["blue"]["plan"] == {"science": None, "trade": None}


def test_a_sample_agrees_with_the_view(book: rulebook.Rulebook) -> None:
    game = played(book)
    for seat in ("red", "blue"):
        for number in range(4):
            sample = game.sample(seat, number)
            assert sample.view(seat) == game.view(seat)
            assert sample.legal_actions(seat) == game.legal_actions(seat)


def test_why_shows_the_number_of_the_pair(book: rulebook.Rulebook) -> None:
    position: Any = played(book).position
    position["player"]["red"]["level"]["trade"] = 5
    game = Game.from_position(book, position)

    explanation = game.why("climb(trade)")
    assert (explanation.requirement, explanation.values) == (
        "more",
        {"your level(path)": 5},
    )
    assert game.why("climb(science)").legal


def test_displays_omit_empty_values(book: rulebook.Rulebook) -> None:
    titles = Localizer(book=book)

    assert pair_table_text({"science": 0, "trade": 3}, titles) == "trade 3"
    assert pair_table_text({"science": None, "trade": "red"}, titles) == "trade red"
    table = {"science": {"0": False, "1": True}, "trade": {"0": False, "1": False}}
    assert pair_table_text(table, titles) == "science 1 ✓"


def test_leaving_a_range_is_a_mistake() -> None:
    text = TEXT.replace(
        '  needs more: your level(path) < 5       "it is complete"\n', ""
    )
    with pytest.raises(rulebook.RulesError) as error:
        rulebook.loads(text)
    (diagnostic,) = error.value.diagnostics
    assert diagnostic.code == "RB145"
