"""Random deals of cards to spaces under a condition.

Each draw is uniform over the cards that still allow the deal to be completed. The
search determines these cards exactly. First the search tries a shuffled arrangement.
Then it deals cards one by one, always to the space that the fewest cards fit, and
backtracks at dead ends. If backtracking takes too long, the search exchanges pairs of
cards while this reduces the number of failing tests. Finally it searches all remaining
arrangements.

Every engine counts the same steps: each placed card, each exchange and each
arrangement. A test is therefore evaluated only when all cards that it depends on are
dealt (`Deal.tests`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cached_property, partial
from operator import call
from typing import Any

import attrs

from interpreter.core.chance import Stream
from rulebook.tooling import DEAL_SEARCHES_MAX

ForbiddenPairs = list[tuple[int, int]]
"""Pairs of a place and a card that must not be dealt there."""

Placement = tuple[int, int, ForbiddenPairs]
"""A place, the card dealt there, and the pairs that this placement forbids."""

ViolationTest = Callable[..., Any]
"""Function that returns whether a forbidden condition is true.

Its arguments are the cells of the state and the members that the test is about.
"""

ArrangementCallback = Callable[[list[Any]], Any] | None
"""Function called with the cells of each complete arrangement, or None."""

MAX_EXCHANGES = 400
"""Maximum number of exchanges tried from one arrangement."""

MAX_QUICK_STEPS = 300
"""Maximum number of steps of the short search that precedes exchanges."""

MAX_STARTS = 6
"""Maximum number of arrangements that are improved by exchanges."""


class StepLimitReached(Exception):
    """Raised if the bounded search reaches its step limit without a result."""


@attrs.frozen
class DealTest:
    """Condition that must be false for some members, such as two neighbouring spaces.

    `function_number` is the index of its function in the list of violation tests.
    `scope` contains the members whose cards it depends on.
    """

    function_number: int
    members: tuple[int, ...]
    scope: tuple[int, ...]


@attrs.frozen(slots=False)
class Deal:
    """Fixed data of a deal under a condition.

    `values` contains the value stored for each card. `kinds` maps each card to the
    first card that every test treats the same.
    """

    values: tuple[Any, ...]
    kinds: tuple[int, ...]
    tests: tuple[DealTest, ...]

    @cached_property
    def readers(self) -> dict[int, list[int]]:
        """For each member, the numbers of the tests that depend on its card."""
        readers: dict[int, list[int]] = {}
        for number, test in enumerate(self.tests):
            for member in test.scope:
                readers.setdefault(member, []).append(number)
        return readers


def begin_dealing(
    copies: tuple[int, ...], members: tuple[int, ...]
) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return *copies* unchanged, and the member that gets each dealt card, in order."""
    turns = sum(copies) if members else 0
    return copies, tuple([members[n % len(members)] for n in range(turns)])


def resume_dealing(
    s: list[Any],
    base: int,
    copies: tuple[int, ...],
    values: tuple[Any, ...],
    members: tuple[int, ...],
    start: Any,
) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return the remaining copies of each card, and the members without a card.

    A cell that contains `start` has no card yet; `base` is the cell of member 0.
    """
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
    deal: Deal,
    violation_tests: list[ViolationTest],
    on_arrangement: ArrangementCallback,
) -> list[tuple[int, int]]:
    """Return (card, remaining copies) for each card that may be dealt to `rest[0]`."""
    if not rest:
        return []
    copies = [(card, number) for card, number in enumerate(cards) if number]
    if deal.tests and copies:
        kind_counts = counts_by_kind(cards, deal.kinds)
        search = DealSearch(
            s, base, rest, kind_counts, deal, violation_tests, on_arrangement
        )
        possible = search.possible_cards()
        copies = [pair for pair in copies if deal.kinds[pair[0]] in possible]
    return copies


def counts_by_kind(cards: tuple[int, ...], kinds: tuple[int, ...]) -> tuple[int, ...]:
    """Return the number of cards of each kind, stored at the first card of the kind."""
    by_kind = [0] * len(cards)
    for number, kind in zip(cards, kinds, strict=True):
        by_kind[kind] += number
    return tuple(by_kind)


class DealSearch:
    """Search for arrangements of the remaining cards, with at most `SEARCHES` steps.

    A place is a member that gets a card, numbered in dealing order.
    """

    def __init__(
        self,
        s: list[Any],
        base: int,
        rest: tuple[int, ...],
        cards: tuple[int, ...],
        deal: Deal,
        violation_tests: list[ViolationTest],
        on_arrangement: ArrangementCallback = None,
    ) -> None:
        self.deck = [card for card, number in enumerate(cards) for _ in range(number)]
        members = rest[: len(self.deck)]
        self.cells = [base + member for member in members]
        self.trial = list(s)
        self.on_arrangement = on_arrangement
        self.values = deal.values
        self.fails = [
            partial(violation_tests[test.function_number], self.trial, *test.members)
            for test in deal.tests
        ]
        self.tests_at = [deal.readers.get(member, []) for member in members]
        self.open_counts = [0] * len(self.fails)
        self.places = [0] * len(self.fails)
        for place, numbers in enumerate(self.tests_at):
            for number in numbers:
                self.open_counts[number] += 1
                self.places[number] += place
        self.cards = [card for card, number in enumerate(cards) if number]
        self.left = list(cards)
        self.spare = len(self.deck) - len(members)
        self.forbidden_at: list[set[int]] = [set() for _ in members]
        self.open_places = [len(members)] * len(cards)
        self.is_dealt = [False] * len(members)
        self.placements: list[Placement] = []
        self.chance = Stream(0, "spread")
        self.steps = DEAL_SEARCHES_MAX
        self.step_floor = 0

    # ------------------------------------------------------------- candidates

    def possible_cards(self) -> dict[int, None]:
        """Return the cards that can be dealt next while the deal stays completable."""
        next_cards: dict[int, None] = {}
        for number, unknown in enumerate(self.open_counts):
            if unknown == 1:
                self.forbid_cards(number, [])
            elif not unknown and self.fails[number]():
                return next_cards
        deck = self.deck
        self.chance.shuffle(deck)
        for card in self.cards:
            place = deck.index(card)
            deck[0], deck[place] = deck[place], deck[0]
            if card not in self.forbidden_at[0] and self.has_completion():
                next_cards[card] = None
        return next_cards

    def has_completion(self) -> bool:
        """Return whether a valid arrangement begins with the deck's first card."""
        if self.is_valid():
            return True
        known = self.complete_quickly()
        if known is not None:
            return known
        for start in range(MAX_STARTS):
            if start:
                self.shuffle()
            if self.improve():
                return True
        return self.complete()

    def complete_quickly(self) -> bool | None:
        """Search for a valid arrangement in a few steps; return None if undecided."""
        self.step_floor = max(0, self.steps - MAX_QUICK_STEPS)
        try:
            return self.complete()
        except StepLimitReached:
            return None
        finally:
            self.step_floor = 0

    def step(self) -> None:
        """Count one step; raise `StepLimitReached` at the limit."""
        self.steps -= 1
        if self.steps < self.step_floor:
            while self.placements:
                self.undo_placement()
            raise StepLimitReached

    # ------------------------------------------------------------ complete arrangements

    def shuffle(self) -> None:
        """Shuffle all cards of the deck but the first."""
        rest = self.deck[1:]
        self.chance.shuffle(rest)
        self.deck[1:] = rest

    def deal_deck(self) -> None:
        """Deal the deck to the places in its current order."""
        self.step()
        for cell, card in zip(self.cells, self.deck, strict=False):
            self.trial[cell] = self.values[card]
        self.report_arrangement()

    def report_arrangement(self) -> None:
        """Pass the current arrangement to the callback, if there is one."""
        if self.on_arrangement is not None:
            self.on_arrangement(self.trial)

    def is_valid(self) -> bool:
        """Return whether all tests pass for the deck in its current order."""
        self.deal_deck()
        return not any(map(call, self.fails))

    def improve(self) -> bool:
        """Exchange cards to make all tests pass; return whether this succeeded.

        Exchanges that increase the number of failing tests are undone. The first card
        stays in place.
        """
        deck, last = self.deck, len(self.deck) - 1
        self.deal_deck()
        failing = {number for number, fails in enumerate(self.fails) if fails()}
        for _ in range(MAX_EXCHANGES):
            if not failing or last < 2:
                break
            first = 1 + self.chance.next_below(last)
            second = 1 + self.chance.next_below(last)
            if deck[first] == deck[second]:
                continue
            self.step()
            before = self.exchange(first, second, failing)
            if len(failing) > before:
                self.exchange(first, second, failing)
        return not failing

    def exchange(self, first: int, second: int, failing: set[int]) -> int:
        """Exchange two cards of the deck; update *failing* and return its old size."""
        before, deck = len(failing), self.deck
        deck[first], deck[second] = deck[second], deck[first]
        places = [place for place in (first, second) if place < len(self.cells)]
        for place in places:
            self.trial[self.cells[place]] = self.values[deck[place]]
        for place in places:
            for number in self.tests_at[place]:
                if self.fails[number]():
                    failing.add(number)
                else:
                    failing.discard(number)
        return before

    # ------------------------------------------------------------ backtracking

    def complete(self) -> bool:
        """Complete the deal by backtracking; return whether this succeeded."""
        choices: list[Iterator[tuple[int, int]]] = [iter([(0, self.deck[0])])]
        while choices:
            if len(self.placements) == len(choices):
                self.undo_placement()
            choice = next(choices[-1], None)
            if choice is None:
                choices.pop()
            elif self.place_card(*choice):
                if len(self.placements) == len(self.cells):
                    self.store_arrangement()
                    return True
                choices.append(iter(self.best_placements()))
        return False

    def store_arrangement(self) -> None:
        """Put the placed cards into the deck in order, and clear their places."""
        self.report_arrangement()
        rest = [card for card in self.cards for _ in range(self.left[card])]
        for place, card, _ in self.placements:
            self.deck[place] = card
        self.deck[len(self.cells) :] = rest
        while self.placements:
            self.undo_placement()

    def best_placements(self) -> list[tuple[int, int]]:
        """Return the (place, card) pairs possible at the most constrained place."""
        left = [card for card in self.cards if self.left[card]]
        fewest, best = len(left) + 1, 0
        for place, forbidden_cards in enumerate(self.forbidden_at):
            if not self.is_dealt[place]:
                choices = len(left) - len(forbidden_cards.intersection(left))
                if choices < fewest:
                    fewest, best = choices, place
                    if choices < 2:
                        break
        first = self.deck[best]
        fitting = [card for card in left if card not in self.forbidden_at[best]]
        fitting.sort(key=lambda card: card != first)
        return [(best, card) for card in fitting]

    def place_card(self, place: int, card: int) -> bool:
        """Place a card; return False if the deal can no longer be completed."""
        self.step()
        self.trial[self.cells[place]] = self.values[card]
        self.is_dealt[place] = True
        self.left[card] -= 1
        forbidden: list[tuple[int, int]] = []
        self.placements.append((place, card, forbidden))
        for other in self.cards:
            if other not in self.forbidden_at[place]:
                self.open_places[other] -= 1
        for number in self.tests_at[place]:
            self.open_counts[number] -= 1
            self.places[number] -= place
        for number in self.tests_at[place]:
            unknown = self.open_counts[number]
            if unknown == 1:
                self.forbid_cards(number, forbidden)
            elif not unknown and self.fails[number]():
                return False
        return all(
            self.left[card] - self.spare <= self.open_places[card]
            for card in self.cards
        )

    def forbid_cards(self, number: int, forbidden: ForbiddenPairs) -> None:
        """Forbid the cards that fail test *number* at its last open place.

        Add the new (place, card) pairs to *forbidden*.
        """
        place, fails = self.places[number], self.fails[number]
        cell, forbidden_here = self.cells[place], self.forbidden_at[place]
        for card in self.cards:
            if card not in forbidden_here and self.left[card]:
                self.trial[cell] = self.values[card]
                if fails():
                    forbidden_here.add(card)
                    self.open_places[card] -= 1
                    forbidden.append((place, card))

    def undo_placement(self) -> None:
        """Remove the card that was placed last."""
        place, card, forbidden = self.placements.pop()
        for other_place, forbidden_card in forbidden:
            self.forbidden_at[other_place].discard(forbidden_card)
            self.open_places[forbidden_card] += 1
        for number in self.tests_at[place]:
            self.open_counts[number] += 1
            self.places[number] += place
        for other in self.cards:
            if other not in self.forbidden_at[place]:
                self.open_places[other] += 1
        self.left[card] += 1
        self.is_dealt[place] = False
