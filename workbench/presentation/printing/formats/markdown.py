"""Printed page as CommonMark."""

import re
from collections.abc import Iterable, Iterator

from rulebook import Cite
from workbench.presentation.printing.pages import (
    Block,
    PageSection,
    PrintedPage,
    PrintedTable,
    TextLine,
)
from workbench.presentation.printing.reference import passage_heading
from workbench.presentation.printing.sentences.text_runs import (
    Style,
    Text,
    TextRun,
    write_text,
)

_SPECIAL = re.compile(r"[\\`*_{}\[\]<>#|~&$^]")
_LIST_START = re.compile(r"^(\d+(?=[.)])|(?=[+=-]))")
"""Pattern for the start of a line that Markdown would treat as a list or heading."""
_MARKS = {Style.NAME: "*", Style.BOLD: "**"}
MAX_HEADING_LEVEL = 6


def markdown(page: PrintedPage) -> str:
    """Return a page as Markdown."""
    return "\n".join(_lines(page)).rstrip() + "\n"


def _lines(page: PrintedPage) -> Iterator[str]:
    yield from (f"# {single_line(page.title)}", "")
    for note in page.notes:
        yield from (single_line(note), "")
    for number, depth, part in page.numbered_sections():
        marks = "#" * min(depth + 1, MAX_HEADING_LEVEL)
        yield from (f"{marks} {number} {single_line(part.title)}", "")
        yield from _citation_lines(part)
        yield from _blocks(part.blocks)


def _citation_lines(part: PageSection) -> Iterator[str]:
    if part.cites:
        yield from (citations(part.cites), "")


def _blocks(blocks: Iterable[Block]) -> Iterator[str]:
    """Yield blocks as lines, with an empty line after each list or table."""
    in_list = False
    for block in blocks:
        is_line = isinstance(block, TextLine)
        if in_list and not is_line:
            yield ""
        in_list = is_line
        match block:
            case TextLine():
                yield from _list_items(block, "")
            case PrintedTable():
                yield from (*_table_lines(block), "")
            case _:
                continue
    if in_list:
        yield ""


def _list_items(line: TextLine, indent: str) -> Iterator[str]:
    tail = f" {citations(line.cites)}" if line.cites else ""
    yield f"{indent}- {single_line(line.text)}{tail}"
    for inner in line.children:
        yield from _list_items(inner, f"{indent}  ")


def _table_lines(table: PrintedTable) -> Iterator[str]:
    yield _table_row(table.heads)
    yield "|" + " --- |" * len(table.heads)
    for row in table.rows:
        cells = [single_line(cell) for cell in row.cells]
        if row.cites:
            cells[0] += f" {citations(row.cites)}"
        yield "| " + " | ".join(cells) + " |"


def _table_row(cells: Iterable[Text]) -> str:
    return "| " + " | ".join(map(single_line, cells)) + " |"


def citations(cites: Iterable[Cite]) -> str:
    """Return cited passages in brackets."""
    texts = (
        f"{escape(cite.source)} “{escape(passage_heading(cite))}”" for cite in cites
    )
    return "\\[" + "; ".join(texts) + "\\]"


def single_line(text: Text) -> str:
    """Return text as Markdown on a single line."""
    return _LIST_START.sub(r"\1\\", " ".join(write_text(text, _run_markdown).split()))


def _run_markdown(run: TextRun) -> str:
    marks, letters = _MARKS.get(run.style, ""), escape(run.text)
    return f"{marks}{letters}{marks}" if letters.strip() else letters


def escape(text: str) -> str:
    """Return text with Markdown's special characters escaped."""
    flat = re.sub(r"\s", " ", text)
    return _SPECIAL.sub(r"\\\g<0>", flat)
