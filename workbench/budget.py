"""Time budget of a command: the duration that `--time` names, and its clock.

`running` returns the budget of the command that runs. When its time is up it raises
`TimeUp` in the main thread, in the middle of whatever Python does there. Code that must
not be interrupted runs inside `held`. A signal wakes the main thread; on a system
without signals `check` raises `TimeUp` between two steps.
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
FORM = re.compile(
    rf"(?:(?P<hours>{NUMBER})h)?(?:(?P<minutes>{NUMBER})m)?"
    rf"(?:(?P<seconds>{NUMBER}(?:\.{NUMBER})?)s)?"
)
PLAIN = re.compile(r"\d{1,9}(?:\.\d{1,6})?")
SECONDS = {"hours": 3600, "minutes": 60, "seconds": 1}
TIME = "time"
"""Word of documents for work that ended because the time was up."""
AGAIN_SECONDS = 0.5
"""Interval at which the main thread is woken until `TimeUp` has come through."""
WAKE: int | None = getattr(signal, "SIGUSR1", None)


@attrs.frozen
class Duration:
    """A duration, as it was written and in seconds."""

    text: str
    seconds: float

    def __str__(self) -> str:
        return self.text


def duration(text: str) -> Duration:
    """Return the duration of a text such as `60s`, `5m`, `1h30m` or `90`.

    Raise `ValueError` for any other text, and for no time at all.
    """
    if PLAIN.fullmatch(text):
        seconds = float(text)
    elif text and (parts := FORM.fullmatch(text)):
        given = {name: said for name, said in parts.groupdict().items() if said}
        seconds = sum(SECONDS[name] * float(said) for name, said in given.items())
    else:
        raise ValueError(f"`{text}` is not a duration; write 60s, 5m or 1h30m")
    if seconds <= 0:
        raise ValueError(f"`{text}` is not a positive duration; write 60s, 5m or 1h30m")
    return Duration(text, seconds)


class TimeUp(KeyboardInterrupt):
    """The time budget of the command is used up; asked for, so no failure."""

    status = 0

    def __init__(self, seconds: float) -> None:
        super().__init__(seconds)
        self.seconds = seconds

    def __str__(self) -> str:
        return f"stopped after {self.seconds:,.6g} s"


class Budget:
    """The time that a command may take, from the moment at which the block begins."""

    def __init__(
        self, seconds: float, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self.seconds = seconds
        self._clock = clock
        self._until = clock() + seconds
        self._held = 0
        self._raised = False
        self._ended = threading.Event()
        self._handler: Any = None
        self._waker: threading.Thread | None = None
        self._hook = sys.unraisablehook

    @property
    def is_up(self) -> bool:
        """Whether the time is used up, while there is still something to stop."""
        return not self._ended.is_set() and self._clock() >= self._until

    def check(self) -> None:
        """Raise `TimeUp` if the time is used up; only once, and not inside `held`."""
        if self.is_up and not self._held and not self._raised:
            self._raised = True
            raise TimeUp(self.seconds)

    def end(self) -> None:
        """Stop the clock: from now on nothing is interrupted."""
        self._ended.set()

    @contextmanager
    def held(self) -> Iterator[None]:
        """Let `TimeUp` wait until the block is done."""
        self._held += 1
        try:
            yield
        finally:
            self._held -= 1
        self.check()

    # ------------------------------------------------------------ waking

    def __enter__(self) -> Self:
        global _running  # noqa: PLW0603  (one command runs in a process)
        _running = self
        self._hook, sys.unraisablehook = sys.unraisablehook, self._unraised
        main = threading.current_thread() is threading.main_thread()
        if main and WAKE is not None:
            self._handler = signal.signal(WAKE, lambda *_: self.check())
            self._waker = threading.Thread(target=self._wake, daemon=True)
            self._waker.start()
        return self

    def __exit__(self, *_: object) -> None:
        global _running  # noqa: PLW0603
        self.end()
        _running = None
        sys.unraisablehook = self._hook
        if WAKE is not None and self._waker is not None:
            self._waker.join()  # from now on it sends no signal
            signal.signal(WAKE, self._handler)

    def _wake(self) -> None:
        """Wake the main thread when the time is up, until there is no need."""
        main = threading.main_thread().ident
        assert main is not None
        assert WAKE is not None
        wait = self.seconds
        while not self._ended.wait(wait):
            if self._clock() >= self._until:
                signal.pthread_kill(main, WAKE)
            wait = AGAIN_SECONDS

    def _unraised(self, lost: sys.UnraisableHookArgs) -> None:
        """Raise again what came where Python can raise nothing."""
        if issubclass(lost.exc_type, TimeUp):
            self._raised = False
        else:
            self._hook(lost)


_running: Budget | None = None


def _forget() -> None:
    """Let a process that was forked have no budget: its parent ends it."""
    global _running  # noqa: PLW0603
    _running = None


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forget)


def running() -> Budget | None:
    """Return the budget of the command that runs, or None if it has none."""
    return _running


def check() -> None:
    """Raise `TimeUp` if the command that runs has used up its time."""
    if _running is not None:
        _running.check()


@contextmanager
def held() -> Iterator[None]:
    """Let `TimeUp` wait until the block is done."""
    if _running is None:
        yield
    else:
        with _running.held():
            yield


class Timed:
    """A block that ends early when the time is up; `stopped` says if it did.

    After the block the clock is stopped: the results may be shown at leisure.
    """

    stopped: TimeUp | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: object, error: object, _: object) -> bool:
        end()
        if isinstance(error, TimeUp):
            self.stopped = error.with_traceback(None)  # frames keep processes alive
        return isinstance(error, TimeUp)


def end() -> None:
    """Stop the clock of the command that runs, if it has one."""
    if _running is not None:
        _running.end()
