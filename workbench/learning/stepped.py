"""One game that is stepped by indices, in C or by the interpreter: the same game.

In C it is a batch of one, which has the numbers that the seat to act sees ready. What
else is asked is asked of a `Game`; of one that is over, of the same game played again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any, Protocol

import attrs

import rulebook as rb
from interpreter import Game, UsageError
from interpreter.compiled import Batch
from workbench.defaults import AUTO, NATIVE, REFERENCE
from workbench.learning.vector import Vector

TRIES = 1_000
"""How many seeds are tried for a game in which there is something to decide."""


@attrs.frozen
class Setting:
    """What games are begun with, and when they are cut off."""

    book: rb.Rulebook
    players: int | None = None
    options: dict[str, Any] | None = None
    turns: int | None = None
    decisions: int = 0
    engine: str = AUTO

    def start(self, seed: int) -> Game:
        """Return the game of a seed at its first decision."""
        return Game.start(
            self.book,
            players=self.players,
            seed=seed,
            options=self.options,
            turns=self.turns,
            engine=self.engine,
        )


@attrs.define
class Ended:
    """How a game has ended: by the rules, or cut off; why, where it has failed."""

    rewards: dict[str, float]
    truncated: bool
    failed: str = ""


class Stepped(Protocol):
    """A game that is stepped. `legal` is ascending, `seed` that of the game."""

    seed: int
    seat: str
    legal: list[int]
    ended: Ended | None

    def step(self, index: int) -> None:
        """Do a legal action by its index."""

    def game(self) -> Game:
        """Return the game as it stands, to look at."""

    def row(self) -> list[int] | None:
        """Return what the seat to act sees, if that is ready."""


def beginning(setting: Setting) -> Callable[[int], Stepped]:
    """Return what begins the game of a seed, or of the next one with a decision.

    Raises `UsageError` where games are to be in C and cannot be.
    """
    if setting.engine == REFERENCE or has_hidden_points(setting.book):
        return partial(ByGame, setting)
    try:
        InC(setting, 0)
    except UsageError:
        if setting.engine == NATIVE:
            raise
        return partial(ByGame, setting)
    return partial(InC, setting)


def has_hidden_points(book: rb.Rulebook) -> bool:
    """Whether points come from what is hidden: a batch leaves those lines out."""
    reader = rb.SecretReader(book.model)
    return any(True for line in book.model.points.lines for _ in reader.secrets(line))


class InC:
    """A game in C, a batch of one."""

    def __init__(self, setting: Setting, seed: int) -> None:
        self._setting = setting
        self._batch = Batch(
            setting.book,
            1,
            players=setting.players,
            options=setting.options,
            seed=seed,
            turns=setting.turns,
            decisions=setting.decisions,
            masks=False,
        )
        self._done: list[int] = []
        self.ended: Ended | None = None
        self.seed = -1
        self._look()

    def _look(self) -> None:
        """Take over who acts and what is legal."""
        now = self._batch.now
        self.seat = self._batch.seats[int(now.seats[0])]
        self.legal: list[int] = now.indices[0, : int(now.counts[0])].tolist()

    def step(self, index: int) -> None:
        """Do a legal action by its index."""
        now = self._batch.step([index])
        self._done.append(index)
        self.seed = int(now.played[0])
        if now.terminated[0] or now.truncated[0] or now.failed[0]:
            rewards = dict(zip(self._batch.seats, now.rewards[0].tolist(), strict=True))
            failed = "the rules have a mistake here" if now.failed[0] else ""
            self.ended = Ended(rewards, not now.terminated[0], failed)
            self.legal = []
            self._batch.close()
        else:
            self._look()

    def game(self) -> Game:
        """Return the game as it stands; one that is over is played again."""
        if self.ended is None:
            return self._batch.game(0)
        game = self._setting.start(self.seed)
        for index in self._done[: -1 if self.ended.failed else None]:
            game.advance(index)
        return game

    def row(self) -> list[int] | None:
        """Return what the seat to act sees."""
        if self.ended is not None:
            return None
        row: list[int] = self._batch.now.observations[0].tolist()
        return row


class ByGame:
    """A game that `Game` plays, by either engine."""

    def __init__(self, setting: Setting, seed: int) -> None:
        self._setting = setting
        self._steps = 0
        self.ended: Ended | None = None
        self._game = next(self._with_decisions(seed))
        self._look(self._game.legal_indices())

    def _with_decisions(self, seed: int) -> Iterator[Game]:
        """Yield games in which there is something to decide, seed by seed."""
        for self.seed in range(seed, seed + TRIES):
            try:
                game = self._setting.start(self.seed)
            except rb.RulesError:
                continue
            if not game.over and game.legal_indices():
                yield game
        raise UsageError(
            f"{self._setting.book.name}: no game of {TRIES:,} seeds comes to a decision"
        )

    def _look(self, legal: list[int]) -> None:
        """Take over who acts and what is legal."""
        self.seat = str(self._game.to_act)
        self.legal = legal

    def step(self, index: int) -> None:
        """Do a legal action by its index."""
        self._steps += 1
        try:
            legal = self._game.advance(index)
        except rb.RulesError as error:
            self._end(Ended(self._shares(0), truncated=True, failed=str(error)))
            return
        outcome = self._game.outcome
        most = self._setting.decisions
        if outcome is not None:
            among = outcome.winners or self._game.seats
            self._end(Ended(self._shares(1 / len(among), among), truncated=False))
        elif self._game.over or (most and self._steps >= most):
            self._end(Ended(self._shares(0), truncated=True))
        elif not legal:
            said = f"{self._game.to_act} must decide, and nothing is legal"
            self._end(Ended(self._shares(0), truncated=True, failed=said))
        else:
            self._look(legal)

    def _shares(self, share: float, among: tuple[str, ...] = ()) -> dict[str, float]:
        """Return the rewards: a share of the win for those among whom it is."""
        return {seat: share if seat in among else 0.0 for seat in self._game.seats}

    def _end(self, ended: Ended) -> None:
        self.ended, self.legal = ended, []

    def game(self) -> Game:
        """Return the game as it stands."""
        return self._game

    def row(self) -> list[int] | None:
        """Return nothing: it is made from the view."""
        return None


def seen(stepped: Stepped, vector: Vector, seat: str) -> list[int]:
    """Return what a seat sees of a game that is stepped."""
    ready = stepped.row() if seat == stepped.seat else None
    return vector.row(stepped.game(), seat) if ready is None else ready
