"""A variable computed from a hidden hand is redrawn with the hand."""

import pytest

from interpreter import Game
from rulebook import loads

TEXT = """rules language 1
rulebook guessing "Guessing shells"
  players 3 to 3
kind shell (shells): flat, round, long, broad
game has
  box: bag of shell, seen by all, starts with 3 of each
each player has
  hand: bag of shell, seen by owner
  score: 0 to 9, seen by all
turn
  phase day
    you do sort
action guess(shell)
  if your score < 9: increase your score by 1
action sort
{}"""
HELD = {
    "a set": """  let found be every shell in your hand
  each player other where other is not you: other does guess
  each shell in found: move up to 1 shell from your hand to box
""",
    "a number": """  let found be number of flat in your hand
  each player other where other is not you: other does guess
  if found > 0 and your score < 9: increase your score by 1
""",
}


HANDS = ({"flat": 2, "long": 1}, {"round": 3, "broad": 2}, {"long": 2, "flat": 1})


def begun(held: str) -> Game:
    """Return a game in which every player has some shells."""
    book = loads(TEXT.format(HELD[held]), "guessing.rules")
    position = Game.start(book, seed=1).position
    for seat, hand in zip(book.seats, HANDS, strict=True):
        for shell, number in hand.items():
            position["player"][seat]["hand"][shell] += number
            position["game"]["box"][shell] -= number
    return Game.from_any_position(book, position, chance="given")


@pytest.mark.parametrize("held", HELD)
def test_a_variable_agrees_with_the_hand_of_each_sample(held: str) -> None:
    game = begun(held)
    first, second, _ = game.seats
    game.apply("sort")
    assert game.to_act == second

    seen = set()
    for seed in range(40):
        world = game.sample(second, seed)
        hand = world.position["player"][first]["hand"]
        value = world.position["pending"][-1]["values"]["found"]
        shells = {name for name, number in hand.items() if number}
        assert world.view(second) == game.view(second)
        if held == "a set":
            assert set(value) == shells
        else:
            assert value == hand["flat"]
        seen.add(str(value))

    assert len(seen) > 1
    mine = game.sample(first, 3).position["pending"][-1]["values"]["found"]
    assert mine == game.position["pending"][-1]["values"]["found"]
