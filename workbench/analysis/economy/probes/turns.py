"""Gains of a turn over all chance outcomes, if seats decline whenever they can.

A turn is explored from its first wait point to that of the next turn. If a seat must
choose arguments of one action, it takes the first legal ones, or each with equal
probability (`by_lot`). If it must choose between different actions, exploration stops,
since the result would depend on the player.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction

import attrs

from interpreter import Game
from workbench.analysis.economy.probes.baseline import Baseline

BUDGET = 20_000
"""Maximum number of events explored in a turn, over all outcomes."""
PATH = 400
"""Maximum number of successive events explored in a turn."""
CHANCE = "chance"
Counts = Mapping[str, int]
Came = tuple[tuple[str, int], ...]
"""Gains as pairs of kind and number of cards; losses are negative, zeros omitted."""
Odds = dict[Came, Fraction]


class TooMany(Exception):
    """Raised if a turn has too many outcomes to explore."""


@attrs.frozen
class Reach:
    """Part of a turn that is explored.

    It is the whole turn if `end` is true. Otherwise exploration stops at the first
    optional choice after a chance event. Forced choices take each legal action with
    equal probability if `by_lot` is true, else the first one.
    """

    end: bool = True
    by_lot: bool = False


FURTHEST = (Reach(True, True), Reach(True, False), Reach(False, True), Reach(False))
"""Parts of a turn in the order in which they are tried, longest first."""


def mean(odds: Odds) -> dict[str, Fraction]:
    """Return the mean gain of a turn, by kind."""
    total: dict[str, Fraction] = {}
    for came, weight in odds.items():
        for kind, count in came:
            total[kind] = total.get(kind, Fraction()) + weight * count
    return {kind: value for kind, value in total.items() if value}


def less(
    first: Mapping[str, Fraction], second: Mapping[str, Fraction]
) -> dict[str, Fraction]:
    """Return the first income minus the second, by kind."""
    kinds = dict.fromkeys((*first, *second))
    zero = Fraction()
    left = {kind: first.get(kind, zero) - second.get(kind, zero) for kind in kinds}
    return {kind: value for kind, value in left.items() if value}


def held(ground: Baseline, game: Game, seat: str) -> dict[str, int]:
    """Return how many cards of each kind of income a seat has."""
    purse = ground.purse
    counts: dict[str, int] = {}
    if purse is not None and purse.field is None:
        counts.update(purse.asked(game, seat))
    if ground.bags:
        held_by = game.position["player"][seat]
        for field in ground.bags:
            for kind, count in held_by[field.name].items():
                counts[kind] = counts.get(kind, 0) + count
    return counts


def turn_odds(ground: Baseline, game: Game, seat: str, reach: Reach) -> Odds:
    """Return the possible gains of a seat in the current turn, with probabilities.

    Raises `TooMany` if the turn has too many outcomes.
    """
    before = held(ground, game, seat)
    odds: Odds = {}
    walk = Walk(ground, game.turn, reach)
    for ended, weight in walk.ends(game, Fraction(1), 0, spoken=False):
        after = held(ground, ended, seat)
        came = tuple(
            (kind, count - before.get(kind, 0))
            for kind, count in after.items()
            if count != before.get(kind, 0)
        )
        odds[came] = odds.get(came, Fraction()) + weight
    return odds


@attrs.define
class Walk:
    """Exploration of one turn; `events` counts the events so far."""

    ground: Baseline
    turn: int
    reach: Reach
    budget: int = BUDGET
    events: int = 0

    def ends(
        self, game: Game, weight: Fraction, depth: int, *, spoken: bool
    ) -> Iterator[tuple[Game, Fraction]]:
        """Yield the games at the end of the turn, each with its probability.

        *spoken* is true if a chance event has already happened.
        """
        while not game.over and game.turn == self.turn and depth < PATH:
            options = game.legal_actions()
            if game.to_act == CHANCE:
                spoken = True
                self._see_room(options)
                for outcome in options:
                    if outcome.probability:
                        odds = weight * outcome.probability
                        after = self._after(game, outcome)
                        yield from self.ends(after, odds, depth + 1, spoken=True)
                return
            no = next((a for a in options if a.name in self.ground.declining), None)
            if not options or (no is not None and spoken and not self.reach.end):
                break
            if no is None and len({action.name for action in options}) > 1:
                break
            if no is None and self.reach.by_lot and len(options) > 1:
                self._see_room(options)
                for action in options:
                    odds = weight / len(options)
                    after = self._after(game, action)
                    yield from self.ends(after, odds, depth + 1, spoken=spoken)
                return
            game = self._after(game, options[0] if no is None else no)
            depth += 1
        yield game, weight

    def _see_room(self, options: Sequence[object]) -> None:
        """Raise `TooMany` if these options would exceed the budget of events."""
        if self.events + len(options) > self.budget:
            raise TooMany

    def _after(self, game: Game, choice: object) -> Game:
        """Return a copy of the game with a choice applied."""
        self.events += 1
        if self.events > self.budget:
            raise TooMany
        after = game.copy()
        after.apply(choice)
        return after
