"""Safe parsing of untrusted JSON documents.

The length of the text, its nesting depth and the length of its numbers are checked
before it is parsed. Numbers with fractions, duplicate keys, and strings that cannot be
encoded as UTF-8 are rejected.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from typing import Any, NoReturn

LENGTH_MAX = 8_000_000
"""Maximum length of a document in code points, enough for thirty large rule files."""

DEPTH_MAX = 40
"""Maximum nesting depth of lists and objects; positions need about ten levels."""

DIGITS_MAX = 80
"""Maximum number of digits of a number; the longest numbers are seeds."""

_TOKENS = re.compile(r'"[^"\\]*(?:\\(?:.|\Z)[^"\\]*)*(?:"|\Z)|[\[\]{}]', re.DOTALL)
"""Pattern for strings, which may contain brackets, and for brackets.

An unterminated string matches too, so that each character is examined only once.
"""

_SURROGATE = re.compile("[\ud800-\udfff]")


class InvalidDocument(ValueError):
    """Raised for a text that is not a valid document; the message gives the reason."""


def read_document(text: str) -> Any:
    """Return the plain data of a JSON text, or raise `InvalidDocument`."""
    if len(text) > LENGTH_MAX:
        raise InvalidDocument(f"it is longer than {LENGTH_MAX:,} characters")
    if text.startswith("\ufeff"):
        raise InvalidDocument("it starts with a byte order mark")
    _check_depth(text)
    try:
        document = json.loads(
            text,
            parse_int=_parse_number,
            parse_float=_reject_number,
            parse_constant=_reject_number,
            object_pairs_hook=_parse_object,
        )
    except json.JSONDecodeError as error:
        place = "" if error.lineno > 1 else f" in column {error.colno}"
        raise InvalidDocument(
            f"it is not a JSON document: {error.msg}{place}"
        ) from None
    if _SURROGATE.search(text) or (
        "\\u" in text and _SURROGATE.search(_require_encodable(document))
    ):
        raise InvalidDocument("it contains an incomplete character (a lone surrogate)")
    return document


def _check_depth(text: str) -> None:
    """Raise `InvalidDocument` if the data is nested too deeply, before it is parsed."""
    if text.count("[") + text.count("{") <= DEPTH_MAX:
        return
    depth = 0
    for piece in _TOKENS.finditer(text):
        if piece[0] in "[{":
            depth += 1
            if depth > DEPTH_MAX:
                raise InvalidDocument(f"it is nested more than {DEPTH_MAX} levels deep")
        elif piece[0] in "]}":
            depth -= 1


def _require_encodable(document: Any) -> str:
    return json.dumps(document, ensure_ascii=False)


def _parse_number(digits: str) -> int:
    if len(digits) > DIGITS_MAX:
        raise InvalidDocument(f"a number has more than {DIGITS_MAX} digits")
    return int(digits)


def _reject_number(text: str) -> NoReturn:
    raise InvalidDocument(f"{text[:DIGITS_MAX]} is not a whole number")


def _parse_object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    entries = dict(pairs)
    if len(entries) < len(pairs):
        count = Counter(name for name, _ in pairs)
        (twice, _), *_ = count.most_common(1)
        raise InvalidDocument(f"{json.dumps(twice)} occurs twice in an object")
    return entries
