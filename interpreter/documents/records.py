"""Writer for records: each describes a whole game as text; `replay` plays it back."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import PurePath
from typing import Any

import attrs

from interpreter.core.announcement import Announcement
from interpreter.documents.record_lines import FORMAT
from interpreter.documents.recording import RecordableGame


@attrs.frozen
class ActionEvent:
    """Action of a seat.

    `observers` are the seats, as bits, that may know which action it was.
    """

    seat: str
    action: str
    observers: int

    def to_json(self) -> dict[str, Any]:
        """Return the event in the format of a record."""
        return {"seat": self.seat, "action": self.action}


@attrs.frozen
class ChanceEvent:
    """Outcome of a chance event; `observers` are the seats, as bits, that know it."""

    name: str
    outcome: Any
    observers: int

    def to_json(self) -> dict[str, Any]:
        """Return the event in the format of a record."""
        return {"chance": self.name, "outcome": self.outcome}


@attrs.frozen
class AnnouncementEvent:
    """Sentence that the rules announced to all seats, with values for its gaps."""

    text: str
    values: Mapping[str, Any]
    observers: int

    def to_json(self) -> dict[str, Any]:
        """Return the event in the format of a record."""
        return {"announced": self.text, "values": dict(self.values)}


LoggedEvent = ActionEvent | ChanceEvent | AnnouncementEvent


def make_event(name: str | Announcement, outcome: Any, observers: int) -> LoggedEvent:
    """Return an announcement, or the chance event *name*, as an event of a record."""
    if isinstance(name, Announcement):
        values = dict(zip(name.names, outcome, strict=True))
        return AnnouncementEvent(name.text, values, observers)
    return ChanceEvent(name, outcome, observers)


@attrs.frozen
class Events:
    """Immutable list of events that shares its beginning with other lists."""

    previous: Events | None
    last: LoggedEvent | None
    count: int

    def after(self, event: LoggedEvent) -> Events:
        """Return the list with one more event at the end."""
        return Events(self, event, self.count + 1)

    def skip(self, count: int) -> list[LoggedEvent]:
        """Return the events after the first *count*, in order."""
        events: list[LoggedEvent] = []
        node: Events | None = self
        while node is not None and node.last is not None and node.count > count:
            events.append(node.last)
            node = node.previous
        return events[::-1]

    def since(self, count: int) -> tuple[dict[str, Any], ...]:
        """Return the events after the first *count*, as plain data."""
        return tuple([event.to_json() for event in self.skip(count)])


def format_line(document: dict[str, Any]) -> str:
    """Return a document as one line of a record."""
    return json.dumps(document, ensure_ascii=False)


def make_header(game: RecordableGame) -> dict[str, Any]:
    """Return the header of a game's record."""
    fields = {
        "format": FORMAT,
        "variant": game.book.name,
        "digest": game.book.digest,
        "players": game.players,
        "seats": list(game.seats),
        "seed": game.seed,
        **game.notes,
        "options": game.options,
        "board": game.given_board,
    }
    if game.turn_limit is not None:
        fields["turns"] = game.turn_limit
    if game.initial_position is not None:
        fields["position"] = game.initial_position
    if not game.book.shipped:
        files = game.book.files
        fields["sources"] = {PurePath(file).stem: files[file] for file in files}
    return fields


def write_record(game: RecordableGame) -> str:
    """Return the record of a game up to now."""
    return assemble_record(game, [format_line(event) for event in game.events])


def assemble_record(game: RecordableGame, events: Sequence[str]) -> str:
    """Return the record of a game whose events are already formatted as lines."""
    lines = [format_line(make_header(game)), *events]
    if game.outcome is not None:
        lines.append(format_line({"end": game.outcome.to_json()}))
    return "".join(f"{text}\n" for text in lines)
