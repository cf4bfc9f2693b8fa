"""Counters for the sites of a book in counted games."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import attrs

from interpreter.core.facts import Facts
from interpreter.core.layout import Block
from interpreter.core.stacks import contents
from interpreter.measure.counting.sites import Sites
from rulebook import model as m

Tally = tuple[tuple[int, int], ...]
"""For each site, the number of true and of false evaluations.

Reaching a site without a truth value counts as true.
"""


class Counts:
    """Counters for each site, shared by all games of a book."""

    def __init__(self, sites: Sites) -> None:
        self.sites = sites
        self.true_counts = [0] * len(sites.in_order)
        self.false_counts = [0] * len(sites.in_order)
        self.before: list[Any] = []

    def take(self) -> Tally:
        """Return the counts, and reset them to 0."""
        tally = tuple(zip(self.true_counts, self.false_counts, strict=True))
        self.true_counts[:] = self.false_counts[:] = [0] * len(tally)
        self.before = []
        return tally

    def count_condition(self, number: int, result: Any) -> Any:
        """Count the evaluation of the condition at site *number*; return its result."""
        if result:
            self.true_counts[number] += 1
        else:
            self.false_counts[number] += 1
        return result

    def count_row(self, numbers: tuple[int, ...], member: int) -> int:
        """Count a use of a member's table row (sites: *numbers*); return the member."""
        if member >= 0:
            number = numbers[member % len(numbers)]
            if number >= 0:
                self.true_counts[number] += 1
        return member


@attrs.frozen
class MoveDetector:
    """Detector of cards that an effect moves; it compares fields before and after.

    `card_fields` are the fields that hold cards, each with the sites of its cards.
    """

    counts: Counts
    card_fields: tuple[tuple[Block, tuple[int, ...]], ...]

    @classmethod
    def for_facts(cls, counts: Counts, facts: Facts) -> MoveDetector:
        """Return the detector for games with these players and options."""
        cards = counts.sites.cards
        card_fields = [
            (block, cards[domain])
            for block in facts.layout.fields.values()
            if (domain := getattr(block.field.type, "domain", None)) in cards
        ]
        return cls(counts, tuple(card_fields))

    def begin(self, s: list[Any]) -> None:
        """Store the contents of all cells before an effect."""
        self.counts.before = s[:]

    def end(self, s: list[Any]) -> None:
        """Count the cards whose places have changed since the effect began.

        If the game was resumed in the middle of an effect, nothing is counted.
        """
        before, held = self.counts.before, self.counts.true_counts
        if not before:
            return
        cards: dict[int, None] = {}
        for block, sites in self.card_fields:
            end = block.base + block.count * block.stride
            if s[block.base : end] != before[block.base : end]:
                cards.update(
                    (sites[card], None) for card in changed_cards(block, before, s)
                )
        for number in cards:
            if number >= 0:
                held[number] += 1


def changed_cards(block: Block, before: list[Any], after: list[Any]) -> Iterator[int]:
    """Yield the cards whose number in a field has changed."""
    kind = block.field.type
    for owner in range(block.count):
        row = block.row(owner)
        old, new = before[row], after[row]
        if isinstance(kind, m.Bag):
            places = range(row, row + block.size)
            yield from (n for n, c in enumerate(places) if before[c] != after[c])
        elif old == new:
            continue
        elif isinstance(kind, m.Stack):
            pairs = zip(contents(old), contents(new), strict=True)
            yield from (n for n, (a, b) in enumerate(pairs) if a != b)
        else:
            yield from (card for card in (old, new) if card >= 0)
