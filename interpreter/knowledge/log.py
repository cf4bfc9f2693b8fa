"""Log of a game as a seat may see it, with hidden details left empty."""

from __future__ import annotations

from typing import Any

from interpreter.documents.records import Events
from interpreter.state.state import State


def visible_events(
    state: State, events: Events, seat: int | None
) -> list[dict[str, Any]]:
    """Return the events without the details hidden from a seat; None is a spectator.

    The answers of other seats in an unfinished simultaneous block are omitted.
    """
    bit = 0 if seat is None else 1 << seat
    answered = state.answered
    open_until = events.count - len(answered)
    lines = []
    for number, event in enumerate(events.skip(0)):
        line = event.to_json()
        known = (
            event.observers & bit if bit else event.observers == state.plan.all_seats
        )
        if number >= open_until:
            known = known and 1 << answered[number - open_until].seat == bit
        if not known:
            line["action" if "action" in line else "outcome"] = None
        lines.append(line)
    return lines
