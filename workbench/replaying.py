"""A record played again, as far as rules and record agree."""

import json
from typing import Any

import attrs

from interpreter import Game, RecordError
from rulebook import Rulebook
from workbench.errors import Refused
from workbench.records import header


@attrs.frozen
class Replayed:
    """The game as far as it agrees, the steps done, and where it diverged if it did."""

    game: Game
    steps: int
    diverged: dict[str, Any] | None = None
    sentence: str = ""


def replayed(
    record: str, book: Rulebook, at: int | None = None, *, exactly: bool = False
) -> Replayed:
    """The game that a record tells of, up to step `at` (None: to its end).

    A game goes on by itself to the next decision; `exactly` keeps it from that, so that
    chance which comes after the step is still due.

    Raises `RecordError` when the header already does not fit, and `Refused` when the
    record has fewer steps.
    """
    head, events, end = _parts(record)
    if at is not None:
        if not 0 <= at <= len(events):
            raise Refused(f"step {at} is not between 0 and {len(events)}")
        events, end = events[:at], end if at == len(events) else []
    try:
        game = Game.replay(_joined(head, events, end), book)
        if exactly and game.steps > len(events):
            game = Game.replay(_joined(_awaiting(head), events, end), book)
        return Replayed(game, len(events))
    except RecordError as error:
        other = _of_another(record, book)
        if error.step is None:
            error.message = other + error.message
            error.args = (error.message,)
            raise
        game = Game.replay(_joined(head, events[: error.step], []), book)
        diverged = dict(error.to_json())
        sentence = other + str(diverged.pop("message"))
        return Replayed(game, error.step, diverged, sentence)


def earlier(game: Game) -> list[Game]:
    """The game before each of the last actions of the seat that is to act.

    None after which chance or another seat came: somebody has learnt something since.
    """
    first = game.steps
    while first and game.events[first - 1].get("seat") == game.to_act:
        first -= 1
    if game.to_act is None or first == game.steps:
        return []
    found = [replayed(game.record, game.book, first).game]
    for event in game.events[first : game.steps - 1]:
        found.append(found[-1].copy())
        found[-1].apply(event["action"])
    return found


def _parts(record: str) -> tuple[str, list[str], list[str]]:
    """The header line, the event lines, and the line of the end if there is one."""
    head, *events = [line for line in record.split("\n") if line.strip()] or [""]
    if events and _is_end(events[-1]):
        return head, events[:-1], events[-1:]
    return head, events, []


def _awaiting(head: str) -> str:
    """A header whose game waits for chance to be given."""
    return json.dumps({**json.loads(head), "seed": None}, ensure_ascii=False)


def _of_another(record: str, book: Rulebook) -> str:
    """The beginning of a sentence that says so when a record is of another game."""
    name = header(record)["variant"]
    return (
        "" if name == book.name else f"this record is of {name}, not of {book.name}: "
    )


def _is_end(line: str) -> bool:
    try:
        found = json.loads(line)
    except (json.JSONDecodeError, RecursionError):
        return False
    return isinstance(found, dict) and "end" in found


def _joined(head: str, events: list[str], end: list[str]) -> str:
    return "\n".join([head, *events, *end]) + "\n"
