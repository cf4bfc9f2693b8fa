"""Loader for libraries compiled from C source.

    load_library(source, symbols=names) -> ctypes.CDLL or BuildFailure(reason, help)

The function returns a loaded library, not a path, because the file at a path could be
deleted or changed before it is opened. A library compiled earlier by the same compiler
in the same way comes from the cache. Without a cache, or without room in it, the
library is compiled in a temporary folder and not stored.
"""

from __future__ import annotations

import ctypes
import errno
import os
import signal
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

from interpreter.native.build import guard
from interpreter.native.build.build_failure import BuildFailure
from interpreter.native.build.cache import LIBRARY_BYTES, Cache, user_cache
from interpreter.native.build.compilers import (
    OUTPUT_BYTES_MAX,
    Compiler,
    c_compiler,
    environment,
    one_line,
)
from rulebook.tooling import is_private

COMPILE_SECONDS = 180.0
"""Time limit for a compiler in seconds; the largest shipped rules take two seconds."""

GUARD_SECONDS = 20.0
"""Additional seconds for the compiler's guard to clean up."""

LOADED_FILES: set[object] = set()
"""Paths and file identities of the libraries that are in use."""

LOAD_LOCK = threading.Lock()

SOURCE, LIBRARY = "engine.c", "engine.so"


def load_library(
    source: str,
    kind: str = "play",
    *,
    symbols: Sequence[str] = (),
    seconds: float = COMPILE_SECONDS,
) -> ctypes.CDLL | BuildFailure:
    """Return the library of a C source, compiled or cached, or a build failure.

    `kind` is a key of `FLAGS`. The library exports every name in `symbols`. A compiler
    whose library lacks a symbol is rejected, and a cached library that lacks a symbol
    is removed. Problems with the compiler, the disk or the cache folder never raise.
    The global data of the library is not shared with other callers.
    """
    builder = c_compiler()
    if isinstance(builder, BuildFailure):
        return builder
    key, cache = builder.key(source, kind), user_cache()
    if cache is None:
        return _build(builder, source, kind, symbols, seconds)
    library = _load_cached(cache, key, symbols)
    if library is not None:
        return library
    with cache.lock(key, seconds):
        library = _load_cached(cache, key, symbols)  # stored by another process?
        if library is not None:
            return library
        return _build(builder, source, kind, symbols, seconds, cache)


def _load_cached(cache: Cache, key: str, symbols: Sequence[str]) -> ctypes.CDLL | None:
    """Return the cached library of a key, or None if it is missing or unusable."""
    path = cache.library(key)
    if path is not None:
        with suppress(OSError):
            library = _load_private(path)
            if not guard.missing_symbols(library, symbols):
                return library
            path.unlink()
    return None


def _load_private(path: Path) -> ctypes.CDLL:
    """Load a library with its own copy of the global data.

    The system shares global data among all users of a file, so a second load in the
    process uses a copy of the file. Raise `OSError` if it cannot be copied.
    """
    about = path.stat()
    names = {str(path), (about.st_dev, about.st_ino)}
    with LOAD_LOCK:
        is_new = not names & LOADED_FILES
        LOADED_FILES.update(names)
    if is_new:
        return ctypes.CDLL(str(path))
    with _private_folder() as folder:
        copy = folder / LIBRARY
        copy.write_bytes(path.read_bytes())
        return ctypes.CDLL(str(copy))


def _build(
    compiler: Compiler,
    source: str,
    kind: str,
    symbols: Sequence[str],
    seconds: float,
    cache: Cache | None = None,
) -> ctypes.CDLL | BuildFailure:
    """Compile a library, store it in the cache if there is one, and load it."""
    try:
        with _private_folder() as folder:
            command = compiler.command_line(kind, LIBRARY, SOURCE)
            (folder / SOURCE).write_text(source, encoding="utf-8")
            zig = folder / "zig" if cache is None else cache.zig_folder
            words = [",".join(symbols), *command]
            failure = _compile(compiler.name, words, folder, zig, seconds)
            if failure is not None:
                return failure
            path = folder / LIBRARY
            stored = None
            if cache is not None:
                stored = cache.store(compiler.key(source, kind), path.read_bytes())
            return _load_either(stored or path, path)
    except OSError as error:
        return BuildFailure(
            f"a native engine cannot be written or loaded ({error.strerror or error})",
            "check the folder for temporary files, `$TMPDIR`",
        )


def _load_either(first: Path, second: Path) -> ctypes.CDLL:
    """Load a library from the first path that works; a cache may forbid execution."""
    with suppress(OSError):
        return _load_private(first)
    return _load_private(second)


@contextmanager
def _private_folder() -> Iterator[Path]:
    """Create a private temporary folder that is removed after the block.

    Raise `OSError` if it cannot be created.
    """
    with tempfile.TemporaryDirectory(
        prefix="rulebook-", ignore_cleanup_errors=True
    ) as folder:
        if not is_private(Path(folder)):
            raise PermissionError(errno.EPERM, "other users can write to its folder")
        yield Path(folder)


# ---------------------------------------------------------------- compilation


def _compile(
    name: str, arguments: list[str], folder: Path, zig: Path, seconds: float
) -> BuildFailure | None:
    """Compile in a folder under a guard; return the failure, or None on success.

    `arguments` are the symbols to look up, as one word, and the command. Raise
    `OSError` if no process can be started.
    """
    zig_folders = {
        "ZIG_GLOBAL_CACHE_DIR": str(zig),
        "ZIG_LOCAL_CACHE_DIR": str(folder / "zig-here"),
    }
    limits = [str(seconds), str(LIBRARY_BYTES), LIBRARY]
    script = str(Path(guard.__file__).resolve())
    process = subprocess.Popen(  # noqa: S603  (this Python, our own file)
        [sys.executable, "-I", "-S", script, *limits, *arguments],
        cwd=folder,
        env={**environment(), **zig_folders, "TMPDIR": str(folder)},
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    try:
        status = process.wait(seconds + GUARD_SECONDS)
    except subprocess.TimeoutExpired:
        status = guard.TOO_MUCH
    finally:
        _stop_guard(process)
    return _problem(status, name, folder, seconds)


def _stop_guard(process: subprocess.Popen[bytes]) -> None:
    """Stop a guard and the compiler it watches."""
    assert process.stdin is not None
    with suppress(OSError):
        process.stdin.close()
    try:
        process.wait(GUARD_SECONDS)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


def _problem(
    status: int, name: str, folder: Path, seconds: float
) -> BuildFailure | None:
    """Return the failure for an exit code of the guard, or None on success."""
    if status == 0:
        return None
    output = b""
    with suppress(OSError), (folder / guard.OUTPUT).open("rb") as file:
        output = file.read(OUTPUT_BYTES_MAX)
    line = one_line(output).replace(f"{folder}{os.sep}", "")
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
        case _:
            return BuildFailure(f"the library built by {name} cannot be loaded: {line}")
