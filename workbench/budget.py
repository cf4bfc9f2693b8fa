"""Time budget of a command, given by `--time`.

`running_budget` returns the budget of the current command. When the time is up, it
raises `TimeUp` in the main thread, whatever code is running. Code that must not be
interrupted runs inside `uninterrupted`. A signal wakes the main thread. On systems
without signals, `check_time` raises `TimeUp` between two steps.
"""

from __future__ import annotations

import os
import re
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, Self

import attrs

NUMBER = r"\d{1,6}"
DURATION_PATTERN = re.compile(
    rf"(?:(?P<hours>{NUMBER})h)?(?:(?P<minutes>{NUMBER})m)?"
    rf"(?:(?P<seconds>{NUMBER}(?:\.{NUMBER})?)s)?"
)
PLAIN = re.compile(r"\d{1,9}(?:\.\d{1,6})?")
SECONDS = {"hours": 3600, "minutes": 60, "seconds": 1}
STOPPED_BY_TIME = "time"
"""Value in JSON output for work that ended because time was up."""
SIGNAL_INTERVAL_SECONDS = 0.5
"""Seconds between signals to the main thread, until it raises `TimeUp`."""
WAKE_SIGNAL: int | None = getattr(signal, "SIGUSR1", None)


@attrs.frozen
class Duration:
    """Duration in seconds, with the text from which it was parsed."""

    text: str
    seconds: float

    def __str__(self) -> str:
        return self.text


def parse_duration(text: str) -> Duration:
    """Parse a duration such as `60s`, `5m`, `1h30m` or `90` (in seconds).

    Raise `ValueError` for any other text and for a duration of zero.
    """
    if PLAIN.fullmatch(text):
        seconds = float(text)
    elif text and (parts := DURATION_PATTERN.fullmatch(text)):
        given = {name: number for name, number in parts.groupdict().items() if number}
        seconds = sum(SECONDS[name] * float(number) for name, number in given.items())
    else:
        raise ValueError(f"`{text}` is not a duration; write 60s, 5m or 1h30m")
    if seconds <= 0:
        raise ValueError(f"`{text}` is not a positive duration; write 60s, 5m or 1h30m")
    return Duration(text, seconds)


class TimeUp(KeyboardInterrupt):
    """Raised when the time budget of the command is used up.

    The exit code is then 0, because the user requested the limit.
    """

    exit_code = 0

    def __init__(self, seconds: float) -> None:
        super().__init__(seconds)
        self.seconds = seconds

    def __str__(self) -> str:
        return f"stopped after {self.seconds:,.6g} s"


class TimeBudget:
    """Time budget of a command; its clock starts when the object is created."""

    def __init__(
        self, seconds: float, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self.seconds = seconds
        self._clock = clock
        self._until = clock() + seconds
        self._uninterrupted_depth = 0
        self._raised = False
        self._ended = threading.Event()
        self._handler: Any = None
        self._waker: threading.Thread | None = None
        self._hook = sys.unraisablehook

    @property
    def is_up(self) -> bool:
        """True if the time is used up and the clock has not been stopped."""
        return not self._ended.is_set() and self._clock() >= self._until

    def check(self) -> None:
        """Raise `TimeUp` if the time is used up.

        The exception is raised only once, and never inside `uninterrupted`.
        """
        if self.is_up and not self._uninterrupted_depth and not self._raised:
            self._raised = True
            raise TimeUp(self.seconds)

    def stop(self) -> None:
        """Stop the clock; nothing is interrupted afterwards."""
        self._ended.set()

    @contextmanager
    def uninterrupted(self) -> Iterator[None]:
        """Postpone `TimeUp` until the end of the block."""
        self._uninterrupted_depth += 1
        try:
            yield
        finally:
            self._uninterrupted_depth -= 1
        self.check()

    # ------------------------------------------------------------ wake-up

    def __enter__(self) -> Self:
        global _running  # noqa: PLW0603  (one command runs in a process)
        _running = self
        self._hook, sys.unraisablehook = sys.unraisablehook, self._on_unraisable
        main = threading.current_thread() is threading.main_thread()
        if main and WAKE_SIGNAL is not None:
            self._handler = signal.signal(WAKE_SIGNAL, lambda *_: self.check())
            self._waker = threading.Thread(target=self._wake, daemon=True)
            self._waker.start()
        return self

    def __exit__(self, *_: object) -> None:
        global _running  # noqa: PLW0603
        self.stop()
        _running = None
        sys.unraisablehook = self._hook
        if WAKE_SIGNAL is not None and self._waker is not None:
            self._waker.join()  # it sends no more signals
            signal.signal(WAKE_SIGNAL, self._handler)

    def _wake(self) -> None:
        """Signal the main thread repeatedly once time is up, until the clock stops."""
        main = threading.main_thread().ident
        assert main is not None
        assert WAKE_SIGNAL is not None
        wait = self.seconds
        while not self._ended.wait(wait):
            if self._clock() >= self._until:
                signal.pthread_kill(main, WAKE_SIGNAL)
            wait = SIGNAL_INTERVAL_SECONDS

    def _on_unraisable(self, unraisable: sys.UnraisableHookArgs) -> None:
        """Allow `TimeUp` to be raised again after Python had to ignore it."""
        if issubclass(unraisable.exc_type, TimeUp):
            self._raised = False
        else:
            self._hook(unraisable)


_running: TimeBudget | None = None


def _clear_after_fork() -> None:
    """Clear the budget in a forked child process, whose time the parent limits."""
    global _running  # noqa: PLW0603
    _running = None


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_clear_after_fork)


def running_budget() -> TimeBudget | None:
    """Return the budget of the current command, or None if it has none."""
    return _running


def check_time() -> None:
    """Raise `TimeUp` if the current command has used up its time."""
    if _running is not None:
        _running.check()


@contextmanager
def uninterrupted() -> Iterator[None]:
    """Postpone `TimeUp` until the end of the block."""
    if _running is None:
        yield
    else:
        with _running.uninterrupted():
            yield


class TimedBlock:
    """Context manager whose block ends early when time is up.

    `stopped` is the `TimeUp` that ended the block, or None. The clock is stopped after
    the block, so that showing the results is not interrupted.
    """

    stopped: TimeUp | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: object, error: object, _: object) -> bool:
        stop_clock()
        if isinstance(error, TimeUp):
            self.stopped = error.with_traceback(None)  # frames keep processes alive
        return isinstance(error, TimeUp)


def stop_clock() -> None:
    """Stop the clock of the current command, if it has one."""
    if _running is not None:
        _running.stop()
