"""Dealing cards over spaces one by one, each draw uniform over what can be completed.

Whether a card can come next is decided exactly: from an arrangement that is known to
work a few exchanges are tried, then all arrangements, leaving off as soon as a test
that reads only what is dealt fails.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from interpreter.chance import Stream

Test = Callable[[Any], bool]
TRIES = 400


class Undealt(Exception):
    """A test reads what has not been dealt yet."""


class Dealt(list[Any]):
    """Cells of which some are not dealt yet: to read these is `Undealt`."""

    hidden: frozenset[int] = frozenset()

    def __getitem__(self, place: Any) -> Any:
        """Return a cell or a slice, when it is known."""
        if isinstance(place, slice):
            if any(cell in self.hidden for cell in range(*place.indices(len(self)))):
                raise Undealt
        elif place in self.hidden:
            raise Undealt
        return list.__getitem__(self, place)


def begin_dealing(
    copies: tuple[int, ...], members: tuple[int, ...]
) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return the cards, and for each of them the stack to which it goes, in turn."""
    turns = sum(copies) if members else 0
    return copies, tuple([members[n % len(members)] for n in range(turns)])


def begin_spread(
    s: list[Any],
    base: int,
    copies: tuple[int, ...],
    values: Sequence[Any],
    members: tuple[int, ...],
    start: Any,
) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return the cards and members that are left when some were dealt beforehand."""
    left = list(copies)
    rest = []
    for member in members:
        value = s[base + member]
        cards = [c for c, n in enumerate(left) if n and values[c] == value]
        if value == start or not cards:
            rest.append(member)
        else:
            left[cards[0]] -= 1
    return tuple(left), tuple(rest)


def spread_outcomes(
    s: list[Any],
    base: int,
    cards: tuple[int, ...],
    rest: tuple[int, ...],
    values: Sequence[Any],
    kinds: tuple[int, ...],
    tests: list[Test],
) -> list[tuple[int, int]]:
    """Return the cards that can come next, weighted by the copies that are left.

    `kinds` has for each card the first one that the tests cannot tell from it.
    """
    if not rest:
        return []
    found = [(card, number) for card, number in enumerate(cards) if number]
    if tests and found:
        search = Search(s, base, rest, values, tests)
        possible = search.possible(of_a_kind(cards, kinds))
        found = [(card, number) for card, number in found if kinds[card] in possible]
    return found


def of_a_kind(cards: tuple[int, ...], kinds: tuple[int, ...]) -> tuple[int, ...]:
    """Return the cards with the first of each kind in the place of all."""
    found = [0] * len(cards)
    for number, kind in zip(cards, kinds, strict=True):
        found[kind] += number
    return tuple(found)


class Search:
    """Searches for arrangements of the cards that are left."""

    def __init__(
        self,
        s: list[Any],
        base: int,
        rest: tuple[int, ...],
        values: Sequence[Any],
        tests: list[Test],
    ) -> None:
        self.cells = [base + member for member in rest]
        self.values = values
        self.tests = tests
        self.trial = list(s)
        self.dealt = Dealt(s)
        self.chance = Stream(0, "spread")

    def possible(self, cards: tuple[int, ...]) -> dict[int, None]:
        """Return the cards with which dealing can go on to the end."""
        deck = [card for card, number in enumerate(cards) for _ in range(number)]
        self.chance.shuffle(deck)
        found: dict[int, None] = {}
        for card, number in enumerate(cards):
            if number:
                place = deck.index(card)
                deck[0], deck[place] = deck[place], deck[0]
                if self.improved(deck) or self.complete(cards, card):
                    found[card] = None
        return found

    def broken(self, deck: list[int]) -> int:
        """Return how many tests an arrangement fails."""
        for cell, card in zip(self.cells, deck, strict=False):
            self.trial[cell] = self.values[card]
        return sum([not test(self.trial) for test in self.tests])

    def improved(self, deck: list[int]) -> bool:
        """Exchange cards, all but the first, while fewer tests fail, in place."""
        wrong = self.broken(deck)
        for _ in range(TRIES):
            if not wrong or len(deck) < 3:
                break
            one = 1 + self.chance.below(len(deck) - 1)
            other = 1 + self.chance.below(len(deck) - 1)
            deck[one], deck[other] = deck[other], deck[one]
            now = self.broken(deck)
            if now <= wrong:
                wrong = now
            else:
                deck[one], deck[other] = deck[other], deck[one]
        return not wrong

    def complete(self, cards: tuple[int, ...], first: int) -> bool:
        """Search all arrangements that begin with a card."""
        left = list(cards)
        return self.deal(left, 0, [first])

    def deal(self, left: list[int], place: int, choice: Sequence[int]) -> bool:
        """Deal one of some cards to a place, then the others after it."""
        if place == len(self.cells) or not any(left):
            self.dealt.hidden = frozenset()
            return all(test(self.dealt) for test in self.tests)
        for card in choice:
            if left[card]:
                left[card] -= 1
                list.__setitem__(self.dealt, self.cells[place], self.values[card])
                self.dealt.hidden = frozenset(self.cells[place + 1 :])
                good = not self.refuted() and self.deal(
                    left, place + 1, range(len(left))
                )
                left[card] += 1
                if good:
                    return True
        return False

    def refuted(self) -> bool:
        """Whether a test fails whatever is dealt later."""
        for test in self.tests:
            try:
                if not test(self.dealt):
                    return True
            except Undealt:
                continue
        return False
