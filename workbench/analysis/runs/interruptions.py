"""Interruptions of a run: Ctrl-C, SIGTERM, and the end of a time budget.

A signal is postponed while results are written or counted, and where Python cannot
raise an exception, such as in a destructor.
"""

from __future__ import annotations

import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any, Self

from workbench import budget
from workbench.analysis.simulation.processes import STOP_SIGNALS, WorkerLost
from workbench.bots.bot_failures import BotFailed
from workbench.budget import STOPPED_BY_TIME, TimeUp

SIGNAL_EXIT_OFFSET = 128
"""Number added to a signal number to form an exit code, as in shells."""


class RunStopped(KeyboardInterrupt):
    """Raised when a signal stops a run."""

    def __init__(self, number: int) -> None:
        super().__init__(number)
        self.signal = signal.Signals(number)

    @property
    def exit_code(self) -> int:
        """Exit code of the command."""
        return SIGNAL_EXIT_OFFSET + self.signal.value


LOST_PROCESS, BOT_ERROR = "lost", "bot"
"""Stop reasons in documents: a lost worker process, or an error of a bot."""

EXTERNAL_STOPS = RunStopped | TimeUp
"""Exceptions that interrupt a run; `exit_code` is the exit code of the command."""
StopReason = EXTERNAL_STOPS | WorkerLost | BotFailed


def is_failure(reason: StopReason | None) -> bool:
    """Return whether a run was stopped by anything but its time budget."""
    return reason is not None and not isinstance(reason, TimeUp)


def stop_reason_name(reason: StopReason | None) -> str | None:
    """Return the name of a stop reason in JSON documents, or None."""
    if isinstance(reason, RunStopped):
        return reason.signal.name
    if reason is None:
        return None
    if isinstance(reason, TimeUp):
        return STOPPED_BY_TIME
    return BOT_ERROR if isinstance(reason, BotFailed) else LOST_PROCESS


def interruption_text(reason: StopReason) -> str:
    """Return a readable explanation of why a run was stopped."""
    if isinstance(reason, RunStopped):
        return f"stopped by {reason.signal.name}"
    return reason.message if isinstance(reason, BotFailed) else str(reason)


class SignalGuard:
    """Context manager that lets signals stop its block, except in `uninterrupted`."""

    def __init__(self) -> None:
        self._is_postponing = False
        self._pending: int | None = None
        self._handlers: dict[int, Any] = {}
        self._old_hook = sys.unraisablehook

    def __enter__(self) -> Self:
        if threading.current_thread() is threading.main_thread():
            for number in STOP_SIGNALS:
                if signal.getsignal(number) is not signal.SIG_IGN:
                    self._handlers[number] = signal.signal(number, self._on_signal)
        self._old_hook, sys.unraisablehook = sys.unraisablehook, self._on_unraisable
        return self

    def __exit__(self, kind: object, *_: object) -> None:
        budget.stop_clock()
        self._is_postponing = True
        sys.unraisablehook = self._old_hook
        for number, before in self._handlers.items():
            with suppress(TypeError):  # a handler not set from Python
                signal.signal(number, before)
        if self._pending is not None and kind is None:
            raise RunStopped(self._pending)

    def _on_signal(self, number: int, _: object) -> None:
        """Raise `RunStopped`, or postpone it inside `uninterrupted`."""
        self._pending = number
        if not self._is_postponing:
            raise RunStopped(number)

    def _on_unraisable(self, unraisable: sys.UnraisableHookArgs) -> None:
        """Ignore a `RunStopped` that Python could not raise; it stays pending."""
        if not issubclass(unraisable.exc_type, RunStopped):
            self._old_hook(unraisable)

    @contextmanager
    def uninterrupted(self) -> Iterator[None]:
        """Postpone signals until the end of the block."""
        with budget.uninterrupted():
            self._is_postponing = True
            try:
                yield
            finally:
                self._is_postponing = False
            if self._pending is not None:
                raise RunStopped(self._pending)
