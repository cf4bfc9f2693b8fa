"""Styled text as runs of characters, which may be emphasized or linked.

Nothing is escaped here; each output format escapes the text of a run.
"""

import re
from collections.abc import Callable, Iterable, Mapping
from enum import StrEnum
from itertools import groupby

import attrs

_GAP = re.compile(r"\{(\w+)\}")


class Style(StrEnum):
    """Style of a text run."""

    PLAIN = "plain"
    NAME = "name"
    """Style for the name of a choice or local value."""
    BOLD = "bold"


@attrs.frozen
class TextRun:
    """Characters in one style; `place` is the address of the link target, if any."""

    text: str
    style: Style = Style.PLAIN
    place: str = ""


Text = tuple[TextRun, ...]


def plain_text(text: str, style: Style = Style.PLAIN, place: str = "") -> Text:
    """Return a text of one run, or an empty text if *text* is empty."""
    return (TextRun(text, style, place),) if text else ()


def unstyled(text: Text) -> str:
    """Return text without styles."""
    return "".join(run.text for run in text)


def join_texts(
    texts: Iterable[Text], separator: str, last_separator: str | None = None
) -> Text:
    """Join non-empty texts; *last_separator*, if given, precedes the last text."""
    several = [text for text in texts if text]
    runs: list[TextRun] = []
    for number, text in enumerate(several):
        if number:
            is_last = number == len(several) - 1 and last_separator is not None
            runs += plain_text(
                last_separator if is_last and last_separator is not None else separator
            )
        runs += text
    return tuple(runs)


def fill_template(template: str, parts: Mapping[str, Text], place: str = "") -> Text:
    """Fill the gaps of a template; a gap without a value is removed.

    The literal text of the template links to *place*.
    """
    runs: list[TextRun] = []
    end = 0
    for gap in _GAP.finditer(template):
        runs += plain_text(template[end : gap.start()], place=place)
        runs += parts.get(gap[1], ())
        end = gap.end()
    runs += plain_text(template[end:], place=place)
    return tuple(runs)


def link_text(text: Text, place: str) -> Text:
    """Return text in which all runs without a link are linked to *place*."""
    return tuple(run if run.place else attrs.evolve(run, place=place) for run in text)


def replace_pattern(text: Text, pattern: re.Pattern[str], new: str) -> Text:
    """Replace a pattern in text, even where it spans several runs.

    The replacement has the style of the first letter that it replaces.
    """
    whole = unstyled(text)
    if pattern.search(whole) is None:
        return text
    formats = [(run.style, run.place) for run in text for _ in run.text]
    pieces: list[tuple[str, tuple[Style, str]]] = []
    end = 0
    for match in pattern.finditer(whole):
        if formats[match.start()][0] is Style.NAME:  # names are never articles
            continue
        pieces += zip(
            whole[end : match.start()], formats[end : match.start()], strict=True
        )
        pieces += ((letter, formats[match.start()]) for letter in match.expand(new))
        end = match.end()
    pieces += zip(whole[end:], formats[end:], strict=True)
    return tuple(
        TextRun("".join(letter for letter, _ in run), *look)
        for look, run in groupby(pieces, key=lambda piece: piece[1])
    )


def capitalize(text: Text) -> Text:
    """Return text with an initial capital."""
    if not text:
        return text
    first = text[0]
    return (
        attrs.evolve(first, text=first.text[:1].upper() + first.text[1:]),
        *text[1:],
    )


RunWriter = Callable[[TextRun], str]


def write_text(text: Text, writer: RunWriter) -> str:
    """Return text in an output format, written run by run."""
    return "".join(map(writer, text))
