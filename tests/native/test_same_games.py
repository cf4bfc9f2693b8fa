"""The native engine agrees with the interpreter at every step of a game."""

from __future__ import annotations

from itertools import count
from pathlib import Path
from random import Random

import pytest

import rulebook as rb
from interpreter.kernel.passes.pipeline import EVERY_PASS
from interpreter.native.engine import Engine, NoNativeEngine, engine_for
from interpreter.planning import plan_for
from rulebook import Limits, RulesError
from tests.native.compilers import NEEDS_C
from tests.support.side_by_side import Different, Setting, ends, mistake, play
from workbench import load

ROOT = Path(__file__).parents[2]
FOLDERS = ("examples", "tests/interpreter", "tests/language", "tests/support")
SHIPPED = ("classic", "germany", "base", "cardgame")
GAMES = [
    *SHIPPED,
    *(
        str(path.relative_to(ROOT))
        for folder in FOLDERS
        for path in sorted((ROOT / folder).rglob("*.rules"))
        if path.name.count(".") == 1
    ),
]
STEPS = 120

pytestmark = [NEEDS_C, pytest.mark.usefixtures("own_cache")]


@pytest.mark.parametrize("name", GAMES)
def test_plays_the_same_game(name: str, deep: bool) -> None:
    book = load(name)
    low, high = book.players
    numbers = range(low, high + 1) if deep else (high,)
    for options in ends(book) if deep else ({},):
        for players in numbers:
            most = 5 * STEPS if deep else STEPS
            play(Setting(book, players, 1, options), most, bare=deep)


@pytest.mark.usefixtures("optimised")
@pytest.mark.parametrize("name", SHIPPED)
def test_optimised_code_plays_the_same_game(name: str) -> None:
    """Optimisation (`-O3`) does not change a game."""
    book = load(name)
    assert play(Setting(book, book.players[1], 1, {}), STEPS) == STEPS


def test_the_interpreter_without_rewrites_plays_the_same_game() -> None:
    assert play(Setting(load("germany"), 3, 5, {}), STEPS) == STEPS


def test_detects_a_difference(monkeypatch: pytest.MonkeyPatch) -> None:
    setting = Setting(load("examples/tiny/hex.rules"), 2, 1, {})
    made = engine_for(setting.plan())
    assert isinstance(made, Engine)
    states = made.states.cells
    monkeypatch.setattr(
        type(made.states), "cells", lambda t, c: [*states(c)[:-1], states(c)[-1] + 1]
    )
    with pytest.raises(Different, match="step 0, interpreter: cell"):
        play(setting, 5)


def test_a_difference_includes_a_scenario_of_its_step(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    setting = Setting(load("examples/tiny/hex.rules"), 2, 1, {})
    made = engine_for(setting.plan())
    assert isinstance(made, Engine)
    states, seen = made.states.cells, count()
    monkeypatch.setattr(
        type(made.states),
        "cells",
        lambda t, c: [*states(c)[:-1], states(c)[-1] + (next(seen) > 8)],
    )
    with pytest.raises(Different) as caught:
        play(setting, 40)

    (scenario,) = caught.value.__notes__
    assert scenario.startswith('scenario "step ')
    assert "\n  when\n" in scenario


def test_both_engines_report_a_mistake_in_the_same_words() -> None:
    book = load("tests/interpreter/workers.rules")
    made = engine_for(plan_for(book, book.players[1], {}))
    assert isinstance(made, Engine)
    before = None
    for seed in range(20):
        game, numbers = made.start(seed), Random(seed)
        try:
            while not game.is_over and game.interpreter_state is None:
                before = made.states.frames(game.cells)
                game.apply(numbers.choice(game.legal_indices()))
        except RulesError as error:
            assert "there is no room for this guest here" in str(error)  # noqa: PT017
            assert made.states.frames(game.cells) == before
            return
    pytest.fail("no game came to the mistake")


def test_a_whole_game_in_c_equals_a_game_of_random_bots() -> None:
    from interpreter import Game
    from interpreter.game import state_of
    from workbench.bots import bot_random, random_below
    from workbench.bots.randomness import stream_key

    book = load("germany")
    made = engine_for(plan_for(book, 3, {"offers_per_turn": 0}))
    assert isinstance(made, Engine)
    for seed in (1, 2):
        game = Game.start(book, players=3, seed=seed, options={"offers_per_turn": 0})
        numbers = {seat: bot_random(seed, 0, seat) for seat in game.seats}
        decisions = 0
        while game.to_act is not None:
            legal = game.legal_actions()
            game.apply(legal[random_below(len(legal), numbers[game.to_act])])
            decisions += 1
        native = made.start(seed)
        keys = [stream_key(("bot", seed, 0, seat)) for seat in game.seats]
        assert native.play(keys, 100_000) == decisions
        assert made.states.cells(native.cells) == state_of(game).s


def test_a_long_game_is_the_same_to_its_end() -> None:
    book = load("classic")
    assert play(Setting(book, 4, 2, {"offers_per_turn": 0}), 2_000, bare=False) > 800


def test_the_budget_is_exceeded_at_the_same_place() -> None:
    steps = []
    for statements in (20, 30, 34, 38, 42, 50, 60):
        limits = Limits(statements=statements)
        book = rb.load(ROOT / "examples/tiny/reversi.rules", limits=limits)
        setting = Setting(book, 2, 1, {})
        made = engine_for(setting.plan())
        assert isinstance(made, Engine)
        native, reference, numbers = (
            made.start(1),
            setting.reference(EVERY_PASS),
            Random(1),
        )
        told, step = "", 0
        while not native.is_over and not told:
            index = numbers.choice(native.legal_indices())
            told = mistake(reference, index)
            assert mistake(native, index) == told
            step += 1
        if told:
            assert "statements were executed without any decision in between" in told
            steps.append(step)
    assert len(set(steps)) > 1


def test_boards_are_dealt_identically() -> None:
    book = load("classic")
    for seed in range(60):
        assert play(Setting(book, 2 + seed % 3, seed, {}), 1, bare=False) == 1


@pytest.mark.parametrize("name", ["rails", "meadow", "colours", "tricks"])
def test_many_short_games_are_the_same(name: str) -> None:
    book = load(str(ROOT / f"tests/interpreter/{name}.rules"))
    for seed in range(12):
        play(Setting(book, book.players[1], seed, {}), STEPS, bare=False)


TIGHT = """rules language 1
rulebook rows "Rows"
  players 2 to 2

cards chip (chips)
  chip | copies | worth
  low  | 2      | 1
  even | 2      | 2
  high | 4      | 6

spaces plot (plots) by place 1 to 7
each plot has
  worth: 0 to 9, seen by all, starts at 0

setup
  chance spreads chip over plot as worth so that {tight}
  p1 starts

action rest
  stop

turn
  phase day
    you do rest
"""


def test_a_tightly_constrained_deal_is_the_same() -> None:
    apart = "no k in 1 to 6 where plot(k)'s worth > 4 and plot(k + 1)'s worth > 4"
    book = rb.loads(TIGHT.replace("{tight}", apart))
    for seed in range(40):
        assert play(Setting(book, 2, seed, {}), 1, bare=False) == 1


TURNS = """rules language 1
rulebook piles "Piles"
  players 2 to 3

cards chip (chips)
  chip | copies
  low  | 3
  even | 2
  high | 5

each player has
  pile: stack of chip, seen by nobody
  hand: bag of chip

setup
  chance spreads chip over player as pile
  p1 starts

action draw
  move the top card from your pile to your hand

turn
  phase day
    you may, until done_here:
      draw
"""


@pytest.mark.parametrize("players", [2, 3])
def test_cards_that_are_dealt_in_turn_are_the_same(players: int) -> None:
    assert play(Setting(rb.loads(TURNS), players, 1, {}), 60) == 60


SMALL = """rules language 1
rulebook small "Small"
  players 1 to 2
  seats black, white
  turns 20
spaces square (squares) by column 1 to 2
{parts}
piece pawn (pawns): 3 for each player, stands on square
each player has
  score: 0 to 9, seen by all

setup
  {setup}
  black starts

action act
  needs some: your score < 9  "you have enough"
  {act}

turn
  phase day
    you do act
"""


def small(act: str, *, parts: str = "", setup: str = "") -> rb.Rulebook:
    """Return a small game in which each seat can take an action nine times."""
    return rb.loads(SMALL.format(parts=parts, setup=setup, act=act), "small.rules")


SCORE = "increase your score by 1"


@pytest.mark.parametrize("seed", [-1, -7, 2**64 + 3, 10**30])
def test_accepts_any_integer_as_a_seed(seed: int) -> None:
    book = small(f"roll die\n  {SCORE}", parts="dice die, other_die: 1 to 6")
    setting = Setting(book, 2, seed, {})
    assert play(setting, STEPS) == 18
    made = engine_for(setting.plan())
    assert isinstance(made, Engine)
    assert made.start(seed).state().seed == seed


def test_a_board_without_links_has_no_trails() -> None:
    parts = "links way (ways) between square by (5)\n"
    parts += "piece rail (rails): 3 for each player, stands on way"
    act = "let n be longest trail of your rails\n  if n < 1: increase your score by 1"
    assert play(Setting(small(act, parts=parts), 2, 1, {}), STEPS) == 18


def test_an_award_for_a_constant_is_the_same() -> None:
    parts = "award first of player\n  most 3\n  on a tie, holder keeps it"
    assert play(Setting(small(SCORE, parts=parts), 1, 1, {}), STEPS) == 9


def test_moving_all_cards_of_an_endless_bag_exceeds_the_limit() -> None:
    parts = "kind chip (chips): low, high\n"
    parts += "the game has\n  box: endless bag of chip\n  pot: bag of chip"
    book = small("move all low from box to pot", parts=parts)
    assert play(Setting(book, 1, 1, {}), STEPS) == 0
    assert play(Setting(small(SCORE, parts=parts), 1, 1, {}), STEPS) == 9


@pytest.mark.parametrize(
    ("asked", "steps"),
    [
        ("your score = 3 * 45", 9),
        ("your score = your score", 1),
        ("your score < your score", 9),
        ("not (your score >= your score)", 9),
    ],
)
def test_constant_conditions_can_be_tested(asked: str, steps: int) -> None:
    act = f"if {asked}: set your score to 9\n  otherwise: {SCORE}"
    assert play(Setting(small(act), 1, 1, {}), STEPS) == steps


def test_naming_a_seat_not_in_play_needs_the_interpreter() -> None:
    book = small(f"{SCORE}\n  white has the next turn")
    made = engine_for(Setting(book, 1, 1, {}).plan())
    assert made == NoNativeEngine("a named seat that is not in play")
    assert play(Setting(book, 2, 1, {}), STEPS) > 0


def test_comparing_with_a_seat_not_in_play_works_in_c() -> None:
    book = small(f"if you is not white: {SCORE}\n  otherwise: set your score to 9")
    assert play(Setting(book, 1, 1, {}), STEPS) == 9
