"""Guard processes as seen by the parent, which waits for one or polls it."""

from __future__ import annotations

import errno
import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

from interpreter.native.build import guard
from interpreter.native.build.build_failure import BuildFailure
from interpreter.native.build.cache import LIBRARY_BYTES
from interpreter.native.build.compilers import Compiler, environment, one_line
from rulebook.tooling import is_private

GUARD_SECONDS = 20.0
"""Additional seconds for the compiler's guard to clean up."""

SOURCE, LIBRARY = "engine.c", "engine.so"


def start_guard(
    compiler: Compiler,
    kind: str,
    symbols: Sequence[str],
    folder: Path,
    zig: Path,
    seconds: float,
    *,
    nice: int = 0,
    stored: str = "",
    kept_files: Sequence[int] = (),
) -> subprocess.Popen[bytes]:
    """Start to compile the source in a folder under a guard; return the guard.

    `stored` is the path without ending of the library in the cache, for a guard in the
    background. It inherits the files with the numbers `kept_files`. Raise `OSError` if
    no process can be started.
    """
    zig_folders = {
        "ZIG_GLOBAL_CACHE_DIR": str(zig),
        "ZIG_LOCAL_CACHE_DIR": str(folder / "zig-here"),
    }
    limits = [str(seconds), str(LIBRARY_BYTES), str(nice), stored, LIBRARY]
    command = compiler.command_line(kind, LIBRARY, SOURCE)
    script = str(Path(guard.__file__).resolve())
    return subprocess.Popen(  # noqa: S603  (this Python, our own file)
        [sys.executable, "-I", "-S", script, *limits, ",".join(symbols), *command],
        cwd=folder,
        env={**environment(), **zig_folders, "TMPDIR": str(folder)},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE if stored else subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
        pass_fds=kept_files,
    )


def stop_guard(process: subprocess.Popen[bytes]) -> None:
    """Stop a guard and the compiler it watches.

    Other processes may have inherited the pipe, so closing it is not enough.
    """
    assert process.stdin is not None
    with suppress(OSError):
        process.stdin.write(guard.STOP)
        process.stdin.flush()
    with suppress(OSError):
        process.stdin.close()
    try:
        process.wait(GUARD_SECONDS)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


def failure_of(
    status: int, output: bytes, compiler: Compiler, folder: Path, seconds: float
) -> BuildFailure | None:
    """Return the failure for an exit code of a guard, or None on success."""
    if status == 0:
        return None
    name, line = compiler.name, one_line(output).replace(f"{folder}{os.sep}", "")
    if status < 0:
        line = f"it was killed by {signal.Signals(-status).name}"
    match status:
        case guard.TOO_MUCH:
            return BuildFailure(
                f"{name} took more than {seconds:g} seconds or filled the disk"
            )
        case guard.NOT_STARTED:
            return BuildFailure(f"{name} cannot be started ({line})")
        case guard.WRONG:
            return BuildFailure(f"{name} reported an error: {line}")
        case guard.NOT_STORED:
            return BuildFailure(f"the library built by {name} cannot be stored: {line}")
        case _:
            return BuildFailure(f"the library built by {name} cannot be loaded: {line}")


@contextmanager
def private_folder() -> Iterator[Path]:
    """Create a private temporary folder that is removed after the block.

    Raise `OSError` if it cannot be created.
    """
    with tempfile.TemporaryDirectory(
        prefix="rulebook-", ignore_cleanup_errors=True
    ) as folder:
        if not is_private(Path(folder)):
            raise PermissionError(errno.EPERM, "other users can write to its folder")
        yield Path(folder)
