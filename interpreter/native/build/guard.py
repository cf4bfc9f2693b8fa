"""Runs a compiler for a parent, and leaves nothing behind when the parent is gone.

    python -I -S guard.py LIMIT_SECONDS BYTES_MAX LIBRARY SYMBOLS COMMAND...

A program of its own, which imports nothing of ours. It works in the folder in which it
is started and which is its parent's to remove; what the compiler says goes into
`said.txt`. Its standard input is a pipe that closes when the parent ends, however that
happens: then the compiler is ended, and the folder removed. When the compiler is done,
the library is loaded once, here, where it harms nobody if it is none, and each of the
SYMBOLS, names with commas between them, is looked up in it.

The exit codes: 0 all is well, 3 the compiler took too long or wrote too much, 4 it
could not be started, 5 it said that something is wrong, 6 its library is none.
"""

import os
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterable
from contextlib import suppress

TOO_MUCH, NOT_STARTED, WRONG, NO_LIBRARY = 3, 4, 5, 6
SAID = "said.txt"

STEP_SECONDS = 0.05

ENDING = threading.Lock()
"""Whoever has it ends the process."""


def main(
    limit: float, most: int, library: str, symbols: list[str], command: list[str]
) -> int:
    """Return the exit code after compiling."""
    with open(SAID, "wb") as said:  # noqa: PTH123  (nothing is imported that need not)
        try:
            compiler = subprocess.Popen(  # noqa: S603  (the parent chose it)
                command,
                stdin=subprocess.DEVNULL,
                stdout=said,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )
        except OSError as error:
            said.write(str(error.strerror).encode())
            return NOT_STARTED
        threading.Thread(target=_watch, args=(compiler,), daemon=True).start()
        try:
            status = _waited(compiler, limit, most)
        finally:
            _end(compiler)
    if status is None:
        return TOO_MUCH
    return _tried(library, symbols) if status == 0 else WRONG


def leave(status: int) -> None:
    """End with an exit code, unless the parent is gone and the folder goes too."""
    ENDING.acquire()
    os._exit(status)


def _waited(compiler: subprocess.Popen[bytes], limit: float, most: int) -> int | None:
    """The exit code of the compiler; None when it takes too long or writes too much."""
    until = time.monotonic() + limit
    while time.monotonic() < until:
        with suppress(subprocess.TimeoutExpired):
            return compiler.wait(STEP_SECONDS)
        if any(_size(entry) > most for entry in os.scandir()):
            break
    return None


def _size(entry: os.DirEntry[str]) -> int:
    """How many bytes a file has; one that has just gone has none."""
    with suppress(OSError):
        return entry.stat().st_size
    return 0


def _watch(compiler: subprocess.Popen[bytes]) -> None:
    """Wait for the end of the parent, and end with it."""
    with suppress(OSError):
        while os.read(0, 1):
            pass
    ENDING.acquire()
    _end(compiler)
    with suppress(OSError):
        shutil.rmtree(os.getcwd(), ignore_errors=True)  # noqa: PTH109
    os._exit(1)


def _end(compiler: subprocess.Popen[bytes]) -> None:
    """See that neither the compiler nor anything that it has started is left."""
    with suppress(OSError):
        os.killpg(compiler.pid, signal.SIGKILL)


def _tried(library: str, symbols: list[str]) -> int:
    """Load a library and look its symbols up; return the exit code.

    The reason for a failure replaces the output of the compiler.
    """
    import ctypes

    try:
        wrong = lacks(ctypes.CDLL(os.path.abspath(library)), symbols)  # noqa: PTH100
    except OSError as error:
        wrong = str(error)
    if not wrong:
        return 0
    with open(SAID, "w", encoding="utf-8", errors="replace") as said:  # noqa: PTH123
        said.write(wrong)
    return NO_LIBRARY


def lacks(library: object, symbols: Iterable[str]) -> str:
    """Return which symbols a library does not export, or an empty text."""
    missing = [name for name in symbols if not hasattr(library, name)]
    if not missing:
        return ""
    more = f" and {len(missing) - 1} more" if len(missing) > 1 else ""
    return f"it does not export {missing[0]}{more}"


if __name__ == "__main__":
    limit, most, library, symbols, *command = sys.argv[1:]
    names = [name for name in symbols.split(",") if name]
    leave(main(float(limit), int(most), library, names, command))
