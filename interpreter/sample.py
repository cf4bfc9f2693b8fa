"""A state that agrees with all that a seat knows, the rest drawn anew.

All cards of a domain that the seat cannot see are shuffled together and laid back:
hidden holders keep their sizes, stacks the places of what is known to others.
"""

from __future__ import annotations

from typing import Any

import rulebook as rb
from interpreter.chance import Stream
from interpreter.layout import Block
from interpreter.plan import Plan
from interpreter.state import State
from interpreter.steps import Decision
from interpreter.view import sees

Hidden = list[tuple[Block, int]]


def draw_sample(g: State, seat: int, seed: int) -> State:
    """Return a state for a seat to think about; its own answers are done again."""
    plan = g.plan
    new = g.copy()
    new.given = False
    new.seed = seed
    new.counts = {}
    new.legal = None
    answers = [index for who, index in g.answered if who == seat]
    if g.split is not None:
        asked = isinstance(g.waiting, Decision) and g.waiting.seat(g) == seat
        undo_answers(new, seat, first=bool(answers) or asked)
    redraw(plan, new.s, seat, Stream(seed, "sample"))
    if g.split is not None:
        new.split = tuple(new.s)
        answer_again(new, seat, answers)
    new.events = []
    return new


def redraw(plan: Plan, s: list[Any], seat: int, chance: Stream) -> None:
    """Draw anew where the cards are that a seat does not see."""
    for domain, blocks in plan.hidden_blocks.items():
        hidden: Hidden = [
            (block, index)
            for block in blocks
            for index in range(block.count)
            if not sees(plan, s, block, index, seat)
        ]
        if not hidden:
            continue
        deck: list[int] = []
        for block, index in hidden:
            gather(s, block, block.row(index), seat, deck)
        chance.shuffle(deck)
        size = plan.facts.sizes[domain]
        for block, index in hidden:
            lay(s, block, block.row(index), seat, deck, size)


def gather(s: list[Any], block: Block, row: int, seat: int, deck: list[int]) -> None:
    """Add the cards of a holder that a seat does not know."""
    if isinstance(block.field.type, rb.Bag):
        for card, number in enumerate(s[row : row + block.size]):
            deck.extend([card] * number)
    elif isinstance(block.field.type, rb.Stack):
        entries, pool = s[row]
        for card, number in enumerate(pool):
            deck.extend([card] * number)
        deck.extend(c for c, mask in entries if c >= 0 and not mask >> seat & 1)
    elif s[row] >= 0:
        deck.append(s[row])


def lay(
    s: list[Any], block: Block, row: int, seat: int, deck: list[int], size: int
) -> None:
    """Lay as many cards back as the holder had."""
    if isinstance(block.field.type, rb.Bag):
        counts = [0] * size
        for _ in range(sum(s[row : row + block.size])):
            counts[deck.pop()] += 1
        s[row : row + block.size] = counts
    elif isinstance(block.field.type, rb.Stack):
        entries, pool = s[row]
        counts = [0] * size
        for _ in range(sum(pool)):
            counts[deck.pop()] += 1
        laid = tuple(
            [
                (deck.pop(), mask) if c >= 0 and not mask >> seat & 1 else (c, mask)
                for c, mask in entries
            ]
        )
        s[row] = (laid, tuple(counts))
    elif s[row] >= 0:
        s[row] = deck.pop()


def undo_answers(g: State, seat: int, *, first: bool) -> None:
    """Go back to the beginning of the simultaneous block, with the seat first.

    Only if it has been asked already; otherwise it waits for its turn again.
    """
    assert g.split is not None
    g.s = list(g.split)
    for number, frame in enumerate(g.frames):
        for split in g.plan.units[frame[0]].splits:
            if frame[split.began]:
                del g.frames[number + 1 :]
                everybody = frame[split.everybody]
                mine = [member for member in everybody if first and member == seat]
                others = [member for member in everybody if member not in mine]
                frame[split.rest] = (*mine, *others)
                frame[1] = split.again
                return
    raise AssertionError("no block has begun")


def answer_again(g: State, seat: int, answers: list[int]) -> None:
    """Go on to where the seat stands, with the answers it has given."""
    g.waiting = None
    g.answered = ()
    g.run()
    for index in answers:
        assert isinstance(g.waiting, Decision)
        assert g.waiting.seat(g) == seat
        g.waiting.decide(g, index)
