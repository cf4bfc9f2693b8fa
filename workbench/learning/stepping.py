"""Games advanced by action indices until they end or are cut off.

The native engine plays if it is available, otherwise the interpreter, with the same
results.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import attrs

import rulebook as rb
from interpreter import Game, UsageError
from workbench.defaults import AUTO, NATIVE, REFERENCE

DRAWN, GIVEN = "drawn", "given"
MAX_TRIED_SEEDS = 1_000
"""Maximum number of seeds tried in search of a game with a decision."""

SEEDS = 1 << 64


@attrs.frozen
class EpisodeSetting:
    """Settings for starting games, and limits at which games are cut off.

    `turns` and `decisions` are the limits; None and 0 mean no limit.
    """

    book: rb.Rulebook
    players: int | None = None
    options: dict[str, Any] | None = None
    turns: int | None = None
    decisions: int = 0
    engine: str = AUTO
    chance: str = DRAWN

    def start(self, seed: int) -> Game:
        """Return a new game with this random seed."""
        return Game.start(
            self.book,
            players=self.players,
            seed=seed,
            options=self.options,
            turns=self.turns,
            chance=self.chance,
            engine=self.engine,
        )

    def with_engine(self, seed: int) -> EpisodeSetting:
        """Return the setting with an engine, by default native if it is available.

        The engine is tested by a game with *seed*. Raises `UsageError` if the game
        cannot start or the chosen engine cannot play.
        """
        engine = NATIVE if self.engine == AUTO else self.engine
        setting = attrs.evolve(self, engine=engine)
        try:
            setting.start(seed)
        except rb.RulesError:
            pass  # another seed may work
        except UsageError as error:
            if self.engine == AUTO and error.details.get("reason") is not None:
                return attrs.evolve(self, engine=REFERENCE)
            raise
        return setting


@attrs.frozen
class EpisodeEnd:
    """End of a game: rewards by seat, whether it was cut off, and the error if any."""

    rewards: dict[str, float]
    truncated: bool
    error: str = ""


class SteppedGame:
    """Game advanced by action indices.

    It is the game of *seed*, or of the next seed with a decision. `seat` must take one
    of the actions `legal`, which are in ascending order. After the end, `legal` is
    empty and `seat` is the last seat that acted.
    """

    def __init__(self, setting: EpisodeSetting, seed: int) -> None:
        self._max_decisions = setting.decisions
        self._steps = 0
        self.ended: EpisodeEnd | None = None
        self.game = next(games_with_decisions(setting, seed))
        self.seat = str(self.game.to_act)
        self.legal = self.game.legal_indices()

    def step(self, index: int) -> None:
        """Apply a legal action by its index."""
        self._steps += 1
        try:
            self.legal = self.game.advance(index)
        except rb.RulesError as error:
            self._end(EpisodeEnd(self._win_shares(), truncated=True, error=str(error)))
            return
        if self.game.over:
            outcome = self.game.outcome
            winners = () if outcome is None else outcome.winners or self.game.seats
            self._end(EpisodeEnd(self._win_shares(winners), truncated=outcome is None))
        elif self._max_decisions and self._steps >= self._max_decisions:
            self._end(EpisodeEnd(self._win_shares(), truncated=True))
        elif not self.legal:
            message = f"{self.game.to_act} must decide but has no legal action"
            self._end(EpisodeEnd(self._win_shares(), truncated=True, error=message))
        else:
            self.seat = str(self.game.to_act)

    def _win_shares(self, winners: tuple[str, ...] = ()) -> dict[str, float]:
        """Return the reward of each seat: winners share 1 equally, others get 0."""
        return {
            seat: 1 / len(winners) if seat in winners else 0.0
            for seat in self.game.seats
        }

    def _end(self, end: EpisodeEnd) -> None:
        """Store the end of the game, and remove all legal actions."""
        self.ended, self.legal = end, []


def games_with_decisions(setting: EpisodeSetting, seed: int) -> Iterator[Game]:
    """Yield the games that have a decision, for the seeds from *seed* upwards."""
    for number in range(seed, seed + MAX_TRIED_SEEDS):
        try:
            game = setting.start(number % SEEDS)
        except rb.RulesError:
            continue
        if not game.over and game.legal_indices():
            yield game
    raise UsageError(
        f"{setting.book.name}: none of {MAX_TRIED_SEEDS:,} seeds leads to a decision"
    )
