"""C sources whose library returns a number, and checks of loaded libraries."""

from __future__ import annotations

import ctypes
from pathlib import Path

import pytest

from interpreter.native.build.build_failure import BuildFailure


def text(number: int) -> str:
    """Return the C source of a library with a function that returns *number*."""
    seen = '__attribute__((visibility("default")))'
    return f"{seen} int answer(void);\n{seen} int answer(void){{return {number};}}\n"


def answer(library: ctypes.CDLL | BuildFailure) -> int:
    assert isinstance(library, ctypes.CDLL), library
    return int(library.answer())


def refusal(library: ctypes.CDLL | BuildFailure) -> str:
    assert isinstance(library, BuildFailure), library
    return str(library)


def use(compiler: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CC", str(compiler))
