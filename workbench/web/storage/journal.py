"""The journal of a table: all that happens there, a line each, numbered from one on.

A line of the sort `EVENT` is a line of the game's record. The others say who sits where
and what people agree on. Lines are only added; what is taken back a later line says.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from enum import StrEnum
from typing import Any

import attrs


class LineKind(StrEnum):
    """What a line tells."""

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


AT_WILL = frozenset(
    {
        LineKind.NAMED,
        LineKind.ASKED,
        LineKind.DROPPED,
        LineKind.WANTED,
        LineKind.PERSON,
        LineKind.CAME,
    }
)
"""The lines that a person can add again and again."""
FOLLOWING = frozenset(
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
    }
)
"""The lines of which there are no more than of others, and that others wait for."""
TOLD = frozenset(LineKind) - {
    LineKind.EVENT,
    LineKind.HELD,
    LineKind.DROPPED,
    LineKind.AGREED,
}
"""The lines of which the pages tell."""


@attrs.frozen
class JournalLine:
    """A line: what it tells as JSON, who did it, and the line that its decision began.

    `by` is a seat, or a bot's name in brackets behind it; empty is chance or the table.
    """

    number: int
    sort: LineKind
    text: str
    by: str = ""
    decision: int = 0

    @property
    def said(self) -> dict[str, Any]:
        """What the line tells."""
        said: dict[str, Any] = json.loads(self.text)
        return said


@attrs.frozen
class TableNotice:
    """Something that the pages tell: a key among their words, what fills its gaps."""

    number: int
    key: str
    gaps: Mapping[str, Any]


def written(document: Mapping[str, Any]) -> str:
    """A document as a line has it, the same as in a record.

    Half a code point, which no database takes, becomes JSON's escape.
    """
    text = json.dumps(document, ensure_ascii=False)
    return text.encode(errors="backslashreplace").decode()


def line(number: int, sort: LineKind, by: str = "", **said: Any) -> JournalLine:
    """A line that is no event."""
    return JournalLine(number, sort, written(said), by)


def event_lines(
    events: Iterable[Mapping[str, Any]], after: int, by: str
) -> tuple[JournalLine, ...]:
    """The lines of the events of one decision."""
    return tuple(
        JournalLine(number, LineKind.EVENT, written(event), by, after + 1)
        for number, event in enumerate(events, after + 1)
    )
