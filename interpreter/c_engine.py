"""Public interface of the native engine, which plays games in C.

It is separate from the main interface of the package, so that programs that only read
rules or play one game start faster.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import rulebook as rb
from interpreter.batch import Batch, Step
from interpreter.errors import UsageError
from interpreter.native.build.cache import user_cache
from interpreter.native.build.compilers import Compiler, c_compiler
from interpreter.native.build.refusal import NotBuilt
from interpreter.native.c_file import Untranslated
from interpreter.native.c_program import translate
from interpreter.native.engine import NotNative
from interpreter.plan.observation_layout import HIDDEN
from interpreter.playouts import (
    Asked,
    Playout,
    PlayoutLimits,
    Playouts,
    ToPlay,
    playouts,
    unfit,
)
from interpreter.python_listing import plan_without

__all__ = [
    "HIDDEN",
    "Asked",
    "Batch",
    "Compiler",
    "NotBuilt",
    "NotNative",
    "Playout",
    "PlayoutLimits",
    "Playouts",
    "Step",
    "ToPlay",
    "c_compiler",
    "c_program",
    "playouts",
    "unfit",
    "user_cache",
]


def c_program(
    book: rb.Rulebook,
    *,
    players: int | None = None,
    options: dict[str, Any] | None = None,
    without: Iterable[str] = (),
) -> str:
    """Return the C program that plays a game of these rules, ready to compile.

    Arguments are those of `python_program`. Raise `UsageError` if these rules cannot be
    played in C.
    """
    plan = plan_without(book, players, options, without)
    try:
        return translate(plan).listing
    except Untranslated as error:
        raise UsageError(f"{book.name} cannot be compiled to C: {error}") from error
