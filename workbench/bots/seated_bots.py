"""Bots in the seats of one game, and handling of their errors."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

from interpreter import Game
from workbench.bots import bot_random, decide, legal_choices, random_below
from workbench.bots.bot_failures import BotError, BotFailed, ErrorPolicy, OnError
from workbench.bots.randomness import KeyedRandom
from workbench.bots.registry import bot_of


class SeatedBots:
    """Bots of a game by seat, each with its own random numbers.

    `errors` is the number of errors by seat, and `first` is the first error by seat.
    `loser` is the seat that lost the game because of an error, or None.
    """

    def __init__(
        self,
        names: Mapping[str, str],
        bot_seed: int,
        number: int,
        error_policy: ErrorPolicy,
    ) -> None:
        self._on_error = error_policy.on_error
        self._bots = {
            seat: bot_of(name, error_policy.seconds) for seat, name in names.items()
        }
        self._rngs = {seat: bot_random(bot_seed, number, seat) for seat in names}
        self._fallback_rngs = {
            seat: KeyedRandom("instead", bot_seed, number, seat) for seat in names
        }
        self.errors: Counter[str] = Counter()
        self.first: dict[str, BotError] = {}
        self.last: BotError | None = None
        self.loser: str | None = None

    def __contains__(self, seat: str) -> bool:
        return seat in self._bots

    def decide(self, game: Game, seat: str) -> Any:
        """Return the action of a seat, or None if an error of its bot loses the game.

        Raises `BotFailed`, with the record so far, if the policy is to stop the game.
        """
        try:
            return decide(self._bots[seat], game, seat, self._rngs[seat])
        except BotFailed as caught:
            error = caught.error
            assert error is not None
            if self._on_error is OnError.STOP:
                failure = BotFailed(
                    *(caught.message, caught.help, caught.exit_code), error, game.record
                )
                raise failure from caught.__cause__
        self.errors[seat] += 1
        self.first.setdefault(seat, error)
        self.last = error
        if self._on_error is OnError.LOSE:
            self.loser = seat
            return None
        legal = legal_choices(game, seat)
        return legal[random_below(len(legal), self._fallback_rngs[seat])]


def winning_seats(game: Game, loser: str) -> tuple[str, ...]:
    """Return the seats that win if *loser* loses: all seats outside its team."""
    seats = game.seats
    column = game.book.model.domains["player"].columns.get("team")
    teams = dict(zip(seats, column.values if column else (), strict=False))
    losing_team = teams.get(loser, -1)
    return tuple(
        seat
        for seat in seats
        if seat != loser and (losing_team < 0 or teams.get(seat) != losing_team)
    )
