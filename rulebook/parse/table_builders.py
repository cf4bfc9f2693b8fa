"""Node builders for tables, their rows and their cells."""

from __future__ import annotations

from collections.abc import Sequence

from lark import Token, Tree

from rulebook import syntax
from rulebook.parse.expression_builders import link
from rulebook.parse.node_builder import Builder, BuilderTable, parts

RULES = BuilderTable()


@RULES("table", "looks", "wide_table")
def _table(b: Builder, t: Tree[Token]) -> syntax.Table:
    """Build a table.

    In a table of looks, the first column may have the same name as another column. In a
    table of values, a number may be the name of a column.
    """
    head, *rows = b.nodes(syntax.Row, parts(t))
    columns: list[syntax.Name] = []
    for cell in head.cells:
        if isinstance(cell.value, syntax.Name):
            others = columns[1:] if t.data == "looks" else columns
            report_duplicate(
                b, cell.value, others, f"the table has the column `{cell.value.text}`"
            )
            columns.append(cell.value)
        elif t.data == "wide_table" and cell.form is syntax.CellForm.NUMBER:
            columns.append(syntax.Name(str(cell.value), span=cell.span))
        else:
            b.report(
                "RB022",
                "the first row of a table must contain column names, and this is "
                "not a name",
                cell.span,
                help="begin with a row such as `name | colour | count`",
            )
            columns.append(syntax.Name("?", span=cell.span))
    for row in rows:
        if len(row.cells) != len(columns):
            have, want = len(row.cells), len(columns)
            b.report(
                "RB022",
                f"this row has {have} {_cell_count_text(have)}, but its table "
                f"has {want} columns",
                row.span,
                help="write `-` in an empty cell"
                if have < want
                else "remove a cell, or add a column to the first row",
                related=((head.span, "the columns"),),
            )
    fitting = tuple(row for row in rows if len(row.cells) == len(columns))
    return syntax.Table(tuple(columns), fitting, span=b.span(t))


def report_duplicate(
    b: Builder, name: syntax.Name, others: Sequence[syntax.Name], noun: str
) -> None:
    """Report a name as a duplicate if it also occurs in *others*."""
    for first in others:
        if first.text == name.text:
            b.report(
                "RB024",
                f"{noun} twice",
                name.span,
                related=((first.span, "first given here"),),
            )
            return


def _cell_count_text(count: int) -> str:
    return "cell" if count == 1 else "cells"


@RULES("row", "wide_row")
def _row(b: Builder, t: Tree[Token]) -> syntax.Row:
    *cells, cites = parts(t)
    built = b.nodes(syntax.Cell, cells)
    place = built[0].span.to(built[-1].span)
    return syntax.Row(built, b.cites(cites), span=place)


_CONSTANT_CELLS: dict[str, tuple[syntax.CellForm, object]] = {
    "cell_empty": (syntax.CellForm.EMPTY, None),
    "cell_nothing": (syntax.CellForm.NOTHING, None),
    "cell_yes": (syntax.CellForm.YES_NO, True),
    "cell_no": (syntax.CellForm.YES_NO, False),
}


@RULES(*_CONSTANT_CELLS)
def _cell_constant(b: Builder, t: Tree[Token]) -> syntax.Cell:
    form, value = _CONSTANT_CELLS[t.data]
    return syntax.Cell(form, value, span=b.span(t))


@RULES("cell_bag")
def _cell_bag(b: Builder, t: Tree[Token]) -> syntax.Cell:
    (amounts,) = parts(t)
    return syntax.Cell(
        syntax.CellForm.BAG, b.node(syntax.Amounts, amounts), span=b.span(t)
    )


@RULES("cell_number")
def _cell_number(b: Builder, t: Tree[Token]) -> syntax.Cell:
    (digits,) = parts(t)
    return syntax.Cell(syntax.CellForm.NUMBER, b.number(digits), span=b.span(t))


@RULES("cell_minus")
def _cell_minus(b: Builder, t: Tree[Token]) -> syntax.Cell:
    (digits,) = parts(t)
    return syntax.Cell(syntax.CellForm.NUMBER, -b.number(digits), span=b.span(t))


@RULES("cell_range")
def _cell_range(b: Builder, t: Tree[Token]) -> syntax.Cell:
    low, high = parts(t)
    return syntax.Cell(
        syntax.CellForm.RANGE, (b.number(low), b.number(high)), span=b.span(t)
    )


@RULES("cell_name")
def _cell_name(b: Builder, t: Tree[Token]) -> syntax.Cell:
    (name,) = parts(t)
    return syntax.Cell(syntax.CellForm.NAME, b.name(name), span=b.span(t))


@RULES("cell_text")
def _cell_text(b: Builder, t: Tree[Token]) -> syntax.Cell:
    (text,) = parts(t)
    return syntax.Cell(syntax.CellForm.TEXT, b.text(text), span=b.span(t))


@RULES("cell_link")
def _cell_link(b: Builder, t: Tree[Token]) -> syntax.Cell:
    (token,) = parts(t)
    assert isinstance(token, Token)
    return syntax.Cell(syntax.CellForm.LINK, link(b, token), span=b.span(t))


@RULES("cell_corner")
def _cell_corner(b: Builder, t: Tree[Token]) -> syntax.Cell:
    side, name = parts(t)
    return syntax.Cell(
        syntax.CellForm.CORNER, (str(side), b.name(name)), span=b.span(t)
    )


@RULES("cell_side")
def _cell_side(b: Builder, t: Tree[Token]) -> syntax.Cell:
    (side,) = parts(t)
    return syntax.Cell(syntax.CellForm.SIDE, str(side), span=b.span(t))
