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
    was_put = False

    def watch() -> None:
        nonlocal was_put
        while not over.wait(seconds):
            with turn:
                if not over.is_set():
                    was_put = True
                    put(here)

    watcher = threading.Thread(target=watch, daemon=True)
    watcher.start()
    try:
        try:
            yield
        finally:
            over.set()
    finally:
        with turn:  # from now on nothing is put
            came = was_put
        if came:
            come_through(here)


def put(thread: int) -> None:
    """Put an exception into a thread, in place of one that has not come through."""
    raised = ctypes.py_object(TooLate)
    ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread), raised)


def come_through(here: int) -> None:
    """Let what was put into this thread come through, and forget it.

    Taken out it would leave the interpreter looking for it for ever, in all threads:
    CPython 3.11 does not go on where a function is traced then.
    """
    try:
        put(here)
        while True:
            pass
    except TooLate:
        pass
