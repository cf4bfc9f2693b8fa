"""Messages of the server on standard error, at a bounded rate."""

from __future__ import annotations

import asyncio
import errno
import logging
import os
import time
from collections.abc import Callable
from typing import Any

from rulebook import visible_lines

BURST = 5
"""Maximum number of messages of one kind in an interval."""
INTERVAL = 60.0
"""Length of an interval in seconds."""
EXHAUSTED = frozenset({errno.EMFILE, errno.ENFILE, errno.ENOBUFS, errno.ENOMEM})
"""Error numbers of a system that has no resources for another connection."""
LOG = logging.getLogger(__name__)


class Seldom(logging.Filter):
    """Filter that passes few messages of a kind in an interval.

    The next message that passes says how many were dropped. A kind is a place in the
    code that logs. Requests cancelled at shutdown are not logged.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        super().__init__()
        self._clock = clock
        self._kinds: dict[tuple[str, int], tuple[float, int]] = {}

    def filter(self, record: logging.LogRecord) -> bool:
        """Return whether the message is written."""
        if record.exc_info and isinstance(record.exc_info[1], asyncio.CancelledError):
            return False
        now, kind = self._clock(), (record.pathname, record.lineno)
        began, count = self._kinds.get(kind, (now, 0))
        if now - began >= INTERVAL:
            if count > BURST:
                record.msg = f"{record.getMessage()} ({count - BURST:,} more before)"
                record.args = None
            began, count = now, 0
        self._kinds[kind] = began, count + 1
        return count < BURST


class Visible(logging.Formatter):
    """Formatter that removes terminal control characters from messages."""

    def format(self, record: logging.LogRecord) -> str:
        """Return the message and its traceback, with control characters as U+FFFD."""
        return visible_lines(super().format(record))


def log_seldom() -> None:
    """Write warnings and errors to standard error, few of each kind."""
    handler = logging.StreamHandler()
    handler.setFormatter(Visible())
    handler.addFilter(Seldom())
    logging.getLogger().addHandler(handler)
    asyncio.get_running_loop().set_exception_handler(_unhandled)


def _unhandled(loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
    """Log an error of the event loop; exhausted resources take one line."""
    error = context.get("exception")
    if isinstance(error, OSError) and error.errno in EXHAUSTED:
        LOG.warning("no connection can be accepted: %s", os.strerror(error.errno))
        return
    loop.default_exception_handler(context)
