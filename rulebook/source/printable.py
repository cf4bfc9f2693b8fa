"""Texts from files as they may be shown: nothing in them commands a terminal.

Control characters, what turns the direction of text, line ends that look like none,
halves of characters, and code points without a character become U+FFFD. Everything that
prints such a text comes here.
"""

from __future__ import annotations

import re
from unicodedata import category

UNSEEN = re.compile(
    "[\x00-\x08\x0a-\x1f\x7f-\x9f"  # control characters, tabs apart
    "\u061c\u200e\u200f\u202a-\u202e\u2066-\u206f"  # direction
    "\u2028\u2029"  # line ends
    "\ufeff\ufff9-\ufffb\ufffe\uffff"  # marks that are no letters
    "\ud800-\udfff]"  # halves of a code point
)


def visible(text: str) -> str:
    """Return a text on one line, a tab as a blank, each character that may be seen."""
    return _seen(text.replace("\t", " "))


def visible_lines(text: str) -> str:
    """Return a text whose lines and tabs are ours as it may be shown."""
    return "\n".join(map(_seen, text.split("\n")))


def _seen(text: str) -> str:
    if text.isprintable():
        return text
    signs = UNSEEN.sub("\N{REPLACEMENT CHARACTER}", text)
    return "".join("\N{REPLACEMENT CHARACTER}" if _is_none(x) else x for x in signs)


def _is_none(sign: str) -> bool:
    """Return whether a code point is private or has no character: Unicode Co and Cn."""
    return not sign.isprintable() and category(sign) in {"Co", "Cn"}
