"""The rewrites that make a game quicker: none of them changes what happens in it."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Any

import pytest

import interpreter.game
import rulebook as rb
from interpreter import Game
from interpreter.plan.rewrites import ALL, REWRITES
from interpreter.plan.specialise import Specialiser, specialise
from interpreter.plan.terms import HowMany, parts_of, size
from interpreter.planning import plan_for
from interpreter.tables.facts import Facts
from rulebook import model as m
from workbench import load
from workbench.simulation.settings import Settings
from workbench.simulation.simulation import Limits, Task, bots_by_seat, playout

FOLDER = Path(__file__).parents[2] / "examples"
EXAMPLES = sorted(
    f"examples/{one.relative_to(FOLDER)}" for one in FOLDER.rglob("*.rules")
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
    """Return the record of the beginning of a game, played under some rewrites."""
    planned = partial(plan_for, rewrites=rewrites)
    monkeypatch.setattr(interpreter.game, "plan_for", planned)
    task = Task(
        bots_by_seat([bot], Settings().start(book).seats),
        Settings(),
        Limits(decisions=DECISIONS if bot == "random" else 6),
        keep_record=True,
    )
    record = playout(book, task, 3).record
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
def test_what_bots_reckon_with_is_the_same(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    book = load(name)
    definition = record_of(monkeypatch, book, "greedy", frozenset())

    assert record_of(monkeypatch, book, "greedy", ALL) == definition


def facts_of(name: str) -> Facts:
    return Game.start(load(name), seed=1)._plan.facts


def test_with_all_rewrites_off_the_model_is_the_books() -> None:
    facts = facts_of("germany")

    assert specialise(facts, ()) == facts.model


def test_each_rewrite_makes_something_of_a_shipped_game() -> None:
    facts = facts_of("classic")
    whole = specialise(facts)

    for name in REWRITES:
        assert specialise(facts, ALL - {name}) != whole, name


def test_no_option_and_no_number_of_players_is_left() -> None:
    model = specialise(facts_of("classic"))

    inside = list(rb.find((model.defines, model.actions), m.OptionValue))
    assert not inside
    assert not list(rb.find((model.defines, model.actions), m.PlayerCount))


# ---------------------------------------------------------------- one rewrite each

TRUTH, NUMBER = m.Truth(), m.Whole(0, 9)


def number(value: int) -> m.Const:
    return m.Const(value=value, type=m.Whole(value, value))


def local(slot: int) -> m.Local:
    return m.Local(slot=slot, name=f"n{slot}", type=NUMBER)


def less(one: m.Expr, other: m.Expr) -> m.Compare:
    return m.Compare("<", one, other, type=TRUTH)


def made(e: m.Expr, *rewrites: str) -> m.Expr:
    return Specialiser(facts_of("classic"), rewrites).of(e)


def test_constants_are_folded() -> None:
    total = m.Arith("+", number(2), number(3), type=NUMBER)

    assert made(m.Arith("*", total, local(5), type=NUMBER), "fold") == m.Arith(
        "*", m.Const(value=5, type=NUMBER), local(5), type=NUMBER
    )
    assert made(total, "split") == total


def test_a_small_set_is_written_out_for_each_member() -> None:
    few = m.Numbers(number(1), number(3), type=m.SetOf(None))
    some = m.Exists(7, "n", few, less(local(5), local(7)), type=TRUTH)

    found = made(some, "unroll")

    assert isinstance(found, m.Or)
    values = [part.right.value for part in found.parts]  # type: ignore[attr-defined]
    assert values == [1, 2, 3]
    count = m.Count(7, "n", few, less(local(5), local(7)), type=NUMBER)
    assert isinstance(made(count, "unroll"), HowMany)


def test_a_set_that_is_not_small_is_run_through() -> None:
    many = m.Numbers(number(1), number(30), type=m.SetOf(None))
    some = m.Exists(7, "n", many, less(local(5), local(7)), type=TRUTH)

    assert made(some, *ALL) == some


def test_what_must_not_hold_is_taken_apart() -> None:
    either = m.Or((less(local(5), number(2)), less(number(7), local(5))), type=TRUTH)

    found = made(m.Not(either, type=TRUTH), "split")

    assert isinstance(found, m.And)
    assert all(isinstance(part, m.Compare) and part.op == ">=" for part in found.parts)
    assert len(found.parts) == 2


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


def test_no_variable_is_bound_again_where_it_is_known() -> None:
    facts = facts_of("germany")
    model = specialise(facts, {"inline"})

    bound = 0
    for one in rb.find((model.defines, model.actions), m.Exists):
        inner = [inside.slot for inside in rb.find(one.where, m.Exists)]
        assert one.slot not in inner
        bound += len(inner)
    assert bound > 0


def test_sizes_are_counted_as_far_as_is_asked() -> None:
    tree: m.Expr = local(5)
    for _ in range(20):
        tree = m.Not(tree, type=TRUTH)

    assert size(tree, 100) == 21
    assert size(tree, 7) == 8
    assert len(parts_of(tree)) == 1


@pytest.mark.parametrize("inner", ["1", "round"])
def test_sets_inside_of_one_another_are_not_gone_through_member_by_member(
    inner: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Ten sums over four things each have a million parts, and a short text."""
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

    before = Specialiser.known
    monkeypatch.setattr(Specialiser, "known", known)
    Game.start(book, seed=1)

    assert looks < 20_000
