"""Dealing cards over spaces one by one, each draw uniform over what can be completed.

Whether a card can come next is decided exactly: from an arrangement that is known to
work a few exchanges are tried, then all arrangements, leaving off as soon as a test
that reads only what is dealt fails.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from interpreter.tables.chance import Stream
from rulebook import SEARCHES

Test = Callable[[Any], bool]
TRIES = 400
"""Exchanges that are tried from one arrangement."""

FEW = 1_000
"""Arrangements after which a search of all of them is put off."""

STARTS = 6
"""Arrangements from which exchanges are tried before all are searched."""


class TooLong(Exception):
    """No arrangement was found, nor that there is none, in all that may be tried."""


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
    copies = [(card, number) for card, number in enumerate(cards) if number]
    if tests and copies:
        search = Search(s, base, rest, values, tests)
        possible = search.possible(of_a_kind(cards, kinds))
        copies = [(card, number) for card, number in copies if kinds[card] in possible]
    return copies


def of_a_kind(cards: tuple[int, ...], kinds: tuple[int, ...]) -> tuple[int, ...]:
    """Return the cards with the first of each kind in the place of all."""
    by_kind = [0] * len(cards)
    for number, kind in zip(cards, kinds, strict=True):
        by_kind[kind] += number
    return tuple(by_kind)


class Search:
    """Searches for arrangements of the cards that are left, at most `SEARCHES`."""

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
        self.left = SEARCHES
        self.floor = 0

    def possible(self, cards: tuple[int, ...]) -> dict[int, None]:
        """Return the cards with which dealing can go on to the end."""
        deck = [card for card, number in enumerate(cards) for _ in range(number)]
        self.chance.shuffle(deck)
        next_cards: dict[int, None] = {}
        for card, number in enumerate(cards):
            if number:
                place = deck.index(card)
                deck[0], deck[place] = deck[place], deck[0]
                if self.leads_on(cards, deck):
                    next_cards[card] = None
        return next_cards

    def leads_on(self, cards: tuple[int, ...], deck: list[int]) -> bool:
        """Whether some arrangement begins with the first card of a deck.

        Exchanges find one soon where there are many; all are searched where there are
        few, a little at first, and to the end when nothing else has helped.
        """
        if self.improved(deck):
            return True
        known = self.glance(cards, deck[0])
        if known is not None:
            return known
        for _ in range(STARTS):
            first, rest = deck[0], deck[1:]
            self.chance.shuffle(rest)
            deck[:] = [first, *rest]
            if self.improved(deck):
                return True
        return self.complete(cards, deck[0])

    def glance(self, cards: tuple[int, ...], first: int) -> bool | None:
        """Search a few arrangements that begin with a card; None: still unknown."""
        self.floor = max(0, self.left - FEW)
        try:
            return self.complete(cards, first)
        except TooLong:
            return None
        finally:
            self.floor = 0

    def tested(self) -> None:
        """Count an arrangement that is tested."""
        self.left -= 1
        if self.left < self.floor:
            raise TooLong

    def broken(self, deck: list[int]) -> int:
        """Return how many tests an arrangement fails."""
        self.tested()
        for cell, card in zip(self.cells, deck, strict=False):
            self.trial[cell] = self.values[card]
        return sum([not test(self.trial) for test in self.tests])

    def improved(self, deck: list[int]) -> bool:
        """Exchange cards, all but the first, while fewer tests fail, in place."""
        wrong = self.broken(deck)
        for _ in range(TRIES):
            if not wrong or len(deck) < 3:
                break
            here = 1 + self.chance.below(len(deck) - 1)
            there = 1 + self.chance.below(len(deck) - 1)
            if deck[here] == deck[there]:
                continue
            deck[here], deck[there] = deck[there], deck[here]
            now = self.broken(deck)
            if now <= wrong:
                wrong = now
            else:
                deck[here], deck[there] = deck[there], deck[here]
        return not wrong

    def complete(self, cards: tuple[int, ...], first: int) -> bool:
        """Search all arrangements that begin with a card."""
        left = list(cards)
        dealt: list[int] = []
        choices = [iter([first])]
        while choices:
            if len(dealt) == len(choices):
                left[dealt.pop()] += 1
            card = next((card for card in choices[-1] if left[card]), None)
            if card is None:
                choices.pop()
                continue
            self.lay(len(dealt), card)
            left[card] -= 1
            dealt.append(card)
            if self.refuted():
                continue
            if len(dealt) < len(self.cells) and any(left):
                choices.append(iter(range(len(left))))
            elif self.holds():
                return True
        return False

    def lay(self, place: int, card: int) -> None:
        """Deal a card to a place; the cells of those after it are not known."""
        self.tested()
        list.__setitem__(self.dealt, self.cells[place], self.values[card])
        self.dealt.hidden = frozenset(self.cells[place + 1 :])

    def holds(self) -> bool:
        """Whether all tests hold, what is not dealt left as it was."""
        self.dealt.hidden = frozenset()
        return all(test(self.dealt) for test in self.tests)

    def refuted(self) -> bool:
        """Whether a test fails whatever is dealt later."""
        for test in self.tests:
            try:
                if not test(self.dealt):
                    return True
            except Undealt:
                continue
        return False
