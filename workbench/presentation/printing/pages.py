"""What a printed page consists of, before any format: parts, lines, tables, a picture.

A `place` is the address of what stands there: `action.build.free`. So it can be linked,
sought, and compared with the same place of other rules.
"""

import re
from collections.abc import Iterator
from typing import TypeAlias

import attrs

from rulebook import Cite
from workbench.presentation.printing.sentences.text_runs import Text, letters


@attrs.frozen
class TextLine:
    """A sentence, and what belongs below it.

    `follows` says that it only repeats what another place says: a price.
    """

    text: Text
    place: str = ""
    cites: tuple[Cite, ...] = ()
    below: tuple["TextLine", ...] = ()
    follows: bool = False


@attrs.frozen
class PrintedRow:
    """A row of a table."""

    cells: tuple[Text, ...]
    place: str = ""
    cites: tuple[Cite, ...] = ()


@attrs.frozen
class PrintedTable:
    """A table with its heads."""

    heads: tuple[Text, ...]
    rows: tuple[PrintedRow, ...]


@attrs.frozen
class Picture:
    """A drawing, as SVG, and what it shows."""

    svg: str
    caption: Text


Block: TypeAlias = TextLine | PrintedTable | Picture


@attrs.frozen
class PageSection:
    """A part of the page with a heading: a chapter, or a part of one."""

    title: Text
    place: str = ""
    cites: tuple[Cite, ...] = ()
    blocks: tuple[Block, ...] = ()
    parts: tuple["PageSection", ...] = ()

    @property
    def is_empty(self) -> bool:
        """Whether there is nothing to be read in it."""
        return not self.blocks and all(part.is_empty for part in self.parts)


@attrs.frozen
class PrintedPage:
    """A whole document; its chapters are numbered."""

    title: Text
    language: str
    notes: tuple[Text, ...]
    parts: tuple[PageSection, ...]

    def numbered(self) -> Iterator[tuple[str, int, PageSection]]:
        """Every part with its number and its depth, in order."""
        for number, part in enumerate(self.parts, 1):
            yield from _numbered(str(number), 1, part)

    def places(self) -> dict[str, str]:
        """The number of the part in which each place stands."""
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
    """All lines of a part, not those of its parts."""
    for block in part.blocks:
        if isinstance(block, TextLine):
            yield from with_below(block)


def with_below(line: TextLine) -> Iterator[TextLine]:
    """A line and all lines below it."""
    yield line
    for inner in line.below:
        yield from with_below(inner)


def rows_of(part: PageSection) -> Iterator[PrintedRow]:
    """All rows of the tables of a part."""
    for block in part.blocks:
        if isinstance(block, PrintedTable):
            yield from block.rows


def own_places(part: PageSection) -> Iterator[str]:
    """The places of a part itself."""
    several: tuple[PageSection | TextLine | PrintedRow, ...] = (
        part,
        *lines_of(part),
        *rows_of(part),
    )
    yield from (each.place for each in several if each.place)


def anchor(place: str) -> str:
    """A name for a place that every format can link to."""
    return re.sub(r"[^\w.-]+", "_", place).strip("_")


def text_of(part: PageSection) -> str:
    """All letters of a part and of its parts, for those who search it."""
    own = [letters(part.title)]
    own += [letters(line.text) for line in lines_of(part)]
    own += [letters(cell) for row in rows_of(part) for cell in row.cells]
    return "\n".join([*own, *map(text_of, part.parts)])
