"""A set in a variable keeps the members it had when the variable was bound."""

import pickle

import pytest

from interpreter import Game
from rulebook import Rulebook, RulesError, loads

TEXT = """rules language 1
rulebook sorting "Sorting shells"
  players 2 to 2
kind shell (shells): flat, round, long
game has
  box: bag of shell, seen by all, starts with 2 of each
  shelf: bag of shell, seen by all
  friends: set of player, seen by all
  count: 0 to 9, seen by all
each player has
  hand: bag of shell, seen by owner
  score: 0 to 9, seen by all
turn
  phase day
    you do sort
action sort
{body}
"""
SETS = {
    "shells": """  let found be every shell in box where shell is not flat
  move everything from box to shelf
  each shell in found:
    you may choose player:
      move up to 1 shell from shelf to player's hand
""",
    "players": """  let found be every player where player's score = 0
  each player in found:
    set player's score to 1
    player chooses shell
  each player in found: set player's score to 0
""",
    "at the same time": """  let found be every player where player is not you
  set friends to found
  at the same time each player in found:
    player chooses shell in box
    move up to 1 shell from box to player's hand
""",
    "part of a part": """  let all be every shell
  let found be every shell in all where shell is not long
  set count to number of shells where shell is in found
  you choose shell in found
  each shell in found: move up to 1 shell from box to shelf
""",
}


def book_of(body: str) -> Rulebook:
    return loads(TEXT.format(body=body), "sorting.rules")


@pytest.mark.parametrize("chance", ["drawn", "given"])
@pytest.mark.parametrize("name", SETS)
def test_games_with_stored_sets_can_be_restored(name: str, chance: str) -> None:
    game = Game.start(book_of(SETS[name]), seed=1, chance=chance)
    for number in range(24):
        legal = game.legal_actions()
        if not legal:
            break
        game.apply(legal[number * 5 % len(legal)])
        for seat in game.seats:
            assert game.sample(seat, 3).to_act == game.to_act
            game.view(seat)
            game.log(seat)
        assert Game.from_position(game.book, game.position, seed=game.seed or 0)
        assert pickle.loads(pickle.dumps(game)) == game  # noqa: S301  (dumped here)
    assert Game.replay(game.record, game.book) == game
    assert game.steps > 2


def test_a_loop_visits_the_members_present_at_its_start() -> None:
    game = Game.start(book_of(SETS["shells"]), seed=1)
    game.apply("sort")
    again = Game.from_position(game.book, game.position, seed=1)
    for played in (game, again):
        played.apply(played.legal_actions()[1])
        played.apply(played.legal_actions()[1])

        hands = played.position["player"]
        assert hands["p1"]["hand"] == {"flat": 0, "round": 1, "long": 1}
        assert [action.name for action in played.legal_actions()] == ["sort"]


@pytest.mark.parametrize(
    "use",
    [
        "each n in found: set count to n",
        "you choose n in found",
        "if some n in found where n > 2: set count to 3",
    ],
)
def test_a_set_of_numbers_can_be_used_inline_but_not_stored(use: str) -> None:
    kept = "  let found be every n in 1 to 3 where n is not count\n"
    with pytest.raises(RulesError) as caught:
        book_of(f"{kept}  {use}\n")

    (diagnostic,) = caught.value.diagnostics
    assert diagnostic.code == "RB120"

    there = use.replace("found", "1 to 3")
    assert book_of(f"  {there}\n")
