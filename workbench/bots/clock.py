"""A limit of time for what a bot does: it is broken off where it has not come back.

On the main thread of a system with signals an alarm breaks off whatever Python waits
for; elsewhere an exception is put into the thread, which comes through when it next
does something in Python. Neither ends what C code does for ever.
"""

from __future__ import annotations

import ctypes
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager


class TooLate(BaseException):
    """The time is over. No `Exception`, so that bots do not catch it by chance."""


@contextmanager
def within(seconds: float | None) -> Iterator[None]:
    """Raise `TooLate` in the block, after so many seconds and again after as many."""
    main = threading.current_thread() is threading.main_thread()
    if seconds is None:
        yield
    elif main and hasattr(signal, "setitimer"):
        with by_alarm(seconds):
            yield
    else:
        with by_thread(seconds):
            yield


@contextmanager
def by_alarm(seconds: float) -> Iterator[None]:
    """The same by a signal of the system; one that comes late does nothing."""
    counts = True

    def late(_number: int, _frame: object) -> None:
        if counts:
            raise TooLate

    before = signal.signal(signal.SIGALRM, late)
    signal.setitimer(signal.ITIMER_REAL, seconds, seconds)
    try:
        try:
            yield
        finally:
            counts = False
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


@contextmanager
def by_thread(seconds: float) -> Iterator[None]:
    """The same by a thread beside this one."""
    here, over, turn = threading.get_ident(), threading.Event(), threading.Lock()

    def watch() -> None:
        while not over.wait(seconds):
            with turn:
                if not over.is_set():
                    put(here, TooLate)

    watcher = threading.Thread(target=watch, daemon=True)
    watcher.start()
    try:
        try:
            yield
        finally:
            over.set()
    finally:
        with turn:
            put(here, None)


def put(thread: int, error: type[BaseException] | None) -> None:
    """Put an exception into a thread, or take out one that has not come through."""
    raised = None if error is None else ctypes.py_object(error)
    ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread), raised)
