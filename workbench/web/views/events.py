"""Log of a page: the latest events of the game, and notices."""

from collections.abc import Iterable, Iterator
from itertools import chain, groupby
from typing import Any

import attrs

from interpreter import Game
from workbench.presentation.localization.localizer import Localizer
from workbench.presentation.narration.changes import changes_text
from workbench.presentation.narration.event_log import EventLog, LogEntry
from workbench.web.views.board_view import RecentlyUsedCache
from workbench.web.views.phrases import Phrases
from workbench.web.views.protocols import NoticeView, TableView
from workbench.web.views.symbols import seat_symbols

MAX_LOG_LINES = 60
"""Maximum number of lines in the log."""
RECENT_EVENTS = 60
"""Number of latest events in the log. It is fixed, so that lines are only added."""
PRESENCE_NOTICES = ("left", "came")
"""Keys of notices that the log omits because the players panel shows them."""
PHRASES_WITHOUT_GAP = {
    "named": ("name", "unnamed"),
    "rules": ("clauses", "rules_bare"),
    "wanted": ("asker", "wanted_by_owner"),
    "opened": ("other", "opened_by_owner"),
    "late": ("bot", "late_only"),
}
"""Map of notice keys to a gap that may be empty and the phrase to use in that case."""

SEAT_GAPS = ("seat", "asker", "other")
"""Names of notice gaps that are filled with seats."""


MAX_LOGS = 1_000
"""Maximum number of logs of seats in memory, over all tables."""
LOGS = RecentlyUsedCache(MAX_LOGS)


@attrs.frozen
class Line:
    """Line of the log: a log entry or a notice."""

    entry: LogEntry
    is_notice: bool = False

    @property
    def content(self) -> LogEntry:
        """The entry without its place and effects; equal contents become one line."""
        return attrs.evolve(self.entry, first=0, step=0, effects=())


def recent_log(
    table: TableView, seat: str | None, localizer: Localizer
) -> dict[str, Any]:
    """Return the lines of the latest events and notices."""
    log = event_log(table, seat, localizer)
    numbers = [line.number for line in table.state.events]
    first = max(0, len(numbers) - RECENT_EVENTS)
    last_number = numbers[first - 1] if first else 0
    lines = [(numbers[entry.step - 1], Line(entry)) for entry in log.since(first)]
    lines += [
        (notice.number, Line(_notice_entry(notice, localizer), is_notice=True))
        for notice in table.notices
        if notice.number > last_number and notice.key not in PRESENCE_NOTICES
    ]
    lines.sort(key=lambda line: line[0])
    shown = list(_log_lines([line for _, line in lines], table.game, seat, localizer))
    return {"lines": shown[-MAX_LOG_LINES:]}


def event_log(table: TableView, seat: str | None, localizer: Localizer) -> EventLog:
    """Return the log of a seat at a table, up to date with the game."""
    key = (table.id, seat, localizer.language, table.book.digest)
    log: EventLog | None = LOGS.get(key)
    if log is None:
        log = EventLog(localizer, seat)
        LOGS.put(key, log)
    log.update(table.game)
    return log


def _log_lines(
    lines: Iterable[Line], game: Game, seat: str | None, localizer: Localizer
) -> Iterator[dict[str, Any]]:
    """Yield the lines as plain data; equal consecutive ones get a count."""
    symbols = seat_symbols(game.book, game.seats, localizer.language)
    for content, equal in groupby(lines, lambda line: (line.content, line.is_notice)):
        entry, is_notice = content
        effects = [line.entry.effects for line in equal]
        changes = list(chain.from_iterable(effects))
        is_named = entry.seat and not entry.is_sentence
        yield {
            "seat": localizer.title(entry.seat) if is_named else "",
            "sign": symbols.get(entry.seat),
            "text": entry.text + (f" × {len(effects)}" if effects[1:] else ""),
            "brought": changes_text(changes),
            "is_notice": is_notice,
            "touches": seat in entry.seats - {entry.seat}
            or (entry.seat != seat and seat in {each.seat or "" for each in changes}),
        }


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
    return LogEntry(0, 0, None, Phrases(localizer.language)(f"notice.{key}", **gaps))
