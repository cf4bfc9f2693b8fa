"""Deprecated module: use `interpreter.c_engine`."""

import warnings

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
    Playouts,
    Step,
    c_compiler,
    c_program,
    playouts,
    unsupported_reason,
    user_cache,
)

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
    "Playouts",
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
