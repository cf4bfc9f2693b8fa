"""HTML text in which every figure has a key.

With a key such as `B/difference/turns`, a reader can recompute the figure from the
tables next to the page. Names are marked as names, because they can contain digits.
Digits without a mark belong to the page's own text.
"""

import re
from collections.abc import Iterable
from html import escape, unescape
from typing import Any

from rulebook import printable_line
from workbench.analysis.statistics.sentences import format_number

Key = str


TAG = re.compile(r"<[^>]*>")
"""Pattern of a tag in HTML."""


class Html(str):
    """Text that is already HTML."""

    __slots__ = ()

    def __html__(self) -> str:
        """Return the text itself; template engines call this method."""
        return str(self)


def plain_text(words: str) -> str:
    """Return words without markup, for a text alternative."""
    return unescape(TAG.sub("", words)) if isinstance(words, Html) else words


def marked_figure(key: Key, text: str) -> Html:
    """Return a number, or a short text of numbers, marked with its key."""
    return Html(f'<span data-figure="{escape(key)}">{escape(text)}</span>')


def marked_name(text: str) -> Html:
    """Return a name, such as that of a file or a bot, marked as a name."""
    return Html(f"<span data-name>{escape(printable_line(text))}</span>")


def fill_sentence(template: str, **parts: Any) -> Html:
    """Return a sentence with its placeholders filled; escape parts except `Html`."""
    return Html(
        template.format(**{name: html_text(part) for name, part in parts.items()})
    )


def html_text(part: Any) -> Html:
    """Return a part of a sentence as HTML, escaped unless it is `Html`."""
    return part if isinstance(part, Html) else Html(escape(printable_line(str(part))))


def join_html(parts: Iterable[Any], separator: str = ", ") -> Html:
    """Return several parts as HTML, joined with a separator."""
    return Html(separator.join(map(html_text, parts)))


def figure_key(*parts: str) -> Key:
    """Return the key of a figure: its parts, such as variant and measure, with `/`."""
    return "/".join(parts)


def number_text(value: float, places: int) -> str:
    """Return a number as text with *places* decimals."""
    return format_number(value, max(places, 0)).replace("-", "−")


def signed_text(value: float, places: int) -> str:
    """Return a number with its sign; 0 has none."""
    digits = number_text(value, places)
    return f"+{digits}" if value > 0 and digits.strip("0.,") else digits
