"""Resource limits of a sandboxed child process: time, memory and file access.

The child sets its limits before it reads untrusted text. On platforms without process
limits, only the parent limits the time.
"""

import os
import sys
from collections.abc import Sequence
from math import ceil
from pathlib import Path
from time import process_time
from types import ModuleType
from typing import Any

import attrs

try:
    import resource as _system
except ImportError:  # missing on some platforms
    system: ModuleType | None = None
else:
    system = _system

UNLIMITED = "this platform cannot limit the memory of a process"
FORBIDDEN_EVENTS = (
    *("subprocess.", "os.exec", "os.fork", "os.posix_spawn", "os.spawn", "os.system"),
    *("socket.", "os.remove", "os.rename", "os.mkdir", "os.rmdir", "os.link"),
    *("os.symlink", "os.truncate", "os.chmod", "os.chown", "shutil.", "ctypes."),
)
"""Prefixes of the audit events that the sandbox forbids."""

LIBRARY_FOLDER_NAMES = frozenset({"site-packages", "dist-packages"})
FILE_EVENTS = frozenset({"open", "os.listdir", "os.scandir"})
"""Audit events that the sandbox allows in some folders."""

WRITE_FLAGS = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC


@attrs.frozen
class WorkerLimits:
    """Resource limits of a worker: CPU seconds, wall-clock seconds, memory bytes."""

    cpu: int = 20
    seconds: float = 45.0
    memory: int = 768 << 20


def can_limit_memory() -> bool:
    """Return whether this platform can limit the memory of a process."""
    return system is not None and hasattr(system, "RLIMIT_AS")


def set_limits(memory: int) -> None:
    """Limit this process to *memory* bytes, few open files, and no writing to files."""
    if system is None:
        return
    limits = {
        "RLIMIT_AS": memory,
        "RLIMIT_FSIZE": 0,
        "RLIMIT_CORE": 0,
        "RLIMIT_NOFILE": 64,
    }
    for name, maximum in limits.items():
        kind = getattr(system, name, None)
        if kind is None:
            continue
        _, hard = system.getrlimit(kind)
        value = maximum if hard == system.RLIM_INFINITY else min(maximum, hard)
        system.setrlimit(kind, (value, value))


def allow_cpu_seconds(cpu: int) -> None:
    """Allow *cpu* more CPU seconds, after which a signal ends this process."""
    if system is None or not hasattr(system, "RLIMIT_CPU"):
        return
    _, hard = system.getrlimit(system.RLIMIT_CPU)
    maximum = ceil(process_time()) + cpu
    value = maximum if hard == system.RLIM_INFINITY else min(maximum, hard)
    system.setrlimit(system.RLIMIT_CPU, (value, hard))


def restrict_access(readable_folders: Sequence[Path]) -> None:
    """Restrict this process permanently to reading files below the given folders.

    It can no longer start processes, use sockets, or write, rename and remove files.
    """
    allowed = tuple(
        f"{os.path.realpath(folder)}{os.sep}" for folder in readable_folders
    )

    def refuse(event: str, arguments: tuple[Any, ...]) -> None:
        if event in FILE_EVENTS:
            path, *rest = arguments
            if isinstance(path, int):
                return
            target = os.path.realpath(os.fsdecode(path or "."))
            if _opens_for_writing(*rest) or not f"{target}{os.sep}".startswith(allowed):
                raise PermissionError(f"untrusted rules must not open {target}")
        elif event.startswith(FORBIDDEN_EVENTS):
            raise PermissionError(f"untrusted rules must not use {event}")

    sys.addaudithook(refuse)


def _opens_for_writing(mode: str | None = None, flags: int | None = None) -> bool:
    """Return whether a mode or flags open a file for writing."""
    return bool(set(mode or "") & set("wax+") or (flags or 0) & WRITE_FLAGS)


def library_folders() -> tuple[Path, ...]:
    """Return the folders of this program and its libraries, which stay readable."""
    home = Path(__file__).resolve().parents[3]
    own = (home / name for name in ("rulebook", "interpreter", "variants", "workbench"))
    return (*own, *(Path(entry) for entry in sys.path if _is_library(entry)))


def _is_library(entry: str) -> bool:
    """Return whether an entry of `sys.path` contains only installed libraries."""
    path = Path(entry)
    is_installed = path.name in LIBRARY_FOLDER_NAMES
    is_in_prefix = path.is_relative_to(sys.prefix) or path.is_relative_to(
        sys.base_prefix
    )
    return path.is_absolute() and (is_installed or is_in_prefix)
