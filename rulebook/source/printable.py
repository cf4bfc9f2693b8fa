"""Sanitizer for texts from files, so that they cannot control a terminal.

U+FFFD replaces control characters, direction marks, invisible line ends, halves of
surrogate pairs and unassigned code points. All code that prints such a text uses this
module.
"""

from __future__ import annotations

import re
from unicodedata import category

UNPRINTABLE = re.compile(
    "[\x00-\x08\x0a-\x1f\x7f-\x9f"  # control characters except tabs
    "\u061c\u200e\u200f\u202a-\u202e\u2066-\u206f"  # direction marks
    "\u2028\u2029"  # line ends
    "\ufeff\ufff9-\ufffb\ufffe\uffff"  # byte order marks, non-characters
    "\ud800-\udfff]"  # surrogates
)


def printable_line(text: str) -> str:
    """Return a text as one line, with tabs and unprintable characters replaced."""
    return _sanitize(text.replace("\t", " "))


def printable_lines(text: str) -> str:
    """Return a text with unprintable characters replaced, except tabs and newlines."""
    if text.isprintable():
        return text
    return "\n".join(map(_sanitize, text.split("\n")))


def _sanitize(text: str) -> str:
    if text.isprintable():
        return text
    signs = UNPRINTABLE.sub("\N{REPLACEMENT CHARACTER}", text)
    return "".join(
        "\N{REPLACEMENT CHARACTER}" if _is_unassigned(x) else x for x in signs
    )


def _is_unassigned(char: str) -> bool:
    """Return whether a code point is private or has no character: Unicode Co and Cn."""
    return not char.isprintable() and category(char) in {"Co", "Cn"}
