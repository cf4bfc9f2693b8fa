"""How long a price takes to be saved: exact over all hands, turn by turn.

From an empty hand, saving for one thing only. The mean number of turns is the sum, over
all turns, of the odds that it cannot be paid yet. With exchanges it can be paid when no
more is missing than what the spare cards of each kind are exchanged for.

A hand is told by what of the price is still missing, by how many cards its spare ones
have been exchanged for, and by what is left of each kind. Nothing that is kept is ever
lost, so each hand comes to itself and to fuller ones only: one pass from the fullest to
the emptiest is exact. Of some kinds there may be room for so many only: what comes when
it is full is lost.
"""

from __future__ import annotations

import sys
from collections.abc import Container, Mapping, Sequence
from fractions import Fraction

import attrs

from workbench.analysis.economy.probes.turns import Odds

HANDS = 150_000
"""More hands than this are not gone through."""
Terms = Mapping[str, tuple[int, int]]
"""By kind: so many of it are exchanged for so many others."""
Hand = tuple[int, ...]
"""The exchanged cards, then of each kind how many are had, the price's first."""
Draws = Sequence[tuple[tuple[int, ...], float]]


class TooManyHands(Exception):
    """There are too many hands to go through."""


def turns_to(
    cost: Mapping[str, int],
    turns: Sequence[Odds],
    terms: Terms,
    got: Container[str],
    begins: Mapping[str, int] | None = None,
    room: Mapping[str, int] | None = None,
) -> float | None:
    """The mean number of turns until a price can be paid; None: it never can.

    By an exchange any kind is had that is `got` by some exchange. `turns` are what
    turns bring, one after another and then again from the first. Of a kind in `room` no
    more can be kept than it says. Raises `TooManyHands`.
    """
    room = room or {}
    if any(count > room.get(kind, count) for kind, count in cost.items()):
        return None
    kinds = [kind for kind in _kinds(turns, begins) if kind in cost or kind in terms]
    kinds = list(dict.fromkeys((*cost, *kinds)))
    saver = Saver(
        tuple(cost.get(kind, 0) for kind in kinds),
        tuple(terms.get(kind) for kind in kinds),
        tuple(kind in got for kind in kinds),
        tuple(room.get(kind) for kind in kinds),
        tuple(_draws(odds, kinds) for odds in turns),
    )
    first = tuple((begins or {}).get(kind, 0) for kind in kinds)
    return saver.mean(saver.hand_after(0, (0,) * len(kinds), first))


def _kinds(turns: Sequence[Odds], begins: Mapping[str, int] | None) -> list[str]:
    """The kinds that come in."""
    named = [kind for odds in turns for came in odds for kind, _ in came]
    return list(dict.fromkeys((*named, *(begins or {}))))


def _draws(odds: Odds, kinds: Sequence[str]) -> Draws:
    """What a turn brings of some kinds; what is taken away is left out."""
    draws: dict[tuple[int, ...], Fraction] = {}
    for came, weight in odds.items():
        counts = dict(came)
        bag = tuple(max(counts.get(kind, 0), 0) for kind in kinds)
        draws[bag] = draws.get(bag, Fraction()) + weight
    return tuple((bag, float(weight)) for bag, weight in draws.items())


@attrs.define
class Saver:
    """Saves for a price; `known` are the turns that hands have still to wait."""

    cost: tuple[int, ...]
    terms: tuple[tuple[int, int] | None, ...]
    got: tuple[bool, ...]
    room: tuple[int | None, ...]
    turns: tuple[Draws, ...]
    known: dict[Hand, tuple[float | None, ...]] = attrs.field(factory=dict)

    def hand_after(
        self, exchanged: int, have: Sequence[int], more: Sequence[int]
    ) -> Hand:
        """The hand that some cards come to."""
        hand = []
        for had, new, price, term, room in zip(
            have, more, self.cost, self.terms, self.room, strict=True
        ):
            count = had + new if room is None else min(had + new, room)
            if term is None:
                count = min(count, price)
            elif count >= price + term[0]:
                times = (count - price) // term[0]
                exchanged += times * term[1]
                count -= times * term[0]
            hand.append(count)
        if exchanged < self.enough:
            return exchanged, *hand
        return self.enough, *map(min, hand, self.cost)

    @property
    def enough(self) -> int:
        """So many exchanged cards are all that can ever be missing of what is got."""
        pairs = zip(self.cost, self.got, strict=True)
        return sum(price for price, got in pairs if got)

    def pays(self, hand: Hand) -> bool:
        """Whether a hand can pay."""
        missing = 0
        for price, had, got in zip(self.cost, hand[1:], self.got, strict=True):
            if price > had and not got:
                return False
            missing += max(price - had, 0)
        return missing <= hand[0]

    def mean(self, hand: Hand) -> float | None:
        """The turns that a hand has still to wait, from the first of the turns on."""
        limit = sys.getrecursionlimit()
        sys.setrecursionlimit(max(limit, 20_000))
        try:
            return self.waits(hand)[0]
        finally:
            sys.setrecursionlimit(limit)

    def waits(self, hand: Hand) -> tuple[float | None, ...]:
        """The turns that a hand has still to wait, from each of the turns on.

        Where nothing comes in the hand stays and the next turn is to come: so each is
        a number of turns and a share of waiting as long as at the first one again.
        """
        if hand in self.known:
            return self.known[hand]
        if len(self.known) >= HANDS:
            raise TooManyHands
        if self.pays(hand):
            self.known[hand] = (0.0,) * len(self.turns)
            return self.known[hand]
        fuller = [self._fuller(hand, number) for number in range(len(self.turns))]
        stays = 1.0
        for _, stay in fuller:
            stays *= stay
        lines: list[float | None] = [None] * len(self.turns)
        if stays < 1.0 and not any(value is None for value, _ in fuller):
            plain, share = 0.0, 1.0
            for value, stay in fuller:
                assert value is not None
                plain += share * (1.0 + value)
                share *= stay
            after = plain / (1.0 - stays)
            for number in reversed(range(len(self.turns))):
                value, stay = fuller[number]
                assert value is not None
                after = 1.0 + value + stay * after
                lines[number] = after
        self.known[hand] = tuple(lines)
        return self.known[hand]

    def _fuller(self, hand: Hand, number: int) -> tuple[float | None, float]:
        """What a turn leaves to wait in all where something comes, and the odds that
        nothing does."""
        total, moves = 0.0, 0.0
        for bag, weight in self.turns[number]:
            after = self.hand_after(hand[0], hand[1:], bag)
            if after == hand:
                continue
            value = self.waits(after)[(number + 1) % len(self.turns)]
            if value is None:
                return None, 1.0
            total += weight * value
            moves += weight
        return total, 1.0 - moves
