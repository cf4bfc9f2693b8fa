"""Validation of arguments from callers: rulebooks, seeds, player counts, actions."""

from __future__ import annotations

from numbers import Integral
from pathlib import Path
from typing import Any

import rulebook as rb
from interpreter.core.action_index import Action
from interpreter.errors import UsageError


def action_text(action: Any) -> str:
    """Return the text of an action, given as an action, event, text or index."""
    if isinstance(action, str):
        return action
    if isinstance(action, Action):
        return action.text
    if isinstance(action, dict) and isinstance(action.get("action"), str):
        text: str = action["action"]
        return text
    return str(action)


def action_index(action: Any) -> int | None:
    """Return the index of an action if *action* is an integer, else None."""
    if isinstance(action, Integral) and not isinstance(action, bool):
        return int(action)
    return None


def check_book(book: object) -> None:
    """Raise `UsageError`, with a hint, unless *book* is a rulebook."""
    if not isinstance(book, rb.Rulebook):
        description = (
            repr(book) if isinstance(book, str | Path) else type(book).__name__
        )
        raise UsageError(
            f"expected a Rulebook, not {description}: pass the result of"
            " rulebook.load(path), or of workbench.load(name) for a shipped"
            " game"
        )


def check_seed(seed: object) -> None:
    """Raise `UsageError` unless *seed* is an integer."""
    if not isinstance(seed, int) or isinstance(seed, bool):
        raise UsageError(f"a seed must be a whole number, not {seed!r}", seed=seed)


def player_count(book: rb.Rulebook, players: int | None) -> int:
    """Return the number of players, by default the maximum that the rules allow."""
    fewest, most = book.players
    if players is None:
        return most
    if type(players) is not int or not fewest <= players <= most:
        number = f"{fewest} to {most}" if fewest < most else most
        raise UsageError(
            f"{book.name} needs {number} players, not {players!r}",
            players=players,
        )
    return players
