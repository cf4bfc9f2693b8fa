"""Check that a game has made an announcement that a record contains."""

from __future__ import annotations

from typing import Any

from interpreter.documents.records import AnnouncementEvent, Events
from interpreter.errors import IllegalAction
from interpreter.explanation import Explanation


def is_announcement(event: Any) -> bool:
    """Return whether an event in the format of a record is an announcement."""
    return isinstance(event, dict) and "announced" in event


def check_announced(events: Events, announcement: dict[str, Any]) -> None:
    """Raise `IllegalAction` unless the game has announced this since its last event."""
    here: Events | None = events
    while here is not None and isinstance(here.last, AnnouncementEvent):
        if here.last.to_json() == announcement:
            return
        here = here.previous
    raise IllegalAction(
        Explanation(
            legal=False,
            seat=None,
            action=str(announcement["announced"]),
            clause="",
            reason="the rules have not announced this since the last event",
        )
    )
