"""Node builders for looks: hints, tables of hints, colours and drawings.

A table of looks is only shorthand for hints: each of its cells becomes a hint here.
"""

from __future__ import annotations

from collections.abc import Iterator

import attrs
from lark import Token, Tree

from rulebook import syntax
from rulebook.parse.node_builder import Branch, Builder, BuilderTable, node_of, parts
from rulebook.source.spans import Span

RULES = BuilderTable()


@RULES("hint")
def _hint(b: Builder, t: Tree[Token]) -> syntax.HintClause:
    word, name, value, cites = parts(t)
    assert isinstance(value, Token)
    is_quoted = value.type == "STRING"
    return syntax.HintClause(
        b.name(word),
        b.name(name),
        b.text(value) if is_quoted else str(value),
        b.span(value),
        is_quoted,
        cites=b.cites(cites),
        span=b.span(t),
    )


@RULES("look")
def _look(b: Builder, t: Tree[Token]) -> tuple[syntax.HintClause, ...]:
    return tuple(_hints(b, t, transposed=False))


@RULES("style")
def _style(b: Builder, t: Tree[Token]) -> tuple[syntax.HintClause, ...]:
    return tuple(_hints(b, t, transposed=True))


def _hints(
    b: Builder, t: Tree[Token], *, transposed: bool
) -> Iterator[syntax.HintClause]:
    """Yield a hint for each cell after the first of a row, except dashes.

    If `transposed`, a hint has the row as its word and the column as its name, else
    the reverse.
    """
    cites, inner = parts(t)
    table = b.node(syntax.Table, inner)
    for row in table.rows:
        first, *cells = row.cells
        if not isinstance(first.value, syntax.Name):
            _report_cell(
                b, first.span, "this is not the name of a thing", "begin with a name"
            )
            continue
        for column, cell in zip(table.columns[1:], cells, strict=True):
            text = _text(b, cell)
            if text is None:
                continue
            pair = (first.value, column) if transposed else (column, first.value)
            yield syntax.HintClause(
                *pair,
                text,
                cell.span,
                cell.form is syntax.CellForm.TEXT,
                cites=row.cites or b.cites(cites),
                span=row.span,
            )


def _text(b: Builder, cell: syntax.Cell) -> str | None:
    """Return the text of a cell, or None for a dash or an invalid value."""
    match cell.form:
        case syntax.CellForm.TEXT | syntax.CellForm.NUMBER:
            return str(cell.value)
        case syntax.CellForm.NAME:
            return str(cell.value.text)
        case syntax.CellForm.YES_NO:
            return "yes" if cell.value else "no"
        case syntax.CellForm.EMPTY:
            return None
    help = 'write a name, a number, `yes`, `no`, `-` or a text such as `"#2e7d32"`'
    _report_cell(b, cell.span, "this cell is not a valid value", help)
    return None


def _report_cell(b: Builder, place: Span, message: str, help: str) -> None:
    b.report("RB022", message, place, help=help)


@RULES("colour", "colour_line")
def _colour(b: Builder, t: Tree[Token]) -> syntax.ColourClause:
    name, text, cites = parts(t)
    return syntax.ColourClause(
        b.name(name),
        b.text(text),
        b.span(text),
        cites=b.cites(cites),
        span=b.span(t),
    )


@RULES("colours")
def _colours(b: Builder, t: Tree[Token]) -> tuple[syntax.ColourClause, ...]:
    cites, *lines = parts(t)
    common = b.cites(cites)
    clauses = b.nodes(syntax.ColourClause, lines)
    return tuple(
        attrs.evolve(clause, cites=clause.cites + common) for clause in clauses
    )


RULES.add_node(
    "drawing", syntax.DrawingClause, Builder.name, Builder.cites, node_of(syntax.Table)
)


def theme_names(b: Builder, branch: Branch) -> tuple[syntax.Name, ...]:
    """Return the names of the themes on a line of a header."""
    assert isinstance(branch, Tree)
    return b.name_list(parts(branch)[0])
