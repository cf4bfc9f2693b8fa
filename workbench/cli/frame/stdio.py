"""Standard output and standard error: what to do when they cannot be written to."""

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import TextIO


@contextmanager
def naming_standard_output() -> Iterator[None]:
    """Let an error of the system say that it is standard output that fails.

    That its reader has had enough is no error: it stays without a name.
    """
    try:
        yield
    except BrokenPipeError:
        raise
    except OSError as error:
        error.filename = "standard output"
        raise


def hush(stream: TextIO) -> None:
    """Let a stream that cannot be written to swallow what is still in it."""
    with suppress(OSError, ValueError):
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, stream.fileno())
        os.close(nowhere)


def flushed(stream: TextIO) -> bool:
    """Whether what was written to a stream has gone out."""
    try:
        stream.flush()
    except (OSError, ValueError):
        return False
    return True
