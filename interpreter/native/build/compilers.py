"""C compilers that may be installed, and their command lines.

This module determines everything that affects a library except its source: the command,
the compiler's version, the flags, the environment and the machine. Rule files cannot
influence these settings.
"""

from __future__ import annotations

import hashlib
import json
import os
import platform
import select
import shlex
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import suppress
from importlib.util import find_spec
from pathlib import Path

import attrs

from interpreter.native.build.build_failure import BuildFailure
from rulebook import printable_line

Words = tuple[str, ...]

KEY_VERSION = 1
"""Version of the format of cache keys."""

USUAL_COMPILERS = ("cc", "gcc", "clang")
"""Compilers to look for, in order, if `$CC` is not set."""

ALWAYS = (
    *("-std=gnu11", "-fPIC", "-shared", "-fvisibility=hidden"),
    *("-Wall", "-Wextra", "-Werror"),
    "-Wno-parentheses-equality",  # clang only; the generated C has extra brackets
    "-fno-tree-slp-vectorize",  # GCC 12 miscompiles short byte loops with it
    "-ffp-contract=off",  # round floats as Python does
)
HARMLESS = ("variable", "but-set-variable", "parameter", "function", "label", "value")
"""Warnings `-Wunused-…` of code that users can run. Tests treat them as errors."""

PLAYED = (*ALWAYS, *(f"-Wno-error=unused-{name}" for name in HARMLESS))

FLAGS: Mapping[str, Words] = {
    "first": (*PLAYED, "-Og"),
    "play": (*PLAYED, "-O3"),
    "quick": (*ALWAYS, "-O1"),
    "verify": (
        *(*ALWAYS, "-O1", "-g", "-DVERIFY"),
        *("-fsanitize=undefined", "-fno-sanitize-recover=all"),
    ),
}
"""Compiler flags by purpose.

The purposes are to play soon, to play fast, to compile tests, and to verify the code
with sanitizers. No flag targets a particular processor (`-march`), because that made no
engine faster.
"""

ZIG_FLAGS = ("-mcpu=baseline",)
"""Flags for zig, which by default compiles for the current processor."""

PASSED_VARIABLES = (
    *("PATH", "HOME", "LD_LIBRARY_PATH", "SYSTEMROOT"),
    *("SDKROOT", "DEVELOPER_DIR", "MACOSX_DEPLOYMENT_TARGET"),
)
"""Environment variables passed to a compiler, in addition to those of Nix."""

LOCATION_VARIABLES = ("PATH", "HOME")
"""Passed variables that only locate files and do not affect the library."""

VERSION_SECONDS = 10.0
OUTPUT_BYTES_MAX = 1 << 16
CPU_TABLE = Path("/proc/cpuinfo")
NO_COMPILER = BuildFailure(
    "no C compiler was found",
    "install one named `cc`, or run `pip install 'rulebook-lang[native]'`",
)
NAME_ANOTHER = "unset it, or set it to a compiler"
NO_SYSTEM = BuildFailure("native engines are not supported on this system")


@attrs.frozen
class Compiler:
    """C compiler that runs on this machine; `version` is its version text."""

    command: Words
    version: str
    flags: Words = ()

    @property
    def name(self) -> str:
        """Name of the compiler in messages."""
        return "zig" if self.flags == ZIG_FLAGS else printable_line(self.command[0])

    def command_line(self, kind: str, library: str, source: str) -> list[str]:
        """Return the command that compiles the file *source* to the file *library*."""
        return [*self.command, *FLAGS[kind], *self.flags, "-o", library, source]

    def key(self, source: str, kind: str) -> str:
        """Return the cache key of the library compiled from a C source."""
        parts = [
            KEY_VERSION,
            hashlib.sha256(source.encode()).hexdigest(),
            self.command_line(kind, "", ""),
            os.path.realpath(self.command[0]),
            self.version,
            {
                name: value
                for name, value in environment().items()
                if name not in LOCATION_VARIABLES
            },
            [sys.platform, platform.machine(), _system_library()],
            _processor() if self._targets_this_processor else "",
        ]
        return hashlib.sha256(json.dumps(parts).encode()).hexdigest()[:40]

    @property
    def _targets_this_processor(self) -> bool:
        return any("native" in word for word in self.command_line("play", "", ""))


def c_compiler() -> Compiler | BuildFailure:
    """Return the compiler to use, or the reason if there is none.

    If `$CC` is set, it determines the compiler. Otherwise the first of the usual
    compilers that runs is used, or else the compiler of the package `ziglang`.
    """
    if os.name != "posix":
        return NO_SYSTEM
    requested = os.environ.get("CC", "").strip()
    if requested:
        return _requested_compiler(requested)
    failure = NO_COMPILER
    for command, flags, version_command in _candidates():
        probed = _probe(command, flags, version_command)
        if isinstance(probed, Compiler):
            return probed
        failure = failure if failure is not NO_COMPILER else probed
    return failure


def environment() -> dict[str, str]:
    """Return the environment variables that are passed to a compiler."""
    passed = {
        name: value
        for name, value in sorted(os.environ.items())
        if name in PASSED_VARIABLES or name.startswith("NIX_")
    }
    return {**passed, "PATH": _path(), "LC_ALL": "C"}


def _requested_compiler(requested: str) -> Compiler | BuildFailure:
    """Return the compiler named by `$CC`, with its arguments."""
    try:
        first, *rest = shlex.split(requested)
    except ValueError as error:
        return BuildFailure(f"`$CC` is not a valid command ({error})", NAME_ANOTHER)
    path = shutil.which(first, path=_path())
    if path is None:
        return BuildFailure(
            f"`$CC` names {printable_line(first)}, which does not exist",
            NAME_ANOTHER,
        )
    command = (os.path.abspath(path), *rest)  # noqa: PTH100
    return _probe(command, (), (*command, "--version"))


def _candidates() -> Iterator[tuple[Words, Words, Words]]:
    """Yield each compiler to try as its command, flags and version command."""
    for name in USUAL_COMPILERS:
        path = shutil.which(name, path=_path())
        if path is not None:
            yield (path,), (), (path, "--version")
    with suppress(ImportError, ValueError):
        if find_spec("ziglang") is not None and sys.executable:
            zig = (sys.executable, "-P", "-m", "ziglang")
            yield (*zig, "cc"), ZIG_FLAGS, (*zig, "version")


def _path() -> str:
    """Return the search path for programs, without the working folder.

    The working folder may contain untrusted files.
    """
    folders = os.environ.get("PATH", "").split(os.pathsep)
    return os.pathsep.join(folder for folder in folders if Path(folder).is_absolute())


def _probe(
    command: Words, flags: Words, version_command: Words
) -> Compiler | BuildFailure:
    """Return a compiler if its version command works, or the reason if it fails."""
    version = _version(version_command)
    if isinstance(version, BuildFailure):
        return version
    return Compiler(command, version, flags)


def _version(command: Words) -> str | BuildFailure:
    """Return the output of a version command, or the reason if it fails.

    The output is cut off after `OUTPUT_BYTES_MAX` bytes.
    """
    name = printable_line(command[0])
    try:
        process = subprocess.Popen(  # noqa: S603  (the user's own compiler)
            command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            env=environment(),
            start_new_session=True,
        )
    except OSError as error:
        return BuildFailure(f"{name} cannot be started ({error.strerror})")
    with process:
        until = time.monotonic() + VERSION_SECONDS
        output = _read(process, until)
        try:
            status = process.wait(max(0.0, until - time.monotonic()))
        except subprocess.TimeoutExpired:
            return BuildFailure(f"{name} does not report its version")
        finally:
            _kill_process(process)
    if status != 0:
        return BuildFailure(f"{name} does not work: {one_line(output)}")
    return output.decode(errors="replace")


def _read(process: subprocess.Popen[bytes], deadline: float) -> bytes:
    """Return the output of a process up to its end, a size limit or a deadline."""
    assert process.stdout is not None
    number, output = process.stdout.fileno(), b""
    while len(output) < OUTPUT_BYTES_MAX:
        seconds = deadline - time.monotonic()
        if seconds <= 0 or not select.select([number], [], [], seconds)[0]:
            break
        piece = os.read(number, OUTPUT_BYTES_MAX)
        if not piece:
            break
        output += piece
    return output[:OUTPUT_BYTES_MAX]


def _kill_process(process: subprocess.Popen[bytes]) -> None:
    """Kill a process and its children."""
    with suppress(OSError):
        os.killpg(process.pid, signal.SIGKILL)


def one_line(output: bytes) -> str:
    """Return a compiler's output as one short line: its first error, if any."""
    text = output.decode(errors="replace")
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    error_line = next((line for line in lines if "error" in line.lower()), None)
    first = error_line or next(iter(lines), "it prints nothing")
    return printable_line(first[:160])


def _system_library() -> str:
    """Return the version of the system's C library."""
    with suppress(AttributeError, ValueError, OSError):
        return os.confstr("CS_GNU_LIBC_VERSION") or ""
    return ""


def _processor() -> str:
    """Return a digest of the model and features of this processor."""
    description = platform.processor()
    with suppress(OSError, UnicodeDecodeError):
        lines = CPU_TABLE.read_text(encoding="utf-8").splitlines()
        kinds = ("model name", "flags", "Features", "CPU part")
        description = "\n".join(
            sorted({line for line in lines if line.startswith(kinds)})
        )
    return hashlib.sha256(description.encode()).hexdigest()
