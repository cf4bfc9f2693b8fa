"""The worker process: it plays one table with foreign rules, or shows one record.

It runs the same application as the server, fenced in, and has its store behind the
server's pipe. `python -P -m workbench.web.worker MEMORY` is how `workers` begins it.
A line of standard input is a message as JSON, a line of standard output its answer.
"""

from __future__ import annotations

import asyncio
import ctypes  # noqa: F401  (it cannot be loaded behind the fence)
import json
import os
import sys
import threading
import traceback
from collections.abc import Mapping, Sequence
from queue import SimpleQueue
from time import process_time
from typing import Any, BinaryIO

from rulebook import examine_text
from workbench.web.apart.child import OUT_OF_MEMORY, answer
from workbench.web.apart.fences import allow, fence, libraries, set_limits

NICE = 5
"""How far a worker stands back behind the server where both want a processor."""


class Pipe:
    """The pipe to the server. The process ends where the server closes it."""

    def __init__(self, reading: BinaryIO, writing: BinaryIO) -> None:
        self._reading = reading
        self._writing = writing
        self._read: SimpleQueue[bytes] = SimpleQueue()
        self._lock = threading.Lock()

    def begin(self) -> None:
        """Read from now on, whatever else the process does."""
        threading.Thread(target=self._reads, daemon=True).start()

    def _reads(self) -> None:
        while line := self._reading.readline():
            self._read.put(line)
        os._exit(0)

    def next(self) -> Any:
        """The next message."""
        return json.loads(self._read.get())

    def write(self, message: Mapping[str, Any]) -> None:
        """Send a message."""
        self._writing.write(json.dumps(message).encode() + b"\n")
        self._writing.flush()

    def ask(self, message: Mapping[str, Any]) -> Any:
        """Send a message while another one is worked on; the answer to it."""
        with self._lock:
            self.write(message)
            return self.next()


class Worker:
    """What a worker does for the server: an operation for each sort of message."""

    def __init__(self, pipe: Pipe, settings: Mapping[str, Any]) -> None:
        self._pipe = pipe
        self._settings = settings
        self._loop = asyncio.new_event_loop()
        self._inside: Any = None

    def inside(self) -> Any:
        """The application in this process; a check alone has no need of it."""
        if self._inside is None:
            from workbench.web.worker.inside import Inside

            self._inside = Inside(self._pipe.ask, self._settings)
        return self._inside

    def warm(self) -> None:
        """Import the bots of who serves, which may lie where no foreign rules look."""
        if self._settings.get("bots"):
            self.inside().warm()

    def answer(self, message: Mapping[str, Any]) -> dict[str, Any]:
        """The answer to a message."""
        if message["op"] == "check":
            return self._checked(message)
        inside = self.inside()
        told: dict[str, Any] = self._loop.run_until_complete(inside.answer(message))
        return told

    def _checked(self, message: Mapping[str, Any]) -> dict[str, Any]:
        """What is found in texts, with the verdict in words for a reader."""
        told = answer(message)
        if told["tried"] is not None and message.get("reader") is not None:
            from workbench.web.studio.verdicts import judged

            told["verdict"] = judged(message, told["tried"])
        return told


def main(arguments: Sequence[str]) -> int:
    """Answer messages until the server closes the pipe."""
    pipe = Pipe(sys.stdin.buffer, sys.stdout.buffer)
    if hasattr(os, "nice"):
        os.nice(NICE)
    settings = json.loads(sys.stdin.buffer.readline())
    examine_text("", "warm.rules")  # what is kept of the grammar is read before
    worker = Worker(pipe, settings)
    worker.warm()
    sys.stdout = sys.stderr  # a bot that prints writes no answer
    set_limits(int(arguments[0]))
    fence(libraries())
    pipe.begin()
    spent = 0.0
    while True:
        message = pipe.next()
        allow(message["cpu"])
        try:
            told = worker.answer(message)
            pipe.write({**told, "spent": process_time() - spent})
        except (MemoryError, SystemError):  # the second where an error had no room
            os._exit(OUT_OF_MEMORY)
        except Exception:  # noqa: BLE001  (whatever it is, the server says a sentence)
            traceback.print_exc()
            sys.stderr.flush()
            os._exit(1)
        spent = process_time()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
