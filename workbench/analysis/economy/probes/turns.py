"""What a turn brings: all outcomes of chance, none drawn; who may decline, declines.

A turn is gone through from its first stop to the first stop of the next one. Where the
rules make somebody choose with what something is done, it is the first of what is
legal, or each of it with the same odds (`by_lot`). Where they make somebody choose
between different actions, the turn is gone through no further: what comes then is of
their doing.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction

import attrs

from interpreter import Game
from workbench.analysis.economy.probes.baseline import Baseline

BUDGET = 20_000
"""So many events a turn with all its outcomes may have."""
PATH = 400
"""So many events a turn may have one after another."""
CHANCE = "chance"
Counts = Mapping[str, int]
Came = tuple[tuple[str, int], ...]
"""How many of each kind came in, those that are none left out; fewer are below 0."""
Odds = dict[Came, Fraction]


class TooMany(Exception):
    """A turn has more outcomes than can be gone through."""


@attrs.frozen
class Reach:
    """How far a turn is gone through.

    To its `end`, or as far as the first choice that may be passed over after chance has
    spoken. What must be chosen is chosen `by_lot`, or the first that is legal.
    """

    end: bool = True
    by_lot: bool = False


FURTHEST = (Reach(True, True), Reach(True, False), Reach(False, True), Reach(False))
"""From the whole of a turn to the least of it, for turns with too many outcomes."""


def mean(odds: Odds) -> dict[str, Fraction]:
    """What comes in on average, by kind."""
    total: dict[str, Fraction] = {}
    for came, weight in odds.items():
        for kind, count in came:
            total[kind] = total.get(kind, Fraction()) + weight * count
    return {kind: value for kind, value in total.items() if value}


def less(
    first: Mapping[str, Fraction], second: Mapping[str, Fraction]
) -> dict[str, Fraction]:
    """What is left of one income when another is taken off."""
    kinds = dict.fromkeys((*first, *second))
    zero = Fraction()
    left = {kind: first.get(kind, zero) - second.get(kind, zero) for kind in kinds}
    return {kind: value for kind, value in left.items() if value}


def held(ground: Baseline, game: Game, seat: str) -> dict[str, int]:
    """What a seat has of everything that may be income."""
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
    """What the turn that begins in a game brings a seat, and how likely.

    Raises `TooMany` where it has too many outcomes.
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
    """A way through a turn; `events` are those so far, `stands` where pieces came."""

    ground: Baseline
    turn: int
    reach: Reach
    budget: int = BUDGET
    events: int = 0

    def ends(
        self, game: Game, weight: Fraction, depth: int, *, spoken: bool
    ) -> Iterator[tuple[Game, Fraction]]:
        """The games in which the turn is gone through, each with its odds."""
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
        """Raise `TooMany` at once where not even the next events have room."""
        if self.events + len(options) > self.budget:
            raise TooMany

    def _after(self, game: Game, choice: object) -> Game:
        """The game after a choice, itself as it was."""
        self.events += 1
        if self.events > self.budget:
            raise TooMany
        after = game.copy()
        after.apply(choice)
        return after
