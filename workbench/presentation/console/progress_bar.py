"""Progress of long work on standard error.

On a terminal, a bar appears after one second. Elsewhere, a plain line is written every
ten seconds. Both show the innermost work in progress. A separate thread draws them, so
they are updated even during long steps.
"""

from __future__ import annotations

import os
import sys
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, TypeVar

import attrs

from rulebook import printable_line
from workbench import budget

if TYPE_CHECKING:  # imported only when a bar appears, never for JSON
    from rich.progress import Progress, ProgressColumn

Item = TypeVar("Item")
PATIENCE_SECONDS = 1.0
"""Delay in seconds before a bar is drawn, at the start and after other output."""
PLAIN_SECONDS = 10.0
"""Seconds before the first plain line, and between any two lines."""
TICK_SECONDS = 0.2
BAR_MAX = 30
SMALL_RATE = 10
"""Rate per second below which the display shows decimals."""


@attrs.define(eq=False)
class Work:
    """Work in progress: its description, the number of items done and the total.

    `total` is None if it is unknown. `results` returns a short text about the results
    so far.
    """

    total: int | None
    description: str = ""
    done: int = 0
    shows_rate: bool = False
    results: Callable[[], str] | None = None

    def text(self, seconds: float) -> str:
        """Return the description, results and, without a total, the elapsed time."""
        results = "" if self.results is None else f", {self.results()}"
        since = f" ({seconds:.0f} s)" if self.total is None else ""
        return f"{printable_line(self.description)}{printable_line(results)}{since}"

    def line(self, seconds: float) -> str:
        """Return the progress as a plain line, *seconds* after the start."""
        if self.total is None:
            return f"rulebook: {self.text(seconds)}"
        done = f"{self.done:,} of {self.total:,}"
        return f"rulebook: {done} {self.text(seconds)} ({seconds:.0f} s)"


class ProgressDisplay:
    """Display of the work in progress; its thread ends when no work is left."""

    def __init__(self) -> None:
        self.lock = threading.RLock()
        self.works: list[Work] = []
        self.start_time: float | None = None
        self._bar: Progress | None = None
        self._shown_work: Work | None = None
        self._next_bar = self._next_line = 0.0
        self._over = threading.Event()

    def begin(self, work: Work) -> None:
        """Show new work instead of the enclosing work."""
        with self.lock:
            self.works.append(work)
            if len(self.works) > 1:
                return
            self.start_time = time.monotonic()
            self._next_bar = self.start_time + PATIENCE_SECONDS
            self._next_line = self.start_time + PLAIN_SECONDS
            self._over = threading.Event()
            ticker = threading.Thread(
                target=self._tick, args=(self._over,), daemon=True
            )
            ticker.start()

    def end(self, work: Work) -> None:
        """Finish the shown work, and show the enclosing work again."""
        with self.lock:
            if work in self.works:
                del self.works[self.works.index(work) :]
            if not self.works:
                self._over.set()
                self._clear()

    def disable(self) -> None:
        """Disable the display in a forked child process."""
        self.works, self._bar = [], None
        self._over = threading.Event()
        self.lock.release()

    def clear(self) -> None:
        """Remove the bar to make room for other output."""
        with self.lock:
            self._clear()
            self._next_bar = time.monotonic() + PATIENCE_SECONDS

    def _update(self, work: Work) -> None:
        """Update the bar with the progress of work."""
        assert self._bar is not None
        seconds = time.monotonic() - (self.start_time or 0.0)
        self._bar.update(
            self._bar.task_ids[0],
            completed=work.done,
            total=work.total,
            description=work.text(seconds),
        )

    def refresh(self) -> None:
        """Draw the current work if the bar or a plain line is due."""
        now = time.monotonic()
        if now >= min(self._next_bar, self._next_line):
            with self.lock, suppress(OSError, ValueError):
                if self.works:
                    self._draw(self.works[-1], now)

    def _clear(self) -> None:
        """Update and erase the bar; captured output ends with the latest values."""
        if self._bar is not None and self._shown_work is not None:
            self._update(self._shown_work)
            self._bar.stop()
        self._bar = self._shown_work = None

    def _tick(self, stop: threading.Event) -> None:
        """Draw the work at regular intervals until `stop` is set."""
        while not stop.wait(TICK_SECONDS):
            self.refresh()

    def _draw(self, work: Work, now: float) -> None:
        """Draw work if the bar or a plain line is due at time *now*."""
        if not sys.stderr.isatty():
            if now >= self._next_line:
                self._next_line = now + PLAIN_SECONDS
                sys.stderr.write(f"{work.line(now - (self.start_time or now))}\n")
                sys.stderr.flush()
        elif now >= self._next_bar:
            if self._shown_work is not work:
                self._clear()
                self._bar, self._shown_work = _bar(work), work
            assert self._bar is not None
            self._update(work)
            self._bar.refresh()
            self._next_bar = now + TICK_SECONDS


DISPLAY = ProgressDisplay()
"""Display of this process; there is only one standard error."""

if hasattr(os, "register_at_fork"):  # a fork must not copy a held lock
    os.register_at_fork(
        before=DISPLAY.lock.acquire,
        after_in_parent=DISPLAY.lock.release,
        after_in_child=DISPLAY.disable,
    )


@contextmanager
def show_progress(work: Work) -> Iterator[Work]:
    """Show work in progress while the block runs."""
    DISPLAY.begin(work)
    try:
        yield work
    finally:
        DISPLAY.end(work)


def show_phase(description: str) -> None:
    """Show the current step of the command, unless other work is shown."""
    if DISPLAY.works:
        DISPLAY.works[0].description = description


def clear_progress() -> None:
    """Remove the bar to make room for other output on the terminal."""
    DISPLAY.clear()


def with_progress(
    items: Iterable[Item],
    total: int,
    description: str = "",
    results: Callable[[], str] | None = None,
    is_counted: Callable[[Item], bool] = lambda _: True,
) -> Iterator[Item]:
    """Yield the items, and show a bar with the number of counted items done."""
    work = Work(total, description, results=results)

    def count_item(item: Item) -> None:
        work.done += is_counted(item)

    return with_progress_bar(items, work, count_item)


def with_progress_bar(
    items: Iterable[Item], work: Work, on_item: Callable[[Item], None] = lambda _: None
) -> Iterator[Item]:
    """Yield the items, and show a bar for *work*, which *on_item* may update."""
    with show_progress(work):
        for item in items:
            yield item
            on_item(item)
            DISPLAY.refresh()
            budget.check_time()


def _bar(work: Work) -> Progress:
    """Return a started bar, or a spinner without a total; stopping it erases it."""
    from rich import progress as parts
    from rich.table import Column

    from workbench.presentation.console.streams import console_of

    console = console_of(sys.stderr)
    rest = Column(ratio=1, no_wrap=True, overflow="ellipsis")
    counted = [
        parts.BarColumn(bar_width=min(console.width // 4, BAR_MAX)),
        parts.MofNCompleteColumn(),
        *([_rate_column()] if work.shows_rate else []),
        parts.TimeRemainingColumn(compact=True),
    ]
    bar = parts.Progress(
        *([parts.SpinnerColumn("line")] if work.total is None else counted),
        parts.TextColumn("{task.description}", markup=False, table_column=rest),
        console=console,
        auto_refresh=False,
        transient=True,
        expand=True,
        redirect_stdout=False,
    )
    bar.add_task(
        printable_line(work.description), total=work.total, completed=work.done
    )
    bar.start()
    return bar


def _rate_column() -> ProgressColumn:
    """Return a progress column with the recent rate per second."""
    from rich.progress import ProgressColumn, Task
    from rich.text import Text

    class Rate(ProgressColumn):
        def render(self, task: Task) -> Text:
            speed = task.speed
            return Text("" if speed is None else f"{rate_text(speed)}/s")

    return Rate()


def rate_text(number: float) -> str:
    """Format a rate per second for display; small rates keep their fraction.

    >>> rate_text(1234567.8), rate_text(0.0471)
    ('1,234,568', '0.047')
    """
    return f"{number:,.0f}" if number >= SMALL_RATE else f"{number:.2g}"
