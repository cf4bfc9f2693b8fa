"""Progress of long work on standard error.

On a terminal a bar shows the work from the first second on; elsewhere a plain line is
written every ten seconds, and none for short work. Both show the innermost piece of
work that is going on. A thread draws them, so that long steps show progress too.
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

from rulebook import visible
from workbench import budget

if TYPE_CHECKING:  # imported when somebody has waited, and never for a document
    from rich.progress import Progress, ProgressColumn

Item = TypeVar("Item")
PATIENCE_SECONDS = 1.0
"""Time before a bar is drawn, and after other output before it is drawn again."""
PLAIN_SECONDS = 10.0
"""Time between two plain lines, and before the first."""
TICK_SECONDS = 0.2
BAR_MAX = 30
FEW = 10
"""Below it a number in a second has a fraction."""


@attrs.define(eq=False)
class Work:
    """A piece of work, which may change: what it is, how much is done, out of what.

    A `total` of None means that nobody knows how much there is to do. `results` returns
    the first results in a few words.
    """

    total: int | None
    what: str = ""
    done: int = 0
    rate: bool = False
    results: Callable[[], str] | None = None

    def text(self, seconds: float) -> str:
        """Return what the work is and what it found, after some seconds."""
        results = "" if self.results is None else f", {self.results()}"
        since = f" ({seconds:.0f} s)" if self.total is None else ""
        return f"{visible(self.what)}{visible(results)}{since}"

    def line(self, seconds: float) -> str:
        """Return the state of the work as a plain line, after some seconds."""
        if self.total is None:
            return f"rulebook: {self.text(seconds)}"
        done = f"{self.done:,} of {self.total:,}"
        return f"rulebook: {done} {self.text(seconds)} ({seconds:.0f} s)"


class ProgressDisplay:
    """Shows the work that is going on, until there is none."""

    def __init__(self) -> None:
        self.lock = threading.RLock()
        self.works: list[Work] = []
        self.began: float | None = None
        self._bar: Progress | None = None
        self._of: Work | None = None
        self._next_bar = self._next_line = 0.0
        self._over = threading.Event()

    def begin(self, work: Work) -> None:
        """Show a piece of work in place of the one around it."""
        with self.lock:
            self.works.append(work)
            if len(self.works) > 1:
                return
            self.began = time.monotonic()
            self._next_bar = self.began + PATIENCE_SECONDS
            self._next_line = self.began + PLAIN_SECONDS
            self._over = threading.Event()
            ticker = threading.Thread(
                target=self._tick, args=(self._over,), daemon=True
            )
            ticker.start()

    def end(self, work: Work) -> None:
        """Show the work around a piece of work again, if there is any."""
        with self.lock:
            if work in self.works:
                del self.works[self.works.index(work) :]
            if not self.works:
                self._over.set()
                self._clear()

    def forget(self) -> None:
        """Show nothing in a process that was forked from the one that shows it."""
        self.works, self._bar = [], None
        self._over = threading.Event()
        self.lock.release()

    def clear(self) -> None:
        """Make room for other output."""
        with self.lock:
            self._clear()
            self._next_bar = time.monotonic() + PATIENCE_SECONDS

    def _update(self, work: Work) -> None:
        """Let the bar show a piece of work as it is now."""
        assert self._bar is not None
        seconds = time.monotonic() - (self.began or 0.0)
        self._bar.update(
            self._bar.task_ids[0],
            completed=work.done,
            total=work.total,
            description=work.text(seconds),
        )

    def look(self) -> None:
        """Draw the work that is going on, if it is time to."""
        now = time.monotonic()
        if now >= min(self._next_bar, self._next_line):
            with self.lock, suppress(OSError, ValueError):
                if self.works:
                    self._draw(self.works[-1], now)

    def _clear(self) -> None:
        """Remove the bar; what it leaves in a log of the terminal is up to date."""
        if self._bar is not None and self._of is not None:
            self._update(self._of)
            self._bar.stop()
        self._bar = self._of = None

    def _tick(self, over: threading.Event) -> None:
        """Draw the work now and then, until there is none."""
        while not over.wait(TICK_SECONDS):
            self.look()

    def _draw(self, work: Work, now: float) -> None:
        """Draw a piece of work, if it is time to."""
        if not sys.stderr.isatty():
            if now >= self._next_line:
                self._next_line = now + PLAIN_SECONDS
                sys.stderr.write(f"{work.line(now - (self.began or now))}\n")
                sys.stderr.flush()
        elif now >= self._next_bar:
            if self._of is not work:
                self._clear()
                self._bar, self._of = _bar(work), work
            assert self._bar is not None
            self._update(work)
            self._bar.refresh()
            self._next_bar = now + TICK_SECONDS


DISPLAY = ProgressDisplay()
"""What is shown: there is one standard error."""

if hasattr(os, "register_at_fork"):  # a fork finds no half-written line, and no lock
    os.register_at_fork(
        before=DISPLAY.lock.acquire,
        after_in_parent=DISPLAY.lock.release,
        after_in_child=DISPLAY.forget,
    )


@contextmanager
def working(work: Work) -> Iterator[Work]:
    """Show a piece of work while the block lasts."""
    DISPLAY.begin(work)
    try:
        yield work
    finally:
        DISPLAY.end(work)


def phase(what: str) -> None:
    """Name what the command does now, where no other piece of work is shown."""
    if DISPLAY.works:
        DISPLAY.works[0].what = what


def clear() -> None:
    """Make room for other output on the terminal."""
    DISPLAY.clear()


def progress(
    items: Iterable[Item],
    total: int,
    what: str = "",
    results: Callable[[], str] | None = None,
) -> Iterator[Item]:
    """The items, with a bar of how many of the total have come, and of what."""
    work = Work(total, what, results=results)

    def another(_: Item) -> None:
        work.done += 1

    return progress_of(items, work, another)


def progress_of(
    items: Iterable[Item], work: Work, after: Callable[[Item], None] = lambda _: None
) -> Iterator[Item]:
    """The items, with a bar of some work; what is called after each may change it."""
    with working(work):
        for item in items:
            yield item
            after(item)
            DISPLAY.look()
            budget.check()


def _bar(work: Work) -> Progress:
    """A bar that is gone when it is stopped; without a total only a sign of life."""
    from rich import progress as parts
    from rich.table import Column

    from workbench.presentation.console.streams import console_of

    console = console_of(sys.stderr)
    rest = Column(ratio=1, no_wrap=True, overflow="ellipsis")
    counted = [
        parts.BarColumn(bar_width=min(console.width // 4, BAR_MAX)),
        parts.MofNCompleteColumn(),
        *([_rate_column()] if work.rate else []),
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
    bar.add_task(visible(work.what), total=work.total, completed=work.done)
    bar.start()
    return bar


def _rate_column() -> ProgressColumn:
    """How many there are in a second, as they came lately."""
    from rich.progress import ProgressColumn, Task
    from rich.text import Text

    class Rate(ProgressColumn):
        def render(self, task: Task) -> Text:
            speed = task.speed
            return Text("" if speed is None else f"{pace(speed)}/s")

    return Rate()


def pace(number: float) -> str:
    """How many there are in a second, for people: of few the fraction counts too.

    >>> pace(1234567.8), pace(0.0471)
    ('1,234,568', '0.047')
    """
    return f"{number:,.0f}" if number >= FEW else f"{number:.2g}"
