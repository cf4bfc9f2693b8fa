"""Guard process: runs a compiler for a parent and cleans up if the parent dies.

    python -I -S guard.py LIMIT_SECONDS BYTES_MAX NICE STORED LIBRARY SYMBOLS COMMAND...

This is a separate program that imports nothing from this project. It works in its start
folder, which belongs to the parent, and writes the compiler's output to `said.txt`. Its
standard input is a pipe that closes when the parent ends for any reason. The guard then
kills the compiler and removes the folder. When the compiler is done, the guard loads
the library once, so that a broken library can crash only the guard. It looks up each of
the SYMBOLS, which are separated by commas. NICE is added to the process's niceness.

If STORED is a path without an ending, the guard works in the background: it copies the
library to a file whose name is this path, a digest and `.so`, prints the reason if it
fails, and removes its folder and the lock file STORED.lock, whatever happened. The byte
`LEAVE` on its standard input lets it finish without its parent. Any other byte has the
same effect as the end of the parent.

Exit codes: 0 success, 3 the compiler took too long or wrote too much, 4 it could not be
started, 5 it reported an error, 6 the library is unusable, 7 it could not be stored.
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

TOO_MUCH, NOT_STARTED, WRONG, NO_LIBRARY, NOT_STORED = 3, 4, 5, 6, 7
OUTPUT = "said.txt"
LEAVE, STOP = b"l", b"s"

POLL_SECONDS = 0.05
PRINTED_BYTES_MAX = 4096

EXIT_LOCK = threading.Lock()
"""Lock held by the thread that ends the process."""


def main(
    limit: float,
    max_bytes: int,
    stored: str,
    library: str,
    symbols: list[str],
    command: list[str],
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
        watched = compiler, stored
        threading.Thread(target=_watch_parent, args=watched, daemon=True).start()
        try:
            status = _wait(compiler, limit, max_bytes)
        finally:
            _kill_compiler(compiler)
    if status is None:
        return TOO_MUCH
    return _check_library(library, symbols) if status == 0 else WRONG


def leave(status: int, library: str, stored: str) -> None:
    """Exit with a status, unless the parent has ended and a cleanup is in progress.

    In the background, store the library and clean up before that.
    """
    EXIT_LOCK.acquire()
    if stored:
        if status == 0:
            status = _store(library, stored)
        if status:
            _print_output()
        _clean_up(stored)
    os._exit(status)


def _clean_up(stored: str) -> None:
    """Remove this folder, and the lock file of a guard in the background."""
    with suppress(OSError):
        shutil.rmtree(os.getcwd(), ignore_errors=True)  # noqa: PTH109
    if stored:
        with suppress(OSError):
            os.unlink(f"{stored}.lock")  # noqa: PTH108


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


def _watch_parent(compiler: subprocess.Popen[bytes], stored: str) -> None:
    """Wait until the parent ends, then clean up and end this process.

    The parent may also order this, or leave this process alone.
    """
    with suppress(OSError):
        if os.read(0, 1) == LEAVE:
            return
    EXIT_LOCK.acquire()
    _kill_compiler(compiler)
    _clean_up(stored)
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
    return _fail(problem, NO_LIBRARY) if problem else 0


def missing_symbols(library: object, symbols: Iterable[str]) -> str:
    """Return a message about symbols that a library does not export, or ""."""
    missing = [name for name in symbols if not hasattr(library, name)]
    if not missing:
        return ""
    more = f" and {len(missing) - 1} more" if len(missing) > 1 else ""
    return f"it does not export {missing[0]}{more}"


def _store(library: str, stored: str) -> int:
    """Copy a library to its place in the cache, atomically; return the exit code."""
    from hashlib import sha256

    new = os.path.join(os.path.dirname(stored), f"new-{os.getpid()}")  # noqa: PTH118, PTH120
    try:
        with open(library, "rb") as file:  # noqa: PTH123
            data = file.read()
        number = os.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        try:
            with open(number, "wb") as file:  # noqa: PTH123
                file.write(data)
                file.flush()
                os.fsync(number)
            os.replace(new, f"{stored}-{sha256(data).hexdigest()}.so")  # noqa: PTH105
        except OSError:
            os.unlink(new)  # noqa: PTH108
            raise
    except OSError as error:
        return _fail(str(error.strerror), NOT_STORED)
    return 0


def _fail(problem: str, status: int) -> int:
    """Replace the compiler's output by a problem; return the exit code."""
    with open(OUTPUT, "w", encoding="utf-8", errors="replace") as file:  # noqa: PTH123
        file.write(problem)
    return status


def _print_output() -> None:
    """Print the beginning of the compiler's output, if the parent still reads it."""
    with suppress(OSError), open(OUTPUT, "rb") as file:  # noqa: PTH123
        os.write(1, file.read(PRINTED_BYTES_MAX))


if __name__ == "__main__":
    limit, most, nice, stored, library, symbols, *command = sys.argv[1:]
    os.nice(int(nice))
    names = [name for name in symbols.split(",") if name]
    status = main(float(limit), int(most), stored, library, names, command)
    leave(status, library, stored)
