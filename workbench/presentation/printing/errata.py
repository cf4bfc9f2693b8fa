"""Errata sheet: the differences between two games, clause by clause."""

from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher
from typing import TypeAlias

import attrs

from rulebook import Rulebook
from workbench.presentation.localization.localizer import Localizer
from workbench.presentation.printing.pages import (
    PageSection,
    PrintedPage,
    PrintedRow,
    PrintedTable,
    TextLine,
)
from workbench.presentation.printing.reference import CITATION_INDEX, add_index
from workbench.presentation.printing.rules import rules_page
from workbench.presentation.printing.sentences.names import Titles
from workbench.presentation.printing.sentences.text_runs import (
    Style,
    Text,
    TextRun,
    join_texts,
    plain_text,
    unstyled,
)

DepthLine: TypeAlias = tuple[int, Text]
"""Line to compare: its nesting depth, from 0, and its text."""


@attrs.frozen
class ErrataEntry:
    """Text at one address: the lines of a clause, or a row of a table."""

    chapter: str
    title: Text
    place: str
    lines: tuple[DepthLine, ...]
    source: PageSection | PrintedRow


def errata_page(
    book: Rulebook, base: Rulebook, localizer: Localizer, title: str
) -> PrintedPage:
    """Return the errata sheet with the changes from the rulebook *base* to *book*.

    Values of options and costs are compared only where they are declared, so that each
    change appears once.
    """
    new = rules_page(book, localizer, with_defaults=False)
    spoken = Localizer.for_book(base, localizer.language)
    return compare_pages(
        new, rules_page(base, spoken, with_defaults=False), localizer, title
    )


def compare_pages(
    new: PrintedPage, old: PrintedPage, localizer: Localizer, title: str
) -> PrintedPage:
    """Return the errata sheet with the changes from one printed page to another."""
    assert localizer.book is not None
    names = Titles(localizer.book, localizer)
    before, after = page_entries(old), page_entries(new)
    chapters: dict[str, list[PageSection]] = {}
    for key in [*after, *(key for key in before if key not in after)]:
        change = entry_changes(before.get(key), after.get(key), names)
        if change is not None:
            entry = after.get(key) or before[key]
            chapters.setdefault(entry.chapter, []).append(change)
    order = [unstyled(part.title) for part in (*new.parts, *old.parts)]
    parts = tuple(
        PageSection(plain_text(chapter), parts=tuple(chapters[chapter]))
        for chapter in sorted(chapters, key=order.index)
    )
    note = names.phrase("errata_to", variant=title, base=old.title)
    notes = (note,) if parts else (note, names.phrase("no_changes"))
    heading = names.phrase("labelled", label=names.phrase("errata"), text=title)
    page = PrintedPage(heading, new.language, notes, parts)
    return add_index(page, names)


# -------------------------------------------------------------------- entries


def page_entries(page: PrintedPage) -> dict[str, ErrataEntry]:
    """Return the entries of a page, by address."""
    every: dict[str, ErrataEntry] = {}
    for part in page.parts:
        if part.place != CITATION_INDEX:
            for entry in _section_entries(unstyled(part.title), part):
                every.setdefault(entry.place, entry)
    return every


def _section_entries(chapter: str, part: PageSection) -> Iterator[ErrataEntry]:
    lines = [block for block in part.blocks if isinstance(block, TextLine)]
    place = part.place or f"{chapter} {unstyled(part.title)}"
    if lines or part.place:
        yield ErrataEntry(
            chapter, part.title, place, tuple(_independent_lines(lines, 0)), part
        )
    for block in part.blocks:
        if isinstance(block, PrintedTable):
            yield from _row_entries(chapter, part, block)
    for inner in part.parts:
        yield from _section_entries(chapter, inner)


def _independent_lines(lines: Sequence[TextLine], depth: int) -> Iterator[DepthLine]:
    """Yield lines and nested lines, without those that repeat another clause."""
    for line in lines:
        if not line.is_repeat:
            yield depth, line.text
            yield from _independent_lines(line.children, depth + 1)


def _row_entries(
    chapter: str, part: PageSection, table: PrintedTable
) -> Iterator[ErrataEntry]:
    """Yield the table rows that have an address, with each cell as a line.

    A line starts with the column heading. Rows of a titled table include the title.
    """
    whose = () if unstyled(part.title) == chapter else (*part.title, *plain_text(": "))
    for row in table.rows:
        if row.place:
            keys = table.key_columns
            cells = zip(table.heads[keys:], row.cells[keys:], strict=True)
            body = tuple((0, (*head, *plain_text(": "), *cell)) for head, cell in cells)
            title = join_texts(row.cells[:keys], ", ")
            yield ErrataEntry(chapter, (*whose, *title), row.place, body, row)


# -------------------------------------------------------------------- changes


def entry_changes(
    before: ErrataEntry | None, after: ErrataEntry | None, names: Titles
) -> PageSection | None:
    """Return a section with the changes of one entry, or None if there are none."""
    entry = after or before
    assert entry is not None
    if before is None or after is None:
        key, mark = ("added", "new") if before is None else ("removed", "gone")
        blocks = tuple(_labelled_lines(entry.lines, mark, names))
        return _change_section(entry, key, blocks, names)
    blocks = tuple(_changed_lines(before.lines, after.lines, names))
    if not blocks:
        return None
    return _change_section(entry, "changed", blocks, names)


def _change_section(
    entry: ErrataEntry, key: str, blocks: tuple[TextLine, ...], names: Titles
) -> PageSection:
    title = names.phrase(key, title=unstyled(entry.title))
    cites = () if key == "removed" else entry.source.cites
    return PageSection(title, entry.place, cites, blocks)


def _changed_lines(
    before: Sequence[DepthLine], after: Sequence[DepthLine], names: Titles
) -> Iterator[TextLine]:
    """Yield the lines that were removed, added or replaced."""
    old, new = (
        [(depth, unstyled(text)) for depth, text in lines] for lines in (before, after)
    )
    matcher = SequenceMatcher(None, old, new, autojunk=False)
    for tag, start, end, from_, to in matcher.get_opcodes():
        removed, added = before[start:end], after[from_:to]
        if tag == "replace":
            yield from _labelled_lines(removed, "before", names)
            yield from _labelled_lines(added, "after", names)
        elif tag != "equal":
            yield from _labelled_lines(removed, "gone", names)
            yield from _labelled_lines(added, "new", names)


def _labelled_lines(
    lines: Sequence[DepthLine], label: str, names: Titles
) -> Iterator[TextLine]:
    """Yield lines nested under a label, or a single line after its label."""
    if not lines:
        return
    word = unstyled(names.phrase(label))
    head: Text = (TextRun(f"{word}:", Style.BOLD),)
    if len(lines) == 1:
        yield TextLine((*head, *plain_text(" "), *lines[0][1]))
    else:
        yield TextLine(head, children=nest_lines(lines))


def nest_lines(depth_lines: Sequence[DepthLine]) -> tuple[TextLine, ...]:
    """Convert lines with depths to nested lines."""
    lines: list[TextLine] = []
    start = 0
    while start < len(depth_lines):
        depth, text = depth_lines[start]
        end = start + 1
        while end < len(depth_lines) and depth_lines[end][0] > depth:
            end += 1
        lines.append(TextLine(text, children=nest_lines(depth_lines[start + 1 : end])))
        start = end
    return tuple(lines)
