"""Functions that a native engine exports to Python.

The functions are looked up before a library is used, so that a compiler that drops one
is named in the error.
"""

from __future__ import annotations

BASE_SYMBOLS = (
    *("rb_numbers", "rb_size", "rb_state", "rb_start", "rb_run", "rb_apply"),
    *("rb_step", "rb_copy", "rb_random", "rb_leaves", "rb_observe"),
    *("rb_batch_begin", "rb_batch_wrong", "rb_batch_step"),
    *("rb_room", "rb_table", "rb_sample", "rb_decided", "rb_play", "rb_row"),
    "rb_games",
)
"""Functions that every engine exports, to play games and step batches."""

TRACES = ("rb_trace",)
"""Additional functions of an engine with tracing."""

SEARCHES = (
    *("rb_thought", "rb_searches", "rb_search_begins", "rb_search_root"),
    "rb_search_goes_on",
)
"""Additional functions of an engine with tree search."""


def symbols(*, traces: bool, searches: bool) -> tuple[str, ...]:
    """Return the names that the library of an engine must export."""
    return BASE_SYMBOLS + TRACES * traces + SEARCHES * searches
