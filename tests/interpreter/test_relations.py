"""Samples preserve unstated relations that trial games have found."""

from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest

import rulebook
from interpreter import Game, violated_invariants
from interpreter.planning import plan_for
from rulebook import Rulebook, RulesError
from tests.support.knowing import steps
from tests.support.redrawn import redrawn

HERE = Path(__file__).parent


POSTS = """rules language 1
rulebook guards "Guards who change their sort unseen"
  players 2
  seats red, blue
  turns 200
kind sort (sorts): sword, bow, spear
spaces post (posts) by column 1 to 3, row 1 to 1
each player has
  guard(post): sort or none, seen by owner
each post has
  known: sort or none, seen by all
setup
  each player:
    set player's guard(post(1, 1)) to sword
    set player's guard(post(2, 1)) to bow
action swap(post, post other)
  needs two: post is not other "choose two posts"
  let moved be your guard(post)
  set your guard(post) to your guard(other)
  set your guard(other) to moved
action wait
  set post(1, 1)'s known to none
{more}
turn
  phase only
    you do swap, wait{also}
"""
LATE = """action change(post)
  needs late: round > 70 "it is too soon"
  set your guard(post) to spear
"""
OFTEN = """action change(post)
  needs guarded: post is not none "choose a post"
  set your guard(post) to spear
"""


def guards(more: str) -> Rulebook:
    also = ", change" if more else ""
    return rulebook.loads(POSTS.format(more=more, also=also), "guards.rules")


@pytest.fixture(scope="module")
def invariants() -> tuple[Any, ...]:
    """Return the invariants that the bare rules no longer state."""
    return rulebook.load(HERE / "ranks.rules").model.invariants


@pytest.fixture(scope="module")
def bare() -> Rulebook:
    return rulebook.load(HERE / "bare_ranks.rules")


def positions(book: Rulebook, engine: str) -> Iterator[Game]:
    """Yield some positions of a game on an engine."""
    for number, played in enumerate(steps(book, 5, decisions=60)):
        if number % 6 == 2:
            yield Game.from_position(book, played.position, engine=engine)


@pytest.mark.parametrize("engine", ["reference", "native"])
def test_samples_preserve_presence_totals_and_published_values(
    bare: Rulebook, invariants: tuple[Any, ...], engine: str
) -> None:
    """Fails without trial games."""
    shown = fallen = 0
    assert not bare.model.invariants
    for number, game in enumerate(positions(bare, engine)):
        position = game.position
        shown += any(square["shown"] for square in position["square"].values())
        fallen += any(any(p["lost"].values()) for p in position["player"].values())
        for seat in game.seats:
            world = game.sample(seat, number)

            assert violated_invariants(world, invariants) == []
            assert world.view(seat) == game.view(seat)

    assert shown
    assert fallen


def test_both_engines_draw_the_same_samples(bare: Rulebook) -> None:
    pairs = zip(positions(bare, "reference"), positions(bare, "native"), strict=True)
    for game, in_c in pairs:
        for seat in game.seats:
            assert in_c.sample(seat, 3).position == game.sample(seat, 3).position


def test_a_position_violating_the_relations_has_the_same_samples(
    bare: Rulebook, invariants: tuple[Any, ...]
) -> None:
    """Fails if relations are only preserved where they are true."""
    others, numbers = 0, Random(1)
    for game in positions(bare, "reference"):
        other = redrawn(game, "red", numbers)
        assert other is not None
        world, _ = other
        others += bool(violated_invariants(world, invariants))

        assert world.sample("red", 2).position == game.sample("red", 2).position

    assert others


def test_a_position_that_contradicts_the_relations_can_be_sampled(
    bare: Rulebook,
) -> None:
    position = Game.start(bare, seed=1).position
    position["pieces"]["troop"].pop("square_1_1")
    position["player"]["red"]["rank_at"]["square_1_1"] = "flag"
    position["player"]["red"]["rank_at"]["square_1_2"] = "flag"
    game = Game.from_position(bare, position)

    for seat in game.seats:
        world = game.sample(seat, 1)
        assert world.view(seat) == game.view(seat)


def conditions(book: Rulebook) -> int:
    return len(plan_for(book, 2, {}).relations.conditions)


def test_a_total_that_exchanges_never_change_is_found() -> None:
    book = guards("")
    game = Game.start(book, seed=1)
    for number in range(20):
        hidden = game.sample("red", number).position["player"]["blue"]["guard"]

        assert sorted(map(str, hidden.values())) == ["None", "bow", "sword"]


@pytest.mark.parametrize("more", [LATE, OFTEN], ids=["late", "often"])
def test_untested_or_false_relations_are_not_assumed(more: str) -> None:
    """Trial games do not reach a statement, or refute the relation.

    Fails if statements that were not executed are ignored.
    """
    assert not conditions(guards(more))


def test_rules_that_fail_in_a_trial_game_have_no_relations(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def fail(*_: object) -> int:
        raise RulesError([])

    monkeypatch.setattr("interpreter.relations.trials.play", fail)

    assert not conditions(guards(""))


def test_an_unrestricted_field_needs_no_trial_games(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("interpreter.planning.find_relations", pytest.fail)

    assert not conditions(rulebook.load(HERE / "posts.rules"))
