"""From what may be raised to what a person reads and an exit code."""

import errno
import sys
from collections.abc import Iterable, Mapping
from contextlib import suppress
from typing import TextIO

from rulebook import Diagnostic, RulesError, visible
from workbench.errors import Refused

WRONG, USAGE = 1, 2

MISNAMED = {
    errno.ENOENT,
    errno.ENOTDIR,
    errno.EISDIR,
    errno.EEXIST,
    errno.EACCES,
    errno.EPERM,
    errno.EROFS,
    errno.ELOOP,
    errno.ENAMETOOLONG,
    errno.EINVAL,
    errno.ENXIO,
}
"""What the system says of a name that is wrong; the rest is the system's trouble."""


def explained(error: Exception) -> int | None:
    """Write what a user did wrong; the exit code, or None when it is our bug."""
    match error:
        case RulesError():
            put_diagnostics(error.diagnostics, error.texts or {}, sys.stderr)
            return WRONG
        case OSError():
            return _refused_by_system(error)
        case MemoryError():
            complain("out of memory")
            return WRONG
        case Refused():
            status: int | None = error.status
        case _:
            status = _of_playing(error)
    if status is not None:
        complain(str(error))
    return status


def _of_playing(error: Exception) -> int | None:
    """The exit code for what playing refuses, or None.

    Whoever only reads rules never gets here, and never waits for what plays them.
    """
    from interpreter import (
        IllegalAction,
        PositionError,
        RecordError,
        SampleError,
        UsageError,
    )

    match error:
        case IllegalAction() | PositionError() | RecordError() | SampleError():
            return WRONG
        case UsageError():
            return USAGE
        case _:
            return None


def put_diagnostics(
    diagnostics: Iterable[Diagnostic], texts: Mapping[str, str], stream: TextIO
) -> None:
    """Write diagnostics for people; `texts` gives the files to quote, by name."""
    from workbench.presentation.console.diagnostics import diagnostic_text
    from workbench.presentation.console.streams import console_of

    console = console_of(stream)
    for diagnostic in diagnostics:
        text = diagnostic_text(diagnostic, texts, console.width)
        console.print(text, soft_wrap=True)


def _refused_by_system(error: OSError) -> int:
    """Write what the system would not do, and with which file."""
    said = error.strerror or str(error)
    complain(said if error.filename is None else f"{error.filename}: {said}")
    return USAGE if error.filename and error.errno in MISNAMED else WRONG


def complain(text: str) -> None:
    """Write a line to standard error, where that can still be done."""
    with suppress(OSError, ValueError):
        sys.stderr.write(f"rulebook: {visible(text)}\n")
        sys.stderr.flush()
