"""Messages and exit codes for exceptions."""

import errno
import sys
from collections.abc import Iterable, Mapping
from contextlib import suppress
from typing import TextIO

from rulebook import Diagnostic, RulesError, printable_line
from workbench.cli.frame.exit_codes import FAILURE, USAGE
from workbench.errors import RequestError

FILE_NAME_ERRORS = {
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
"""Values of `errno` caused by a wrong file name; others are system failures."""


def report_exception(error: Exception) -> int | None:
    """Write the message of an error; return its exit code, or None for a bug."""
    match error:
        case RulesError():
            write_diagnostics(error.diagnostics, error.texts or {}, sys.stderr)
            return FAILURE
        case OSError():
            return _report_system_error(error)
        case MemoryError():
            write_error("out of memory")
            return FAILURE
        case RequestError():
            status: int | None = error.exit_code
        case _:
            status = _interpreter_error_status(error)
    if status is not None:
        write_error(str(error))
    return status


def _interpreter_error_status(error: Exception) -> int | None:
    """Return the exit code for an interpreter error, or None for any other error.

    The interpreter is imported only here, so that commands that only read rules start
    fast.
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
            return FAILURE
        case UsageError():
            return USAGE
        case _:
            return None


def write_diagnostics(
    diagnostics: Iterable[Diagnostic], texts: Mapping[str, str], stream: TextIO
) -> None:
    """Write diagnostics as text; `texts` maps file names to the texts to quote."""
    from workbench.presentation.console.diagnostics import diagnostic_text
    from workbench.presentation.console.streams import console_of

    console = console_of(stream)
    for diagnostic in diagnostics:
        text = diagnostic_text(diagnostic, texts, console.width)
        console.print(text, soft_wrap=True)


def _report_system_error(error: OSError) -> int:
    """Write a system error and the name of its file; return the exit code."""
    reason = error.strerror or str(error)
    write_error(reason if error.filename is None else f"{error.filename}: {reason}")
    return USAGE if error.filename and error.errno in FILE_NAME_ERRORS else FAILURE


def write_error(text: str) -> None:
    """Write a line to standard error; ignore a broken stream."""
    with suppress(OSError, ValueError):
        sys.stderr.write(f"rulebook: {printable_line(text)}\n")
        sys.stderr.flush()
