"""Gains of a turn over all chance outcomes, if seats decline whenever they can.

A turn is explored from its first wait point to that of the next turn. If a seat must
choose arguments of one action, it takes the first legal ones, or each with equal
probability. If it must choose between different actions, exploration stops, since the
result would depend on the player.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction

import attrs

from interpreter import Game
from workbench.analysis.economy.probes.baseline import Baseline

MAX_TURN_EVENTS = 20_000
"""Maximum number of events explored in a turn, over all outcomes."""
MAX_SUCCESSIVE_EVENTS = 400
"""Maximum number of successive events explored in a turn."""
CHANCE = "chance"
Counts = Mapping[str, int]
Gains = tuple[tuple[str, int], ...]
"""Gains as pairs of kind and number of cards; losses are negative, zeros omitted."""
GainOdds = dict[Gains, Fraction]


class TooManyOutcomes(Exception):
    """Raised if a turn has too many outcomes to explore."""


@attrs.frozen
class TurnPart:
    """Part of a turn that is explored.

    It is the whole turn if `whole_turn` is true. Otherwise exploration stops at the
    first optional choice after a chance event. Forced choices take each legal action
    with equal probability if `uniform_choices` is true, else the first one.
    """

    whole_turn: bool = True
    uniform_choices: bool = False


TURN_PARTS = (
    TurnPart(True, True),
    TurnPart(True, False),
    TurnPart(False, True),
    TurnPart(False),
)
"""Parts of a turn in the order in which they are tried, longest first."""


def mean_gain(odds: GainOdds) -> dict[str, Fraction]:
    """Return the mean gain of a turn, by kind."""
    total: dict[str, Fraction] = {}
    for gains, weight in odds.items():
        for kind, count in gains:
            total[kind] = total.get(kind, Fraction()) + weight * count
    return {kind: value for kind, value in total.items() if value}


def income_difference(
    first: Mapping[str, Fraction], second: Mapping[str, Fraction]
) -> dict[str, Fraction]:
    """Return the first income minus the second, by kind."""
    kinds = dict.fromkeys((*first, *second))
    zero = Fraction()
    rest = {kind: first.get(kind, zero) - second.get(kind, zero) for kind in kinds}
    return {kind: value for kind, value in rest.items() if value}


def held_cards(baseline: Baseline, game: Game, seat: str) -> dict[str, int]:
    """Return how many cards a seat has of each kind that can be income."""
    payments = baseline.payments
    counts: dict[str, int] = {}
    if payments is not None and payments.field is None:
        counts.update(payments.payable_cards(game, seat))
    if baseline.bags:
        held_by = game.position["player"][seat]
        for field in baseline.bags:
            for kind, count in held_by[field.name].items():
                counts[kind] = counts.get(kind, 0) + count
    return counts


def possible_gains(
    baseline: Baseline, game: Game, seat: str, turn_part: TurnPart
) -> GainOdds:
    """Return the possible gains of a seat in the current turn, with probabilities.

    Raises `TooManyOutcomes` if the turn has too many outcomes.
    """
    before = held_cards(baseline, game, seat)
    odds: GainOdds = {}
    walk = TurnWalk(baseline, game.turn, turn_part)
    for ended, weight in walk.final_games(game, Fraction(1), 0, after_chance=False):
        after = held_cards(baseline, ended, seat)
        gains = tuple(
            (kind, count - before.get(kind, 0))
            for kind, count in after.items()
            if count != before.get(kind, 0)
        )
        odds[gains] = odds.get(gains, Fraction()) + weight
    return odds


@attrs.define
class TurnWalk:
    """Exploration of one turn; `events` counts the events so far."""

    baseline: Baseline
    turn: int
    turn_part: TurnPart
    budget: int = MAX_TURN_EVENTS
    events: int = 0

    def final_games(
        self, game: Game, weight: Fraction, depth: int, *, after_chance: bool
    ) -> Iterator[tuple[Game, Fraction]]:
        """Yield the games at the end of the turn, each with its probability.

        *weight* is the probability of *game*, and *depth* the number of events before
        it. *after_chance* is true if a chance event has already happened.
        """
        while (
            not game.over and game.turn == self.turn and depth < MAX_SUCCESSIVE_EVENTS
        ):
            options = game.legal_actions()
            if game.to_act == CHANCE:
                after_chance = True
                self._check_budget(options)
                for outcome in options:
                    if outcome.probability:
                        share = weight * outcome.probability
                        after = self._game_after(game, outcome)
                        yield from self.final_games(
                            after, share, depth + 1, after_chance=True
                        )
                return
            decline = next(
                (a for a in options if a.name in self.baseline.declining_actions), None
            )
            if not options or (
                decline is not None and after_chance and not self.turn_part.whole_turn
            ):
                break
            if decline is None and len({action.name for action in options}) > 1:
                break
            if decline is None and self.turn_part.uniform_choices and len(options) > 1:
                self._check_budget(options)
                for action in options:
                    share = weight / len(options)
                    after = self._game_after(game, action)
                    yield from self.final_games(
                        after, share, depth + 1, after_chance=after_chance
                    )
                return
            game = self._game_after(game, options[0] if decline is None else decline)
            depth += 1
        yield game, weight

    def _check_budget(self, options: Sequence[object]) -> None:
        """Raise `TooManyOutcomes` if these options exceed the budget of events."""
        if self.events + len(options) > self.budget:
            raise TooManyOutcomes

    def _game_after(self, game: Game, choice: object) -> Game:
        """Return a copy of the game with a choice applied."""
        self.events += 1
        if self.events > self.budget:
            raise TooManyOutcomes
        after = game.copy()
        after.apply(choice)
        return after
