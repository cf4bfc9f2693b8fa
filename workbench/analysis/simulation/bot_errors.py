"""Errors of bots in many games."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from workbench.analysis.simulation.simulation import Seatings
from workbench.analysis.simulation.statistics import Result
from workbench.bots.bot_failures import BotError

SeatedBot = tuple[str | None, str]
"""Seat and name of a bot; the seat is None if bots change seats."""


class BotErrors:
    """Errors of each bot: their number, the games with errors, and the first error.

    Games are added one at a time. *bots* sit in the same seats in all games unless
    *seatings* are given.
    """

    def __init__(
        self, bots: Mapping[str, str], seatings: Seatings | None = None
    ) -> None:
        self._bots, self._seatings = bots, seatings
        self._times: Counter[SeatedBot] = Counter()
        self._games: Counter[SeatedBot] = Counter()
        self._lost: Counter[SeatedBot] = Counter()
        self._first: dict[SeatedBot, BotError] = {}

    @classmethod
    def of_results(
        cls, bots: Mapping[str, str], results: Iterable[Result]
    ) -> BotErrors:
        """Return the errors of bots in these games."""
        errors = cls(bots)
        for result in results:
            errors.add(result)
        return errors

    def add(self, result: Result) -> None:
        """Add the errors in a game."""
        if not result.bot_errors:
            return
        seated_bots = self._bots_of(result.game)
        for seat, times in result.bot_errors.items():
            self._times[seated_bots[seat]] += times
        self._games.update({seated_bots[seat] for seat in result.bot_errors})
        if result.lost_by is not None:
            self._lost[seated_bots[result.lost_by]] += 1
        for error in result.first_errors:
            self._first.setdefault(seated_bots[error.seat], error)

    def _bots_of(self, game: int) -> dict[str, SeatedBot]:
        """Return each seat's bot in a game."""
        if self._seatings is None:
            return {seat: (seat, bot) for seat, bot in self._bots.items()}
        seating = self._seatings.seating(game)
        return {s: (None, bot) for s, bot in zip(self._bots, seating, strict=True)}

    def to_json(self) -> list[dict[str, Any]]:
        """Return an entry for each bot with errors; `first` is None if unknown."""
        return [
            {
                "seat": seated_bot[0],
                "bot": seated_bot[1],
                "errors": self._times[seated_bot],
                "games": self._games[seated_bot],
                "lost": self._lost[seated_bot],
                "first": error and error.to_json(),
            }
            for seated_bot, error in self._first_errors
        ]

    @property
    def lines(self) -> Iterator[str]:
        """Yield a sentence for each bot with errors."""
        for key, error in self._first_errors:
            times = count_text(self._times[key], "time")
            games = count_text(self._games[key], "game")
            seat, bot = key
            subject = "the bot" if seat is None else f"{seat}'s bot"
            text = f"{subject} `{bot}` failed {times} in {games}"
            if lost := self._lost[key]:
                text += f", and lost {lost:,} because of it"
            yield text if error is None else f"{text}; first: {error.description}"

    @property
    def _first_errors(self) -> Iterator[tuple[SeatedBot, BotError | None]]:
        """Yield each bot with errors and its first one, in order of seats or names."""
        seated_bots: Iterable[SeatedBot] = self._bots.items()
        if self._seatings is not None:
            seated_bots = [(None, bot) for bot in self._seatings.bots]
        for seated_bot in seated_bots:
            if self._times[seated_bot]:
                yield seated_bot, self._first.get(seated_bot)


def count_text(number: int, noun: str) -> str:
    """Return a number with its noun in the singular or plural.

    >>> count_text(1, "game"), count_text(1200, "game")
    ('1 game', '1,200 games')
    """
    return f"{number:,} {noun}{'s' * (number != 1)}"
