"""Functions that a native engine exports to Python.

`made` in `engine` has them looked up before a library is used, so the error names a
compiler that drops them.
"""

from __future__ import annotations

ALWAYS = (
    *("rb_numbers", "rb_size", "rb_state", "rb_start", "rb_run", "rb_apply"),
    *("rb_step", "rb_copy", "rb_random", "rb_leaves", "rb_observe"),
    *("rb_batch_begin", "rb_batch_wrong", "rb_batch_step"),
    *("rb_room", "rb_table", "rb_sample", "rb_decided", "rb_play", "rb_row"),
    "rb_games",
)
"""Functions of every engine: to play, to step batches, and to play whole games."""

TRACES = ("rb_trace",)
"""Functions of an engine that traces games."""

SEARCHES = (
    *("rb_thought", "rb_searches", "rb_search_begins", "rb_search_root"),
    "rb_search_goes_on",
)
"""Functions of an engine with tree search."""


def symbols(*, traces: bool, searches: bool) -> tuple[str, ...]:
    """Return the names that the library of an engine must export."""
    return ALWAYS + TRACES * traces + SEARCHES * searches
