"""Compilers that go wrong, as scripts: each says its version, then does its worst."""

from __future__ import annotations

import os
import shutil
from collections.abc import Mapping
from pathlib import Path

import pytest

CC = shutil.which("cc") or shutil.which("gcc") or shutil.which("clang")

NEEDS_C = pytest.mark.skipif(
    CC is None, reason="NO COMPILER OF C: the native engine is not tested"
)

HEAD = """#!/bin/sh
case "$1" in --version) echo "a compiler, 1.0"; exit 0;; esac
"""

NAP = f"sleep {100_000 + os.getpid()}"
"""To sleep for ever, in words that no other run of the tests uses."""

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
    "writes half and fails": ('printf "\\177ELF" > engine.so; exit 1', "fails"),
    "writes nothing": (": > engine.so", "cannot be loaded"),
    "writes text": ("echo hello > engine.so", "cannot be loaded"),
    "writes a folder": ("mkdir engine.so", "cannot be loaded"),
    "crashes": ("kill -SEGV $$", "fails"),
    "finds no room": (
        'echo "engine.c:1: error: No space left on device" >&2; exit 1',
        "fails: engine.c:1: error: No space left on device",
    ),
    "prints garbage": ("head -c 300000 /dev/urandom; exit 1", "fails"),
    "prints commands for terminals": (
        "printf '\\033]0;owned\\007 error: \\033[2J\\n'; exit 1",
        "fails",
    ),
    "never stops printing": ("yes; exit 1", "or all room"),
}
"""What each does when it is to compile, and what is said of it."""


def fake(folder: Path, body: str, name: str = "cc", head: str = HEAD) -> Path:
    """A compiler that does what a script says; its folder can be the whole PATH."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / name
    path.write_text(f"{head}{body}\n", encoding="utf-8")
    path.chmod(0o755)
    return path


def counting(folder: Path, first: str = ":") -> tuple[Path, Path]:
    """A compiler that compiles, and a file with a line for each time it did."""
    log = folder / "log"
    body = f'echo "$@" >> {log}\n{first}\nexec {CC} "$@"'
    return fake(folder, body), log
