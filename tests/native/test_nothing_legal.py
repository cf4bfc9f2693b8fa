"""Either engine where nobody can act, and where an invariant was asked before."""

import pytest

import rulebook as rb
from interpreter import Game, VerdictStatus, check_invariant
from tests.native.compilers import NEEDS_C
from tests.native.test_either_engine import in_c, started

pytestmark = [NEEDS_C, pytest.mark.usefixtures("own_cache")]

NOTHING_LEGAL = """rules language 1
rulebook stuck "Who has pushed twice waits for ever"
  players 2 to 2
game has
  heap: 0 to 2, seen by all
turn
  phase push
    you may, until rest:
      grow
action grow
  needs small: heap < 2 "it is high"
  increase heap by 1
action rest
  needs small: heap < 2 "it is high"
  stop
rule over
  whenever round >= 3: nobody wins
invariant "it is not low"
  require heap >= 0
"""


def test_where_nothing_is_legal_both_wait() -> None:
    """Broken by hand: a game in C that has no choice is over."""
    for game in started(rb.loads(NOTHING_LEGAL), 1):
        game.apply("grow")
        game.apply("grow")

        assert (game.to_act, game.over, game.legal_actions()) == ("p1", False, ())
        assert list(game.branches()) == []


def test_a_game_whose_invariants_were_asked_goes_on_in_c() -> None:
    """Broken by hand: the units of tests are translated too."""
    book = rb.loads(NOTHING_LEGAL)
    game = Game.start(book, seed=1)
    (invariant,) = book.model.invariants
    assert check_invariant(game, invariant).status is VerdictStatus.PASSED

    game.goes_on_by("native")

    assert game.engine == "native"
    game.apply("grow")
    assert in_c(game)
