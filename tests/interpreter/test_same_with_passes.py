"""Passes make a game faster without changing it."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Any

import pytest

import interpreter.play.start
import rulebook as rb
from interpreter import Game, kernel_program
from interpreter.c_engine import c_program
from interpreter.kernel.passes.pipeline import EVERY_PASS, PASSES
from interpreter.kernel.passes.rewriter import Rewriter
from interpreter.planning import plan_for
from workbench import load
from workbench.analysis.simulation.settings import Settings
from workbench.analysis.simulation.simulation import (
    GameLimits,
    GameTask,
    bots_by_seat,
    play_game,
)

FOLDER = Path(__file__).parents[2] / "examples"
EXAMPLES = sorted(
    f"examples/{path.relative_to(FOLDER)}" for path in FOLDER.rglob("*.rules")
)
GAMES = [
    *("classic", "germany", "cardgame", "base"),
    *(name for name in EXAMPLES if name.count(".") == 1),
]
ALONE = [frozenset({name}) for name in PASSES]
REVERSI = "examples/tiny/reversi.rules"
DECISIONS = 60


def record_of(
    monkeypatch: pytest.MonkeyPatch,
    book: rb.Rulebook,
    bot: str,
    passes: frozenset[str],
) -> str:
    """Return the record of the beginning of a game, played with some passes."""
    planned = partial(plan_for, passes=passes)
    monkeypatch.setattr(interpreter.play.start, "plan_for", planned)
    task = GameTask(
        bots_by_seat([bot], Settings().start(book).seats),
        Settings(),
        GameLimits(decisions=DECISIONS if bot == "random" else 6),
        keep_record=True,
    )
    record = play_game(book, task, 3).record
    assert record is not None
    return record


@pytest.mark.parametrize("name", GAMES)
def test_games_are_the_same_with_all_rewrites_off_and_with_each_alone(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    book = load(name)
    definition = record_of(monkeypatch, book, "random", frozenset())

    for passes in [EVERY_PASS, *ALONE]:
        assert record_of(monkeypatch, book, "random", passes) == definition, passes


@pytest.mark.parametrize("name", ["classic", "germany", "examples/games/hearts.rules"])
def test_position_values_for_bots_are_the_same(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    book = load(name)
    definition = record_of(monkeypatch, book, "greedy", frozenset())

    assert record_of(monkeypatch, book, "greedy", EVERY_PASS) == definition


def test_each_pass_changes_some_shipped_game() -> None:
    books = [load(name) for name in ("germany", "classic", REVERSI)]
    whole = [c_program(book) for book in books]

    for name in PASSES:
        changed = [c_program(book, disabled_rewrites=[name]) for book in books]
        assert changed != whole, name


def test_options_and_player_counts_become_constants() -> None:
    program = kernel_program(load("classic"), options={"points_to_win": 7})

    assert "#7" in program


@pytest.mark.parametrize("inner", ["1", "round"])
def test_nested_sets_are_not_expanded_completely(
    inner: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Ten nested sums over four things have a million parts, but a short text."""
    sums = "sum over thing of " * 10
    book = rb.loads(
        "rules language 1\n"
        'rulebook sums "Sums"\n'
        "  players 2 to 2\n"
        "kind thing: a, b, c, d\n"
        f"define all_of_them: 0 to 999999999 = {sums}{inner}\n"
        "turn\n"
        "  phase day\n"
        "    nobody wins\n"
    )
    looks = 0

    def counted(self: Rewriter, e: Any) -> Any:
        nonlocal looks
        looks += 1
        return before(self, e)

    before = Rewriter.improve
    monkeypatch.setattr(Rewriter, "improve", counted)
    Game.start(book, seed=1)

    assert looks < 20_000


# ---------------------------------------------------------------- games

BRANCHES = """rules language 1
rulebook branches "Branches"
  players 2 to 2
kind ware (wares): salt, silk
option fast: yes "only the last of three rounds is played"
game has
  store: bag of ware, seen by all, starts with 9 of each
each player has
  hand: bag of ware, seen by all
setup
  p1 starts
turn
  phase day
    if not fast:
      repeat 2 times:
        each player:
          player chooses ware other in store
    if fast and number of players = 2:
      repeat 2 times:
        each player:
          player chooses ware other in store
          if not fast:
            move up to 1 other from store to player's hand
          otherwise:
            repeat 2 times: move up to 1 other from store to player's hand
          each ware:
            if ware is other: move up to 1 ware from player's hand to store
    you choose ware other in store
"""


@pytest.mark.parametrize("passes", [EVERY_PASS, *ALONE], ids=["all", *PASSES])
def test_positions_do_not_depend_on_rewrites(passes: frozenset[str]) -> None:
    """Branches never taken still count for the names of steps and variables."""
    book = rb.loads(BRANCHES)
    definition = whole_game(book, frozenset())

    assert whole_game(book, passes) == definition
    day = [position["pending"][-1] for position in definition]
    assert {frame["at"] for frame in day} == {"choose_other 2", "choose_other 3"}
    assert {"times left 2", "remaining player 2"} <= day[0]["values"].keys()


CALLS = """rules language 1
rulebook calls "Calls"
  players 2 to 2
option strict: yes "it strikes"
setup
  p1 starts
turn
  phase day
    if strict: strike
    you do rest
    strike
    if not strict: strike
    if strict: strike
action rest
  stop
to strike
  you do rest
"""


@pytest.mark.parametrize("passes", [EVERY_PASS, *ALONE], ids=["all", *PASSES])
def test_each_call_returns_to_a_separate_step(passes: frozenset[str]) -> None:
    """This includes a call at the end of a branch that is always taken, or before a
    folded `if`.
    """
    book = rb.loads(CALLS)
    definition = whole_game(book, frozenset())

    assert whole_game(book, passes) == definition
    told = [frame["at"] for position in definition for frame in position["pending"]]
    assert {"after strike", "after strike 2", "after strike 4"} <= set(told)


COUNTED = """rules language 1
rulebook counted "Counted"
  players 2 to 2
kind thing: a, b, c
game has
  drum: 0 to 9
setup
  repeat 40 times:
    each thing:
      repeat 5 times:
        if number of players = 2: set drum to 3
        if number of players = 3: set drum to 2
  p1 starts
turn
  phase day
    nobody wins
"""


@pytest.mark.parametrize("passes", [EVERY_PASS, *ALONE], ids=["all", *PASSES])
def test_the_budget_is_exceeded_at_the_same_statement(
    passes: frozenset[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    book = rb.loads(COUNTED, limits=rb.Limits(statements=777))

    def said(names: frozenset[str]) -> str:
        planned = partial(plan_for, passes=names)
        monkeypatch.setattr(interpreter.play.start, "plan_for", planned)
        with pytest.raises(rb.RulesError) as refused:
            Game.start(book, seed=1)
        return str(refused.value)

    assert "statements were executed" in said(frozenset())
    assert said(passes) == said(frozenset())


def whole_game(book: rb.Rulebook, passes: frozenset[str]) -> list[dict[str, Any]]:
    """Return the positions of the beginning of a game, played with some passes."""
    with pytest.MonkeyPatch.context() as patch:
        planned = partial(plan_for, passes=passes)
        patch.setattr(interpreter.play.start, "plan_for", planned)
        game = Game.start(book, seed=1)
        positions = [game.position]
        for number in range(9):
            legal = game.legal_actions()
            game.apply(legal[number % len(legal)])
            positions.append(game.position)
    return positions
