"""Both engines if no seat can act, and after a check of invariants."""

from pathlib import Path

import pytest

import rulebook as rb
from interpreter import Game, VerdictStatus, check_invariant
from interpreter.c_engine import Batch
from tests.native.compilers import NEEDS_C
from tests.native.test_either_engine import in_c, started
from workbench.cli import main

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


def test_both_engines_wait_if_nothing_is_legal() -> None:
    """Fails if a game without choices in C counts as over."""
    for game in started(rb.loads(NOTHING_LEGAL), 1):
        game.apply("grow")
        game.apply("grow")

        assert (game.to_act, game.over, game.legal_actions()) == ("p1", False, ())
        assert list(game.branches()) == []


def test_a_game_continues_in_c_after_a_check_of_invariants() -> None:
    """Fails if the units of tests are translated too."""
    book = rb.loads(NOTHING_LEGAL)
    game = Game.start(book, seed=1)
    (invariant,) = book.model.invariants
    assert check_invariant(game, invariant).status is VerdictStatus.PASSED

    game.goes_on_by("native")

    assert game.engine == "native"
    game.apply("grow")
    assert in_c(game)


@pytest.mark.parametrize("bot", ["random", "greedy"])
@pytest.mark.parametrize("engine", ["native", "reference"])
def test_bot_games_end_with_an_error(
    engine: str, bot: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Fails if C silently chooses an action that was legal before."""
    path = tmp_path / "stuck.rules"
    path.write_text(NOTHING_LEGAL)

    words = ["simulate", str(path), "--games", "9", "--engine", engine, "--bots", bot]
    assert main(words) == 1

    assert "p1 must decide but has no legal action; " in capsys.readouterr().err


def test_a_stuck_game_in_a_batch_fails() -> None:
    """Fails if a stuck game is advanced."""
    with Batch(rb.loads(NOTHING_LEGAL), 2) as batch:
        grow = batch.now.indices[0, 1]
        assert batch.game(0).legal_actions()[1].text == "grow"
        batch.step([grow, grow])
        step = batch.step([grow, grow])

        assert step.failed.all()
        assert step.counts.tolist() == [2, 2]
