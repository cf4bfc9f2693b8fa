"""Journal of a table: everything that happens there, as lines numbered from 1.

Lines of kind `EVENT` are lines of the game's record. All others concern the players and
their agreements. Lines are only appended: an undo is a line too. Only old messages of
the chat are deleted; their numbers are then missing.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from enum import StrEnum
from typing import Any

import attrs


class LineKind(StrEnum):
    """Kind of a journal line: a game event, or a line about players or rules."""

    EVENT = "event"
    HELD = "held"
    DROPPED = "dropped"
    ASKED = "asked"
    AGREED = "agreed"
    DECLINED = "declined"
    UNDONE = "undone"
    WANTED = "wanted"
    KEPT = "kept"
    BOT = "bot"
    PERSON = "person"
    NAMED = "named"
    LEFT = "left"
    CAME = "came"
    FAILED = "failed"
    RULES = "rules"
    AGAIN = "again"
    OPENED = "opened"
    TAKEN = "taken"
    KEY = "key"
    CLOCK = "clock"
    REMINDED = "reminded"
    LATE = "late"
    CHAT = "chat"


MAX_MESSAGES = 200
"""Maximum number of messages in the chat of a table; older ones are deleted."""
REPEATABLE_KINDS = frozenset(
    {
        LineKind.NAMED,
        LineKind.ASKED,
        LineKind.DROPPED,
        LineKind.WANTED,
        LineKind.PERSON,
        LineKind.CAME,
    }
)
"""Kinds of lines that a player can add any number of times."""
CLOCK_KINDS = (LineKind.CLOCK, LineKind.REMINDED, LineKind.LATE)
"""Kinds of lines about the time that seats have for their decisions."""
FOLLOW_UP_KINDS = frozenset(
    {
        LineKind.AGREED,
        LineKind.DECLINED,
        LineKind.UNDONE,
        LineKind.KEPT,
        LineKind.BOT,
        LineKind.LEFT,
        LineKind.FAILED,
        LineKind.AGAIN,
        LineKind.OPENED,
        LineKind.TAKEN,
        LineKind.KEY,
        *CLOCK_KINDS,
    }
)
"""Kinds of lines that result from earlier lines, and are always accepted."""
NOTICE_KINDS = frozenset(LineKind) - {
    LineKind.EVENT,
    LineKind.HELD,
    LineKind.DROPPED,
    LineKind.AGREED,
    LineKind.TAKEN,
    LineKind.KEY,
    LineKind.CLOCK,
    LineKind.CHAT,
}
"""Kinds of lines that pages show as notices."""


@attrs.frozen
class JournalLine:
    """Line of the journal: its content as JSON, its actor, and its decision.

    `decision` is the number of the first line of the decision. `by` is a seat,
    followed by `/` and a bot's name if a bot acted. It is empty for chance and for the
    table itself.
    """

    number: int
    sort: LineKind
    text: str
    by: str = ""
    decision: int = 0

    @property
    def content(self) -> dict[str, Any]:
        """Content of the line, parsed from JSON."""
        content: dict[str, Any] = json.loads(self.text)
        return content


@attrs.frozen
class TableNotice:
    """Notice for the pages: the key of a phrase, and values for its gaps."""

    number: int
    key: str
    gaps: Mapping[str, Any]


def line_json(document: Mapping[str, Any]) -> str:
    """Serialize the content of a line to JSON, in the form that records use.

    Lone surrogates, which databases reject, become JSON escapes.
    """
    text = json.dumps(document, ensure_ascii=False)
    return text.encode(errors="backslashreplace").decode()


def new_line(
    number: int, sort: LineKind, actor: str = "", **content: Any
) -> JournalLine:
    """Return a journal line of any kind except `EVENT`."""
    return JournalLine(number, sort, line_json(content), actor)


def event_lines(
    events: Iterable[Mapping[str, Any]], after: int, actor: str
) -> tuple[JournalLine, ...]:
    """Return journal lines for the events of one decision, numbered after *after*."""
    return tuple(
        JournalLine(number, LineKind.EVENT, line_json(event), actor, after + 1)
        for number, event in enumerate(events, after + 1)
    )
