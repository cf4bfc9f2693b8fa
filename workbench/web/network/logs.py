"""Rate-limited log messages of the server on standard error."""

from __future__ import annotations

import asyncio
import errno
import logging
import os
import time
from collections.abc import Callable
from typing import Any

from rulebook import printable_lines

MAX_MESSAGES = 5
"""Maximum number of messages per interval from one place in the code."""
INTERVAL_SECONDS = 60.0
"""Length of a rate-limiting interval in seconds."""
RESOURCE_ERRORS = frozenset({errno.EMFILE, errno.ENFILE, errno.ENOBUFS, errno.ENOMEM})
"""Error numbers that mean that the system has run out of sockets or memory."""
LOG = logging.getLogger(__name__)


class RateLimitFilter(logging.Filter):
    """Log filter that limits the rate of messages from each place in the code.

    The next message that passes reports how many were dropped. Requests that are
    cancelled at shutdown are not logged.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        super().__init__()
        self._clock = clock
        self._counts: dict[tuple[str, int], tuple[float, int]] = {}

    def filter(self, record: logging.LogRecord) -> bool:
        """Return whether to write the message."""
        if record.exc_info and isinstance(record.exc_info[1], asyncio.CancelledError):
            return False
        now, place = self._clock(), (record.pathname, record.lineno)
        started_at, count = self._counts.get(place, (now, 0))
        if now - started_at >= INTERVAL_SECONDS:
            if count > MAX_MESSAGES:
                record.msg = (
                    f"{record.getMessage()} "
                    f"({count - MAX_MESSAGES:,} similar messages were dropped)"
                )
                record.args = None
            started_at, count = now, 0
        self._counts[place] = started_at, count + 1
        return count < MAX_MESSAGES


class PrintableFormatter(logging.Formatter):
    """Log formatter that replaces control characters, which terminals could execute."""

    def format(self, record: logging.LogRecord) -> str:
        """Return the message and its traceback, with control characters as U+FFFD."""
        return printable_lines(super().format(record))


def configure_logging() -> None:
    """Write rate-limited warnings and errors to standard error."""
    handler = logging.StreamHandler()
    handler.setFormatter(PrintableFormatter())
    handler.addFilter(RateLimitFilter())
    logging.getLogger().addHandler(handler)
    asyncio.get_running_loop().set_exception_handler(_log_loop_error)


def _log_loop_error(loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
    """Log an error of the event loop, on one line if a resource is exhausted."""
    error = context.get("exception")
    if isinstance(error, OSError) and error.errno in RESOURCE_ERRORS:
        LOG.warning("cannot accept connections: %s", os.strerror(error.errno))
        return
    loop.default_exception_handler(context)
