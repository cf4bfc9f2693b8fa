"""Structure of a printed page, independent of formats.

A page consists of sections, lines, tables and pictures. A `place` is the address of
what a part describes, such as `action.build.free`. Parts can be linked by place, found
by place, and compared with the same place in other rules.
"""

import re
from collections.abc import Iterator
from typing import TypeAlias

import attrs

from rulebook import Cite
from workbench.presentation.printing.sentences.text_runs import Text, letters


@attrs.frozen
class TextLine:
    """Sentence with the lines below it.

    `follows` marks a line that only repeats another place, such as a price.
    """

    text: Text
    place: str = ""
    cites: tuple[Cite, ...] = ()
    below: tuple["TextLine", ...] = ()
    follows: bool = False


@attrs.frozen
class PrintedRow:
    """Row of a table."""

    cells: tuple[Text, ...]
    place: str = ""
    cites: tuple[Cite, ...] = ()


@attrs.frozen
class PrintedTable:
    """Table with its heads."""

    heads: tuple[Text, ...]
    rows: tuple[PrintedRow, ...]


@attrs.frozen
class Picture:
    """Drawing as SVG, with its caption."""

    svg: str
    caption: Text


Block: TypeAlias = TextLine | PrintedTable | Picture


@attrs.frozen
class PageSection:
    """Section of a page with a heading: a chapter, or a part of one."""

    title: Text
    place: str = ""
    cites: tuple[Cite, ...] = ()
    blocks: tuple[Block, ...] = ()
    parts: tuple["PageSection", ...] = ()

    @property
    def is_empty(self) -> bool:
        """True if the section has no contents to read."""
        return not self.blocks and all(part.is_empty for part in self.parts)


@attrs.frozen
class PrintedPage:
    """Whole document; its chapters are numbered."""

    title: Text
    language: str
    notes: tuple[Text, ...]
    parts: tuple[PageSection, ...]

    def numbered(self) -> Iterator[tuple[str, int, PageSection]]:
        """Yield every section with its number and depth, in order."""
        for number, part in enumerate(self.parts, 1):
            yield from _numbered(str(number), 1, part)

    def places(self) -> dict[str, str]:
        """Section numbers, by the places in them."""
        numbers: dict[str, str] = {}
        for number, _, part in self.numbered():
            for place in own_places(part):
                numbers.setdefault(place, number)
        return numbers


def _numbered(
    number: str, depth: int, part: PageSection
) -> Iterator[tuple[str, int, PageSection]]:
    yield number, depth, part
    for place, inner in enumerate(part.parts, 1):
        yield from _numbered(f"{number}.{place}", depth + 1, inner)


def lines_of(part: PageSection) -> Iterator[TextLine]:
    """Yield all lines of a section, without those of its subsections."""
    for block in part.blocks:
        if isinstance(block, TextLine):
            yield from with_below(block)


def with_below(line: TextLine) -> Iterator[TextLine]:
    """Yield a line and all lines below it."""
    yield line
    for inner in line.below:
        yield from with_below(inner)


def rows_of(part: PageSection) -> Iterator[PrintedRow]:
    """Yield all rows of the tables of a section."""
    for block in part.blocks:
        if isinstance(block, PrintedTable):
            yield from block.rows


def own_places(part: PageSection) -> Iterator[str]:
    """Yield the places of a section, without its subsections."""
    several: tuple[PageSection | TextLine | PrintedRow, ...] = (
        part,
        *lines_of(part),
        *rows_of(part),
    )
    yield from (each.place for each in several if each.place)


def anchor(place: str) -> str:
    """Return an anchor name for a place that every format can link to."""
    return re.sub(r"[^\w.-]+", "_", place).strip("_")


def text_of(part: PageSection) -> str:
    """Return all text of a section and its subsections, for searches."""
    own = [letters(part.title)]
    own += [letters(line.text) for line in lines_of(part)]
    own += [letters(cell) for row in rows_of(part) for cell in row.cells]
    return "\n".join([*own, *map(text_of, part.parts)])
