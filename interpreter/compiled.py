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


def c_program(
    book: rb.Rulebook,
    *,
    players: int | None = None,
    options: dict[str, Any] | None = None,
    without: Iterable[str] = (),
) -> str:
    """Return the C that plays a game of these rules, which compiles as it is.

    As `python_program`. Raises `UsageError` where there is no C for these rules.
    """
    plan = planned(book, players, options, without)
    try:
        return translated(plan).listing
    except Untranslated as error:
        raise UsageError(f"{book.name} cannot be compiled to C: {error}") from error
