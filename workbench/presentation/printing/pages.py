"""Structure of a printed page, independent of the output format.

A page consists of sections, lines, tables and pictures. A `place` is the address of the
clause that one of them describes, such as `action.build.free`. Links, searches and
comparisons with other rules use it.
"""

import re
from collections.abc import Iterator
from typing import TypeAlias

import attrs

from rulebook import Cite
from workbench.presentation.printing.sentences.text_runs import Text, unstyled


@attrs.frozen
class TextLine:
    """Sentence with nested lines.

    `is_repeat` is true if the line only repeats another clause, such as a price.
    """

    text: Text
    place: str = ""
    cites: tuple[Cite, ...] = ()
    children: tuple["TextLine", ...] = ()
    is_repeat: bool = False


@attrs.frozen
class PrintedRow:
    """Row of a table, with the address and citations of its clause."""

    cells: tuple[Text, ...]
    place: str = ""
    cites: tuple[Cite, ...] = ()


@attrs.frozen
class PrintedTable:
    """Table with column headings; the first `key_columns` cells identify a row."""

    heads: tuple[Text, ...]
    rows: tuple[PrintedRow, ...]
    key_columns: int = 1


@attrs.frozen
class Picture:
    """Drawing as SVG, with its caption."""

    svg: str
    caption: Text


Block: TypeAlias = TextLine | PrintedTable | Picture


@attrs.frozen
class PageSection:
    """Section of a page with a heading: a chapter or a subsection."""

    title: Text
    place: str = ""
    cites: tuple[Cite, ...] = ()
    blocks: tuple[Block, ...] = ()
    parts: tuple["PageSection", ...] = ()

    @property
    def is_empty(self) -> bool:
        """True if neither the section nor its subsections have any blocks."""
        return not self.blocks and all(part.is_empty for part in self.parts)


@attrs.frozen
class PrintedPage:
    """Printed document with numbered chapters."""

    title: Text
    language: str
    notes: tuple[Text, ...]
    parts: tuple[PageSection, ...]

    def numbered_sections(self) -> Iterator[tuple[str, int, PageSection]]:
        """Yield (number, depth, section) for each section and subsection, in order."""
        for number, part in enumerate(self.parts, 1):
            yield from _numbered_sections(str(number), 1, part)

    def section_numbers(self) -> dict[str, str]:
        """Return the number of the section that describes each address, by address."""
        numbers: dict[str, str] = {}
        for number, _, part in self.numbered_sections():
            for place in own_addresses(part):
                numbers.setdefault(place, number)
        return numbers


def _numbered_sections(
    number: str, depth: int, part: PageSection
) -> Iterator[tuple[str, int, PageSection]]:
    yield number, depth, part
    for place, inner in enumerate(part.parts, 1):
        yield from _numbered_sections(f"{number}.{place}", depth + 1, inner)


def lines_of(part: PageSection) -> Iterator[TextLine]:
    """Yield all lines of a section, without its subsections."""
    for block in part.blocks:
        if isinstance(block, TextLine):
            yield from nested_lines(block)


def nested_lines(line: TextLine) -> Iterator[TextLine]:
    """Yield a line and all its nested lines."""
    yield line
    for inner in line.children:
        yield from nested_lines(inner)


def rows_of(part: PageSection) -> Iterator[PrintedRow]:
    """Yield all table rows of a section."""
    for block in part.blocks:
        if isinstance(block, PrintedTable):
            yield from block.rows


def own_addresses(part: PageSection) -> Iterator[str]:
    """Yield the addresses described in a section, without its subsections."""
    several: tuple[PageSection | TextLine | PrintedRow, ...] = (
        part,
        *lines_of(part),
        *rows_of(part),
    )
    yield from (each.place for each in several if each.place)


def anchor(address: str) -> str:
    """Return the link anchor of an address, valid in every format."""
    return re.sub(r"[^\w.-]+", "_", address).strip("_")


def text_of(part: PageSection) -> str:
    """Return all text of a section and its subsections, for searching."""
    own = [unstyled(part.title)]
    own += [unstyled(line.text) for line in lines_of(part)]
    own += [unstyled(cell) for row in rows_of(part) for cell in row.cells]
    return "\n".join([*own, *map(text_of, part.parts)])
