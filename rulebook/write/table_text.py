"""Writers of tables with aligned columns."""

from __future__ import annotations

from typing import assert_never, cast

from rulebook import syntax
from rulebook.write.expression_text import expr
from rulebook.write.text_lines import Line

_BETWEEN = " | "


def table(node: syntax.Table) -> list[Line]:
    """Return the text lines of a table, with columns as wide as their widest cell."""
    head = [name.text for name in node.columns]
    rows = [[cell(entry) for entry in row.cells] for row in node.rows]
    columns = list(zip(head, *rows, strict=True))
    widths = [max(map(len, column)) for column in columns]
    right = [
        all(
            row.cells[index].form in (syntax.CellForm.NUMBER, syntax.CellForm.EMPTY)
            for row in node.rows
        )
        and any(row.cells[index].form is syntax.CellForm.NUMBER for row in node.rows)
        for index in range(len(columns))
    ]
    right[0] = False  # spaces before a row would be an indent

    def written(cells: list[str]) -> str:
        return _BETWEEN.join(
            text.rjust(width) if to_right else text.ljust(width)
            for text, width, to_right in zip(cells, widths, right, strict=True)
        ).rstrip()

    return [
        Line(written(head), 0, (), node.span),
        *(
            Line(written(cells), 0, row.cites, row.span)
            for cells, row in zip(rows, node.rows, strict=True)
        ),
    ]


def table_row(node: syntax.Row) -> str:
    """Return the text of a single row, without alignment."""
    return _BETWEEN.join(map(cell, node.cells))


def cell(node: syntax.Cell) -> str:
    """Return the text of a cell."""
    match node.form:
        case syntax.CellForm.NUMBER:
            return str(node.value)
        case syntax.CellForm.RANGE:
            low, high = cast("tuple[int, int]", node.value)
            return f"{low} to {high}"
        case syntax.CellForm.NAME:
            return cast("syntax.Name", node.value).text
        case syntax.CellForm.TEXT:
            return f'"{node.value}"'
        case syntax.CellForm.EMPTY:
            return "-"
        case syntax.CellForm.BAG | syntax.CellForm.LINK:
            return expr(cast("syntax.Amounts | syntax.LinkRef", node.value))
        case syntax.CellForm.NOTHING:
            return "nothing"
        case syntax.CellForm.CORNER:
            side, name = cast("tuple[str, syntax.Name]", node.value)
            return f"{side} of {name.text}"
        case syntax.CellForm.SIDE:
            return str(node.value)
        case syntax.CellForm.YES_NO:
            return "yes" if node.value else "no"
    assert_never(node.form)
