"""Cards on the table: rows, piles and what seats laid out."""

from typing import Any

import pytest

from interpreter import Game
from rulebook import loads
from workbench import load
from workbench.bots import bot_random, decide, greedy
from workbench.presentation.cards.rows import CardRow, row_of
from workbench.presentation.localization.localizer import Localizer
from workbench.web.views.board_view import board_view
from workbench.web.views.cards.tableaus import tableaus
from workbench.web.views.symbols import DEFAULT_COLOUR, card_symbol

SHOP = """rules language 1
rulebook shop "Shop"
  players 2
  seats red, blue
kind stone (stones): jade, coral
cards jewel (jewels)
  jewel | worth | copies
  ring  |     1 |      2
  crown |     3 |      1
cards secret (secrets)
  secret | copies
  plot   |      3
game has
  bank:   bag of stone, seen by all, starts with 2 of each
  market: bag of jewel, seen by all, starts with 1 of each
  pile:   stack of secret, seen by nobody, starts with every secret
  ledger: bag of stone, not shown
each player has
  made:   bag of jewel, seen by all, starts with 1 of each
  hidden: bag of secret, seen by owner
  shown:  jewel or none, seen by all
to setup
  set red's shown to crown
turn
  phase work
    nobody wins
"""


def groups_of(game: Game, seat: str | None) -> list[dict[str, Any]]:
    has_board = bool(board_view(game, seat, "en").positions)
    words = Localizer.for_book(game.book)
    return tableaus(game, seat, game.view(seat), words, has_board=has_board)


def rows_of(game: Game, seat: str | None) -> dict[tuple[str, str], Any]:
    """Return the cards, or the number face down, by group and row."""
    return {
        (group["title"], row["title"]): {
            card["card"]: card["count"] for card in row["cards"]
        }
        or row["face_down"]
        for group in groups_of(game, seat)
        for row in group["rows"]
    }


def test_a_game_without_a_board_shows_every_row_and_pile() -> None:
    game = Game.start(loads(SHOP, "shop.rules"), seed=1)

    assert rows_of(game, "red") == {
        ("", "market"): {"ring": 1, "crown": 1},
        ("", "bank"): {"jade": 2, "coral": 2},
        ("", "pile"): 3,
        ("red", "shown"): {"crown": 1},
        ("blue", "made"): {"ring": 1, "crown": 1},
    }
    assert ("red", "made") in rows_of(game, None)


def test_beside_a_board_are_only_open_cards_that_do_not_pay() -> None:
    game = Game.start(load("classic"), seed=1)
    assert rows_of(game, game.to_act) == {}

    game = Game.start(load("examples/games/lamplighters.rules"), seed=1)
    numbers = bot_random(1, 0, "all")
    for _ in range(10):
        assert game.to_act is not None
        game.apply(decide(greedy, game, game.to_act, numbers))
    assert {group for group, _ in rows_of(game, game.to_act)} == {""}
    assert next(iter(rows_of(game, game.to_act)))[1] == "market"


def test_members_of_a_short_kind_without_colours_have_different_ones() -> None:
    book = loads(SHOP, "shop.rules")
    jade, coral, ring = (
        card_symbol(book, name, "en")["colour"] for name in ("jade", "coral", "ring")
    )
    assert len({jade, coral, DEFAULT_COLOUR}) == 3
    assert ring != DEFAULT_COLOUR
    clay = loads(SHOP + "hint colour jade: green\n", "shop.rules")
    assert card_symbol(clay, "coral", "en")["colour"] == DEFAULT_COLOUR


def test_an_open_bag_may_have_a_card_named_count() -> None:
    assert row_of({"count": 1, "duke": 2}, ("count", "duke")).faces == {
        "count": 1,
        "duke": 2,
    }
    assert row_of({"count": 3}, ("count", "duke")) == CardRow({}, 3)


@pytest.mark.parametrize(
    ("value", "faces", "face_down"),
    [
        (None, {}, 0),
        ("ring", {"ring": 1}, 0),
        ({"ring": 2, "crown": 0}, {"ring": 2}, 0),
        ({"count": 5}, {}, 5),
        ({"count": 5, "known": ["ring", None, "ring"]}, {"ring": 2}, 3),
        ({"count": 1}, {}, 1),
        ({"known": [], "pool": {"ring": 0}}, {}, 0),
        (
            {
                "known": ["crown", None, {"card": "crown", "known_to": ["red"]}],
                "pool": {"ring": 1},
            },
            {"crown": 2, "ring": 1},
            0,
        ),
    ],
)
def test_known_cards_have_faces(
    value: Any, faces: dict[str, int], face_down: int
) -> None:
    assert row_of(value) == CardRow(faces, face_down)
