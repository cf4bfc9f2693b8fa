"""Compilation in the background, by a guard that stores the library in the cache.

All processes of the user find the library there. While the guard works, it holds the
lock of the library, so that no other process compiles the same one.
"""

from __future__ import annotations

import atexit
import os
import shutil
import subprocess
import tempfile
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

import attrs

from interpreter.native.build import guard
from interpreter.native.build.build_failure import BuildFailure
from interpreter.native.build.cache import Cache
from interpreter.native.build.compilers import Compiler
from interpreter.native.build.guard_process import (
    SOURCE,
    failure_of,
    start_guard,
    stop_guard,
)
from rulebook.tooling import is_private

LOWEST_PRIORITY = 19
"""Niceness of a compiler that only uses idle processors."""

RUNNING: list[BackgroundBuild] = []
"""Builds of this process, except those that were found to have ended."""


@attrs.define(eq=False)
class BackgroundBuild:
    """Compiler in the background, started by this process.

    It ends with this process, unless it is told to finish without it.
    """

    compiler: Compiler
    seconds: float
    _folder: Path
    _process: subprocess.Popen[bytes]
    _owner: int = attrs.field(factory=os.getpid)
    _output: bytes = b""
    _is_left: bool = False

    @property
    def is_running(self) -> bool:
        """Whether the compiler or its guard is still running.

        A forked process does not know, and gets True.
        """
        if self._owner == os.getpid() and self._process.poll() is not None:
            self._close()
            return False
        return True

    def failure(self) -> BuildFailure | None:
        """Return why the build has failed, or None if it has not."""
        status = 0 if self.is_running else self._process.returncode
        return failure_of(
            status, self._output, self.compiler, self._folder, self.seconds
        )

    def stop(self) -> None:
        """Kill the compiler; what it has written is removed.

        A forked process, or one that has left it, leaves it running.
        """
        if self._owner == os.getpid() and not self._is_left and self.is_running:
            stop_guard(self._process)
            self._close()

    def leave(self) -> None:
        """Let the compiler finish, even after this process has ended."""
        assert self._process.stdin is not None
        with suppress(OSError, ValueError):
            self._process.stdin.write(guard.LEAVE)
            self._process.stdin.flush()
        self._is_left = True

    def _close(self) -> None:
        """Read the output of an ended guard, and close its pipes."""
        stdin, stdout = self._process.stdin, self._process.stdout
        assert stdin is not None
        assert stdout is not None
        if not stdout.closed:
            with suppress(OSError):
                stdin.close()
            self._output = stdout.read()
            stdout.close()


def start_build(
    compiler: Compiler,
    cache: Cache,
    source: str,
    kind: str,
    symbols: Sequence[str],
    seconds: float,
    *,
    nice: int = 0,
) -> BackgroundBuild | None:
    """Start to compile a library into a cache; return None if that is not possible.

    It is not possible while another process compiles the same library or after it has
    done so, or without room for temporary files. `nice` is added to the niceness of
    this process.
    """
    key = compiler.key(source, kind)
    folder = None
    try:
        lock = cache.try_lock(key)
        if lock is None:
            return None
        with lock:
            if cache.library(key) is not None:
                cache.lock_path(key).unlink()
                return None
            folder = Path(tempfile.mkdtemp(prefix="rulebook-"))
            if not is_private(folder):
                raise PermissionError
            (folder / SOURCE).write_text(source, encoding="utf-8")
            process = start_guard(
                *(compiler, kind, symbols, folder, cache.zig_folder, seconds),
                nice=nice,
                stored=str(cache.folder / key),
                kept_files=(lock.fileno(),),
            )
    except OSError:
        if folder is not None:
            shutil.rmtree(folder, ignore_errors=True)
        with suppress(OSError):
            cache.lock_path(key).unlink()
        return None
    build = BackgroundBuild(compiler, seconds, folder, process)
    RUNNING.append(build)
    return build


def is_building() -> bool:
    """Return whether this process compiles anything in the background."""
    RUNNING[:] = [build for build in RUNNING if build.is_running]
    return bool(RUNNING)


@atexit.register
def stop_builds() -> None:
    """Kill the compilers that this process has started and not left running."""
    for build in RUNNING:
        build.stop()
    is_building()
