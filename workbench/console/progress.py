"""A bar on standard error, when that is a terminal and the work takes a while."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, TypeVar

from rulebook import visible

if TYPE_CHECKING:  # imported when somebody has waited, and never for a document
    from rich.progress import Progress

Item = TypeVar("Item")
PATIENCE_SECONDS = 1.0
BAR_MAX = 30


def progress(items: Iterable[Item], total: int, what: str = "") -> Iterator[Item]:
    """The items, with a bar of how many of the total have come, and of what."""
    bar = None
    patient = not sys.stderr.isatty()
    begun = time.monotonic()
    try:
        for done, item in enumerate(items, 1):
            yield item
            if patient:
                continue
            if bar is None and time.monotonic() - begun > PATIENCE_SECONDS:
                bar = _bar(total, visible(what))
            if bar is not None:
                bar.update(bar.task_ids[0], completed=done)
    finally:
        if bar is not None:
            bar.stop()


def _bar(total: int, what: str) -> Progress:
    """A bar that is drawn by itself, and gone when it is stopped."""
    from rich import progress as parts
    from rich.table import Column

    from workbench.console.streams import console_of

    console = console_of(sys.stderr)
    rest = Column(ratio=1, no_wrap=True, overflow="ellipsis")
    bar = parts.Progress(
        parts.BarColumn(bar_width=min(console.width // 4, BAR_MAX)),
        parts.MofNCompleteColumn(),
        parts.TimeRemainingColumn(compact=True),
        parts.TextColumn("{task.description}", markup=False, table_column=rest),
        console=console,
        transient=True,
        expand=True,
        redirect_stdout=False,
        redirect_stderr=False,
    )
    bar.add_task(what, total=total)
    bar.start()
    return bar
