"""Public interface for traces, which record the events of games for analysis.

The C engine traces the games that it plays (`PlayoutRunner.play_traced` in
`interpreter.c_engine`). The interpreter replays a game here, with the same trace.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import rulebook as rb
from interpreter.documents.pickling import DRAWN
from interpreter.measure.traces.recorded_cells import (
    CARDS,
    PIECES,
    CellMeaning,
    WatchedCell,
)
from interpreter.measure.traces.recorder import TraceRecorder
from interpreter.measure.traces.trace import BEGINNING, BY_CHANCE, Legend, Trace, legend
from interpreter.play.start import prepare_setup, state_before_setup
from rulebook.deprecated_names import deprecated_names

__all__ = [
    "BEGINNING",
    "BY_CHANCE",
    "CARDS",
    "PIECES",
    "CellMeaning",
    "Legend",
    "Trace",
    "WatchedCell",
    "legend_of",
    "trace_game",
]


def trace_game(
    book: rb.Rulebook,
    indices: Iterable[int],
    *,
    players: int | None = None,
    seed: int = 0,
    options: dict[str, Any] | None = None,
    board: dict[str, Any] | None = None,
    turns: int | None = None,
) -> Trace:
    """Return the trace of a game, given its start and the indices of its actions.

    The trace ends with the last action. Raise `UsageError` if numpy is missing.
    """
    state = state_before_setup(book, players, seed, options, DRAWN)
    prepare_setup(state, board, turns)
    recorder = TraceRecorder(state)
    recorder.play(indices)
    return recorder.trace()


def legend_of(
    book: rb.Rulebook,
    *,
    players: int | None = None,
    options: dict[str, Any] | None = None,
) -> Legend:
    """Return the legend for traces of games with these settings."""
    return legend(state_before_setup(book, players, 0, options, DRAWN).plan)


if not TYPE_CHECKING:
    __getattr__ = deprecated_names(
        __name__,
        {
            "Says": "CellMeaning",
            "Watched": "WatchedCell",
            "traced": "trace_game",
        },
    )
