"""Stacks: known places, a pool of unknown cards, and the knowledge of seats."""

from collections import defaultdict
from itertools import product
from pathlib import Path

import pytest

import rulebook
from interpreter import Game, run_scenario
from interpreter.core import stacks
from interpreter.core.layout import StackValue
from tests.native.compilers import NEEDS_C

POOL = (2, 1, 0)


def test_an_unknown_stack_has_no_order() -> None:
    stack = stacks.unknown_stack(POOL)

    assert stack == (((-1, 0),) * 3, POOL)
    assert stacks.entry(stack, 0) == -1
    assert stacks.contents(stack) == POOL
    assert stacks.kinds(stack) == (0, 1)


def test_a_card_put_on_top_is_known_there() -> None:
    stack = stacks.put(stacks.unknown_stack(POOL), 2, 1, "top", 0b11)

    assert stacks.entry(stack, 0) == 2
    assert stacks.entry(stack, -1) == stacks.entry(stack, 9) == -1
    assert stacks.count(stack, 2) == 1
    assert stacks.take_top(stack, 2) == stacks.unknown_stack(POOL)


def test_taking_an_unknown_card_takes_it_from_the_pool() -> None:
    assert stacks.take_top(stacks.unknown_stack(POOL), 0)[1] == (1, 1, 0)
    assert stacks.take(stacks.unknown_stack(POOL), 1, 0)[1] == (2, 0, 0)


def test_looking_through_keeps_the_order_until_a_shuffle() -> None:
    stack = stacks.unknown_stack(POOL)
    for card in (0, 1, 0):
        stack = stacks.reveal_unknown(stack, card, 0b01)

    assert stack == (((0, 1), (1, 1), (0, 1)), (0, 0, 0))
    assert stacks.show(stack, 0b10)[0] == ((0, 3), (1, 3), (0, 3))
    assert stacks.take(stack, 1, 0b01)[0] == ((0, 1), (0, 1))
    assert stacks.shuffled(stack) == stacks.unknown_stack(POOL)


def made_of(cards: tuple[tuple[int, int], ...]) -> StackValue:
    """Return a stack of cards known to some seats; unknown cards are in the pool."""
    entries = tuple([(card, mask) if mask else (-1, 0) for card, mask in cards])
    pool = [0, 0, 0]
    for card, mask in cards:
        pool[card] += not mask
    return entries, tuple(pool)


def known_to_first(stack: StackValue) -> tuple[int, ...]:
    """Return the cards of a stack that the first seat knows, by place."""
    return tuple([card if mask & 1 else -1 for card, mask in stack[0]])


@pytest.mark.parametrize("told", [False, True])
def test_knowledge_of_a_stack_does_not_reveal_the_removed_card(told: bool) -> None:
    """For every stack of four cards, a seat knows exactly what is the same in all
    possible stacks. There are three kinds; each card is known to the first seat, the
    second, both or nobody.
    """
    may_be = defaultdict(set)
    is_known = defaultdict(set)
    for cards in product(product((0, 1, 2), (0, 1, 2, 3)), repeat=4):
        stack = made_of(cards)
        for card in stacks.kinds(stack):
            taken = stacks.take(stack, card, 0b11 if told else 0b10)
            asked = (known_to_first(stack), card if told else None)
            may_be[asked].add(tuple([card for card, _ in taken[0]]))
            is_known[asked].add(known_to_first(taken))

    assert may_be
    for asked, stacked in may_be.items():
        alike = [set(place) for place in zip(*stacked, strict=True)]
        sure = tuple([place.pop() if len(place) == 1 else -1 for place in alike])
        assert is_known[asked] == {sure}


def test_reads_the_card_at_each_place() -> None:
    text = (Path(__file__).parent / "rows.rules").read_text(encoding="utf-8")
    book = rulebook.loads(text, "rows.rules")

    for scenario in book.model.scenarios:
        verdict = run_scenario(book, scenario)
        assert verdict.status == "passed", verdict.message


LOOKED_AT = """rules language 1
rulebook looked_at "Looked at"
  players 2
  seats red, blue
cards fate (fates)
  card | copies
  luck | 3
  ruin | 2
game has
  pile: stack of fate, seen by all, starts with every fate
action look
  you see pile
action guess(fate)
  if top card of pile is fate: you win
  otherwise: nobody wins
turn
  phase day
    you do look, guess
points of player
  none: 0
"""


def looked_at(seed: int, engine: str = "reference") -> Game:
    """Return a game in which the first seat has looked at a public stack."""
    game = Game.start(rulebook.loads(LOOKED_AT), seed=seed, engine=engine)
    game.apply("look")
    while game.to_act == "chance":
        game.apply(game.legal_actions()[0])
    return game


def test_only_the_seat_that_looked_at_a_public_stack_knows_its_cards() -> None:
    game = looked_at(1)
    piles = [game.view(seat)["game"]["pile"] for seat in ("red", "blue", None)]

    assert [place["known_to"] for place in piles[0]["known"]] == [["red"]] * 5
    hidden = {"known": [None] * 5, "pool": {"luck": 3, "ruin": 2}}
    assert piles[1:] == [hidden, hidden]
    assert game.sample("blue", 1).view("blue") == game.view("blue")


@pytest.mark.parametrize("engine", ["reference", pytest.param("native", marks=NEEDS_C)])
def test_a_sample_shuffles_a_public_stack_for_seats_that_have_not_looked(
    engine: str,
) -> None:
    """For the seat that looked, every sample keeps the order."""
    game = looked_at(1, engine)

    def order(sample: Game) -> tuple[str, ...]:
        return tuple([x["card"] for x in sample.position["game"]["pile"]["known"]])

    own = {order(game.sample("red", seed)) for seed in range(40)}
    others = [order(game.sample("blue", seed)) for seed in range(400)]
    assert own == {order(game)}
    assert {tuple(sorted(each)) for each in others} == {tuple(sorted(order(game)))}
    assert len({*others}) == 10
    assert 200 < sum(each[0] == "luck" for each in others) < 280
    sample = game.sample("blue", 7)
    assert order(sample.sample("blue", 7)) == order(sample)
    assert sample.view("blue") == game.view("blue")
