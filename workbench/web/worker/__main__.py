"""Worker process for one table with untrusted rules, or for one uploaded record.

It runs the same application as the server, inside the sandbox. Its store is the server,
reached through a pipe. The worker pool starts it with `python -P -m
workbench.web.worker MEMORY`. Each line of standard input is a JSON message; each line
of standard output is an answer or a store request.
"""

from __future__ import annotations

import asyncio
import ctypes  # noqa: F401  (the sandbox prevents loading it later)
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
from workbench.web.sandbox.checks import OUT_OF_MEMORY, check_request
from workbench.web.sandbox.process_limits import (
    allow_cpu_seconds,
    library_folders,
    restrict_access,
    set_limits,
)

NICENESS = 5
"""Niceness of a worker, so that the server process has priority."""


class Pipe:
    """Pipe to the server. The process exits when the server closes the pipe."""

    def __init__(self, source: BinaryIO, sink: BinaryIO) -> None:
        self._source = source
        self._sink = sink
        self._lines: SimpleQueue[bytes] = SimpleQueue()
        self._lock = threading.Lock()

    def start(self) -> None:
        """Start a background thread that reads messages."""
        threading.Thread(target=self._read_messages, daemon=True).start()

    def _read_messages(self) -> None:
        while line := self._source.readline():
            self._lines.put(line)
        os._exit(0)

    def next_message(self) -> Any:
        """Wait for the next message, and return it."""
        return json.loads(self._lines.get())

    def write(self, message: Mapping[str, Any]) -> None:
        """Send a message."""
        self._sink.write(json.dumps(message).encode() + b"\n")
        self._sink.flush()

    def ask(self, message: Mapping[str, Any]) -> Any:
        """Send a request to the server while handling a message; return the answer."""
        with self._lock:
            self.write(message)
            return self.next_message()


class Dispatcher:
    """Dispatcher of the server's messages to the operations of a worker."""

    def __init__(self, pipe: Pipe, settings: Mapping[str, Any]) -> None:
        self._pipe = pipe
        self._settings = settings
        self._loop = asyncio.new_event_loop()
        self._application: Any = None

    def application(self) -> Any:
        """Return the worker's application; it is created on first use."""
        if self._application is None:
            from workbench.web.worker.application import WorkerApplication

            self._application = WorkerApplication(self._pipe.ask, self._settings)
        return self._application

    def import_bots(self) -> None:
        """Import the operator's bots before the sandbox restricts file access."""
        if self._settings.get("bots"):
            self.application().import_bots()

    def handle(self, message: Mapping[str, Any]) -> dict[str, Any]:
        """Handle a message, and return the answer."""
        if message["op"] == "check":
            return self._check(message)
        if message["op"] == "complete":
            from workbench.web.sandbox.completions import completion_request

            return completion_request(message)
        application = self.application()
        answer: dict[str, Any] = self._loop.run_until_complete(
            application.handle(message)
        )
        return answer

    def _check(self, message: Mapping[str, Any]) -> dict[str, Any]:
        """Check rule texts, and add a verdict if the message names a reader."""
        result = check_request(message)
        if result["tried"] is not None and message.get("reader") is not None:
            from workbench.web.workshop.trial_verdicts import record_verdict

            result["verdict"] = record_verdict(message, result["tried"])
        return result


def main(arguments: Sequence[str]) -> int:
    """Handle messages until the server closes the pipe."""
    pipe = Pipe(sys.stdin.buffer, sys.stdout.buffer)
    if hasattr(os, "nice"):
        os.nice(NICENESS)
    settings = json.loads(sys.stdin.buffer.readline())
    examine_text("", "warm.rules")  # load the cached grammar before the sandbox starts
    worker = Dispatcher(pipe, settings)
    worker.import_bots()
    sys.stdout = sys.stderr  # output of a bot must not become an answer
    set_limits(int(arguments[0]))
    restrict_access(library_folders())
    pipe.start()
    spent = 0.0
    while True:
        message = pipe.next_message()
        allow_cpu_seconds(message["cpu"])
        try:
            answer = worker.handle(message)
            pipe.write({**answer, "spent": process_time() - spent})
        except (MemoryError, SystemError):  # SystemError: no memory for an exception
            os._exit(OUT_OF_MEMORY)
        except Exception:  # noqa: BLE001  (the server reports any failure)
            traceback.print_exc()
            sys.stderr.flush()
            os._exit(1)
        spent = process_time()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
