"""Points of the best and the last player after each round."""

from __future__ import annotations

from collections.abc import Iterator

import attrs

from workbench.analysis.measures.measured_games import ROUND_NUMBER, MeasuredGames


@attrs.frozen
class PointsByRound:
    """Points of the best and of the last player after each round of a game."""

    rounds: tuple[int, ...]
    best: tuple[int, ...]
    last: tuple[int, ...]


def points_by_round(games: MeasuredGames) -> Iterator[PointsByRound]:
    """Yield the points of each game by round, without set-up."""
    numpy, rounds = games.numpy, games.trace.turns[:, ROUND_NUMBER]
    game = games.game_of_turn
    is_repeated = (rounds[1:] == rounds[:-1]) & (game[1:] == game[:-1])
    ends = ~numpy.append(is_repeated, False) & (rounds > 0)
    points = games.points[ends]
    columns = rounds[ends], points.max(axis=1), points.min(axis=1)
    marks = numpy.cumsum(games.count_by_game(game[ends]))
    for low, high in zip((0, *marks[:-1]), marks, strict=True):
        yield PointsByRound(*(tuple(column[low:high].tolist()) for column in columns))
