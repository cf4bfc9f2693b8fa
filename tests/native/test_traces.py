"""Both engines produce the same traces, row by row."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from interpreter.c_engine import NoNativeEngine, PendingGame, PlayoutLimits, playouts
from interpreter.native import c_traces as in_c
from interpreter.tracing import BEGINNING, BY_CHANCE, Trace, legend_of, trace_game
from rulebook import Rulebook
from tests.native.compilers import NEEDS_C
from tests.native.test_same_games import ROOT
from workbench import load
from workbench.analysis.simulation.settings import Settings
from workbench.analysis.simulation.simulation import (
    GameTask,
    bots_by_seat,
    interpreter_bot,
    native_engine,
    portion_results,
)
from workbench.bots import stream_names
from workbench.bots.randomness import stream_key

np = pytest.importorskip("numpy")
pytestmark = [NEEDS_C, pytest.mark.usefixtures("own_cache")]

SEED = 5
GAMES = {
    "classic": 300,
    "germany": 300,
    "base": 200,
    "cardgame": 200,
    "examples/games/hearts.rules": 250,
    "examples/games/moonlight.rules": 100,
}
"""Number of compared decisions for each game; one has hidden hands, one simultaneous
answers.
"""


DECLARED = """
measure reed_held of player each turn: number of reed in player's basket "reed"
measure free_spots: number of spot where spot has no hut
"""


def told(
    book: Rulebook, number: int, decisions: int, bot: str = "random"
) -> Iterator[Trace]:
    """Yield the traces of some games in C, in the groups in which C plays them."""
    settings = Settings(seed=SEED)
    seats = settings.start(book, turns=0).seats
    task = GameTask(bots_by_seat([bot], seats), settings)
    native = playouts(book, players=len(seats), bots=[bot], with_traces=True)
    assert not isinstance(native, NoNativeEngine), native
    games = [
        PendingGame(
            SEED + n, tuple(stream_key(stream_names(1, n, seat)) for seat in seats)
        )
        for n in range(number)
    ]
    limits = PlayoutLimits(decisions)
    for played, trace in native.play_traced(
        games, [bot] * len(seats), limits, interpreter_bot(task)
    ):
        assert trace.games == len(played)
        yield trace


def games_of(trace: Trace) -> Iterator[dict[str, Any]]:
    """Yield the rows of each game, numbered from the start of the game."""
    begun = [0, 0, 0]
    for game, marks in enumerate(trace.marks.tolist()):
        (events, changes, turns), (last, changed, turned) = begun, marks
        rows = {
            "events": trace.events[events:last],
            "changes": trace.changes[changes:changed] - [events, 0, 0, 0],
            "turns": trace.turns[turns:turned].copy(),
            "ends": trace.ends[game : game + 1],
        }
        rows["turns"][:, 0] -= events
        yield rows
        begun = marks


def compare(book: Rulebook, trace: Trace) -> None:
    """Assert that the interpreter produces the same trace of each game."""
    for number, rows in enumerate(games_of(trace)):
        indices = [index for index in rows["events"][:, 0] if index >= 0]
        again = trace_game(
            book, indices, players=len(legend_of(book).seats), seed=SEED + number
        )
        for name, mine in rows.items():
            theirs = getattr(again, name)
            assert mine.tolist() == theirs.tolist(), (number, name)


@pytest.mark.parametrize("name", GAMES)
def test_both_engines_trace_the_same(name: str) -> None:
    book = load(name)
    for trace in told(book, 2, GAMES[name]):
        assert trace.games == 2
        assert min(map(len, (trace.events, trace.changes, trace.turns))) > 2
        compare(book, trace)


def test_both_engines_record_declared_measures(tmp_path: Path) -> None:
    path = tmp_path / "declaring.rules"
    text = (ROOT / "examples/first/first.rules").read_text("utf-8")
    path.write_text(text + DECLARED, "utf-8")
    book = load(str(path))
    for trace in told(book, 3, 200):
        compare(book, trace)
        assert trace.turns.shape[1] == 4 + 4 + 4 + 1
        held, free = trace.turns[:, 8:12], trace.turns[:, 12]
        assert held.max() > 0 and 0 < free.min() < free.max()
    seats = legend_of(book).seats
    task = GameTask(
        bots_by_seat(["random"], seats), Settings(seed=SEED), with_measures=True
    )
    native = native_engine(book, task)
    assert not isinstance(native, NoNativeEngine), native
    rows = [
        [dict(x.measures or {}) for x in portion_results(engine, book, task, range(3))]
        for engine in (native, None)
    ]
    assert rows[0] == rows[1]
    assert rows[0][0]["free_spots"]


def test_a_bots_search_leaves_no_trace() -> None:
    book = load("germany")
    for trace in told(book, 2, 40, "greedy"):
        assert np.count_nonzero(trace.events[:, 0] >= 0) == 2 * 40
        compare(book, trace)


def test_buffers_grow_if_needed(monkeypatch: pytest.MonkeyPatch) -> None:
    book = load("examples/games/hearts.rules")
    whole = list(told(book, 3, 200))
    few = {"event": 400, "change": 900, "turn": 90}
    monkeypatch.setattr(in_c, "BUFFER_ROWS", few)
    for one_way, other in zip(whole, told(book, 3, 200), strict=True):
        for name in ("events", "changes", "turns", "ends", "marks"):
            mine, theirs = getattr(one_way, name), getattr(other, name)
            assert mine.tolist() == theirs.tolist(), name


def test_traces_of_many_games_are_concatenated() -> None:
    book = load("examples/games/hearts.rules")
    traces = list(told(book, 40, 100))
    assert [trace.games for trace in traces] == [32, 8]
    for trace in traces:
        begun = [0, *trace.marks[:-1, 0].tolist()]
        assert (trace.events[begun, 0] == BEGINNING).all()
        assert np.count_nonzero(trace.events[:, 0] == BEGINNING) == trace.games
        assert np.count_nonzero(trace.events[:, 0] == BY_CHANCE) > trace.games
        assert (np.diff(trace.changes[:, 0]) >= 0).all()


def test_changes_transform_the_start_into_the_end() -> None:
    book = load("germany")
    (trace,) = told(book, 3, 500)
    for rows in games_of(trace):
        cells: dict[int, int] = {}
        for _, cell, was, now in rows["changes"].tolist():
            assert cells.get(cell, was) == was != now
            cells[cell] = now
        end = rows["ends"][0, 4:].tolist()
        assert cells.items() <= dict(enumerate(end)).items()
