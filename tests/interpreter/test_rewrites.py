"""Rewrites make a game faster without changing it."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from pathlib import Path
from typing import Any

import pytest

import interpreter.play.start
import rulebook as rb
from interpreter import Game
from interpreter.core.facts import Facts
from interpreter.expressions.plain_values import TrueCount
from interpreter.game import state_of
from interpreter.plan.specialise.expressions import Specialiser
from interpreter.plan.specialise.rewrites import ALL, REWRITES
from interpreter.plan.specialise.rules import Rules
from interpreter.plan.specialise.terms import size
from interpreter.planning import plan_for
from rulebook import model as m
from rulebook import tooling
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
ALONE = [frozenset({name}) for name in REWRITES]
DECISIONS = 60


def record_of(
    monkeypatch: pytest.MonkeyPatch,
    book: rb.Rulebook,
    bot: str,
    rewrites: frozenset[str],
) -> str:
    """Return the record of the beginning of a game, played with some rewrites."""
    planned = partial(plan_for, rewrites=rewrites)
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

    for rewrites in [ALL, *ALONE]:
        assert record_of(monkeypatch, book, "random", rewrites) == definition, rewrites


@pytest.mark.parametrize("name", ["classic", "germany", "examples/games/hearts.rules"])
def test_position_values_for_bots_are_the_same(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    book = load(name)
    definition = record_of(monkeypatch, book, "greedy", frozenset())

    assert record_of(monkeypatch, book, "greedy", ALL) == definition


def facts_of(name: str) -> Facts:
    return state_of(Game.start(load(name), seed=1)).plan.facts


def specialised(facts: Facts, rewrites: Iterable[str] = ALL) -> m.Model:
    return Rules(facts, rewrites).model


def test_without_rewrites_the_model_is_unchanged() -> None:
    facts = facts_of("germany")

    assert specialised(facts, ()) == facts.model


def test_each_rewrite_changes_some_shipped_game() -> None:
    facts = facts_of("classic")
    whole = specialised(facts)

    for name in REWRITES:
        assert specialised(facts, ALL - {name}) != whole, name


def test_options_and_player_counts_become_constants() -> None:
    model = specialised(facts_of("classic"))

    inside = list(tooling.find((model.defines, model.actions), m.OptionValue))
    assert not inside
    assert not list(tooling.find((model.defines, model.actions), m.PlayerCount))


# ---------------------------------------------------------------- one rewrite each

TRUTH, NUMBER = m.Truth(), m.Whole(0, 9)


def number(value: int) -> m.Const:
    return m.Const(value=value, type=m.Whole(value, value))


def local(slot: int) -> m.Local:
    return m.Local(slot=slot, name=f"n{slot}", type=NUMBER)


def less(left: m.Expr, right: m.Expr) -> m.Compare:
    return m.Compare(m.Comparison.LESS, left, right, type=TRUTH)


def made(e: m.Expr, *rewrites: str) -> m.Expr:
    return Specialiser(facts_of("classic"), rewrites).specialise(e)


def test_constants_are_folded() -> None:
    total = m.Arith(m.ArithmeticOperator.PLUS, number(2), number(3), type=NUMBER)

    assert made(
        m.Arith(m.ArithmeticOperator.TIMES, total, local(5), type=NUMBER), "fold"
    ) == m.Arith(
        m.ArithmeticOperator.TIMES, m.Const(value=5, type=NUMBER), local(5), type=NUMBER
    )
    assert made(total, "split") == total


def test_a_loop_over_a_small_set_is_expanded() -> None:
    few = m.NumberSet(number(1), number(3), type=m.SetOf(None))
    some = m.Exists(7, "n", few, less(local(5), local(7)), type=TRUTH)

    unrolled = made(some, "unroll")

    assert isinstance(unrolled, m.Or)
    values = [part.right.value for part in unrolled.parts]  # type: ignore[attr-defined]
    assert values == [1, 2, 3]
    count = m.CountMembers(7, "n", few, less(local(5), local(7)), type=NUMBER)
    assert isinstance(made(count, "unroll"), TrueCount)


def test_a_loop_over_a_large_set_is_not_expanded() -> None:
    many = m.NumberSet(number(1), number(30), type=m.SetOf(None))
    some = m.Exists(7, "n", many, less(local(5), local(7)), type=TRUTH)

    assert made(some, *ALL) == some


def test_negated_conditions_are_split() -> None:
    either = m.Or((less(local(5), number(2)), less(number(7), local(5))), type=TRUTH)

    condition = made(m.Not(either, type=TRUTH), "split")

    assert isinstance(condition, m.And)
    assert all(
        isinstance(part, m.Compare) and part.op == ">=" for part in condition.parts
    )
    assert len(condition.parts) == 2


def test_the_cheapest_condition_comes_first() -> None:
    trail = m.LongestTrail(
        links=m.AllOf("path", type=m.SetOf("path")),
        slot=8,
        name="corner",
        closed=m.Const(value=False, type=TRUTH),
        type=NUMBER,
    )
    dear, cheap = less(number(4), trail), less(local(5), number(2))

    both = m.And((dear, cheap), type=TRUTH)

    assert made(both, "order") == m.And((cheap, dear), type=TRUTH)
    assert made(both, "split") == both


def test_inlining_never_rebinds_a_bound_variable() -> None:
    facts = facts_of("germany")
    model = specialised(facts, {"inline"})

    bound = 0
    for outer in tooling.find((model.defines, model.actions), m.Exists):
        inner = [inside.slot for inside in tooling.find(outer.where, m.Exists)]
        assert outer.slot not in inner
        bound += len(inner)
    assert bound > 0


def test_counting_the_size_stops_at_the_limit() -> None:
    tree: m.Expr = local(5)
    for _ in range(20):
        tree = m.Not(tree, type=TRUTH)

    assert size(tree, 100) == 21
    assert size(tree, 7) == 8
    assert len(tooling.children(tree)) == 1


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

    def known(self: Specialiser, e: Any, values: Any) -> Any:
        nonlocal looks
        looks += 1
        return before(self, e, values)

    before = Specialiser.substitute
    monkeypatch.setattr(Specialiser, "substitute", known)
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


@pytest.mark.parametrize("rewrites", [ALL, *ALONE], ids=["all", *REWRITES])
def test_positions_do_not_depend_on_rewrites(rewrites: frozenset[str]) -> None:
    """Branches never taken still count for the names of steps and variables."""
    book = rb.loads(BRANCHES)
    definition = whole_game(book, frozenset())

    assert whole_game(book, rewrites) == definition
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


@pytest.mark.parametrize("rewrites", [ALL, *ALONE], ids=["all", *REWRITES])
def test_each_call_returns_to_a_separate_step(rewrites: frozenset[str]) -> None:
    """This includes a call at the end of a branch that is always taken, or before a
    folded `if`.
    """
    book = rb.loads(CALLS)
    definition = whole_game(book, frozenset())

    assert whole_game(book, rewrites) == definition
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


@pytest.mark.parametrize("rewrites", [ALL, *ALONE], ids=["all", *REWRITES])
def test_the_budget_is_exceeded_at_the_same_statement(
    rewrites: frozenset[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    book = rb.loads(COUNTED, limits=rb.Limits(statements=777))

    def said(names: frozenset[str]) -> str:
        planned = partial(plan_for, rewrites=names)
        monkeypatch.setattr(interpreter.play.start, "plan_for", planned)
        with pytest.raises(rb.RulesError) as refused:
            Game.start(book, seed=1)
        return str(refused.value)

    assert "statements were executed" in said(frozenset())
    assert said(rewrites) == said(frozenset())


def whole_game(book: rb.Rulebook, rewrites: frozenset[str]) -> list[dict[str, Any]]:
    """Return the positions of the beginning of a game, played with some rewrites."""
    with pytest.MonkeyPatch.context() as patch:
        planned = partial(plan_for, rewrites=rewrites)
        patch.setattr(interpreter.play.start, "plan_for", planned)
        game = Game.start(book, seed=1)
        positions = [game.position]
        for number in range(9):
            legal = game.legal_actions()
            game.apply(legal[number % len(legal)])
            positions.append(game.position)
    return positions


def test_facts_about_a_part() -> None:
    """The facts are what a condition reads, and what a statement changes, including
    calls.
    """
    plan = state_of(Game.start(load("classic"), seed=1)).plan
    rules = plan.specialised_rules

    changed = {
        part
        for name in rules.model.procedures
        for statement in rules.model.procedures[name].body
        for part in rules.facts_about(statement).writes
    }

    assert changed
    for name in rules.model.actions:
        for conjunct in rules.conjuncts(name):
            assert conjunct.facts.reads == tooling.ReadFinder(rules.model).parts_read(
                conjunct.condition
            )
            assert conjunct.facts is rules.facts_about(conjunct.condition)
    assert any(conjunct.facts.reads for conjunct in rules.conjuncts("trade_with_bank"))
