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
from workbench.presentation.printing.reference import passage_of
from workbench.presentation.printing.sentences.text_runs import (
    Style,
    Text,
    TextRun,
    written,
)

_SPECIAL = re.compile(r"[\\`*_{}\[\]<>#|~&$^]")
_FIRST = re.compile(r"^(\d+(?=[.)])|(?=[+=-]))")
"""Start of a line that Markdown would interpret as a list or a heading."""
_MARKS = {Style.NAME: "*", Style.BOLD: "**"}
DEEPEST = 6


def markdown(page: PrintedPage) -> str:
    """Return a page as Markdown."""
    return "\n".join(_lines(page)).rstrip() + "\n"


def _lines(page: PrintedPage) -> Iterator[str]:
    yield from (f"# {line_of(page.title)}", "")
    for note in page.notes:
        yield from (line_of(note), "")
    for number, depth, part in page.numbered():
        marks = "#" * min(depth + 1, DEEPEST)
        yield from (f"{marks} {number} {line_of(part.title)}", "")
        yield from _cited_below(part)
        yield from _blocks(part.blocks)


def _cited_below(part: PageSection) -> Iterator[str]:
    if part.cites:
        yield from (cited(part.cites), "")


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
                yield from _items(block, "")
            case PrintedTable():
                yield from (*_table(block), "")
            case _:
                continue
    if in_list:
        yield ""


def _items(line: TextLine, indent: str) -> Iterator[str]:
    tail = f" {cited(line.cites)}" if line.cites else ""
    yield f"{indent}- {line_of(line.text)}{tail}"
    for inner in line.below:
        yield from _items(inner, f"{indent}  ")


def _table(table: PrintedTable) -> Iterator[str]:
    yield _row(table.heads)
    yield "|" + " --- |" * len(table.heads)
    for row in table.rows:
        cells = [line_of(cell) for cell in row.cells]
        if row.cites:
            cells[0] += f" {cited(row.cites)}"
        yield "| " + " | ".join(cells) + " |"


def _row(cells: Iterable[Text]) -> str:
    return "| " + " | ".join(map(line_of, cells)) + " |"


def cited(cites: Iterable[Cite]) -> str:
    """Return cited passages in brackets."""
    texts = (f"{escaped(cite.source)} “{escaped(passage_of(cite))}”" for cite in cites)
    return "\\[" + "; ".join(texts) + "\\]"


def line_of(text: Text) -> str:
    """Return text as Markdown on a single line."""
    return _FIRST.sub(r"\1\\", " ".join(written(text, _run).split()))


def _run(run: TextRun) -> str:
    marks, letters = _MARKS.get(run.style, ""), escaped(run.text)
    return f"{marks}{letters}{marks}" if letters.strip() else letters


def escaped(text: str) -> str:
    """Return letters with Markdown's special characters escaped."""
    flat = re.sub(r"\s", " ", text)
    return _SPECIAL.sub(r"\\\g<0>", flat)
