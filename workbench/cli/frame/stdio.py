"""Handlers for failures to write to standard output and standard error."""

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import TextIO


@contextmanager
def name_standard_output() -> Iterator[None]:
    """Set the file name of system errors in the block to `standard output`.

    A closed pipe is not an error, so it gets no name.
    """
    try:
        yield
    except BrokenPipeError:
        raise
    except OSError as error:
        error.filename = "standard output"
        raise


def discard_output(stream: TextIO) -> None:
    """Redirect a broken stream to the null device."""
    with suppress(OSError, ValueError):
        null_device = os.open(os.devnull, os.O_WRONLY)
        os.dup2(null_device, stream.fileno())
        os.close(null_device)


def try_flush(stream: TextIO) -> bool:
    """Flush a stream; return whether that succeeded."""
    try:
        stream.flush()
    except (OSError, ValueError):
        return False
    return True
