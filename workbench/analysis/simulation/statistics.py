"""Results of games, and their totals."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import accumulate
from math import ceil
from typing import Any

import attrs

from workbench.analysis.measures.points_by_round import PointsByRound
from workbench.analysis.simulation.detail import GameDetail
from workbench.bots.bot_failures import BotError


@attrs.frozen
class Result:
    """Result of one game.

    `measures` (by column), `points_by_round`, `detail` and `record` are only set if
    requested, and `counts` if the game was replayed to count how often rule parts took
    effect. `bot_errors` is the number of errors by seat, and `first_errors` has the
    first error of each seat. `lost_by` is the seat that lost because of an error.
    """

    seed: int
    finished: bool
    winners: tuple[str, ...]
    reason: str | None
    points: Mapping[str, int]
    turns: int
    decisions: int
    actions: Mapping[str, int]
    record: str | None = None
    bot_seed: int = 1
    game: int = 0
    measures: Mapping[str, int | float | None] | None = None
    counts: Mapping[str, int | float | None] | None = None
    detail: GameDetail | None = None
    points_by_round: PointsByRound | None = None
    bot_errors: Mapping[str, int] = attrs.field(factory=dict)
    first_errors: Sequence[BotError] = ()
    lost_by: str | None = None

    def to_json(self) -> dict[str, Any]:
        """Return the result as plain data, without its record and details."""
        measures = {} if self.measures is None else {"measures": dict(self.measures)}
        return {
            "seed": self.seed,
            "bot_seed": self.bot_seed,
            "game": self.game,
            "finished": self.finished,
            "winners": list(self.winners),
            "reason": self.reason,
            "points": dict(self.points),
            "turns": self.turns,
            "decisions": self.decisions,
            **measures,
        }


def distribution(values: Iterable[int]) -> dict[str, float | int]:
    """Return mean, median and 95th percentile (nearest rank); 0 without values."""
    return _distribution(Counter(values))


def _distribution(counts: Mapping[int, int]) -> dict[str, float | int]:
    """Return the same as `distribution`, given how often each value occurs."""
    number = sum(counts.values())
    if not number:
        return {"mean": 0, "median": 0, "p95": 0}
    ordered = sorted(counts)
    ranks = list(
        zip(ordered, accumulate(map(counts.__getitem__, ordered)), strict=True)
    )

    def quantile(share: float) -> int:
        return next(value for value, rank in ranks if rank >= ceil(share * number))

    total = sum(value * times for value, times in counts.items())
    return {
        "mean": round(total / number, 3),
        "median": quantile(0.5),
        "p95": quantile(0.95),
    }


class Tally:
    """Totals of games, which are added one at a time.

    A game with several winners counts as a win for each of them. A draw is a finished
    game without a winner. Turns and decisions include those of unfinished games.
    """

    def __init__(self, seats: Sequence[str]) -> None:
        self.games = self.finished = self.draws = 0
        self.wins = dict.fromkeys(seats, 0)
        self.actions: Counter[str] = Counter()
        self.turns: Counter[int] = Counter()
        self.decisions: Counter[int] = Counter()
        self.seeds: tuple[int, int] | None = None

    def add(self, result: Result) -> None:
        """Add a game."""
        self.games += 1
        self.finished += result.finished
        self.draws += result.finished and not result.winners
        for winner in result.winners:
            self.wins[winner] += 1
        for name, times in result.actions.items():
            self.actions[name] += times
        self.turns[result.turns] += 1
        self.decisions[result.decisions] += 1
        first, last = self.seeds or (result.seed, result.seed)
        self.seeds = min(first, result.seed), max(last, result.seed)

    def summary(self, seconds: float, games: int | None = None) -> dict[str, Any]:
        """Return the totals as plain data.

        The games took *seconds* seconds; *games* is their number.
        """
        decisions = sum(value * times for value, times in self.decisions.items())
        played = self.games if games is None else games
        share = played / self.games if self.games else 0
        return {
            "finished": self.finished,
            "unfinished": self.games - self.finished,
            "wins": dict(self.wins),
            "draws": self.draws,
            "turns": _distribution(self.turns),
            "decisions": _distribution(self.decisions),
            "actions": {name: self.actions[name] for name in sorted(self.actions)},
            "seconds": round(seconds, 3),
            "games_per_second": round(played / seconds, 3) if seconds else 0,
            "decisions_per_second": (
                round(share * decisions / seconds, 1) if seconds else 0
            ),
        }
