"""Samples preserve public information, all invariants of the file, and totals."""

from pathlib import Path

import pytest

import rulebook
import workbench
from interpreter import Game, SampleError, violated_invariants
from interpreter.core.chance import Stream
from interpreter.game import state_of
from interpreter.knowledge import samples
from interpreter.knowledge.invariants import CardPlace, UnknownCells, restore_invariants
from rulebook import Rulebook
from tests.support.knowing import steps

RANKS = (Path(__file__).parent / "ranks.rules").read_text("utf-8")
CARDS = """rules language 1
rulebook pairs "Hands without pairs"
  players 3
  turns 9
cards fruit (fruits)
  fruit  | copies
  apple  | 3
  pear   | 3
  plum   | 3
  cherry | 3
game has
  pile: stack of fruit, seen by nobody
  last: fruit or none, seen by nobody
each player has
  hand: bag of fruit, seen by owner
game has
  box: bag of fruit, seen by all, starts with every fruit
setup
  each player:
    each fruit where fruit is not plum: move up to 1 fruit from box to player's hand
  move up to 3 plum from box to top of pile
  shuffle pile
  if last is none: move up to 1 cherry from box to last
action wait
  needs begun: round >= 1 "the game has not begun"
turn
  phase only
    you do wait
invariant "no hand has a pair"
  let most be 1
  each player:
    each fruit: require (number of fruit in player's hand) <= most
"""
ALIKE = """rules language 1
rulebook alike "Hidden cards, of which a player must have one of each kind"
  players 2
  turns 9
cards fruit (fruits)
  fruit | copies
  apple | 2
  pear  | 2
each player has
  hand: bag of fruit, seen by owner
game has
  box: bag of fruit, seen by all, starts with every fruit
setup
  each player: each fruit: move up to 1 fruit from box to player's hand
action give
  needs begun: round >= 1 "the game has not begun"
  move up to 1 apple from your hand to box
turn
  phase only
    you do give
invariant "every player has an apple"
  each player: require (number of apple in player's hand) = 1
"""
RIDDLE = """rules language 1
rulebook riddle "A product of two primes that nobody guesses"
  players 2
  turns 9
each player has
  first: 0 to 9999, seen by owner, starts at 7919
  second: 0 to 9999, seen by owner, starts at 7907
action wait
  needs begun: round >= 1 "the game has not begun"
turn
  phase only
    you do wait
invariant "two numbers have one product"
  each player: require player's first * player's second = 62615533
"""


@pytest.fixture(scope="module")
def ranks() -> Rulebook:
    return rulebook.loads(RANKS, "ranks.rules")


@pytest.mark.parametrize("engine", ["reference", "native"])
def test_samples_keep_every_army(ranks: Rulebook, engine: str) -> None:
    changed = shown = 0
    for number, played in enumerate(steps(ranks, 5, decisions=40)):
        if number % 4:
            continue
        position = played.position
        game = Game.from_position(ranks, position, engine=engine)
        shown += any(square["shown"] for square in position["square"].values())
        for seat in game.seats:
            world = game.sample(seat, number)

            assert violated_invariants(world, ranks.model.invariants) == []
            assert world.view(seat) == game.view(seat)
            assert world.sample(seat, 3).position == game.sample(seat, 3).position
            changed += world.position != position

    assert changed
    assert shown


def test_samples_of_equal_views_are_equal(ranks: Rulebook) -> None:
    game = Game.start(ranks, seed=1)
    other = game.sample("red", 1)

    assert other.position["player"] != game.position["player"]
    assert [game.sample("red", n).position for n in range(4)] == [
        other.sample("red", n).position for n in range(4)
    ]


def test_samples_exchange_cards_until_the_invariant_holds() -> None:
    book = rulebook.loads(CARDS, "fruits.rules")
    game, hands = Game.start(book, seed=1), set()
    for seed in range(20):
        world = game.sample("p1", seed)
        hands.add(str(world.position["player"]["p2"]["hand"]))

        assert violated_invariants(world, book.model.invariants) == []
        assert world.view("p1") == game.view("p1")
        assert world.sample("p1", seed) == game.sample("p1", seed)

    assert len(hands) > 2


def test_a_failed_search_raises_an_error() -> None:
    game = Game.start(rulebook.loads(RIDDLE, "riddle.rules"), seed=1)

    with pytest.raises(SampleError, match="no game was found") as caught:
        game.sample(game.seats[0], 1)

    assert caught.value.to_json()["tests"] > 0


def test_a_violated_invariant_does_not_restrict_samples() -> None:
    game = Game.start(rulebook.loads(ALIKE, "alike.rules"), seed=1)
    game.apply("give")

    world = game.sample("p2", 1)

    assert violated_invariants(world, game.book.model.invariants)
    assert world.view("p2") == game.view("p2")


def test_a_search_without_possible_changes_ends() -> None:
    """Hangs if only evaluated tests are counted."""
    game = Game.start(rulebook.loads(ALIKE, "alike.rules"), seed=1)
    game.apply("give")
    state = state_of(game)
    hands = [
        CardPlace(block, block.base + block.stride * seat)
        for blocks in state.plan.hidden.cards.values()
        for block in blocks
        for seat in range(2)
    ]

    for place in hands:
        with pytest.raises(SampleError):
            restore_invariants(
                state, UnknownCells([], {"fruit": [place]}), Stream(1, "search")
            )


def test_invariants_need_not_hold_inside_an_action(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A player with ten points wins, but only after the action. Fails if `acting` is
    ignored: the search finds nothing.
    """
    germany = workbench.load("germany")
    looked_for: list[int] = []
    monkeypatch.setattr(samples, "restore_invariants", lambda *_: looked_for.append(1))
    for game in steps(germany, 2, sensible=True):
        for action in game.legal_actions()[:3]:
            game.teaches(action)

    assert not looked_for
