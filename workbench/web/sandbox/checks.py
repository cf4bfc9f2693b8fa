"""Checks inside a worker process: of rule texts, and of a recorded game under them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from interpreter import Game
from rulebook import Diagnostic, Rulebook, RulesError, has_errors
from workbench.web.sandbox.rule_texts import check_texts
from workbench.web.sandbox.trial import try_record

MAX_DIAGNOSTICS = 100
"""Maximum number of diagnostics in an answer."""

MAX_TEXT_LENGTH = 2_000
"""Maximum number of characters of each text in a diagnostic."""

OUT_OF_MEMORY = 86
"""Exit status of a worker that ran out of memory."""


def check_request(request: Mapping[str, Any]) -> dict[str, Any]:
    """Return the fields of `CheckFindings` for the texts and record in a request."""
    book, diagnostics = check_texts(request["texts"])
    result: dict[str, Any] = {"diagnostics": diagnostics_data(diagnostics), "more": 0}
    result["more"] = max(0, len(diagnostics) - MAX_DIAGNOSTICS)
    result |= {"plans": False, "name": None, "digest": None, "tried": None}
    if book is None:
        return result
    result |= {"name": book.name, "digest": book.digest}
    try:
        check_start(book, request.get("players"))
    except RulesError as error:
        return {
            **result,
            "diagnostics": diagnostics_data((*error.diagnostics, *diagnostics)),
        }
    result["plans"] = True
    if request.get("record") is not None:
        result["tried"] = try_record(request["record"], request["before"], book)
    return result


def check_start(book: Rulebook, players: int | None) -> None:
    """Start a game with a rulebook, to detect errors that appear only then.

    Raises `RulesError` if it finds any.
    """
    fewest, most = book.players
    count = players if players and fewest <= players <= most else most
    Game.start(book, players=count, seed=1)


def diagnostics_data(diagnostics: Sequence[Diagnostic]) -> list[dict[str, Any]]:
    """Return diagnostics as plain data: at most `MAX_DIAGNOSTICS`, errors preferred."""
    errors_first = sorted(diagnostics, key=lambda fault: not has_errors([fault]))
    listed = sorted(errors_first[:MAX_DIAGNOSTICS], key=lambda fault: fault.sort_key)
    return [
        {
            name: truncate(value) if isinstance(value, str) else value
            for name, value in diagnostic.to_json().items()
        }
        for diagnostic in listed
    ]


def truncate(text: str) -> str:
    """Return a text truncated to `MAX_TEXT_LENGTH` characters."""
    return text if len(text) <= MAX_TEXT_LENGTH else f"{text[:MAX_TEXT_LENGTH]}…"
