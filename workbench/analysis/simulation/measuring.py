"""Computation of the measures of games, for both engines."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import repeat

from interpreter import Outcome
from interpreter.c_engine import Playout
from interpreter.tracing import Legend, Trace, legend_of, trace_game
from rulebook import Rulebook
from workbench.analysis.measures.counted import RulePartCounter
from workbench.analysis.measures.measure_rows import Row, all_measures, measure_rows
from workbench.analysis.measures.measured_games import GameEnd, MeasuredGames
from workbench.analysis.measures.points_by_round import PointsByRound, points_by_round
from workbench.analysis.simulation.settings import Settings
from workbench.analysis.simulation.statistics import Result

MAX_CACHED_COUNTERS = 8
"""Maximum number of books with cached counting programs."""


def trace_legend(book: Rulebook, settings: Settings) -> Legend:
    """Return the legend of traces of games with these settings."""
    return legend_of(book, players=settings.seats(book), options=dict(settings.options))


def add_measures(
    legend: Legend,
    playouts: Iterable[tuple[Sequence[Playout | None], Trace]],
    bots: Sequence[str],
    *,
    with_points: bool = False,
    by_seat: bool = False,
) -> Iterator[tuple[Playout | None, Row | None, PointsByRound | None]]:
    """Yield each native game with its row of measures, and its points by round.

    All three are None for a game that the engine did not complete. Points by round are
    only included if *with_points* is true.
    """
    table = all_measures(legend, by_seat=by_seat)
    for games, trace in playouts:
        ends = [game_end(legend, game.outcome) for game in games if game is not None]
        rows = measure_rows(legend, trace, ends, bots, table)
        points: Iterator[PointsByRound | None]
        points = (
            points_by_round(MeasuredGames(legend, trace, ends))
            if with_points
            else repeat(None)
        )
        for game in games:
            yield (
                (game, None, None) if game is None else (game, next(rows), next(points))
            )


def interpreter_measures(
    book: Rulebook,
    settings: Settings,
    result: Result,
    indices: Sequence[int],
    turns: int | None,
    bots: Sequence[str],
    *,
    by_seat: bool = False,
) -> tuple[Row, PointsByRound]:
    """Return the measures and the points by round of a game played by the interpreter.

    *indices* are those of the played actions, and *turns* is the limit of turns.
    """
    trace = trace_game(
        book,
        indices,
        players=settings.seats(book),
        seed=result.seed,
        options=dict(settings.options),
        board=None if settings.board is None else dict(settings.board),
        turns=turns,
    )
    legend = trace_legend(book, settings)
    winners = tuple([legend.seats.index(seat) for seat in result.winners])
    ends = [GameEnd(result.finished, winners)]
    table = all_measures(legend, by_seat=by_seat)
    row = next(measure_rows(legend, trace, ends, bots, table))
    return row, next(points_by_round(MeasuredGames(legend, trace, ends)))


def definitions_of_measures(
    book: Rulebook, settings: Settings, bots: Sequence[str], *, by_seat: bool = False
) -> dict[str, str]:
    """Return the definition of each column of measures, by column name.

    The columns are found by measuring a game without actions.
    """
    empty_result = Result(
        seed=settings.seed or 0,
        finished=False,
        winners=(),
        reason=None,
        points={},
        turns=0,
        decisions=0,
        actions={},
    )
    table = all_measures(trace_legend(book, settings), by_seat=by_seat)
    meanings = {measure.name: measure.meaning for measure in table}
    names, _ = interpreter_measures(
        book, settings, empty_result, (), None, bots, by_seat=by_seat
    )
    return {name: meanings[name.partition(".")[0]] for name in names}


# ---------------------------------------------------------------- counted games


@lru_cache(maxsize=MAX_CACHED_COUNTERS)
def rule_part_counter(book: Rulebook) -> RulePartCounter:
    """Return the cached counter of how often each rule part of a book takes effect."""
    return RulePartCounter.of_book(book)


def definitions_of_counts(book: Rulebook) -> Mapping[str, str]:
    """Return the definitions of the counts in a game's row, by column name."""
    return rule_part_counter(book).column_definitions()


def replay_counts(
    book: Rulebook, settings: Settings, result: Result, turns: int | None
) -> Row:
    """Return how often each rule part took effect in a game, by replaying the game.

    Its actions are repeated; chance follows from the same seed.
    """
    assert result.record is not None
    counter = rule_part_counter(book)
    counter.reset()
    game = settings.start(counter.book, seed=result.seed, turns=turns)
    for line in result.record.splitlines()[1:]:
        event = json.loads(line)
        if "action" in event:
            game.apply(event)
    return counter.take_row()


def game_end(legend: Legend, outcome: Outcome | None) -> GameEnd:
    """Return the end of a game; *outcome* is None if it is unfinished."""
    if outcome is None:
        return GameEnd(finished=False, winners=())
    winners = [legend.seats.index(seat) for seat in outcome.winners]
    return GameEnd(finished=True, winners=tuple(winners))
