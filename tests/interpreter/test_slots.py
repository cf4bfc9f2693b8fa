"""A slot holds one card; a second card is a mistake reported at its line."""

import pytest

from interpreter import Game, PositionError
from rulebook import Rulebook, RulesError, loads

HEAD = """rules language 1
rulebook cupboard "Cards that lie on shelves"
  players 2 to 2
cards token (tokens)
  token | copies
  sun   | 3
  moon  | 3
spaces shelf (shelves)
  shelf | row
  upper | 1
  lower | 2
each shelf has
  lies: token or none, seen by all
game has
  chest: bag of token, seen by all, starts with every token
  chief: player or none, seen by all
each player has
  hand: bag of token, seen by all
turn
  phase day
    you do lay
"""
LAY = "action lay\n"
FREE = "  if upper's lies is none:\n"
SUN = "    move up to 1 sun from chest to upper\n"
MOON = "    move up to 1 moon from chest to upper\n"


def book_of(body: str, more: str = "") -> Rulebook:
    return loads(f"{HEAD}{more}{LAY}{body}", "shelves.rules")


def broken(game: Game) -> tuple[str, str]:
    """Return the error message of the action, and the line; check that the game is
    unchanged.
    """
    before = (game.position, game.record, game.legal_actions())
    with pytest.raises(RulesError) as caught:
        game.apply("lay")
    assert (game.position, game.record, game.legal_actions()) == before
    (diagnostic,) = caught.value.diagnostics
    lines = (caught.value.texts or {})["shelves.rules"].split("\n")
    return f"{diagnostic.code}: {diagnostic.message}", lines[
        diagnostic.span.line - 1
    ].strip()


# ---------------------------------------------------------------- a slot that is full


@pytest.mark.parametrize(
    "body",
    [
        f"{FREE}{SUN}{MOON}",
        f"{FREE}    each token: move up to 1 token from chest to upper\n",
        f"{FREE}    repeat 2 times: move a random card from chest to upper\n",
        f"{FREE}{SUN}    move everything from lower to upper\n",
    ],
)
def test_the_checker_rejects_an_obvious_second_card(body: str) -> None:
    with pytest.raises(RulesError) as caught:
        book_of(body)

    (diagnostic,) = caught.value.diagnostics
    assert diagnostic.code == "RB142"
    assert "`lies` may hold a card already" in diagnostic.message


@pytest.mark.parametrize(
    ("body", "line"),
    [
        ("    move up to 1 moon from chest to other\n", "move up to 1 moon"),
        ("    move a random card from chest to other\n", "move a random card"),
        ("    move everything from lower to other\n", "move everything"),
    ],
)
def test_a_second_card_under_another_name_fails_in_play(body: str, line: str) -> None:
    game = Game.start(
        book_of(
            "  if lower's lies is none: move up to 1 moon from chest to lower\n"
            "  each shelf other where still other's row = 1 and other's lies is none:\n"
            f"    if upper's lies is none: move up to 1 sun from chest to upper\n{body}"
        ),
        seed=1,
    )

    message, where = broken(game)

    assert message == "RB142: `lies` already holds a card"
    assert where.startswith(line)


def test_a_second_card_after_a_procedure_fails_in_play() -> None:
    more = "to hide\n  if upper's lies is none: move up to 1 moon from chest to upper\n"
    game = Game.start(book_of(f"{FREE}    hide\n{SUN}", more), seed=1)

    message, where = broken(game)

    assert message == "RB142: `lies` already holds a card"
    assert where == SUN.strip()


def test_moving_no_card_leaves_the_slot_empty() -> None:
    book = book_of(f"  move everything from chest to p1's hand\n{FREE}{SUN}")
    game = Game.start(book, seed=1)

    game.apply("lay")

    assert game.position["shelf"]["upper"]["lies"] is None


# ---------------------------------------------------------------- no card is lost


@pytest.mark.parametrize("given", ["drawn", "given"])
def test_a_card_moved_to_nobody_stays(given: str) -> None:
    book = book_of("  move a random card from chest to chief's hand\n")
    game = Game.start(book, seed=1, chance=given)

    game.apply("lay")

    assert game.position["game"]["chest"] == {"sun": 3, "moon": 3}
    assert game.events == ({"seat": "p1", "action": "lay"},)


def test_a_position_counts_the_cards_in_slots() -> None:
    game = Game.start(book_of(f"{FREE}{SUN}"), seed=1)
    game.apply("lay")
    position = game.position
    assert Game.from_position(game.book, position) == game

    position["shelf"]["lower"]["lies"] = "sun"

    with pytest.raises(PositionError, match="there are 4 sun, but only 3"):
        Game.from_position(game.book, position)


def test_a_card_written_into_a_slot_can_be_moved() -> None:
    book = book_of(
        "  set upper's lies to sun\n"
        "  if upper's lies is not none: move upper's lies from upper to chest\n"
    )
    game = Game.start(book, seed=1)
    game.apply("lay")

    assert game.position["game"]["chest"]["sun"] == 4
    assert Game.from_position(book, game.position) == game
