"""Standard output and standard error, and failures to write to them."""

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import TextIO


@contextmanager
def naming_standard_output() -> Iterator[None]:
    """Attach the name of standard output to system errors in the block.

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
    """Discard the remaining output of a stream that cannot be written to."""
    with suppress(OSError, ValueError):
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, stream.fileno())
        os.close(nowhere)


def try_flush(stream: TextIO) -> bool:
    """Return whether the output of a stream could be flushed."""
    try:
        stream.flush()
    except (OSError, ValueError):
        return False
    return True
