"""Divisions that conditions guard: both engines play the same games."""

import pytest

import rulebook
from tests.native.compilers import NEEDS_C
from tests.support.side_by_side import Setting, play

pytestmark = [NEEDS_C, pytest.mark.usefixtures("own_cache")]

STEPS = 120
RULES = """rules language 1
rulebook shares "Shares"
  players 2
  rounds 30

kind rank (ranks)
  rank | worth
  ace  | 0
  king | 4

option parts (0 to 3): 0 "parts"

game has
  height:    0 to 999, seen by all, starts at 0
  favourite: rank or none, seen by all

define rank's share: 0 to 24
  24 if rank's worth = 0
  otherwise 12 divided by rank's worth

define total: 0 to 99
  sum over rank of (12 divided by rank's worth if rank's worth != 0, otherwise 1)

action choose_rank(rank)
  set favourite to rank
  set height to rank's share + total

action forget(0 to 3 count)
  set favourite to none
  if parts > 0: set height to 9 divided by parts
  if count > 0: set height to remainder of 8 divided by count

turn
  phase day
    you do choose_rank, forget
    if favourite is not none and favourite is not ace: set height to favourite's share
    each rank where rank's worth > 0: increase height by up to 8 divided by rank's worth

end
  every player where height > 9 wins
"""


@pytest.mark.parametrize("parts", [0, 2])
def test_both_engines_play_the_same_games(parts: int) -> None:
    book = rulebook.loads(RULES)

    assert play(Setting(book, 2, 1, {"parts": parts}), STEPS)
