"""Texts that know what they speak of: runs of letters, emphasised or linked.

Nothing is escaped here: every format writes the letters of a run in its own way.
"""

import re
from collections.abc import Callable, Iterable, Mapping
from enum import StrEnum
from itertools import groupby

import attrs

_GAP = re.compile(r"\{(\w+)\}")


class Style(StrEnum):
    """How a run is set."""

    PLAIN = "plain"
    NAME = "name"
    """What is chosen or noted, by its name."""
    BOLD = "bold"


@attrs.frozen
class TextRun:
    """Letters of one style; `place` is the address of what they speak of, if any."""

    text: str
    style: Style = Style.PLAIN
    place: str = ""


Text = tuple[TextRun, ...]


def plain(text: str, style: Style = Style.PLAIN, place: str = "") -> Text:
    """A text of one run, or of none."""
    return (TextRun(text, style, place),) if text else ()


def letters(text: Text) -> str:
    """What a text says, without its styles."""
    return "".join(run.text for run in text)


def joined(texts: Iterable[Text], between: str, last: str | None = None) -> Text:
    """Texts one after another: `a, b and c`."""
    several = [text for text in texts if text]
    runs: list[TextRun] = []
    for number, text in enumerate(several):
        if number:
            is_last = number == len(several) - 1 and last is not None
            runs += plain(last if is_last and last is not None else between)
        runs += text
    return tuple(runs)


def filled(template: str, parts: Mapping[str, Text], place: str = "") -> Text:
    """A template with its gaps filled with texts; a gap without a part is left out.

    The template's own letters are about a place.
    """
    runs: list[TextRun] = []
    end = 0
    for gap in _GAP.finditer(template):
        runs += plain(template[end : gap.start()], place=place)
        runs += parts.get(gap[1], ())
        end = gap.end()
    runs += plain(template[end:], place=place)
    return tuple(runs)


def linked(text: Text, place: str) -> Text:
    """The same text, all of it about one place where it is about none."""
    return tuple(run if run.place else attrs.evolve(run, place=place) for run in text)


def changed(text: Text, pattern: re.Pattern[str], new: str) -> Text:
    """A text in which a pattern is replaced across runs.

    What is new has the style of the first letter that it stands for.
    """
    whole = letters(text)
    if pattern.search(whole) is None:
        return text
    looks = [(run.style, run.place) for run in text for _ in run.text]
    pieces: list[tuple[str, tuple[Style, str]]] = []
    end = 0
    for match in pattern.finditer(whole):
        if looks[match.start()][0] is Style.NAME:  # a name of the rules is no article
            continue
        pieces += zip(
            whole[end : match.start()], looks[end : match.start()], strict=True
        )
        pieces += ((letter, looks[match.start()]) for letter in match.expand(new))
        end = match.end()
    pieces += zip(whole[end:], looks[end:], strict=True)
    return tuple(
        TextRun("".join(letter for letter, _ in run), *look)
        for look, run in groupby(pieces, key=lambda piece: piece[1])
    )


def capitalized(text: Text) -> Text:
    """A text that begins with a capital letter."""
    if not text:
        return text
    first = text[0]
    return (
        attrs.evolve(first, text=first.text[:1].upper() + first.text[1:]),
        *text[1:],
    )


Writer = Callable[[TextRun], str]


def written(text: Text, writer: Writer) -> str:
    """A text as a format has it, run by run."""
    return "".join(map(writer, text))
