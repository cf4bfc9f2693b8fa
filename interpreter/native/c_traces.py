"""Traces in C: the tables that `trace.h` reads, and the buffers that it fills."""

from __future__ import annotations

import ctypes
from collections.abc import Iterable
from importlib.resources import files
from typing import Any

from interpreter.measure.traces.recorded_cells import ranges
from interpreter.measure.traces.trace import (
    CHANGE,
    EVENT,
    Trace,
    cell_numbers,
    end_width,
    measure_width,
    numpy,
    turn_width,
)
from interpreter.native.bots.hidden import struct_array
from interpreter.native.c_file import NotTranslatable
from interpreter.native.c_writer import CWriter
from interpreter.plan.plan import Plan
from rulebook import model as m

TRACE_MACRO = "TRACED"
"""Name of the C macro that enables tracing."""

BUFFER_ROWS = {"event": 1 << 17, "change": 1 << 17, "turn": 1 << 13}
"""Initial number of rows in each buffer; buffers grow if a game needs more."""


def tracing_code(
    plan: Plan, w: CWriter, declared: Iterable[m.GameMeasure]
) -> tuple[list[str], str | None]:
    """Return the C code that traces games, and the reason if measures are missing."""
    watches, lacks = ranges(plan), None
    text = files("interpreter.native").joinpath("trace.h").read_text("utf-8")
    try:
        measures = [record_measure(plan, w, measure) for measure in declared]
    except NotTranslatable as error:
        measures, lacks = [], str(error)
    lines = [
        f"#ifdef {TRACE_MACRO}",
        f"enum {{ WATCHES = {len(watches)} }};",
        f"enum {{ MEASURES = {measure_width(plan)} }};",
        f"enum {{ ENDS = {end_width(plan)} }};",
        "typedef struct { int32_t first, end; } Watch;",
        struct_array("Watch", "WATCH", watches),
        "static void measure(Game *g, int64_t *value) {",
        "(void)g, (void)value;",
        *measures,
        "}",
        "#endif",
        text,
    ]
    return lines, lacks


def record_measure(plan: Plan, w: CWriter, measure: m.GameMeasure) -> str:
    """Return the C line that records a measure, or raise `NotTranslatable`."""
    put = f"*value++ = {w.code(measure.value)};"
    each = f"for (VAR v1 = 0; v1 < {plan.players}; v1++) "
    return each + put if measure.each_player else put


class Tracer:
    """Buffers to which C writes the traces of at most *games* games."""

    def __init__(self, plan: Plan, library: Any, cell: Any, games: int) -> None:
        self._numpy = numpy()
        int64, address = ctypes.c_int64, ctypes.c_void_p
        fields = {
            "size": int64 * 3,
            "count": int64 * 3,
            "kept": int64 * 3,
            "games": int64,
            **dict.fromkeys([*BUFFER_ROWS, "marks", "ends"], address),
            "last": cell * len(plan.start_cells),
        }
        kind = type("Trace", (ctypes.Structure,), {"_fields_": list(fields.items())})
        library.rb_trace.restype = ctypes.c_size_t
        assert library.rb_trace() == ctypes.sizeof(kind)
        self._trace = kind()
        self.address = ctypes.addressof(self._trace)
        self._places = cell_numbers(plan)
        self._rows = {
            "event": self._numpy.empty((BUFFER_ROWS["event"], len(EVENT)), "int32"),
            "change": self._numpy.empty((BUFFER_ROWS["change"], len(CHANGE)), "int32"),
            "turn": self._numpy.empty((BUFFER_ROWS["turn"], turn_width(plan)), "int64"),
        }
        self._marks = self._numpy.empty((games, 3), "int64")
        self._ends = self._numpy.empty((games, end_width(plan)), "int64")
        self._pass_buffers()

    def _pass_buffers(self) -> None:
        """Pass the addresses and sizes of the buffers to C."""
        for number, (name, rows) in enumerate(self._rows.items()):
            setattr(self._trace, name, rows.ctypes.data)
            self._trace.size[number] = len(rows)
        self._trace.marks = self._marks.ctypes.data
        self._trace.ends = self._ends.ctypes.data

    def grow(self) -> None:
        """Double the size of the buffers and keep their contents."""
        for name, rows in self._rows.items():
            wider = self._numpy.empty((2 * len(rows), rows.shape[1]), rows.dtype)
            wider[: len(rows)] = rows
            self._rows[name] = wider
        self._pass_buffers()

    def take(self) -> Trace:
        """Return the trace of the finished games, and clear the buffers."""
        trace, games = self._trace, self._trace.games
        events, changes, turns = (
            rows[: trace.kept[number]].copy()
            for number, rows in enumerate(self._rows.values())
        )
        changes[:, 1] = self._places[changes[:, 1]]
        trace.games = 0
        for number in range(3):
            trace.kept[number] = trace.count[number] = 0
        ends, marks = self._ends[:games].copy(), self._marks[:games].copy()
        return Trace(events, changes, turns, ends, marks)
