"""Stacks: known places, a pool of unknown cards, who knows what."""

from interpreter import stacks

POOL = (2, 1, 0)


def test_an_unknown_stack_has_its_cards_in_no_order() -> None:
    stack = stacks.unknown_stack(POOL)

    assert stack == (((-1, 0),) * 3, POOL)
    assert stacks.top(stack) == -1
    assert stacks.contents(stack) == POOL
    assert stacks.kinds(stack) == (0, 1)


def test_what_is_put_on_top_is_known_there() -> None:
    stack = stacks.put(stacks.unknown_stack(POOL), 2, 1, "top", 0b11)

    assert stacks.top(stack) == 2
    assert stacks.count(stack, 2) == 1
    assert stacks.take_top(stack, 2) == stacks.unknown_stack(POOL)


def test_taking_an_unknown_card_takes_it_from_the_pool() -> None:
    assert stacks.take_top(stacks.unknown_stack(POOL), 0)[1] == (1, 1, 0)
    assert stacks.take(stacks.unknown_stack(POOL), 1)[1] == (2, 0, 0)


def test_looking_through_keeps_the_order_until_a_shuffle() -> None:
    stack = stacks.unknown_stack(POOL)
    for card in (0, 1, 0):
        stack = stacks.learn(stack, card, 0b01)

    assert stack == (((0, 1), (1, 1), (0, 1)), (0, 0, 0))
    assert stacks.show(stack, 0b10)[0] == ((0, 3), (1, 3), (0, 3))
    assert stacks.take(stack, 1)[0] == ((0, 1), (0, 1))
    assert stacks.shuffled(stack) == stacks.unknown_stack(POOL)
