"""Checks inside a worker process: check rule texts, and replay a game under them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from interpreter import Game
from rulebook import Diagnostic, Rulebook, RulesError, has_errors
from workbench.web.sandbox.rule_texts import examined
from workbench.web.sandbox.trial import tried

SHOWN_MAX = 100
"""Maximum number of diagnostics in an answer."""

LETTERS_MAX = 2_000
"""Maximum number of characters of each text in a diagnostic."""

OUT_OF_MEMORY = 86
"""Exit status of a worker that ran out of memory."""


def answer(asked: Mapping[str, Any]) -> dict[str, Any]:
    """Check the texts in a request, and replay the recorded game if it has one."""
    book, diagnostics = examined(asked["texts"])
    told: dict[str, Any] = {"diagnostics": cut(diagnostics), "more": 0}
    told["more"] = max(0, len(diagnostics) - SHOWN_MAX)
    told |= {"plans": False, "name": None, "digest": None, "tried": None}
    if book is None:
        return told
    told |= {"name": book.name, "digest": book.digest}
    try:
        plan(book, asked.get("players"))
    except RulesError as error:
        return {**told, "diagnostics": cut((*error.diagnostics, *diagnostics))}
    told["plans"] = True
    if asked.get("record") is not None:
        told["tried"] = tried(asked["record"], asked["before"], book)
    return told


def plan(book: Rulebook, players: int | None) -> None:
    """Start a game with a rulebook, to detect errors that appear only then.

    Raises `RulesError` if it finds any.
    """
    fewest, most = book.players
    wanted = players if players and fewest <= players <= most else most
    Game.start(book, players=wanted, seed=1)


def cut(diagnostics: Sequence[Diagnostic]) -> list[dict[str, Any]]:
    """Return the first diagnostics as plain data: errors first, long texts cut."""
    errors_first = sorted(diagnostics, key=lambda fault: not has_errors([fault]))
    shown = sorted(errors_first[:SHOWN_MAX], key=lambda fault: fault.sort_key)
    return [
        {
            name: shortened(value) if isinstance(value, str) else value
            for name, value in diagnostic.to_json().items()
        }
        for diagnostic in shown
    ]


def shortened(words: str) -> str:
    """Return text, cut to `LETTERS_MAX` characters."""
    return words if len(words) <= LETTERS_MAX else f"{words[:LETTERS_MAX]}…"
