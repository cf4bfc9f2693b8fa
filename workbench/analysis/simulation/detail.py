"""Turns and events of a game, found by replaying its record.

An event belongs to the turn in which it became due. The totals of a turn are read at
its end, before any event of the next turn.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

import attrs

from interpreter import Game

CHANCE = "chance"


@attrs.frozen
class TurnDetail:
    """Turn of a game (0 is set-up), with the seat that decided first and its totals.

    `decisions` and `draws` count the decisions and chance events in it. `points` are
    those of each seat at its end.
    """

    number: int
    seat: str | None
    decisions: int
    draws: int
    points: tuple[int, ...]


@attrs.frozen
class EventDetail:
    """Choice or chance event of a game, with its step in the record and its turn."""

    step: int
    turn: int
    seat: str | None
    name: str
    action: str | None
    outcome: str | None


@attrs.frozen
class GameDetail:
    """Turns and events of a game, in order."""

    turns: tuple[TurnDetail, ...]
    events: tuple[EventDetail, ...]


def game_detail(game: Game, lines: Sequence[str]) -> GameDetail:
    """Return the turns and events of a game that has not started.

    *lines* are the lines of its record, which must contain every chance event.
    """
    turns = _finished_turns([], range(game.turn), game)
    events: list[EventDetail] = []
    events_of_turn: list[EventDetail] = []
    for step, line in enumerate(lines, 1):
        turn = game.turn
        event = json.loads(line)
        game.apply(event)
        if "announced" in event:
            continue
        events_of_turn.append(_event_from_line(step, turn, event))
        if game.turn > turn:
            turns += _finished_turns(events_of_turn, range(turn, game.turn), game)
            events += events_of_turn
            events_of_turn = []
    turns += _finished_turns(events_of_turn, range(game.turn, game.turn + 1), game)
    return GameDetail(tuple(turns), (*events, *events_of_turn))


def _event_from_line(step: int, turn: int, event: dict[str, Any]) -> EventDetail:
    """Return the event that a line of a record describes."""
    if CHANCE in event:
        outcome = json.dumps(event["outcome"], ensure_ascii=False)
        return EventDetail(step, turn, None, event[CHANCE], None, outcome)
    text = event["action"]
    return EventDetail(step, turn, event["seat"], text.partition("(")[0], text, None)


def _finished_turns(
    events_of_turn: Sequence[EventDetail], numbers: range, game: Game
) -> list[TurnDetail]:
    """Return the turns with these numbers, which are over.

    *events_of_turn* are the events since the last finished turn; all belong to the
    first of the returned turns.
    """
    if not numbers:
        return []
    points = tuple(game.points(seat) for seat in game.seats)
    acted = [event for event in events_of_turn if event.seat is not None]
    actor = acted[0].seat if acted else None
    draws = len(events_of_turn) - len(acted)
    turn = TurnDetail(numbers[0], actor, len(acted), draws, points)
    return [turn, *(TurnDetail(number, None, 0, 0, points) for number in numbers[1:])]
