"""Fake compilers that misbehave, as shell scripts."""

from __future__ import annotations

import os
import shutil
from collections.abc import Mapping
from pathlib import Path
from random import Random

import pytest

CC = shutil.which("cc") or shutil.which("gcc") or shutil.which("clang")

NEEDS_C = pytest.mark.skipif(
    CC is None, reason="NO COMPILER OF C: the native engine is not tested"
)

HEAD = """#!/bin/sh
case "$1" in --version) echo "a compiler, 1.0"; exit 0;; esac
"""

NAP = f"sleep {100_000 + os.getpid()}"
"""Shell command that sleeps forever, unique to this run of the tests."""

GARBAGE: Mapping[str, bytes] = {
    **{f"random bytes {seed}": Random(seed).randbytes(3000) for seed in range(4)},
    "Latin-1": "Fehler: Größe".encode("latin-1"),
    "UTF-16": "error: none".encode("utf-16"),
    "half a letter": "error: ß".encode()[:-1],
    "halves of a code point": "error: \ud800".encode(errors="surrogatepass"),
    "an overlong form": b"error: \xc1\x9b[2J",
    "a control character of two bytes": "error: \x9b2J".encode(),
    "other directions": "error: \u202egnp.exe".encode(),
    "private letters": "error: \ue000 \U00100000".encode(),
    "no letters": "error: \u0378 \U00050000".encode(),
}
"""Output that is not UTF-8, or contains code points that no terminal can show."""


def _octal(data: bytes) -> str:
    """Return bytes as octal escapes for `printf`."""
    return "".join(f"\\{byte:03o}" for byte in data)


KINDS: Mapping[str, tuple[str, str]] = {
    "hangs": (NAP, "took more than 1 seconds"),
    "hangs with children": (
        f"({NAP} & {NAP}) & {NAP}",
        "took more than 1 seconds",
    ),
    "leaves nothing": ("exit 0", "cannot be loaded"),
    "writes half": (
        f'{CC} "$@" && head -c 9000 engine.so > half && mv half engine.so',
        "cannot be loaded",
    ),
    "writes half and fails": (
        'printf "\\177ELF" > engine.so; exit 1',
        "reported an error",
    ),
    "writes nothing": (": > engine.so", "cannot be loaded"),
    "writes text": ("echo hello > engine.so", "cannot be loaded"),
    "writes a folder": ("mkdir engine.so", "cannot be loaded"),
    "crashes": ("kill -SEGV $$", "reported an error"),
    "finds no room": (
        'echo "engine.c:1: error: No space left on device" >&2; exit 1',
        "reported an error: engine.c:1: error: No space left on device",
    ),
    "prints commands for terminals": (
        "printf '\\033]0;owned\\007 error: \\033[2J\\n'; exit 1",
        "reported an error",
    ),
    **{
        f"prints {name}": (f"printf '{_octal(data)}'; exit 1", "reported an error")
        for name, data in GARBAGE.items()
    },
    "never stops printing": ("yes; exit 1", "or filled the disk"),
}
"""Shell command of each fake compiler, and part of the expected message."""


def fake(folder: Path, body: str, name: str = "cc", head: str = HEAD) -> Path:
    """Write a compiler that runs a shell command; return its path."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / name
    path.write_text(f"{head}{body}\n", encoding="utf-8")
    path.chmod(0o755)
    return path


def counting(folder: Path, first: str = ":") -> tuple[Path, Path]:
    """Return the path of a working compiler, and of the log with a line per call."""
    log = folder / "log"
    body = f'echo "$@" >> {log}\n{first}\nexec {CC} "$@"'
    return fake(folder, body), log
