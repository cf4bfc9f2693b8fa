"""Phases in which several players act: what others learn, house rules, positions."""

from __future__ import annotations

import json

import pytest

import rulebook
from interpreter import Game
from tests.native.compilers import NEEDS_C

SEALED = """
rules language 1
rulebook sealed "Sealed bids"
  players 2 to 3
  seats red, blue, white
  rounds 3

each player has
  coins: 0 to 99, seen by all, starts at 5
  bid:   0 to 20, seen by owner

action seal(1 to 9 amount)
  you carry out note(amount)

action pass_on(1 to 9 amount)
  next player carries out note(amount)

to note(1 to 9 amount)
  set your bid to amount

round
  phase bids, each player in falling order of coins
    you do seal, pass_on
  phase income
    increase your coins by up to 1

end
  the players with the most coins win
"""

SKIPPING = """
rules language 1
rulebook skipping "Turns that are skipped"
  players 2 to 3
  seats red, blue, white

each player has
  coins: 0 to 99, seen by all, starts at 5

skip player where player's coins = 0

action earn
  increase your coins by up to 1

turn
  phase work
    you do earn

end
  the players with the most coins win
"""

TOGETHER = """
rules language 1
rulebook together "All work in each round"
  extends skipping
  rounds 2

replace round
  phase work, each player where player's coins > 0
    you do earn
"""


def test_a_value_that_a_procedure_hides_is_not_in_the_log_of_others() -> None:
    game = Game.start(rulebook.loads(SEALED), seed=1)

    game.apply("seal(7)")

    assert "seal(7)" in json.dumps(game.log("red"))
    assert "seal(7)" not in json.dumps(game.log("blue"))
    assert game.position["player"]["red"]["bid"] == 7


def test_a_procedure_of_another_player_shows_its_arguments() -> None:
    game = Game.start(rulebook.loads(SEALED), seed=1)

    game.apply("pass_on(7)")

    assert "pass_on(7)" in json.dumps(game.log("white"))
    assert game.position["player"]["blue"]["bid"] == 7


@pytest.mark.parametrize("engine", ["reference", pytest.param("native", marks=NEEDS_C)])
@pytest.mark.parametrize("players", [2, 3])
def test_a_round_is_one_turn_led_by_the_next_player(players: int, engine: str) -> None:
    book = rulebook.loads(SEALED)
    game = Game.start(book, players=players, seed=1, engine=engine)
    leaders = []

    while not game.over:
        leaders.append((game.turn, game.position["round"], game.position["active"]))
        game.apply("seal(1)")
        game = Game.from_position(book, game.position, seed=1, engine=engine)

    expected = [(1, 1, "red"), (2, 2, "blue"), (3, 3, ("red", "white")[players - 2])]
    assert leaders == [turn for turn in expected for _ in range(players)]


def test_a_house_rule_makes_a_round_of_turns_that_are_skipped() -> None:
    book = rulebook.loads(TOGETHER, "together", {"skipping": SKIPPING}.get)
    game = Game.start(book, players=3, seed=1)

    for _ in range(6):
        game.apply("earn")

    assert game.over
    assert {player["coins"] for player in game.position["player"].values()} == {7}
