"""Log of a page: events of the game and notices since a seat's last decision."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from typing import Any

import attrs

from interpreter import Game
from workbench.presentation.localization.localizer import Localizer
from workbench.web.views.gains import seat_gains
from workbench.web.views.phrases import Phrases
from workbench.web.views.protocols import NoticeView, TableView
from workbench.web.views.symbols import seat_symbols

MAX_LOG_LINES = 60
"""Maximum number of lines in the log."""
RECENT_EVENTS = 12
"""Number of latest events shown if none has happened since the seat's last decision."""
PRESENCE_NOTICES = ("left", "came")
"""Keys of notices that the log omits because the players panel shows them."""
PHRASES_WITHOUT_GAP = {
    "named": ("name", "unnamed"),
    "rules": ("clauses", "rules_bare"),
    "wanted": ("asker", "wanted_by_owner"),
    "opened": ("other", "opened_by_owner"),
}
"""Map of notice keys to a gap that may be empty and the phrase to use in that case."""

SEAT_GAPS = ("seat", "asker", "other")
"""Names of notice gaps that are filled with seats."""


@attrs.frozen
class LogEntry:
    """Log entry in words, with its seat and whether it concerns the reader."""

    text: str
    seat: str = ""
    concerns_reader: bool = False
    is_notice: bool = False


def recent_log(
    table: TableView,
    game: Game,
    seat: str | None,
    view: Mapping[str, Any],
    localizer: Localizer,
) -> dict[str, Any]:
    """Return the log lines since a seat's last decision, or else the last few."""
    log = table.log(seat)
    since = len(table.log_since_decision(seat)) if seat is not None else 0
    count = min(since or RECENT_EVENTS, 2 * MAX_LOG_LINES, len(log))
    first = len(log) - count
    gains = (
        seat_gains((table.id, seat), game, view, localizer)
        if game.steps == len(log)
        else {}
    )
    numbers = [line.number for line in table.state.events]
    last_number = numbers[first - 1] if first else 0
    rows = [
        (numbers[step - 1], event_entry(event, seat, localizer), gains.get(step, ""))
        for step, event in enumerate(log[first:], first + 1)
    ]
    rows += [
        (notice.number, _notice_entry(notice, localizer), "")
        for notice in table.notices
        if notice.number > last_number and notice.key not in PRESENCE_NOTICES
    ]
    rows.sort(key=lambda row: row[0])
    lines = list(_log_lines(rows, game, seat, localizer))
    return {"is_since": bool(since), "lines": lines[-MAX_LOG_LINES:]}


def _log_lines(
    rows: Iterable[tuple[int, LogEntry, str]],
    game: Game,
    seat: str | None,
    localizer: Localizer,
) -> Iterator[dict[str, Any]]:
    """Yield log lines for rows of (journal line number, entry, text of gains).

    Equal consecutive entries become one line with a count.
    """
    symbols = seat_symbols(game.book, game.seats, localizer.language)
    own_title = localizer.title(seat) if seat else None
    for entry, equal_rows in groupby(rows, lambda row: row[1]):
        gains = [gain for _, _, gain in equal_rows]
        gain_text = " · ".join(filter(None, gains))
        parts, entry_seat, text = gain_text.split(" · "), entry.seat, entry.text
        yield {
            "seat": localizer.title(entry_seat) if entry_seat else "",
            "sign": symbols.get(entry_seat),
            "text": text if len(gains) == 1 else f"{text} × {len(gains)}",
            "brought": gain_text,
            "is_notice": entry.is_notice,
            "touches": entry.concerns_reader
            or (entry_seat != seat and _concerns_reader(own_title, parts)),
        }


def _concerns_reader(own_title: str | None, parts: Sequence[str]) -> bool:
    """Return whether a change in *parts* belongs to the seat *own_title*."""
    return own_title is not None and any(
        f"{part} ".startswith(f"{own_title} ") for part in parts
    )


def event_entry(
    event: Mapping[str, Any], seat: str | None, localizer: Localizer
) -> LogEntry:
    """Describe an event of the game for a reader who plays *seat*."""
    if "seat" in event:
        action = event.get("action")
        text = (
            localizer.value_text(None) if action is None else localizer.action(action)
        )
        arguments = (action or "").partition("(")[2].rstrip(")").split(", ")
        return LogEntry(text, event["seat"], seat in arguments)
    if "chance" in event:
        outcome = localizer.outcome(event["chance"], event.get("outcome"))
        return LogEntry(f"{localizer.title(event['chance'])}: {outcome}")
    if "announced" in event:
        touches = seat is not None and seat in event["values"].values()
        return LogEntry(localizer.announcement(event), concerns_reader=touches)
    return LogEntry(localizer.value_text(dict(event)))


def _notice_entry(notice: NoticeView, localizer: Localizer) -> LogEntry:
    """Describe a notice."""
    key, gaps = notice.key, {**notice.gaps}
    required_gap, other_key = PHRASES_WITHOUT_GAP.get(key, ("", ""))
    if required_gap and not gaps.get(required_gap):
        key = other_key
    for gap in SEAT_GAPS:
        if gaps.get(gap):
            gaps[gap] = localizer.title(gaps[gap])
    if "seconds" in gaps:
        gaps["seconds"] = round(gaps["seconds"])
    return LogEntry(
        Phrases(localizer.language)(f"notice.{key}", **gaps), is_notice=True
    )
