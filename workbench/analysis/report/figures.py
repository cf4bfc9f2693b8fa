"""Texts of a page in which every figure says what it is.

A figure is written with a key, `B/difference/turns`, so that a reader of the page can
work it out again from the tables beside it. Names, which may have digits in them, are
marked as such: what has digits and no mark is a convention of the page itself.
"""

from collections.abc import Iterable
from html import escape
from typing import Any

from rulebook import visible
from workbench.analysis.statistics.sentences import number

Key = str


class Html(str):
    """A text that is HTML already."""

    __slots__ = ()

    def __html__(self) -> str:
        """The text itself, for who writes it into a page."""
        return str(self)


def figure(key: Key, text: str) -> Html:
    """A number, or several in few words, with what it is."""
    return Html(f'<span data-figure="{escape(key)}">{escape(text)}</span>')


def named(text: str) -> Html:
    """A name that is somebody's: of a thing, a file, a bot."""
    return Html(f"<span data-name>{escape(visible(text))}</span>")


def fill_sentence(template: str, **parts: Any) -> Html:
    """A sentence with its gaps filled; what is no HTML yet becomes text."""
    return Html(template.format(**{name: text(part) for name, part in parts.items()}))


def text(part: Any) -> Html:
    """A part of a sentence as HTML."""
    return part if isinstance(part, Html) else Html(escape(visible(str(part))))


def listed(parts: Iterable[Any], between: str = ", ") -> Html:
    """Several parts behind one another."""
    return Html(between.join(map(text, parts)))


def key(*parts: str) -> Key:
    """The key of a figure: whose, what, of which measure."""
    return "/".join(parts)


def number_text(value: float, places: int) -> str:
    """A number to so many places, with a minus that is as wide as a plus."""
    return number(value, max(places, 0)).replace("-", "−")


def signed(value: float, places: int) -> str:
    """A number with its sign; 0 has none."""
    digits = number_text(value, places)
    return f"+{digits}" if value > 0 and digits.strip("0.,") else digits
