"""Named statistics of results, with their definitions."""

from collections import Counter
from collections.abc import Mapping, Sequence
from math import ceil
from typing import Any

import attrs


@attrs.frozen
class Result:
    """What one game came to; `measures` by column, where they were asked for."""

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

    def to_json(self) -> dict[str, Any]:
        """The result as plain data, without the record."""
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


def spread(values: Sequence[int]) -> dict[str, float | int]:
    """Mean, median and 95th percentile; the last two by nearest rank, 0 for none."""
    if not values:
        return {"mean": 0, "median": 0, "p95": 0}
    ordered = sorted(values)
    return {
        "mean": round(sum(ordered) / len(ordered), 3),
        "median": ordered[ceil(0.5 * len(ordered)) - 1],
        "p95": ordered[ceil(0.95 * len(ordered)) - 1],
    }


def summary(
    results: Sequence[Result], seats: Sequence[str], seconds: float
) -> dict[str, Any]:
    """What the games came to together.

    Wins are of every seat; a draw is a finished game without a winner; turns and
    decisions are of all games, finished or not.
    """
    finished = [result for result in results if result.finished]
    wins = dict.fromkeys(seats, 0)
    actions: Counter[str] = Counter()
    for result in results:
        actions.update(result.actions)
        for winner in result.winners:
            wins[winner] += 1
    decisions = sum(result.decisions for result in results)
    return {
        "finished": len(finished),
        "unfinished": len(results) - len(finished),
        "wins": wins,
        "draws": sum(not result.winners for result in finished),
        "turns": spread([result.turns for result in results]),
        "decisions": spread([result.decisions for result in results]),
        "actions": {name: actions[name] for name in sorted(actions)},
        "seconds": round(seconds, 3),
        "games_per_second": round(len(results) / seconds, 3) if seconds else 0,
        "decisions_per_second": round(decisions / seconds, 1) if seconds else 0,
    }
