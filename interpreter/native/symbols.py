"""Names of the functions that a native engine exports to Python.

The functions are looked up before a library is used, so that an error names any
function that a compiler dropped.
"""

from __future__ import annotations

BASE_SYMBOLS = (
    *("rb_numbers", "rb_size", "rb_state", "rb_start", "rb_run", "rb_apply"),
    *("rb_step", "rb_copy", "rb_random", "rb_leaves", "rb_observe"),
    *("rb_batch_post", "rb_batch_do", "rb_batch_work"),
    *("rb_room", "rb_table", "rb_sample", "rb_decided", "rb_play", "rb_row"),
    "rb_games",
)
"""Names of the functions that every engine exports."""

TRACES = ("rb_trace",)
"""Names of the additional functions of an engine with tracing."""

SEARCHES = (
    *("rb_thought", "rb_searches", "rb_search_begins", "rb_search_root"),
    "rb_search_goes_on",
)
"""Names of the additional functions of an engine with tree search."""


def symbols(*, traces: bool, searches: bool) -> tuple[str, ...]:
    """Return the names of the functions that an engine's library must export."""
    return BASE_SYMBOLS + TRACES * traces + SEARCHES * searches
