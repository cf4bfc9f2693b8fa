"""Command `rulebook`: its sub-commands, and the exit codes of the process.

The exit code is 0 for success, 1 for a problem that was found, 2 for wrong usage, 70
for a bug of Rulebook, and 130 after Ctrl-C.
"""

import gc
import io
import os
import sys
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from workbench.cli.frame.exit_codes import BUG, FAILURE, INTERRUPTED, USAGE
from workbench.files.library.install_check import (
    installation_error,
    missing_libraries_error,
)

GC_THRESHOLDS = (300_000, 20, 50)
"""Thresholds of `gc.set_threshold` that make collection rare. Reading rules creates
many values but no reference cycles, and every full collection visits all values."""


def main(argv: Sequence[str] | None = None) -> int:
    """Run `rulebook` with these arguments and return the exit code."""
    _open_stdio()
    if argv is None:
        sys.unraisablehook = _exit_on_interrupt
        gc.set_threshold(*GC_THRESHOLDS)
    for error_message, status in (
        (installation_error(), USAGE),
        (missing_libraries_error(), FAILURE),
    ):
        if error_message is not None:
            # `rulebook.printable_line` may be missing in a foreign package
            text = "".join(c if c.isprintable() else "?" for c in error_message)
            sys.stderr.write(f"rulebook: {text}\n")
            return status
    arguments = list(sys.argv[1:] if argv is None else argv)
    status = _run_guarded(arguments)
    if argv is None:
        gc.freeze()  # the system frees the memory at exit
    return _finish_interrupted() if status == INTERRUPTED else _finish(status)


def _open_stdio() -> None:
    """Make standard streams replace characters that they cannot encode.

    A closed stream is opened on the null device. Otherwise the next file to be opened
    would get its descriptor.
    """
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, Path(os.devnull).open(mode))  # noqa: SIM115
        stream = getattr(sys, name)
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")


def _exit_on_interrupt(unraisable: "sys.UnraisableHookArgs") -> None:
    """Exit the process if Ctrl-C arrives where Python cannot raise an exception.

    Output files are complete even in this case.
    """
    if issubclass(unraisable.exc_type, KeyboardInterrupt):
        os._exit(INTERRUPTED)
    sys.__unraisablehook__(unraisable)


def _finish_interrupted() -> int:
    """Flush the output; return the exit code for Ctrl-C.

    This function imports nothing, because Ctrl-C may have interrupted an import.
    """
    try:
        sys.stdout.flush()
        sys.stderr.flush()
    except (OSError, ValueError):
        os._exit(INTERRUPTED)
    return INTERRUPTED


def _finish(status: int) -> int:
    """Flush all output; return exit code *status*, or another one if flushing fails."""
    from workbench.cli.frame.stdio import (
        discard_output,
        name_standard_output,
        try_flush,
    )

    try:
        with name_standard_output():
            sys.stdout.flush()
    except BrokenPipeError:  # closed pipe: `rulebook show x | head`
        status = 0
    except OSError as error:
        from workbench.cli.frame.error_messages import report_exception

        status = report_exception(error) or status
    for stream in (sys.stdout, sys.stderr):
        if not try_flush(stream):
            discard_output(stream)
    return status


def _run_guarded(arguments: list[str]) -> int:
    """Run a command and return its exit code; handle every exception."""
    try:
        from workbench.cli.frame.dispatch import run

        return run(arguments)
    except SystemExit as stop:  # argparse has written its message
        return stop.code if isinstance(stop.code, int) else USAGE
    except KeyboardInterrupt:
        with suppress(OSError):
            sys.stderr.write("\ninterrupted\n")
        return INTERRUPTED
    except Exception as error:  # noqa: BLE001  (last resort, with a traceback)
        if isinstance(error, BrokenPipeError) and error.filename is None:
            return 0
        from workbench.cli.frame.error_messages import report_exception

        status = report_exception(error)
        if status is not None:
            return status
        import traceback

        from rulebook import printable_lines

        sys.stderr.write(printable_lines(traceback.format_exc()))
        sys.stderr.write(
            "rulebook: internal error; please report the traceback above\n"
        )
        return BUG
