"""From a text in C to a library that is loaded, or why there is none.

    loaded(source, symbols=names) -> ctypes.CDLL, or NotBuilt(reason, help)

The library is loaded here, and not handed on as a path, since whatever lies at a path
may have gone or changed before somebody opens it. One that was made before, by the same
compiler in the same way, is taken from the cache. Where there is no cache, or no room
on it, the library is made in a folder of its own and forgotten.
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
from interpreter.native.build.cache import LIBRARY_BYTES, Cache, user_cache
from interpreter.native.build.compilers import (
    SAID_MAX,
    Compiler,
    c_compiler,
    environment,
    one_line,
)
from interpreter.native.build.refusal import NotBuilt
from rulebook.tooling import is_private

COMPILE_SECONDS = 180.0
"""The time that a compiler has; the largest rules that are shipped take two seconds."""

GUARD_SECONDS = 20.0
"""The time in which its guard, after that, has tidied up."""

HANDED: set[object] = set()
"""By which the system knows the libraries that somebody has: paths and files."""

TURN = threading.Lock()

SOURCE, LIBRARY = "engine.c", "engine.so"


def loaded(
    source: str,
    kind: str = "play",
    *,
    symbols: Sequence[str] = (),
    seconds: float = COMPILE_SECONDS,
) -> ctypes.CDLL | NotBuilt:
    """Return the library of a text in C, made now or before, or why there is none.

    `kind` is a row of the table of flags. The library exports every name in `symbols`:
    a compiler whose library lacks one is refused, and a cached one is removed.
    Never raises for what is the matter with the compiler, the disk or the cache folder.
    Its numbers are the caller's own.
    """
    builder = c_compiler()
    if isinstance(builder, NotBuilt):
        return builder
    key, place = builder.key(source, kind), user_cache()
    if place is None:
        return _made(builder, source, kind, symbols, seconds)
    library = _taken(place, key, symbols)
    if library is not None:
        return library
    with place.alone(key, seconds):
        library = _taken(place, key, symbols)  # somebody else may have made it by now
        if library is not None:
            return library
        return _made(builder, source, kind, symbols, seconds, place)


def _taken(place: Cache, key: str, symbols: Sequence[str]) -> ctypes.CDLL | None:
    """The cached library of a key, or None if it cannot be loaded or lacks a symbol."""
    path = place.library(key)
    if path is not None:
        with suppress(OSError):
            library = _own(path)
            if not guard.lacks(library, symbols):
                return library
            path.unlink()
    return None


def _own(path: Path) -> ctypes.CDLL:
    """A library with numbers of its own: the system has one for each file.

    So who loads it again in a process has a copy. Raises `OSError` where none can be.
    """
    about = path.stat()
    names = {str(path), (about.st_dev, about.st_ino)}
    with TURN:
        is_new = not names & HANDED
        HANDED.update(names)
    if is_new:
        return ctypes.CDLL(str(path))
    with _private_folder() as folder:
        copy = folder / LIBRARY
        copy.write_bytes(path.read_bytes())
        return ctypes.CDLL(str(copy))


def _made(
    builder: Compiler,
    source: str,
    kind: str,
    symbols: Sequence[str],
    seconds: float,
    place: Cache | None = None,
) -> ctypes.CDLL | NotBuilt:
    """A library just made, which stands in the cache from now on if there is one."""
    try:
        with _private_folder() as folder:
            command = builder.line(kind, LIBRARY, SOURCE)
            (folder / SOURCE).write_text(source, encoding="utf-8")
            zig = folder / "zig" if place is None else place.zig
            words = [",".join(symbols), *command]
            refusal = _compiled(builder.name, words, folder, zig, seconds)
            if refusal is not None:
                return refusal
            path = folder / LIBRARY
            kept = None
            if place is not None:
                kept = place.keep(builder.key(source, kind), path.read_bytes())
            return _opened(kept or path, path)
    except OSError as error:
        return NotBuilt(
            f"a native engine cannot be written or loaded ({error.strerror or error})",
            "check the folder for temporary files, `$TMPDIR`",
        )


def _opened(first: Path, second: Path) -> ctypes.CDLL:
    """The library in one of two places; the cache may be where nothing can be run."""
    with suppress(OSError):
        return _own(first)
    return _own(second)


@contextmanager
def _private_folder() -> Iterator[Path]:
    """A folder for this process alone, gone afterwards.

    Raises `OSError` where there can be none.
    """
    with tempfile.TemporaryDirectory(
        prefix="rulebook-", ignore_cleanup_errors=True
    ) as folder:
        if not is_private(Path(folder)):
            raise PermissionError(errno.EPERM, "other users can write to its folder")
        yield Path(folder)


# ---------------------------------------------------------------- compiling


def _compiled(
    name: str, words: list[str], folder: Path, zig: Path, seconds: float
) -> NotBuilt | None:
    """Compile in a folder, under a guard; what is wrong, or None.

    `words` are the symbols to look up, as one word, and the command.
    Raises `OSError` when no process can be started.
    """
    zig_folders = {
        "ZIG_GLOBAL_CACHE_DIR": str(zig),
        "ZIG_LOCAL_CACHE_DIR": str(folder / "zig-here"),
    }
    limits = [str(seconds), str(LIBRARY_BYTES), LIBRARY]
    script = str(Path(guard.__file__).resolve())
    process = subprocess.Popen(  # noqa: S603  (this Python, with a file of ours)
        [sys.executable, "-I", "-S", script, *limits, *words],
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
        _dismiss(process)
    return _refusal(status, name, folder, seconds)


def _dismiss(process: subprocess.Popen[bytes]) -> None:
    """Let a guard end, and whatever it guards."""
    assert process.stdin is not None
    with suppress(OSError):
        process.stdin.close()
    try:
        process.wait(GUARD_SECONDS)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


def _refusal(status: int, name: str, folder: Path, seconds: float) -> NotBuilt | None:
    """What an exit code of the guard means; None when all is well."""
    if status == 0:
        return None
    said = b""
    with suppress(OSError), (folder / guard.SAID).open("rb") as file:
        said = file.read(SAID_MAX)
    line = one_line(said).replace(f"{folder}{os.sep}", "")
    if status < 0:
        line = f"it was killed by {signal.Signals(-status).name}"
    match status:
        case guard.TOO_MUCH:
            return NotBuilt(
                f"{name} took more than {seconds:g} seconds or all disk space"
            )
        case guard.NOT_STARTED:
            return NotBuilt(f"{name} cannot be started ({line})")
        case guard.WRONG:
            return NotBuilt(f"{name} fails: {line}")
        case _:
            return NotBuilt(f"the library built by {name} cannot be loaded: {line}")
