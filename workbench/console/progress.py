"""A bar on standard error, when that is a terminal and the work takes a while."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, TypeVar

import attrs

from rulebook import visible

if TYPE_CHECKING:  # imported when somebody has waited, and never for a document
    from rich.progress import Progress, ProgressColumn

Item = TypeVar("Item")
PATIENCE_SECONDS = 1.0
BAR_MAX = 30
FEW = 10
"""Below it a number in a second has a fraction."""


@attrs.define
class Work:
    """How much there is to do, how much is done, and what it is; it may be changed."""

    total: int
    what: str = ""
    done: int = 0
    rate: bool = False


def progress(items: Iterable[Item], total: int, what: str = "") -> Iterator[Item]:
    """The items, with a bar of how many of the total have come, and of what."""
    work = Work(total, what)

    def another(_: Item) -> None:
        work.done += 1

    return progress_of(items, work, another)


def progress_of(
    items: Iterable[Item], work: Work, after: Callable[[Item], None] = lambda _: None
) -> Iterator[Item]:
    """The items, with a bar of some work; what is called after each may change it."""
    bar = None
    patient = not sys.stderr.isatty()
    begun = time.monotonic()
    try:
        for item in items:
            yield item
            after(item)
            if patient:
                continue
            if bar is None and time.monotonic() - begun > PATIENCE_SECONDS:
                bar = _bar(work)
            if bar is not None:
                what = visible(work.what)
                bar.update(
                    bar.task_ids[0],
                    completed=work.done,
                    total=work.total,
                    description=what,
                )
    finally:
        if bar is not None:
            bar.stop()


def _bar(work: Work) -> Progress:
    """A bar that is drawn by itself, and gone when it is stopped."""
    from rich import progress as parts
    from rich.table import Column

    from workbench.console.streams import console_of

    console = console_of(sys.stderr)
    rest = Column(ratio=1, no_wrap=True, overflow="ellipsis")
    bar = parts.Progress(
        parts.BarColumn(bar_width=min(console.width // 4, BAR_MAX)),
        parts.MofNCompleteColumn(),
        *([_rate_column()] if work.rate else []),
        parts.TimeRemainingColumn(compact=True),
        parts.TextColumn("{task.description}", markup=False, table_column=rest),
        console=console,
        transient=True,
        expand=True,
        redirect_stdout=False,
        redirect_stderr=False,
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
