"""Stacks of cards of which some are known and the others lie in a pool (law 4)."""

from __future__ import annotations

from interpreter.layout import Entry, StackValue
from rulebook import NONE

UNKNOWN: Entry = (NONE, 0)


def with_change(pool: tuple[int, ...], card: int, change: int) -> tuple[int, ...]:
    """Return the pool with more or fewer of one card."""
    return (*pool[:card], pool[card] + change, *pool[card + 1 :])


def unknown_stack(pool: tuple[int, ...]) -> StackValue:
    """Return a stack of which only the cards are known, not their order."""
    return (UNKNOWN,) * sum(pool), pool


def contents(stack: StackValue) -> tuple[int, ...]:
    """Return how many of each card the stack holds, known or not."""
    entries, pool = stack
    counts = list(pool)
    for card, _ in entries:
        if card != NONE:
            counts[card] += 1
    return tuple(counts)


def count(stack: StackValue, card: int) -> int:
    """Return how many of one card the stack holds."""
    return 0 if card < 0 else contents(stack)[card]


def kinds(stack: StackValue) -> tuple[int, ...]:
    """Return the cards of which the stack holds at least one."""
    return tuple([card for card, held in enumerate(contents(stack)) if held])


def top(stack: StackValue) -> int:
    """Return the top card where it is known, else none."""
    entries, _ = stack
    return entries[0][0] if entries else NONE


def put(stack: StackValue, card: int, number: int, end: str, seats: int) -> StackValue:
    """Lay cards on an end of the stack; `seats` know them."""
    entries, pool = stack
    new = ((card, seats),) * number
    return (new + entries if end == "top" else entries + new), pool


def take(stack: StackValue, card: int) -> StackValue:
    """Take out the uppermost card of a kind, a known one rather than another."""
    entries, pool = stack
    for place, (known, _) in enumerate(entries):
        if known == card:
            return entries[:place] + entries[place + 1 :], pool
    place = entries.index(UNKNOWN)
    return entries[:place] + entries[place + 1 :], with_change(pool, card, -1)


def take_top(stack: StackValue, card: int) -> StackValue:
    """Take the top card, of which it is now known what it is."""
    entries, pool = stack
    if entries[0][0] == NONE:
        pool = with_change(pool, card, -1)
    return entries[1:], pool


def learn(stack: StackValue, card: int, seats: int) -> StackValue:
    """Let it be known what the uppermost unknown card is."""
    entries, pool = stack
    place = entries.index(UNKNOWN)
    known = (*entries[:place], (card, seats), *entries[place + 1 :])
    return known, with_change(pool, card, -1)


def show(stack: StackValue, seats: int) -> StackValue:
    """Let more seats know the cards whose place is known."""
    entries, pool = stack
    shown = tuple(
        [(card, seats | known) if card != NONE else UNKNOWN for card, known in entries]
    )
    return shown, pool


def show_top(stack: StackValue, seats: int) -> StackValue:
    """Let more seats know the top card."""
    entries, pool = stack
    card, known = entries[0]
    return ((card, known | seats), *entries[1:]), pool


def shuffled(stack: StackValue) -> StackValue:
    """Forget the order."""
    return unknown_stack(contents(stack))
