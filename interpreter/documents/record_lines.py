"""Format of the lines of a record: a header, then events, finally the end."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any

from interpreter.documents.json_text import InvalidDocument, read_document
from interpreter.errors import RecordError

FORMAT = "rulebook-record/1"

LINES_MAX = 1_000_000
"""Maximum number of lines in a record; the longest games have a few thousand."""

DIGEST = re.compile(r"sha256:[0-9a-f]{64}")

EVENTS = (
    {"seat", "action"},
    {"chance", "outcome"},
    {"announced", "values"},
    {"end"},
)
"""Allowed sets of keys in a line after the header."""

TEXTS = ("seat", "action", "chance", "announced")
"""Keys of events whose values must be strings."""


def _is_whole(value: Any) -> bool:
    return type(value) is int


def _is_limit(value: Any) -> bool:
    return _is_whole(value) and value > 0


def _is_text(value: Any) -> bool:
    return isinstance(value, str)


def _is_digest(value: Any) -> bool:
    return isinstance(value, str) and DIGEST.fullmatch(value) is not None


def _is_seed(value: Any) -> bool:
    return value is None or type(value) is int


def _are_texts(value: Any) -> bool:
    return isinstance(value, list) and all(map(_is_text, value))


def _are_options(value: Any) -> bool:
    return isinstance(value, dict) and all(
        isinstance(option, bool | int | None) for option in value.values()
    )


def _is_board(value: Any) -> bool:
    return value is None or isinstance(value, dict)


def _is_position(value: Any) -> bool:
    return isinstance(value, dict)


def _are_sources(value: Any) -> bool:
    return isinstance(value, dict) and all(map(_is_text, value.values()))


HEADER: dict[str, tuple[Callable[[Any], bool], str]] = {
    "variant": (_is_text, "a name"),
    "digest": (_is_digest, "`sha256:` and 64 digits"),
    "players": (_is_whole, "a whole number"),
    "seats": (_are_texts, "a list of names"),
    "seed": (_is_seed, "a whole number or null"),
    "options": (_are_options, "an object of numbers, booleans and nulls"),
    "board": (_is_board, "an object or null"),
}
"""Required keys of a header, each with a check and a description of its type.

A header may have other keys. Those in `EXTRA` are checked too.
"""

NOTE_FIELDS = ("bot_seed", "game")
"""Header keys for numbers about the bots, which the rules ignore."""

EXTRA: dict[str, tuple[Callable[[Any], bool], str]] = {
    **dict.fromkeys(NOTE_FIELDS, (_is_whole, "a whole number")),
    "turns": (_is_limit, "a whole number of at least 1"),
    "position": (_is_position, "an object"),
    "sources": (_are_sources, "an object of strings"),
}


def read_header(record: str) -> dict[str, Any]:
    """Return the header of a record, or raise `RecordError`."""
    head = _parse_line(record.partition("\n")[0], None)
    if head.get("format") != FORMAT:
        raise RecordError(
            f"this is not a record: it does not start with the format {FORMAT}",
            expected=FORMAT,
            got=head.get("format"),
        )
    missing = [name for name in HEADER if name not in head]
    if missing:
        raise RecordError(f"the header has no `{missing[0]}`")
    for name, (fits, form) in {**HEADER, **EXTRA}.items():
        if name in head and not fits(head[name]):
            raise RecordError(f"`{name}` must be {form}", expected=form, got=head[name])
    return head


def read_events(record: str) -> Iterator[dict[str, Any]]:
    """Yield the parsed lines after the header, one at a time."""
    _, _, rest = record.rstrip("\r\n").partition("\n")
    if rest.count("\n") >= LINES_MAX:
        raise RecordError(f"it has more than {LINES_MAX:,} lines", step=LINES_MAX)
    for step, text in enumerate(rest.split("\n") if rest else ()):
        document = _parse_line(text, step)
        if document.keys() not in EVENTS:
            raise RecordError(
                "an event needs `seat` and `action`, `chance` and `outcome`, or"
                " `announced` and `values`; the last line needs `end`",
                step=step,
                got=document,
            )
        texts = [document[name] for name in TEXTS if name in document]
        if not all(map(_is_text, texts)):
            hidden = None in texts
            raise RecordError(
                "this is the log of one seat, which cannot be replayed"
                " because hidden information is missing"
                if hidden
                else "`seat`, `action`, `chance` and `announced` must be strings",
                step=step,
                got=document,
            )
        if not isinstance(document.get("end", {}), dict):
            raise RecordError("`end` must be an object", step=step, got=document)
        yield document


def _parse_line(text: str, step: int | None) -> dict[str, Any]:
    """Return the JSON object in a line, or raise `RecordError` with *step*."""
    try:
        document = read_document(text)
    except InvalidDocument as error:
        raise RecordError(f"{_error_prefix(step)}{error}", step=step) from None
    if not isinstance(document, dict):
        raise RecordError(f"{_error_prefix(step)}it is not a JSON object", step=step)
    return document


def _error_prefix(step: int | None) -> str:
    """Return the start of a message about the header (*step* None), else ""."""
    return "this is not a record: " if step is None else ""
