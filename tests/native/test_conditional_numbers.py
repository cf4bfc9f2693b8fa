"""Conditional numbers and ranges with any ends: both engines play the same games."""

import pytest

import rulebook
from tests.native.compilers import NEEDS_C
from tests.support.side_by_side import Setting, play

pytestmark = [NEEDS_C, pytest.mark.usefixtures("own_cache")]

STEPS = 120
RULES = """rules language 1
rulebook fortunes "Fortunes"
  players 2 to 3
  rounds 40
dice die: 1 to 6
each player has
  gold: 0 to 900, seen by all
define worth(1 to 6 face): 0 to 6
  (4 if face > 4, 2 if face > 2, otherwise 0)
define player's luck: 0 to 40
  (number of n in 1 to 4 where n < player's gold)
  + (sum over n in die - 3 to die of (2 if n > 1, 1 if n > 0, otherwise 0))
define player's rank: 0 to 3
  (3 if some n in die - 1 to die where n = 3, 2 if player's gold > 5 otherwise 0)
turn
  phase day
    roll die
    if worth(die) is worth(2): increase your gold by up to 3
    increase your gold by up to (larger of (0, your luck - your rank))
    repeat (2 if die > 3 otherwise 1) times: increase your gold by up to 1
    you may do wait
action wait
  increase your gold by up to (5 if die = 2, otherwise 1)
points of player
  gold: player's gold
end
  every player where player's gold > 500 wins
"""


def test_both_engines_play_the_same_games() -> None:
    book = rulebook.loads(RULES)

    assert play(Setting(book, 3, 1, {}), STEPS) == STEPS
