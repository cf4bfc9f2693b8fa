"""The command `rulebook`: one file for each sub-command, and the exit codes.

0 done, 1 what was asked about is wrong, 2 wrong usage, 130 Ctrl-C, 70 our own bug.
"""

import io
import os
import sys
import traceback
from collections.abc import Sequence

from workbench.origin import complaint

WRONG, USAGE, BUG, INTERRUPTED = 1, 2, 70, 130


def main(argv: Sequence[str] | None = None) -> int:
    """The exit code of `rulebook` with these arguments."""
    for stream in (sys.stdin, sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")
    foreign = complaint()
    if foreign is not None:
        sys.stderr.write(f"rulebook: {foreign}\n")
        return USAGE
    arguments = list(sys.argv[1:] if argv is None else argv)
    try:
        status = _guarded(arguments)
        sys.stdout.flush()
    except BrokenPipeError:  # the reader has had enough: `rulebook show x | head`
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    return status


def _guarded(arguments: list[str]) -> int:
    """Run a command; turn everything that may be raised into an exit code."""
    from workbench.cli.commands import run
    from workbench.cli.failures import explained

    try:
        return run(arguments)
    except SystemExit as stop:  # argparse has written what it has to say
        return stop.code if isinstance(stop.code, int) else USAGE
    except KeyboardInterrupt:
        sys.stderr.write("\ninterrupted\n")
        return INTERRUPTED
    except BrokenPipeError:
        raise
    except Exception as error:  # noqa: BLE001  (the last resort, and it says so)
        status = explained(error)
        if status is not None:
            return status
        traceback.print_exc()
        sys.stderr.write("rulebook: this is a bug of ours; please report the above\n")
        return BUG
