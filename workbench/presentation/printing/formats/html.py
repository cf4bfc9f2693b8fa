"""Printed page as HTML: one self-contained file that prints well on A4."""

from collections.abc import Iterable, Iterator
from html import escape
from itertools import groupby
from pathlib import Path

from rulebook import Cite
from workbench.presentation.printing.pages import (
    Block,
    PageSection,
    Picture,
    PrintedPage,
    PrintedRow,
    PrintedTable,
    TextLine,
    anchor,
)
from workbench.presentation.printing.reference import passage_heading
from workbench.presentation.printing.sentences.text_runs import (
    Style,
    Text,
    TextRun,
    unstyled,
    write_text,
)

STYLE = Path(__file__).parents[1] / "words" / "page.css"
MAX_HEADING_LEVEL = 6
NUMBERED_SORTS = ("to.", "define.", "action.")
"""Address prefixes of clauses whose links show the section number after the title."""
_TAGS = {Style.NAME: "i", Style.BOLD: "b"}


def html(page: PrintedPage, contents: str) -> str:
    """Return a page as HTML. `contents` is the heading of its table of contents."""
    return HtmlWriter(page.section_numbers()).whole_file(page, contents)


class HtmlWriter:
    """HTML writer for a page, given its section numbers by address.

    All ids and links begin with `prefix`.
    """

    def __init__(self, section_numbers: dict[str, str], prefix: str = "") -> None:
        self.places, self.prefix = section_numbers, prefix
        self.written = set[str]()

    def whole_file(self, page: PrintedPage, contents_heading: str) -> str:
        """Return the whole HTML file."""
        title = escape(unstyled(page.title))
        style = STYLE.read_text(encoding="utf-8")
        head = [
            "<!doctype html>",
            f'<html lang="{escape(page.language)}">',
            '<head><meta charset="utf-8">',
            '<meta name="viewport" content="width=device-width, initial-scale=1">',
            f"<title>{title}</title>",
            f"<style>\n{style}</style></head>",
            "<body><header>",
            f"<h1>{self.text(page.title)}</h1>",
            *(f"<p>{self.text(note)}</p>" for note in page.notes),
            "</header>",
            *self._contents_list(page, contents_heading),
            "<main>",
        ]
        parts = (
            self.section(number, part, 1) for number, part in enumerate(page.parts, 1)
        )
        return "\n".join([*head, *parts, "</main></body></html>"]) + "\n"

    def _contents_list(self, page: PrintedPage, contents: str) -> Iterator[str]:
        yield f"<nav><h2>{escape(contents)}</h2><ol>"
        for number, part in enumerate(page.parts, 1):
            title = escape(unstyled(part.title))
            yield f'<li><a href="#s{number}">{title}</a></li>'
        yield "</ol></nav>"

    def section(self, number: object, part: PageSection, depth: int) -> str:
        """Return a section with its heading and subsections."""
        level = min(depth + 1, MAX_HEADING_LEVEL)
        title = f"<span class=n>{number}</span> {self.text(part.title)}"
        lines = [
            f'<section id="{self.prefix}s{number}" class="d{depth}">',
            f"<h{level}{self.id_attribute(part.place)}>{title}</h{level}>",
            self.citations(part.cites, "p"),
            *self.blocks(part.blocks),
            *(
                self.section(f"{number}.{place}", inner, depth + 1)
                for place, inner in enumerate(part.parts, 1)
            ),
            "</section>",
        ]
        return "\n".join(filter(None, lines))

    def id_attribute(self, address: str) -> str:
        """Return the `id` attribute of an address at its first occurrence, else ""."""
        name = anchor(address)
        if not name or name in self.written:
            return ""
        self.written.add(name)
        return f' id="{self.prefix}{escape(name)}"'

    def blocks(self, blocks: Iterable[Block]) -> Iterator[str]:
        """Yield blocks as HTML; consecutive lines form a list."""
        for kind, several in groupby(blocks, key=type):
            if kind is TextLine:
                yield self.html_list(
                    block for block in several if isinstance(block, TextLine)
                )
                continue
            for block in several:
                if isinstance(block, PrintedTable):
                    yield self.table(block)
                if isinstance(block, Picture):
                    caption = self.text(block.caption)
                    figcaption = f"<figcaption>{caption}</figcaption>"
                    yield f"<figure>{block.svg}{figcaption}</figure>"

    def html_list(self, lines: Iterable[TextLine]) -> str:
        """Return lines as an HTML list, with nested lists."""
        items = []
        for line in lines:
            below = self.html_list(line.children) if line.children else ""
            cites = self.citations(line.cites, "small")
            text = " ".join(filter(None, (self.text(line.text), cites)))
            items.append(f"<li{self.id_attribute(line.place)}>{text}{below}</li>")
        return "<ul>" + "\n".join(items) + "</ul>"

    def table(self, table: PrintedTable) -> str:
        """Return a table with column headings as HTML."""
        heads = "".join(f"<th scope=col>{self.text(head)}</th>" for head in table.heads)
        rows = "\n".join(map(self._table_row, table.rows))
        return f"<table><thead><tr>{heads}</tr></thead>\n<tbody>{rows}</tbody></table>"

    def _table_row(self, row: PrintedRow) -> str:
        first, *rest = row.cells
        cites = self.citations(row.cites, "small")
        head = " ".join(filter(None, (self.text(first), cites)))
        cells = "".join(f"<td>{self.text(cell)}</td>" for cell in rest)
        return (
            f"<tr{self.id_attribute(row.place)}><th scope=row>{head}</th>{cells}</tr>"
        )

    def citations(self, cites: Iterable[Cite], tag: str) -> str:
        """Return cited passages in brackets, in small type."""
        texts = [
            f"{escape(cite.source)} “{escape(passage_heading(cite))}”" for cite in cites
        ]
        return f"<{tag} class=c>[{'; '.join(texts)}]</{tag}>" if texts else ""

    def text(self, text: Text) -> str:
        """Return text as HTML, with links to sections of the page."""
        return write_text(text, self._run_html)

    def _run_html(self, run: TextRun) -> str:
        content, tag = escape(run.text), _TAGS.get(run.style)
        if tag:
            content = f"<{tag}>{content}</{tag}>"
        number = self.places.get(run.place)
        if number is None:
            return content
        data = f' data-n="{number}"' if run.place.startswith(NUMBERED_SORTS) else ""
        address = f"#{self.prefix}{escape(anchor(run.place))}"
        return f'<a href="{address}"{data}>{content}</a>'
