"""Runtime of the native engine without rules, with an entry point for each part.

`runtime_alone.c` contains a minimal replacement for the code generated from rules.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from pathlib import Path
from typing import Any

from interpreter.core.chance import name_words
from interpreter.core.layout import StackValue
from tests.native.compilers import CC
from tests.support.processes import run_process

ROOT = Path(__file__).parents[2]
RUNTIME = ROOT / "interpreter/native/runtime.h"
ALONE = Path(__file__).parent / "runtime_alone.c"
MARKS = ("/* ---- head ---- */", "/* ---- steps ---- */")
RULES = "/* ---- code generated from the rules ---- */\n"
FLAGS = ("-std=gnu11", "-shared", "-fPIC", "-fvisibility=hidden", "-O1")
STRICT = ("-Wall", "-Wextra", "-Werror")
MISTAKE, BEYOND = -1001, -1002
KINDS, CARDS, PLAYERS = 4, 12, 5
NAME = "a name"

Numbers64 = ctypes.c_int64


class Stack(ctypes.Structure):
    """Stack, laid out as in the runtime."""

    _fields_ = (
        ("size", ctypes.c_int32),
        ("card", ctypes.c_int16 * CARDS),
        ("known", ctypes.c_uint64 * CARDS),
        ("pool", ctypes.c_int32 * KINDS),
    )


class Event(ctypes.Structure):
    """Chance event, laid out as in the runtime."""

    _fields_ = (
        ("what", ctypes.c_int32),
        ("size", ctypes.c_int32),
        ("seat", ctypes.c_int32),
        ("pad", ctypes.c_int32),
        ("value", ctypes.c_int64 * 2),
        ("told", ctypes.c_uint64),
    )


class Runtime:
    """Compiled runtime, whose functions take whole numbers and arrays of them."""

    def __init__(self, path: Path) -> None:
        self.library = ctypes.CDLL(str(path))

    def __getattr__(self, name: str) -> Callable[..., int]:
        call = getattr(self.library, name)
        call.restype = RETURNED.get(name, Numbers64)

        def called(*values: Any) -> int:
            given = [Numbers64(v) if isinstance(v, int) else v for v in values]
            return int(call(*given))

        return called

    def at(self, kind: Any, name: str, *numbers: int) -> Any:
        """Return the structure to which a C function returns a pointer."""
        call = getattr(self.library, name)
        call.restype = ctypes.POINTER(kind)
        return call(*numbers).contents

    def stack(self) -> Any:
        return self.at(Stack, "the_stack")


RETURNED: dict[str, Any] = {
    **dict.fromkeys(
        (
            *("call_compared", "call_lists", "answers", "call_finish", "call_sharing"),
            *("call_by_rank", "call_leave", "call_same_unit_runs", "split_size"),
            *("call_game_ends", "call_in_order", "rb_run", "rb_apply"),
        ),
        ctypes.c_int,
    ),
    **dict.fromkeys(("count", "call_stream_word"), ctypes.c_uint32),
    **dict.fromkeys(("call_bit", "the_game"), ctypes.c_uint64),
}
"""Return types of the functions that do not return a `num`."""


def array(values: Any, kind: Any = Numbers64) -> Any:
    """Return values as a C array."""
    values = list(values)
    return (kind * max(1, len(values)))(*values)


def compiled(folder: Path) -> Path:
    """Compile the runtime with its entry points; return the path of the library."""
    parts = RUNTIME.read_text("utf-8").split(RULES)
    text = ALONE.read_text("utf-8")
    for mark, part in zip(MARKS, parts, strict=True):
        assert text.count(mark) == 1
        text = text.replace(mark, part)
    source, library = folder / "alone.c", folder / "alone.so"
    source.write_text(text, encoding="utf-8")
    names = [f"-DNAME_{n}={word}u" for n, word in enumerate(name_words(NAME))]
    names += [f"-DSPREAD_{n}={word}u" for n, word in enumerate(name_words("spread"))]
    names += [f"-DNUMBERS_{n}={word}u" for n, word in enumerate(name_words("numbers"))]
    command = [str(CC), *FLAGS, *STRICT, *names, "-o", str(library), str(source)]
    done = run_process(command)
    assert done.returncode == 0, done.stderr
    return library


def value(stack: Any) -> StackValue:
    size = stack.size
    entries = tuple(zip(stack.card[:size], stack.known[:size], strict=True))
    return entries, tuple(stack.pool)


def lay(stack: Any, given: StackValue) -> None:
    entries, pool = given
    stack.size = len(entries)
    for place, (card, known) in enumerate(entries):
        stack.card[place], stack.known[place] = card, known
    stack.pool[:] = pool
