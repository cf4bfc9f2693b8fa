"""A record played again, as far as rules and record agree."""

import json
from typing import Any

import attrs

from interpreter import Game, RecordError
from rulebook import Rulebook
from workbench.errors import Refused


@attrs.frozen
class Replayed:
    """The game as far as it agrees, the steps done, and where it diverged if it did."""

    game: Game
    steps: int
    diverged: dict[str, Any] | None = None
    sentence: str = ""


def replayed(record: str, book: Rulebook, at: int | None = None) -> Replayed:
    """The game that a record tells of, up to step `at` (None: to its end).

    Raises `RecordError` when the header already does not fit, and `Refused` when the
    record has fewer steps.
    """
    head, events, end = _parts(record)
    if at is not None:
        if not 0 <= at <= len(events):
            raise Refused(f"step {at} is not between 0 and {len(events)}")
        events, end = events[:at], end if at == len(events) else []
    try:
        return Replayed(Game.replay(_joined(head, events, end), book), len(events))
    except RecordError as error:
        if error.step is None:
            raise
        game = Game.replay(_joined(head, events[: error.step], []), book)
        diverged = dict(error.to_json())
        sentence = str(diverged.pop("message"))
        return Replayed(game, error.step, diverged, sentence)


def _parts(record: str) -> tuple[str, list[str], list[str]]:
    """The header line, the event lines, and the line of the end if there is one."""
    head, *events = [line for line in record.split("\n") if line.strip()] or [""]
    if events and _is_end(events[-1]):
        return head, events[:-1], events[-1:]
    return head, events, []


def _is_end(line: str) -> bool:
    try:
        found = json.loads(line)
    except (json.JSONDecodeError, RecursionError):
        return False
    return isinstance(found, dict) and "end" in found


def _joined(head: str, events: list[str], end: list[str]) -> str:
    return "\n".join([head, *events, *end]) + "\n"
