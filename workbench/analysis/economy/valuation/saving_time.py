"""Expected number of turns until a cost is affordable, computed exactly.

The seat starts with an empty hand and saves for one purchase only. The mean is the sum,
over all turns, of the probability that the price cannot be paid yet.

A hand consists of three parts: cards towards the price, cards obtained by exchange, and
spare cards. The price can be paid when exchanged cards cover all that is missing.
Stored cards are never lost, so each hand leads only to itself and to fuller ones. One
pass from the fullest to the emptiest is therefore exact. For kinds with limited room,
cards beyond the limit are lost.
"""

from __future__ import annotations

import sys
from collections.abc import Container, Mapping, Sequence
from fractions import Fraction

import attrs

from workbench.analysis.economy.probes.turns import GainOdds

MAX_HANDS = 150_000
"""Maximum number of hands that are explored."""
Terms = Mapping[str, tuple[int, int]]
"""Exchange terms by kind: number of cards given, number of cards received."""
Hand = tuple[int, ...]
"""Number of exchanged cards, then the count of each kind, kinds of the price first."""
Draws = Sequence[tuple[tuple[int, ...], float]]


class TooManyHands(Exception):
    """Raised if there are too many hands to explore."""


def mean_saving_time(
    cost: Mapping[str, int],
    turns: Sequence[GainOdds],
    terms: Terms,
    exchanged_kinds: Container[str],
    initial_hand: Mapping[str, int] | None = None,
    storage_limits: Mapping[str, int] | None = None,
) -> float | None:
    """Return the mean number of turns until a cost can be paid, or None if never.

    *turns* gives the possible gains of successive turns, in a cycle. *terms* gives the
    exchange terms, and *exchanged_kinds* the kinds that exchanges provide.
    *storage_limits* limits the stored amount of a kind. Raises `TooManyHands`.
    """
    storage_limits = storage_limits or {}
    if any(count > storage_limits.get(kind, count) for kind, count in cost.items()):
        return None
    kinds = [
        kind for kind in _kinds(turns, initial_hand) if kind in cost or kind in terms
    ]
    kinds = list(dict.fromkeys((*cost, *kinds)))
    saver = SavingTimeCalculator(
        tuple(cost.get(kind, 0) for kind in kinds),
        tuple(terms.get(kind) for kind in kinds),
        tuple(kind in exchanged_kinds for kind in kinds),
        tuple(storage_limits.get(kind) for kind in kinds),
        tuple(_gains_by_kind(odds, kinds) for odds in turns),
    )
    first = tuple((initial_hand or {}).get(kind, 0) for kind in kinds)
    return saver.expected_wait(saver.hand_after(0, (0,) * len(kinds), first))


def _kinds(
    turns: Sequence[GainOdds], initial_hand: Mapping[str, int] | None
) -> list[str]:
    """Return the kinds that a turn can yield or the initial hand contains."""
    named = [kind for odds in turns for gains in odds for kind, _ in gains]
    return list(dict.fromkeys((*named, *(initial_hand or {}))))


def _gains_by_kind(odds: GainOdds, kinds: Sequence[str]) -> Draws:
    """Return the gains of a turn as counts of *kinds*; losses count as 0."""
    draws: dict[tuple[int, ...], Fraction] = {}
    for gains, weight in odds.items():
        counts = dict(gains)
        bag = tuple(max(counts.get(kind, 0), 0) for kind in kinds)
        draws[bag] = draws.get(bag, Fraction()) + weight
    return tuple((bag, float(weight)) for bag, weight in draws.items())


@attrs.define
class SavingTimeCalculator:
    """Calculator of the expected wait for one price from each hand, with a cache."""

    cost: tuple[int, ...]
    terms: tuple[tuple[int, int] | None, ...]
    is_obtainable: tuple[bool, ...]
    room: tuple[int | None, ...]
    turns: tuple[Draws, ...]
    cache: dict[Hand, tuple[float | None, ...]] = attrs.field(factory=dict)

    def hand_after(
        self, exchanged: int, counts: Sequence[int], added: Sequence[int]
    ) -> Hand:
        """Return the hand after adding *added* cards and exchanging spare ones."""
        hand = []
        for had, new, price, term, room in zip(
            counts, added, self.cost, self.terms, self.room, strict=True
        ):
            count = had + new if room is None else min(had + new, room)
            if term is None:
                count = min(count, price)
            elif count >= price + term[0]:
                times = (count - price) // term[0]
                exchanged += times * term[1]
                count -= times * term[0]
            hand.append(count)
        if exchanged < self.max_useful_exchanges:
            return exchanged, *hand
        return self.max_useful_exchanges, *map(min, hand, self.cost)

    @property
    def max_useful_exchanges(self) -> int:
        """Maximum number of exchanged cards that can be useful for the price."""
        pairs = zip(self.cost, self.is_obtainable, strict=True)
        return sum(price for price, obtainable in pairs if obtainable)

    def can_pay(self, hand: Hand) -> bool:
        """Return whether a hand can pay the price."""
        missing = 0
        for price, had, obtainable in zip(
            self.cost, hand[1:], self.is_obtainable, strict=True
        ):
            if price > had and not obtainable:
                return False
            missing += max(price - had, 0)
        return missing <= hand[0]

    def expected_wait(self, hand: Hand) -> float | None:
        """Return the mean number of turns until a hand can pay, or None if never."""
        limit = sys.getrecursionlimit()
        sys.setrecursionlimit(max(limit, 20_000))
        try:
            return self.expected_waits(hand)[0]
        finally:
            sys.setrecursionlimit(limit)

    def expected_waits(self, hand: Hand) -> tuple[float | None, ...]:
        """Return, for each turn as the next one, the mean wait until a hand can pay.

        If a turn yields nothing, the hand stays the same and the next turn follows.
        Each wait is therefore a number of turns plus a share of the wait from the first
        turn. It is None if the hand can never pay.
        """
        if hand in self.cache:
            return self.cache[hand]
        if len(self.cache) >= MAX_HANDS:
            raise TooManyHands
        if self.can_pay(hand):
            self.cache[hand] = (0.0,) * len(self.turns)
            return self.cache[hand]
        after_gains = [
            self._wait_after_gains(hand, number) for number in range(len(self.turns))
        ]
        all_stay = 1.0
        for _, stay in after_gains:
            all_stay *= stay
        waits: list[float | None] = [None] * len(self.turns)
        if all_stay < 1.0 and not any(value is None for value, _ in after_gains):
            plain, share = 0.0, 1.0
            for value, stay in after_gains:
                assert value is not None
                plain += share * (1.0 + value)
                share *= stay
            after = plain / (1.0 - all_stay)
            for number in reversed(range(len(self.turns))):
                value, stay = after_gains[number]
                assert value is not None
                after = 1.0 + value + stay * after
                waits[number] = after
        self.cache[hand] = tuple(waits)
        return self.cache[hand]

    def _wait_after_gains(self, hand: Hand, turn: int) -> tuple[float | None, float]:
        """Return the probability-weighted wait after gains, and the odds of no gains.

        The wait is None if some gains lead to a hand that can never pay.
        """
        total, moves = 0.0, 0.0
        for bag, weight in self.turns[turn]:
            after = self.hand_after(hand[0], hand[1:], bag)
            if after == hand:
                continue
            value = self.expected_waits(after)[(turn + 1) % len(self.turns)]
            if value is None:
                return None, 1.0
            total += weight * value
            moves += weight
        return total, 1.0 - moves
