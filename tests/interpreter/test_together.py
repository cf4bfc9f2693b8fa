"""Ways to end the part of only one seat in an `at the same time` block."""

import pytest

from interpreter import Game
from rulebook import RulesError, loads

TEXT = """rules language 1
rulebook calls "All call at once"
  players 2 to 2
each player has
  score: 0 to 9, seen by all
turn
  phase day
    at the same time each player:
{body}
action call
  if your score < 9: increase your score by 1
to part(player)
  player may do call
  stop
"""


@pytest.mark.parametrize(
    "body",
    [
        "      player may do call\n      stop",
        "      if player's score > 3: stop\n      player may do call",
        "      player may do call:\n        stop",
    ],
)
def test_rejects_stop_in_a_simultaneous_block(body: str) -> None:
    with pytest.raises(RulesError) as caught:
        loads(TEXT.format(body=body), "calls.rules")

    (diagnostic,) = caught.value.diagnostics
    assert diagnostic.code == "RB130"
    assert "stop" in TEXT.format(body=body).split("\n")[diagnostic.span.line - 1]
    assert [word for _, word in diagnostic.related] == ["at the same time"]


def test_stop_in_a_procedure_ends_only_one_seats_part() -> None:
    book = loads(TEXT.format(body="      part(player)"), "calls.rules")
    game = Game.start(book, seed=1)
    asked = []
    for _ in range(4):
        asked.append(game.to_act)
        assert game.sample("p2", 1).to_act == game.to_act
        game.apply("call")

    assert asked == ["p1", "p2", "p2", "p1"]
    assert [game.position["player"][seat]["score"] for seat in game.seats] == [2, 2]
