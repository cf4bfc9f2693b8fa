"""Threads that play the games of a batch, each its own slice.

The threads wait for tasks in C. A thread that has waited for about 0.1 milliseconds
returns to Python and sleeps there until it is woken up, so that a batch that nobody
uses takes no processor time. The calling thread plays the first slice.
"""

from __future__ import annotations

import ctypes
import os
from collections.abc import Callable
from enum import IntEnum
from itertools import pairwise
from threading import Lock, Thread
from typing import Any

from interpreter.errors import UsageError


class Task(IntEnum):
    """Task of the threads of a batch; C uses the same values."""

    START = 0
    APPLY = 1
    CHOOSE = 2
    STOP = 3


class Worker(ctypes.Structure):
    """C structure `Worker` of `batch.h`: a thread and its slice of the games."""

    _fields_ = tuple(
        [
            (name, ctypes.c_int64)
            for name in (
                *("begun", "checked", "ended", "asleep"),
                *("start", "end", "wrong", "stuck"),
            )
        ]
    )


CACHE_LINE = ctypes.sizeof(Worker)


class Workers:
    """Threads of a batch, which perform one task after another.

    `games` is the C structure of the batch.
    """

    def __init__(self, library: Any, games: Any, number: int, threads: int) -> None:
        address, integer = ctypes.c_void_p, ctypes.c_int64
        self.post = _declare(library.rb_batch_post, integer, address, address)
        self._do = _declare(library.rb_batch_do, None, address)
        work = _declare(library.rb_batch_work, ctypes.c_int, address, integer)
        ranges = slices(number, threads)
        self._room = (Worker * (len(ranges) + 1))()
        start = -(-ctypes.addressof(self._room) // CACHE_LINE) * CACHE_LINE
        self.list = [
            Worker.from_address(start + place * CACHE_LINE)
            for place in range(len(ranges))
        ]
        for worker, (low, high) in zip(self.list, ranges, strict=True):
            worker.start, worker.end = low, high
        games.worker, games.workers = start, len(ranges)
        self._games, self._address = games, ctypes.addressof(games)
        self._asleep = (ctypes.c_int64 * len(ranges))()
        self._process = os.getpid()
        self.locks = [Lock() for _ in ranges]
        self._is_open = True
        self._threads = []
        for place in range(1, len(ranges)):
            self.locks[place].acquire()
            memory = (self._games, self._room)
            given = (work, self._address, place, self.locks[place], memory)
            thread = Thread(target=_work, args=given, daemon=True)
            self._threads.append(thread)
            thread.start()

    def run(self, task: Task) -> None:
        """Perform a task for all games, and wait for its end.

        An interrupt from the keyboard is raised after the end.
        """
        if self._threads and os.getpid() != self._process:
            raise UsageError(
                "this batch has threads of the process that forked this one;"
                " create a batch here"
            )
        self._games.task = task
        try:
            self._publish()
        finally:
            self._do(self._address)

    def close(self) -> None:
        """Stop the threads."""
        if self._is_open and os.getpid() == self._process:
            self._games.task = Task.STOP
            self._publish()
        self._is_open = False

    def join(self) -> None:
        """Wait until the threads have stopped."""
        for thread in self._threads:
            thread.join()

    def _publish(self) -> None:
        """Publish the task, and wake up the threads that sleep."""
        try:
            count = self.post(self._address, ctypes.addressof(self._asleep))
            for place in self._asleep[:count]:
                _wake(self.locks[place])
        except BaseException:  # an interrupt between two threads
            for lock in self.locks[1:]:
                _wake(lock)
            raise


def slices(number: int, threads: int) -> list[tuple[int, int]]:
    """Split a number of games into (start, end) slices of nearly equal size.

    There is one slice for each thread, but none is empty.

    >>> slices(5, 2), slices(1, 4)
    ([(0, 2), (2, 5)], [(0, 1)])
    """
    parts = min(number, threads)
    ends = [number * part // parts for part in range(parts + 1)]
    return list(pairwise(ends))


def _work(
    work: Callable[..., int], address: int, place: int, lock: Lock, _memory: object
) -> None:
    """Perform the tasks of a thread; `_memory` is what C uses meanwhile."""
    while work(address, place):
        lock.acquire()


def _wake(lock: Lock) -> None:
    """Wake up the thread that sleeps at a lock, or will sleep there next."""
    if lock.locked():
        lock.release()


def _declare(function: Any, result: Any, *arguments: Any) -> Callable[..., int]:
    """Return a C function with declared types, which runs without Python's lock."""
    function.argtypes, function.restype = arguments, result
    declared: Callable[..., int] = function
    return declared
