"""Loader for libraries compiled from C source.

    load_library(source, symbols=names) -> ctypes.CDLL or BuildFailure(reason, help)

The function returns a loaded library, not a path, because the file at a path could be
deleted or changed before it is opened. A library compiled earlier by the same compiler
in the same way comes from the cache. Without a cache, or without room in it, the
library is compiled in a temporary folder and not stored.
"""

from __future__ import annotations

import ctypes
import subprocess
import threading
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from interpreter.native.build import guard
from interpreter.native.build.build_failure import BuildFailure
from interpreter.native.build.cache import Cache, user_cache
from interpreter.native.build.compilers import OUTPUT_BYTES_MAX, Compiler, c_compiler
from interpreter.native.build.guard_process import (
    GUARD_SECONDS,
    LIBRARY,
    SOURCE,
    failure_of,
    private_folder,
    start_guard,
    stop_guard,
)

COMPILE_SECONDS = 180.0
"""Time limit for a compiler in seconds; the largest shipped rules take two seconds."""

LOADED_FILES: set[object] = set()
"""Paths and file identities of the libraries that are in use."""

LOAD_LOCK = threading.Lock()


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
    return load_compiled(builder, user_cache(), source, kind, symbols, seconds)


def load_compiled(
    compiler: Compiler,
    cache: Cache | None,
    source: str,
    kind: str,
    symbols: Sequence[str],
    seconds: float = COMPILE_SECONDS,
) -> ctypes.CDLL | BuildFailure:
    """Return the library of a C source as `load_library` does, with this compiler."""
    if cache is None:
        return _build(compiler, source, kind, symbols, seconds)
    key = compiler.key(source, kind)
    library = load_cached(cache, key, symbols)
    if library is not None:
        return library
    with cache.lock(key, seconds):
        library = load_cached(cache, key, symbols)  # stored by another process?
        if library is not None:
            return library
        return _build(compiler, source, kind, symbols, seconds, cache)


def load_cached(cache: Cache, key: str, symbols: Sequence[str]) -> ctypes.CDLL | None:
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
    with private_folder() as folder:
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
        with private_folder() as folder:
            (folder / SOURCE).write_text(source, encoding="utf-8")
            zig = folder / "zig" if cache is None else cache.zig_folder
            failure = _compile(compiler, kind, symbols, folder, zig, seconds)
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


def _compile(
    compiler: Compiler,
    kind: str,
    symbols: Sequence[str],
    folder: Path,
    zig: Path,
    seconds: float,
) -> BuildFailure | None:
    """Compile in a folder under a guard; return the failure, or None on success.

    Raise `OSError` if no process can be started.
    """
    process = start_guard(compiler, kind, symbols, folder, zig, seconds)
    try:
        status = process.wait(seconds + GUARD_SECONDS)
    except subprocess.TimeoutExpired:
        status = guard.TOO_MUCH
    finally:
        stop_guard(process)
    output = b""
    if status:
        with suppress(OSError), (folder / guard.OUTPUT).open("rb") as file:
            output = file.read(OUTPUT_BYTES_MAX)
    return failure_of(status, output, compiler, folder, seconds)
