"""A bar on standard error, when that is a terminal and the work takes a while."""

import sys
import time
from collections.abc import Iterable, Iterator
from typing import TypeVar

from rulebook import visible

Item = TypeVar("Item")
PATIENCE_SECONDS = 1.0
BAR = 30


def progress(items: Iterable[Item], total: int, what: str = "") -> Iterator[Item]:
    """The items, with a bar of how many of the total have come, and of what."""
    shown = False
    start = last = time.monotonic()
    tty = sys.stderr.isatty()
    try:
        for done, item in enumerate(items, 1):
            yield item
            now = time.monotonic()
            if tty and now - start > PATIENCE_SECONDS and now - last > 0.1:
                filled = BAR * done // max(total, 1)
                bar = "#" * filled + "." * (BAR - filled)
                sys.stderr.write(f"\r[{bar}] {done}/{total} {visible(what)}".rstrip())
                sys.stderr.flush()
                shown, last = True, now
    finally:
        if shown:
            sys.stderr.write("\r" + " " * (BAR + 30) + "\r")
            sys.stderr.flush()
