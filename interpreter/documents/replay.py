"""Replay of records, with a check that each line agrees with the game."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any, TypeVar

from interpreter.documents.record_lines import NOTE_FIELDS, read_events, read_header
from interpreter.documents.recording import RecordableGame, ReplayableGame
from interpreter.errors import IllegalAction, PositionError, RecordError, UsageError

G = TypeVar("G", bound=ReplayableGame)
GameStarter = Callable[[dict[str, Any]], G]
"""Function that starts a game from the header of its record."""

CHANCE = "chance"

QUOTED_MAX = 200
"""Maximum number of characters of a value that a message quotes."""

REASON_MAX = 1_000
"""Maximum number of characters of an error that a message quotes."""


def replay(starter: GameStarter[G], text: str) -> G:
    """Return the game that a record describes, at its last event.

    Raise `RecordError` at the first line that does not fit the rules.
    """
    head = read_header(text)
    game = start_game(starter, head)
    game.notes = {name: head[name] for name in NOTE_FIELDS if name in head}
    check_start(game, head)
    happened, ended = list(game.events), False
    for step, document in enumerate(read_events(text)):
        if ended:
            raise RecordError(
                "the record continues after the end of the game", step=step
            )
        if "end" in document:
            ended = True
            check_end(game, happened[step:], document["end"], step)
            continue
        if step == len(happened):
            happened.extend(apply_event(game, document, step))
        check_event(happened[step], document, step)
    return game


def start_game(starter: GameStarter[G], head: dict[str, Any]) -> G:
    """Start the game that a header describes.

    Raise `RecordError` if the rules do not allow it.
    """
    try:
        return starter(head)
    except (UsageError, PositionError) as error:
        if "engine" in getattr(error, "details", ()):  # not a fault of the header
            raise
        reason = quote_value(str(error), REASON_MAX)
        raise RecordError(f"the header does not match the rules: {reason}") from None


def check_start(game: RecordableGame, header: dict[str, Any]) -> None:
    """Raise `RecordError` unless the started game matches the header of its record.

    Options missing in the header have their defaults.
    """
    options = {
        name: game.options[name] for name in header["options"] if name in game.options
    }
    recorded = {"players": game.players, "seats": list(game.seats), "options": options}
    for name, got in recorded.items():
        if not is_same(got, header[name]):
            raise RecordError(
                f"`{name}` is {quote_value(header[name])}, but {quote_value(got)} in "
                "this game",
                expected=header[name],
                got=got,
            )


def check_event(event: dict[str, Any], document: dict[str, Any], step: int) -> None:
    """Raise `RecordError` unless an event equals the one in the record."""
    if not is_same(event, document):
        raise RecordError(
            f"event {step + 1} is {quote_value(event)}, the record has"
            f" {quote_value(document)}",
            step=step,
            clause=event.get("chance"),
            expected=document,
            got=event,
        )


def apply_event(
    game: ReplayableGame, document: dict[str, Any], step: int
) -> tuple[dict[str, Any], ...]:
    """Apply one event of a record, and return the events that it caused."""
    if game.to_act is None:
        raise RecordError("the game is over here", step=step, expected=document)
    if "announced" in document:
        raise RecordError(
            f"nothing is announced here, but the record has {quote_value(document)}",
            step=step,
            expected=document,
        )
    actor = document.get("seat", CHANCE)
    if actor != game.to_act:
        raise RecordError(
            f"{game.to_act} must act, not {quote_value(actor)}",
            step=step,
            expected=document,
            got=game.to_act,
        )
    try:
        return game.apply(document)
    except IllegalAction as error:
        raise RecordError(
            quote_value(str(error), REASON_MAX),
            step=step,
            clause=error.explanation.clause,
            expected=document,
            got=error.to_json(),
        ) from None


def check_end(
    game: RecordableGame,
    remaining_events: list[dict[str, Any]],
    end: dict[str, Any],
    step: int,
) -> None:
    """Raise `RecordError` unless the game ends here as recorded.

    `remaining_events` are events of the game that the record lacks.
    """
    if remaining_events:
        raise RecordError(
            f"the game does not end here: event {step + 1} is "
            f"{quote_value(remaining_events[0])}",
            step=step,
            clause=remaining_events[0].get("chance"),
            expected={"end": end},
            got=remaining_events[0],
        )
    got = None if game.outcome is None else game.outcome.to_json()
    if not is_same(got, end):
        raise RecordError(
            "the game ends differently than in the record",
            step=step,
            expected=end,
            got=got,
        )


def is_same(left: Any, right: Any) -> bool:
    """Return whether two documents are equal, with true different from 1."""
    return json.dumps(left, sort_keys=True) == json.dumps(right, sort_keys=True)


def quote_value(value: Any, max_length: int = QUOTED_MAX) -> str:
    """Return a value as text for a message, shortened if it is long."""
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return text if len(text) <= max_length else f"{text[:max_length]}…"
