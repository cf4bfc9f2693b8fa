"""A state that agrees with all that a seat knows, the rest drawn anew.

All cards of a domain that the seat cannot see are shuffled together and laid back:
hidden holders keep their sizes, stacks the places of what is known to others.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import rulebook as rb
from interpreter.chance import Stream
from interpreter.layout import Block
from interpreter.plan import Plan
from interpreter.state import State
from interpreter.steps import Decision
from interpreter.view import sees

Counts = list[int]
TRIES = 50


def draw_sample(g: State, seat: int, seed: int) -> State:
    """Return a state for a seat to think about; its own answers are done again."""
    plan = g.plan
    new = g.copy()
    new.given = False
    new.seed = seed
    new.counts = {}
    new.legal = None
    chance = Stream(seed, "sample")
    if g.split is None:
        redraw(plan, new.s, seat, chance)
    else:
        begin_again(new)
        redraw(plan, new.s, seat, chance)
        new = answered_again(g, new, seat, chance)
    new.events = []
    return new


def redraw(plan: Plan, s: list[Any], seat: int, chance: Stream) -> None:
    """Draw anew where the cards are that a seat does not see."""
    for domain, blocks in plan.hidden_blocks.items():
        hidden = [
            (block, block.row(index))
            for block in blocks
            for index in range(block.count)
            if not sees(plan, s, block, index, seat)
        ]
        deck = [0] * plan.facts.sizes[domain]
        heaps = [
            heap for block, row in hidden for heap in gather(s, block, row, seat, deck)
        ]
        if len(heaps) - heaps.count(0) > 1:
            dealt = iter(deal(deck, heaps, chance))
            for block, row in hidden:
                lay(s, block, row, seat, dealt)


def gather(
    s: list[Any], block: Block, row: int, seat: int, deck: Counts
) -> Iterator[int]:
    """Add the cards of a holder that a seat does not know; yield how many, by place.

    A bag is one place. So is each card of a stack that others know, and all the rest.
    """
    if isinstance(block.field.type, rb.Bag):
        counts = s[row : row + block.size]
        add(deck, counts)
        yield sum(counts)
    elif isinstance(block.field.type, rb.Stack):
        entries, pool = s[row]
        for card, mask in entries:
            if card >= 0 and not mask >> seat & 1:
                deck[card] += 1
                yield 1
        add(deck, pool)
        yield sum(pool)
    elif s[row] >= 0:
        deck[s[row]] += 1
        yield 1


def add(deck: Counts, counts: Iterable[int]) -> None:
    """Put cards into the deck."""
    for card, number in enumerate(counts):
        deck[card] += number


def deal(deck: Counts, heaps: list[int], chance: Stream) -> list[Counts]:
    """Deal the deck over heaps of these sizes; the largest has what is left."""
    dealt: list[Counts] = [[]] * len(heaps)
    order = sorted(range(len(heaps)), key=heaps.__getitem__)
    for heap in order[:-1]:
        dealt[heap] = chance.draw(deck, heaps[heap])
    if order:
        dealt[order[-1]] = deck
    return dealt


def lay(
    s: list[Any], block: Block, row: int, seat: int, dealt: Iterator[Counts]
) -> None:
    """Lay back what was dealt to the places of a holder."""
    if isinstance(block.field.type, rb.Bag):
        s[row : row + block.size] = next(dealt)
    elif isinstance(block.field.type, rb.Stack):
        entries, _ = s[row]
        laid = [
            (c, mask) if c < 0 or mask >> seat & 1 else (next(dealt).index(1), mask)
            for c, mask in entries
        ]
        s[row] = (tuple(laid), tuple(next(dealt)))
    elif s[row] >= 0:
        s[row] = next(dealt).index(1)


def begin_again(g: State) -> None:
    """Go back to the beginning of the simultaneous block."""
    assert g.split is not None
    g.s = list(g.split)
    g.waiting = None
    g.answered = ()
    for number, frame in enumerate(g.frames):
        for split in g.plan.units[frame[0]].splits:
            if frame[split.began]:
                del g.frames[number + 1 :]
                frame[split.rest] = frame[split.everybody]
                frame[1] = split.again
                return
    raise AssertionError("no block has begun")


def answered_again(g: State, begun: State, seat: int, chance: Stream) -> State:
    """Return the block as far as `g` has come: other seats have answered anything.

    Where one of them ends its answers too soon or too late, it is tried again.
    """
    begun.split = tuple(begun.s)
    for _ in range(TRIES):
        new = begun.copy()
        new.run()
        if all(answer(new, seat, chance, *one) for one in pairs(g)):
            return new
    begun.run()
    return begun


def pairs(g: State) -> Iterator[tuple[tuple[int, int], int | None]]:
    """Yield the answers so far, each with the seat that came to act after it."""
    now = g.waiting.seat(g) if isinstance(g.waiting, Decision) else None
    seats = [*(who for who, _ in g.answered[1:]), now]
    yield from zip(g.answered, seats, strict=False)


def answer(
    g: State, seat: int, chance: Stream, given: tuple[int, int], then: int | None
) -> bool:
    """Let a seat answer, another one as it likes; whether the right seat comes next."""
    who, index = given
    waiting = g.waiting
    if not isinstance(waiting, Decision) or waiting.seat(g) != who:
        return False
    if who != seat:
        legal = waiting.legal(g, g.s, g.frames[-1])
        index = legal[chance.below(len(legal))]
    waiting.decide(g, index)
    return isinstance(g.waiting, Decision) and g.waiting.seat(g) == then
