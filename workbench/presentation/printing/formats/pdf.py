"""Printed page as PDF, typeset by reportlab in pure Python.

reportlab is imported only when a PDF is requested; the extra `print` installs it.
"""

from collections.abc import Iterable, Iterator
from io import BytesIO, StringIO
from typing import Any
from xml.sax.saxutils import escape, quoteattr

from rulebook import Cite
from workbench.extras import Extra, import_library
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

ALTERNATIVE = "; HTML and Markdown need no extra package"

FAMILY = {"": "Vera", "b": "VeraBd", "i": "VeraIt", "bi": "VeraBI"}
"""Fonts bundled with reportlab, by style. `SPARE`, if installed, covers more."""
SPARE = "DejaVuSans"
INK, FAINT, RULE = "#1d1d1f", "#6b6b70", "#d9d6cf"
_TAGS = {Style.NAME: "i", Style.BOLD: "b"}
SIZES = {1: (15, 18), 2: (10.5, 13.5)}
MARGIN, PADDING = 42.0, 6.0
"""Margin of the page, and the padding that reportlab adds inside it, in points."""
HEADING_SPACE = 70
"""Minimum space in points below a heading on the same page."""
INDENT = 13.0


def pdf(page: PrintedPage, footer_template: str) -> bytes:
    """Return a page as PDF; `footer_template` is the footer, with a gap `{page}`.

    Raise `RequestError` if reportlab is not installed.
    """
    return Typesetter(page, footer_template).bytes()


def _reportlab_module(name: str) -> Any:
    return import_library(name, Extra.PRINT, "a PDF", ALTERNATIVE)


class Typesetter:
    """Typesetter for one document, with its fonts, styles and link targets."""

    def __init__(self, page: PrintedPage, footer_template: str) -> None:
        self.page, self.footer_template = page, footer_template
        self.flow = _reportlab_module("reportlab.platypus")
        self.styles = _reportlab_module("reportlab.lib.styles")
        self.colours = _reportlab_module("reportlab.lib.colors")
        self.sheet = _reportlab_module("reportlab.lib.pagesizes").A4
        self.width = self.sheet[0] - 2 * MARGIN - 2 * PADDING
        self.places = page.section_numbers()
        self.anchors = set[str]()
        self.fonts = _register_fonts()

    def bytes(self) -> bytes:
        """Return the PDF file."""
        into = BytesIO()
        document = self.flow.SimpleDocTemplate(
            into,
            pagesize=self.sheet,
            title=unstyled(self.page.title),
            lang=self.page.language,
            author="",
            creator="rulebook",
            invariant=1,
            leftMargin=MARGIN,
            rightMargin=MARGIN,
            topMargin=MARGIN,
            bottomMargin=MARGIN + 8,
        )
        document.build(
            list(self.flowables()),
            onFirstPage=self.draw_footer,
            onLaterPages=self.draw_footer,
        )
        return into.getvalue()

    def draw_footer(self, canvas: Any, _: Any) -> None:
        """Draw the footer of a page: page number and title."""
        canvas.saveState()
        canvas.setFont(FAMILY[""], 7)
        canvas.setFillColor(self.colours.HexColor(FAINT))
        number = self.footer_template.replace("{page}", str(canvas.getPageNumber()))
        edge = MARGIN + PADDING
        canvas.drawRightString(self.sheet[0] - edge, MARGIN - 14, number)
        title = self.with_fonts(unstyled(self.page.title))[:90]
        canvas.drawString(edge, MARGIN - 14, title)
        canvas.restoreState()

    # ------------------------------------------------------------ contents

    def flowables(self) -> Iterator[Any]:
        """Yield all contents of the document, in order."""
        yield self.paragraph(self.text(self.page.title), size=22, leading=26, bold=True)
        for note in self.page.notes:
            yield self.paragraph(self.text(note), colour=FAINT)
        yield self.flow.Spacer(1, 8)
        for number, depth, part in self.page.numbered_sections():
            yield from self.section(number, depth, part)

    def section(self, number: str, depth: int, part: PageSection) -> Iterator[Any]:
        """Yield a section's heading and contents, without subsections."""
        size, leading = SIZES.get(depth, (9.5, 12.5))
        title = f'<font color="{FAINT}">{number}</font>&nbsp; {self.text(part.title)}'
        yield self.flow.CondPageBreak(HEADING_SPACE)
        yield self.paragraph(
            self.anchor_tag(part.place) + title,
            size=size,
            leading=leading,
            bold=True,
            space_before=16 if depth == 1 else 8,
            space_after=3,
        )
        if part.cites:
            yield self.paragraph(self.citations(part.cites), size=6.5, leading=9)
        for block in part.blocks:
            yield from self.block(block)

    def block(self, block: Block) -> Iterator[Any]:
        """Yield a line with all nested lines, a table, or a picture."""
        match block:
            case TextLine():
                yield from self.lines(block, 0)
            case PrintedTable():
                yield from (self.table(block), self.flow.Spacer(1, 6))
            case Picture():
                yield from self.picture(block)

    def lines(self, line: TextLine, depth: int) -> Iterator[Any]:
        """Yield a line and its nested lines, with bullets and indentation."""
        cites = f" {self.citations(line.cites)}" if line.cites else ""
        words = self.anchor_tag(line.place) + self.text(line.text) + cites
        yield self.paragraph(words, depth=depth, bullet="•" if depth % 2 == 0 else "–")
        for inner in line.children:
            yield from self.lines(inner, depth + 1)

    def paragraph(
        self,
        text: str,
        *,
        size: float = 8.5,
        leading: float = 11.5,
        bold: bool = False,
        colour: str = INK,
        space_before: float = 0,
        space_after: float = 1.5,
        depth: int = 0,
        bullet: str = "",
    ) -> Any:
        """Return text as a paragraph."""
        indent = INDENT * (depth + 1) if bullet else 0
        style = self.styles.ParagraphStyle(
            "words",
            fontName=FAMILY["b" if bold else ""],
            fontSize=size,
            leading=leading,
            textColor=self.colours.HexColor(colour),
            spaceBefore=space_before,
            spaceAfter=space_after,
            leftIndent=indent,
            bulletIndent=indent - 9,
            bulletFontSize=size,
            splitLongWords=1,
        )
        return self.flow.Paragraph(text, style, bulletText=bullet or None)

    def table(self, table: PrintedTable) -> Any:
        """Return a table that repeats its column headings on each page."""
        heads = [self.cell(self.text(head), bold=True) for head in table.heads]
        rows = [heads, *map(self._table_row, table.rows)]
        line = self.colours.HexColor(RULE)
        style = [
            ("VALIGN", (0, 0), (-1, -1), "TOP"),
            ("LINEBELOW", (0, 1), (-1, -1), 0.4, line),
            ("LINEBELOW", (0, 0), (-1, 0), 0.9, self.colours.HexColor(INK)),
            ("LEFTPADDING", (0, 0), (-1, -1), 0),
            ("TOPPADDING", (0, 0), (-1, -1), 2),
            ("BOTTOMPADDING", (0, 0), (-1, -1), 2.5),
        ]
        widths = [self.width * share for share in column_shares(table)]
        return self.flow.Table(
            rows, colWidths=widths, repeatRows=1, style=style, hAlign="LEFT"
        )

    def _table_row(self, row: PrintedRow) -> list[Any]:
        first, *rest = map(self.text, row.cells)
        cites = f" {self.citations(row.cites)}" if row.cites else ""
        head = self.cell(self.anchor_tag(row.place) + f"<b>{first}</b>" + cites)
        return [head, *map(self.cell, rest)]

    def cell(self, text: str, *, bold: bool = False) -> Any:
        """Return text as the paragraph of a table cell."""
        return self.paragraph(text, size=7.4, leading=9.6, bold=bold, space_after=0)

    def picture(self, picture: Picture) -> Iterator[Any]:
        """Yield a drawing scaled to the page, together with its caption."""
        drawing = _reportlab_module("svglib.svglib").svg2rlg(StringIO(picture.svg))
        if drawing is None:
            return
        scale = min(self.width / drawing.width, 420 / drawing.height)
        drawing.scale(scale, scale)
        drawing.width, drawing.height = drawing.width * scale, drawing.height * scale
        caption = self.paragraph(self.text(picture.caption), size=7, colour=FAINT)
        yield self.flow.KeepTogether([drawing, caption])

    # ------------------------------------------------------------ words

    def anchor_tag(self, address: str) -> str:
        """Return the anchor tag of an address at its first occurrence, else ""."""
        name = anchor(address)
        if not name or name in self.anchors:
            return ""
        self.anchors.add(name)
        return f"<a name={quoteattr(name)}/>"

    def citations(self, cites: Iterable[Cite]) -> str:
        """Return cited passages in brackets, in small type."""
        texts = "; ".join(f"{cite.source} “{passage_heading(cite)}”" for cite in cites)
        return (
            f'<font size="6.2" color="{FAINT}">[{self.with_fonts(texts, True)}]</font>'
        )

    def text(self, text: Text) -> str:
        """Return text in reportlab's markup, with links to sections."""
        return write_text(text, self._run_markup)

    def _run_markup(self, run: TextRun) -> str:
        markup, tag = self.with_fonts(run.text, is_markup=True), _TAGS.get(run.style)
        if tag:
            markup = f"<{tag}>{markup}</{tag}>"
        if run.place not in self.places:
            return markup
        return f"<a href={quoteattr('#' + anchor(run.place))}>{markup}</a>"

    def with_fonts(self, text: str, is_markup: bool = False) -> str:
        """Return text, as markup if *is_markup*; unsupported characters become `?`."""
        own, spare = self.fonts
        pieces = []
        for letter in text:
            written = escape(letter) if is_markup else letter
            if ord(letter) in own or letter.isspace():
                pieces.append(written)
            elif ord(letter) in spare and is_markup:
                pieces.append(f'<font name="{SPARE}">{written}</font>')
            else:
                pieces.append("?")
        return "".join(pieces)


def _register_fonts() -> tuple[frozenset[int], frozenset[int]]:
    """Register the fonts; return the code points of the main font and of `SPARE`."""
    metrics = _reportlab_module("reportlab.pdfbase.pdfmetrics")
    fonts = _reportlab_module("reportlab.pdfbase.ttfonts")
    for name in FAMILY.values():
        metrics.registerFont(fonts.TTFont(name, f"{name}.ttf"))
    normal, bold, italic, both = FAMILY.values()
    metrics.registerFontFamily(normal, normal, bold, italic, both)
    metrics.registerFontFamily(bold, bold, bold, both, both)
    own = frozenset(metrics.getFont(normal).face.charToGlyph)
    try:
        metrics.registerFont(fonts.TTFont(SPARE, f"{SPARE}.ttf"))
    except fonts.TTFError:
        return own, frozenset()
    return own, frozenset(metrics.getFont(SPARE).face.charToGlyph)


def column_shares(table: PrintedTable) -> list[float]:
    """Return each column's share of the table's width, larger with more text."""
    weights = []
    for number in range(len(table.heads)):
        cells = [table.heads[number], *(row.cells[number] for row in table.rows)]
        lengths = [len(unstyled(cell)) for cell in cells]
        words = [len(word) for cell in cells for word in unstyled(cell).split()]
        usual = sum(lengths) / len(lengths)
        weights.append(max(6.0, min(usual, 60.0), *(min(word, 18) for word in words)))
    whole = sum(weights)
    return [weight / whole for weight in weights]
