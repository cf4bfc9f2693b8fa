"""HTML text in which every figure has a key.

A figure carries a key such as `B/difference/turns`, so that a reader can recompute it
from the tables next to the page. Names, which may contain digits, are marked as names.
Digits without a mark are part of the page's own text.
"""

from collections.abc import Iterable
from html import escape
from typing import Any

from rulebook import visible
from workbench.analysis.statistics.sentences import number

Key = str


class Html(str):
    """Text that is already HTML."""

    __slots__ = ()

    def __html__(self) -> str:
        """Return the text itself, for template engines."""
        return str(self)


def figure(key: Key, text: str) -> Html:
    """Return a number or a short text of numbers, marked with its key."""
    return Html(f'<span data-figure="{escape(key)}">{escape(text)}</span>')


def named(text: str) -> Html:
    """Return a marked name, such as that of a thing, a file or a bot."""
    return Html(f"<span data-name>{escape(visible(text))}</span>")


def fill_sentence(template: str, **parts: Any) -> Html:
    """Fill the gaps of a sentence; parts that are not `Html` are escaped."""
    return Html(template.format(**{name: text(part) for name, part in parts.items()}))


def text(part: Any) -> Html:
    """Return a part of a sentence as HTML."""
    return part if isinstance(part, Html) else Html(escape(visible(str(part))))


def listed(parts: Iterable[Any], between: str = ", ") -> Html:
    """Return several parts joined with a separator."""
    return Html(between.join(map(text, parts)))


def key(*parts: str) -> Key:
    """Return the key of a figure: variant, quantity, measure."""
    return "/".join(parts)


def number_text(value: float, places: int) -> str:
    """Return a number with `places` decimals and a minus sign as wide as a plus."""
    return number(value, max(places, 0)).replace("-", "−")


def signed(value: float, places: int) -> str:
    """Return a number with its sign; 0 has none."""
    digits = number_text(value, places)
    return f"+{digits}" if value > 0 and digits.strip("0.,") else digits
