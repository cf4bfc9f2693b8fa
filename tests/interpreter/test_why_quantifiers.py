"""`why` names the members that a quantifier finds, not all members of its set."""

from __future__ import annotations

import pytest

import rulebook as rb
from interpreter import Game

RULES = """rules language 1
rulebook counted "Counted"
  players 3 to 3
  seats red, blue, white
  turns 9
each player has
  birds: 0 to 9, seen by all, starts at 0
setup
  red starts
  set blue's birds to 3
action call
  needs calm: {condition}  "there is a flock"
  increase your birds by up to 1
action wait
  increase your birds by up to 1
turn
  phase day
    you do call, wait
rule full
  whenever your birds = 9: you win
"""


@pytest.mark.parametrize(
    ("condition", "values"),
    [
        ("no player where player's birds > 2", ["blue"]),
        ("no n in 1 to 6 where n = blue's birds + 1", [4]),
    ],
)
def test_why_lists_the_members_that_meet_the_condition(
    condition: str, values: list[str | int]
) -> None:
    """The value of a quantifier is the set of members that it finds."""
    game = Game.start(rb.loads(RULES.format(condition=condition), "counted"))

    assert game.why("call").values == {condition: values}


def test_why_lists_the_searched_set_if_nothing_is_found() -> None:
    """The value of `some …` is the searched set, unless the set is a whole kind."""
    for condition, values in (
        ("some player where player's birds > 5", {}),
        ("some n in 1 to 3 where n > 5", {"1 to 3": [1, 2, 3]}),
    ):
        game = Game.start(rb.loads(RULES.format(condition=condition), "counted"))

        assert game.why("call").values == values
