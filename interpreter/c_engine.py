"""Public interface of the native engine, which plays games in C.

It is separate from the main interface of the package, so that programs that only read
rules or play one game start faster.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import rulebook as rb
from interpreter.batches.batch import Batch
from interpreter.batches.step import Step
from interpreter.errors import UsageError
from interpreter.native.build.build_failure import BuildFailure
from interpreter.native.build.cache import user_cache
from interpreter.native.build.compilers import Compiler, c_compiler
from interpreter.native.c_file import NotTranslatable
from interpreter.native.c_program import translate
from interpreter.native.engine import NoNativeEngine
from interpreter.plan.observation_layout import HIDDEN
from interpreter.playouts import (
    Asked,
    PendingGame,
    Playout,
    PlayoutLimits,
    PlayoutRunner,
    PlayoutSource,
    playout_source,
    playouts,
    unsupported_reason,
)
from interpreter.python_listing import plan_without_rewrites
from rulebook.deprecated_names import deprecated_names

__all__ = [
    "HIDDEN",
    "Asked",
    "Batch",
    "BuildFailure",
    "Compiler",
    "NoNativeEngine",
    "PendingGame",
    "Playout",
    "PlayoutLimits",
    "PlayoutRunner",
    "PlayoutSource",
    "Step",
    "c_compiler",
    "c_program",
    "playout_source",
    "playouts",
    "unsupported_reason",
    "user_cache",
]


def c_program(
    book: rb.Rulebook,
    *,
    players: int | None = None,
    options: dict[str, Any] | None = None,
    disabled_rewrites: Iterable[str] = (),
) -> str:
    """Return the C program that plays a game of these rules, ready to compile.

    Arguments are those of `python_program`. Raise `UsageError` if these rules cannot be
    played in C.
    """
    plan = plan_without_rewrites(book, players, options, disabled_rewrites)
    try:
        return translate(plan).listing
    except NotTranslatable as error:
        raise UsageError(f"{book.name} cannot be compiled to C: {error}") from error


if not TYPE_CHECKING:
    __getattr__ = deprecated_names(
        __name__,
        {
            "NotBuilt": "BuildFailure",
            "NotNative": "NoNativeEngine",
            "ToPlay": "PendingGame",
            "unfit": "unsupported_reason",
        },
    )
