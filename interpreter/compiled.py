"""Deprecated module: use `interpreter.c_engine`."""

import warnings
from typing import TYPE_CHECKING

from interpreter.c_engine import (
    HIDDEN,
    Asked,
    Batch,
    BuildFailure,
    Compiler,
    NoNativeEngine,
    PendingGame,
    Playout,
    PlayoutLimits,
    PlayoutRunner,
    Step,
    c_compiler,
    c_program,
    playouts,
    unsupported_reason,
    user_cache,
)
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
    "Step",
    "c_compiler",
    "c_program",
    "playouts",
    "unsupported_reason",
    "user_cache",
]

warnings.warn(
    "`interpreter.compiled` is deprecated: use `interpreter.c_engine`",
    DeprecationWarning,
    stacklevel=2,
)

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
