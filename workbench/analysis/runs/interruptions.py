"""What stops a run from outside: Ctrl-C, SIGTERM and the end of a time budget.

None of them comes in the middle of a note.

While something is written or counted a signal waits until that is done. One that comes
where Python can raise nothing (in what an object does when it goes) waits for the next
note.
"""

from __future__ import annotations

import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any, Self

from workbench import budget
from workbench.analysis.simulation.processes import STOPPING, Lost
from workbench.bots.errors import BotFailed
from workbench.budget import TIME, TimeUp

SHELL = 128
"""What a shell adds to the number of a signal."""


class RunStopped(KeyboardInterrupt):
    """A run was stopped by a signal."""

    def __init__(self, number: int) -> None:
        super().__init__(number)
        self.signal = signal.Signals(number)

    @property
    def status(self) -> int:
        """The exit code of a command that was stopped so."""
        return SHELL + self.signal.value


LOST, BOT = "lost", "bot"
"""How a run was stopped of which a process is lost, or a bot did wrong."""

Halt = RunStopped | TimeUp
"""A run was stopped from outside; `status` is the exit code of the command."""
Why = Halt | Lost | BotFailed


def is_failure(stopped: Why | None) -> bool:
    """Return whether a run was stopped by anything but the time that was asked for."""
    return stopped is not None and not isinstance(stopped, TimeUp)


def named(stopped: Why | None) -> str | None:
    """How a run was stopped, in a word of documents; None where it was not."""
    if isinstance(stopped, RunStopped):
        return stopped.signal.name
    if stopped is None:
        return None
    if isinstance(stopped, TimeUp):
        return TIME
    return BOT if isinstance(stopped, BotFailed) else LOST


def interruption_text(stopped: Why) -> str:
    """How a run was stopped, for people."""
    if isinstance(stopped, RunStopped):
        return f"stopped by {stopped.signal.name}"
    return stopped.message if isinstance(stopped, BotFailed) else str(stopped)


class Stops:
    """Lets signals stop what is done in its block, but for what is `held`."""

    def __init__(self) -> None:
        self._held = False
        self._waiting: int | None = None
        self._before: dict[int, Any] = {}
        self._told = sys.unraisablehook

    def __enter__(self) -> Self:
        if threading.current_thread() is threading.main_thread():
            for number in STOPPING:
                if signal.getsignal(number) is not signal.SIG_IGN:
                    self._before[number] = signal.signal(number, self._came)
        self._told, sys.unraisablehook = sys.unraisablehook, self._unraised
        return self

    def __exit__(self, kind: object, *_: object) -> None:
        budget.end()
        self._held = True
        sys.unraisablehook = self._told
        for number, before in self._before.items():
            with suppress(TypeError):  # a handler that Python does not know
                signal.signal(number, before)
        if self._waiting is not None and kind is None:
            raise RunStopped(self._waiting)

    def _came(self, number: int, _: object) -> None:
        self._waiting = number
        if not self._held:
            raise RunStopped(number)

    def _unraised(self, lost: sys.UnraisableHookArgs) -> None:
        """Go on where a signal could not be raised; it is not forgotten."""
        if not issubclass(lost.exc_type, RunStopped):
            self._told(lost)

    @contextmanager
    def held(self) -> Iterator[None]:
        """Let a signal wait until the block is done."""
        with budget.held():
            self._held = True
            try:
                yield
            finally:
                self._held = False
            if self._waiting is not None:
                raise RunStopped(self._waiting)
