"""Journal of a table: everything that happens there, one numbered line each, from 1.

Lines of the kind `EVENT` are lines of the game's record. The others concern players and
what they agree on. Lines are only appended: an undo is itself a line.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from enum import StrEnum
from typing import Any

import attrs


class LineKind(StrEnum):
    """Kinds of journal lines."""

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
"""Kinds of lines that a person can add repeatedly."""
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
"""Kinds of lines whose number other lines limit, and which must not be rejected."""
TOLD = frozenset(LineKind) - {
    LineKind.EVENT,
    LineKind.HELD,
    LineKind.DROPPED,
    LineKind.AGREED,
}
"""Kinds of lines that pages report as notices."""


@attrs.frozen
class JournalLine:
    """Line of the journal: its content as JSON, its actor, and its decision.

    `decision` is the line that began the decision. `by` is a seat, with `/` and the
    name of a bot if one acted; it is empty for chance and for the table.
    """

    number: int
    sort: LineKind
    text: str
    by: str = ""
    decision: int = 0

    @property
    def said(self) -> dict[str, Any]:
        """Content of the line."""
        said: dict[str, Any] = json.loads(self.text)
        return said


@attrs.frozen
class TableNotice:
    """Notice that pages show: a key of a phrase, and values for its gaps."""

    number: int
    key: str
    gaps: Mapping[str, Any]


def written(document: Mapping[str, Any]) -> str:
    """Return a document as the text of a line, the same as in a record.

    A lone surrogate, which databases reject, becomes a JSON escape.
    """
    text = json.dumps(document, ensure_ascii=False)
    return text.encode(errors="backslashreplace").decode()


def line(number: int, sort: LineKind, by: str = "", **said: Any) -> JournalLine:
    """Return a line of any kind except `EVENT`."""
    return JournalLine(number, sort, written(said), by)


def event_lines(
    events: Iterable[Mapping[str, Any]], after: int, by: str
) -> tuple[JournalLine, ...]:
    """Return the lines for the events of one decision."""
    return tuple(
        JournalLine(number, LineKind.EVENT, written(event), by, after + 1)
        for number, event in enumerate(events, after + 1)
    )
