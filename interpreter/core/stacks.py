"""Stacks of cards: some places have a known card, the other cards form a pool."""

from __future__ import annotations

from interpreter.core.layout import Entry, StackValue
from rulebook.model import NONE, StackEnd

UNKNOWN: Entry = (NONE, 0)


def with_change(pool: tuple[int, ...], card: int, change: int) -> tuple[int, ...]:
    """Return the pool with *change* more copies of a card (fewer if negative)."""
    return (*pool[:card], pool[card] + change, *pool[card + 1 :])


def unknown_stack(pool: tuple[int, ...]) -> StackValue:
    """Return a stack whose cards are known, but not their order."""
    return (UNKNOWN,) * sum(pool), pool


def contents(stack: StackValue) -> tuple[int, ...]:
    """Return the number of each card in the stack."""
    entries, pool = stack
    counts = list(pool)
    for card, _ in entries:
        if card != NONE:
            counts[card] += 1
    return tuple(counts)


def count(stack: StackValue, card: int) -> int:
    """Return the number of copies of a card in the stack."""
    return 0 if card < 0 else contents(stack)[card]


def kinds(stack: StackValue) -> tuple[int, ...]:
    """Return the cards that the stack contains at least once."""
    return tuple([card for card, held in enumerate(contents(stack)) if held])


def entry(stack: StackValue, place: int) -> int:
    """Return the card at a place from 0, the top; none if unknown or out of range."""
    entries, _ = stack
    return entries[place][0] if 0 <= place < len(entries) else NONE


def put(stack: StackValue, card: int, number: int, end: str, seats: int) -> StackValue:
    """Put copies of a card on an end of the stack, known to *seats* (a bit mask)."""
    entries, pool = stack
    new = ((card, seats),) * number
    return (new + entries if end == StackEnd.TOP else entries + new), pool


def take(stack: StackValue, card: int, informed_seats: int) -> StackValue:
    """Remove a card: its uppermost copy with a known place, or else an unknown card.

    Nobody sees how deep the card was, and only `informed_seats` (a bit mask) know which
    card it was. The other seats forget every place that the removal makes uncertain.
    """
    entries, pool = stack
    place = place_of(entries, card)
    if entries[place] == UNKNOWN:
        pool = with_change(pool, card, -1)
    left = list(entries[:place] + entries[place + 1 :])
    known_to = 0
    for _, mask in entries:
        known_to |= mask
    for seat in range(known_to.bit_length()):
        low, high = possible_places(entries, card, seat, informed_seats)
        for at in range(low, high):
            (above, above_seats), (below, below_seats) = entries[at], entries[at + 1]
            if above != below or not (above_seats & below_seats) >> seat & 1:
                left[at] = (left[at][0], left[at][1] & ~(1 << seat))
    return tuple(left), pool


def place_of(entries: tuple[Entry, ...], card: int) -> int:
    """Return the place of a card's uppermost known copy, or of an unknown card."""
    for place, (known, _) in enumerate(entries):
        if known == card:
            return place
    return entries.index(UNKNOWN)


def possible_places(
    entries: tuple[Entry, ...], card: int, seat: int, informed_seats: int
) -> tuple[int, int]:
    """Return the first and last place that a seat thinks a taken card may have had."""
    own = [known if mask >> seat & 1 else NONE for known, mask in entries]
    uppermost = {known: own.index(known) for known in own}
    places = {at for at, known in enumerate(own) if known == NONE}
    if not informed_seats >> seat & 1:
        places.update(uppermost.values())
    elif card in uppermost:
        place = uppermost[card]
        places = {place, *[at for at in places if at < place]}
    return min(places), max(places)


def take_top(stack: StackValue, card: int) -> StackValue:
    """Remove the top card, which has just become known."""
    entries, pool = stack
    if entries[0][0] == NONE:
        pool = with_change(pool, card, -1)
    return entries[1:], pool


def reveal_unknown(stack: StackValue, card: int, seats: int) -> StackValue:
    """Reveal to *seats* (a bit mask) that the uppermost unknown card is *card*."""
    entries, pool = stack
    place = entries.index(UNKNOWN)
    known = (*entries[:place], (card, seats), *entries[place + 1 :])
    return known, with_change(pool, card, -1)


def show(stack: StackValue, seats: int) -> StackValue:
    """Reveal all cards with known places to *seats* (a bit mask) too."""
    entries, pool = stack
    revealed = tuple(
        [(card, seats | known) if card != NONE else UNKNOWN for card, known in entries]
    )
    return revealed, pool


def show_top(stack: StackValue, seats: int) -> StackValue:
    """Reveal the top card to *seats* (a bit mask) too."""
    entries, pool = stack
    card, known = entries[0]
    return ((card, known | seats), *entries[1:]), pool


def shuffled(stack: StackValue) -> StackValue:
    """Return the stack with the order of its cards unknown."""
    return unknown_stack(contents(stack))
