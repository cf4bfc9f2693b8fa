"""Time limit that interrupts a bot that takes too long.

On the main thread of a system with signals, an alarm also interrupts blocking calls.
Elsewhere, an exception is injected into the thread and raised when it next runs Python
code. Neither can stop an endless loop in C code.
"""

from __future__ import annotations

import ctypes
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager


class TimeLimitExceeded(BaseException):
    """Raised when the time limit is exceeded.

    It is not an `Exception`, so that bots do not catch it by accident.
    """


@contextmanager
def time_limit(seconds: float | None) -> Iterator[None]:
    """Raise `TimeLimitExceeded` after *seconds* (None: never), repeatedly if caught."""
    is_main = threading.current_thread() is threading.main_thread()
    if seconds is None:
        yield
    elif is_main and hasattr(signal, "setitimer"):
        with alarm_limit(seconds):
            yield
    else:
        with thread_limit(seconds):
            yield


@contextmanager
def alarm_limit(seconds: float) -> Iterator[None]:
    """Enforce the time limit by an alarm signal; late signals are ignored."""
    is_active = True

    def on_alarm(_number: int, _frame: object) -> None:
        if is_active:
            raise TimeLimitExceeded

    before = signal.signal(signal.SIGALRM, on_alarm)
    signal.setitimer(signal.ITIMER_REAL, seconds, seconds)
    try:
        try:
            yield
        finally:
            is_active = False
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


@contextmanager
def thread_limit(seconds: float) -> Iterator[None]:
    """Enforce the time limit by an exception that a second thread injects."""
    thread_id, over, lock = threading.get_ident(), threading.Event(), threading.Lock()
    was_injected = False

    def interrupt_when_late() -> None:
        nonlocal was_injected
        while not over.wait(seconds):
            with lock:
                if not over.is_set():
                    was_injected = True
                    inject_exception(thread_id)

    watcher = threading.Thread(target=interrupt_when_late, daemon=True)
    watcher.start()
    try:
        try:
            yield
        finally:
            over.set()
    finally:
        with lock:  # no exception is injected from here on
            is_pending = was_injected
        if is_pending:
            discard_injected_exception(thread_id)


def inject_exception(thread_id: int) -> None:
    """Inject `TimeLimitExceeded` into a thread, replacing any pending exception."""
    raised = ctypes.py_object(TimeLimitExceeded)
    ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread_id), raised)


def discard_injected_exception(thread_id: int) -> None:
    """Wait until the exception injected into this thread is raised, and discard it.

    *thread_id* is the identifier of the thread. If the exception stayed pending, the
    interpreter would keep checking for it in all threads. CPython 3.11 would then hang
    when it traces a function.
    """
    try:
        inject_exception(thread_id)
        while True:
            pass
    except TimeLimitExceeded:
        pass
