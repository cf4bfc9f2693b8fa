"""Guard process: runs a compiler for a parent and cleans up if the parent dies.

    python -I -S guard.py LIMIT_SECONDS BYTES_MAX LIBRARY SYMBOLS COMMAND...

This is a separate program that imports nothing from this project. It works in its start
folder, which belongs to the parent, and writes the compiler's output to `said.txt`. Its
standard input is a pipe that closes when the parent ends for any reason. The guard then
kills the compiler and removes the folder. When the compiler is done, the guard loads
the library once, so that a broken library can crash only the guard. It looks up each of
the SYMBOLS, which are separated by commas.

Exit codes: 0 success, 3 the compiler took too long or wrote too much, 4 it could not be
started, 5 it reported an error, 6 the library is unusable.
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
OUTPUT = "said.txt"

POLL_SECONDS = 0.05

EXIT_LOCK = threading.Lock()
"""Lock held by the thread that ends the process."""


def main(
    limit: float, max_bytes: int, library: str, symbols: list[str], command: list[str]
) -> int:
    """Run the compiler and check its library; return the exit code."""
    with open(OUTPUT, "wb") as file:  # noqa: PTH123  (avoids an import)
        try:
            compiler = subprocess.Popen(  # noqa: S603  (the parent chose it)
                command,
                stdin=subprocess.DEVNULL,
                stdout=file,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )
        except OSError as error:
            file.write(str(error.strerror).encode())
            return NOT_STARTED
        threading.Thread(target=_watch_parent, args=(compiler,), daemon=True).start()
        try:
            status = _wait(compiler, limit, max_bytes)
        finally:
            _kill_compiler(compiler)
    if status is None:
        return TOO_MUCH
    return _check_library(library, symbols) if status == 0 else WRONG


def leave(status: int) -> None:
    """Exit with a status, unless the parent has ended and a cleanup is in progress."""
    EXIT_LOCK.acquire()
    os._exit(status)


def _wait(
    compiler: subprocess.Popen[bytes], limit: float, max_bytes: int
) -> int | None:
    """Return the compiler's exit code, or None if it exceeds the time or size limit."""
    until = time.monotonic() + limit
    while time.monotonic() < until:
        with suppress(subprocess.TimeoutExpired):
            return compiler.wait(POLL_SECONDS)
        if any(_size(entry) > max_bytes for entry in os.scandir()):
            break
    return None


def _size(entry: os.DirEntry[str]) -> int:
    """Return the size of a file in bytes; 0 if it has just been deleted."""
    with suppress(OSError):
        return entry.stat().st_size
    return 0


def _watch_parent(compiler: subprocess.Popen[bytes]) -> None:
    """Wait until the parent ends, then clean up and end this process."""
    with suppress(OSError):
        while os.read(0, 1):
            pass
    EXIT_LOCK.acquire()
    _kill_compiler(compiler)
    with suppress(OSError):
        shutil.rmtree(os.getcwd(), ignore_errors=True)  # noqa: PTH109
    os._exit(1)


def _kill_compiler(compiler: subprocess.Popen[bytes]) -> None:
    """Kill the compiler and all its children."""
    with suppress(OSError):
        os.killpg(compiler.pid, signal.SIGKILL)


def _check_library(library: str, symbols: list[str]) -> int:
    """Load a library and look up its symbols; return the exit code.

    If that fails, the reason replaces the compiler's output.
    """
    import ctypes

    try:
        problem = missing_symbols(ctypes.CDLL(os.path.abspath(library)), symbols)  # noqa: PTH100
    except OSError as error:
        problem = str(error)
    if not problem:
        return 0
    with open(OUTPUT, "w", encoding="utf-8", errors="replace") as file:  # noqa: PTH123
        file.write(problem)
    return NO_LIBRARY


def missing_symbols(library: object, symbols: Iterable[str]) -> str:
    """Return a message about symbols that a library does not export, or ""."""
    missing = [name for name in symbols if not hasattr(library, name)]
    if not missing:
        return ""
    more = f" and {len(missing) - 1} more" if len(missing) > 1 else ""
    return f"it does not export {missing[0]}{more}"


if __name__ == "__main__":
    limit, most, library, symbols, *command = sys.argv[1:]
    names = [name for name in symbols.split(",") if name]
    leave(main(float(limit), int(most), library, names, command))
