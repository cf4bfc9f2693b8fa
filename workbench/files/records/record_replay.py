"""Replay of a record, up to the first event that the rules reject."""

import json
from collections.abc import Mapping
from itertools import islice
from typing import Any

import attrs

from interpreter import (
    Game,
    InvalidDocument,
    RecordError,
    read_document,
    read_events,
    read_header,
)
from rulebook import Rulebook
from workbench.errors import RequestError

Event = Mapping[str, Any]


@attrs.frozen
class ReplayResult:
    """Replayed game, the number of steps replayed, and where it diverged, if it did.

    `sentence` describes the divergence.
    """

    game: Game
    steps: int
    divergence: dict[str, Any] | None = None
    sentence: str = ""


def replay_text(
    record: str, book: Rulebook, step: int | None = None, *, exact: bool = False
) -> ReplayResult:
    """Replay a record up to step *step*, by default to its end.

    A game normally advances to the next decision; with `exact` it stops at the step,
    so that the following chance events are still due. Raise `RecordError` if the
    header does not fit the rules, and `RequestError` if the record has fewer steps.
    """
    header, events, end = _split_record(record)
    if step is not None:
        if not 0 <= step <= len(events):
            raise RequestError(f"step {step} is not in the range 0 to {len(events)}")
        events, end = events[:step], end if step == len(events) else []
    try:
        game = Game.replay(_join_record(header, events, end), book)
        if exact and game.steps > len(events):
            game = Game.replay(
                _join_record(_header_with_given_chance(header), events, end), book
            )
        return ReplayResult(game, len(events))
    except RecordError as error:
        prefix = _mismatch_prefix(record, book)
        if error.step is None:
            error.message = prefix + error.message
            error.args = (error.message,)
            raise
        game = Game.replay(_join_record(header, events[: error.step], []), book)
        divergence = dict(error.to_json())
        sentence = prefix + str(divergence.pop("message"))
        return ReplayResult(game, error.step, divergence, sentence)


def game_and_events(game: Game) -> tuple[Game, list[Event]]:
    """Return a copy of a game, reset to its start, and the events of the game so far.

    In the copy, the caller supplies chance outcomes.
    """
    start, events, _ = replay_parts(ReplayResult(game, game.steps), game.record)
    return start, events


def replay_parts(
    replay: ReplayResult, record: str
) -> tuple[Game, list[Event], Event | None]:
    """Return a game reset to its start, its valid events, and the first invalid event.

    In this game, the caller supplies chance outcomes. Raise `RecordError` if the
    invalid line is not an event.
    """
    header, lines, _ = _split_record(record)
    start = Game.replay(
        _join_record(_header_with_given_chance(header), [], []), replay.game.book
    )
    invalid_event = None
    if replay.divergence is not None and replay.steps < len(lines):
        invalid_event = next(islice(read_events(record), replay.steps, None))
    return start, list(replay.game.events[: replay.steps]), invalid_event


def undoable_games(game: Game) -> list[Game]:
    """Return the game before each action since the last revelation, oldest first."""
    events = game.events
    first = game.steps
    while first and "chance" not in events[first - 1]:
        first -= 1
    if first == game.steps:
        return []
    games: list[Game] = []
    replayed = replay_text(game.record, game.book, first).game
    for event in events[first:]:
        if "action" not in event:
            continue
        previous = replayed.copy()
        reveals = replayed.teaches(event["action"])
        replayed.apply(event["action"])
        games = [] if reveals else [*games, previous]
    return games


def _split_record(record: str) -> tuple[str, list[str], list[str]]:
    """Split a record into its header line, event lines, and end line if any."""
    header, *events = record.rstrip("\r\n").split("\n")
    if events and _is_end_line(events[-1]):
        return header, events[:-1], events[-1:]
    return header, events, []


def _header_with_given_chance(header: str) -> str:
    """Return a header for a game in which the caller supplies chance outcomes."""
    return json.dumps({**json.loads(header), "seed": None}, ensure_ascii=False)


def _mismatch_prefix(record: str, book: Rulebook) -> str:
    """Return the start of an error message if a record is of another game, else ""."""
    name = read_header(record)["variant"]
    return (
        "" if name == book.name else f"this record is of {name}, not of {book.name}: "
    )


def _is_end_line(line: str) -> bool:
    try:
        document = read_document(line)
    except InvalidDocument:
        return False
    return isinstance(document, dict) and "end" in document


def _join_record(header: str, events: list[str], end: list[str]) -> str:
    return "\n".join([header, *events, *end]) + "\n"
