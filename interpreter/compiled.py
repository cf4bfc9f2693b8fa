"""Deprecated module: use `interpreter.c_engine`."""

import warnings

from interpreter.c_engine import (
    HIDDEN,
    Asked,
    Batch,
    Compiler,
    NotBuilt,
    NotNative,
    Playout,
    PlayoutLimits,
    Playouts,
    Step,
    ToPlay,
    c_compiler,
    c_program,
    playouts,
    unfit,
    user_cache,
)

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

warnings.warn(
    "`interpreter.compiled` is deprecated: use `interpreter.c_engine`",
    DeprecationWarning,
    stacklevel=2,
)
