"""Additional columns of a table, declared by a `columns of` clause."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import attrs

from rulebook import syntax as s
from rulebook.addresses import Address
from rulebook.compose.clause_ids import TABLED
from rulebook.compose.edits import amendment_error
from rulebook.source.spans import Cite
from rulebook.source.spelling import nearest

OTHERWISE = "otherwise"


def find_table(
    clauses: Mapping[Address, s.Clause], name: s.Name
) -> tuple[Address, s.Clause]:
    """Return the address and clause of a named table, or raise `AmendmentError`."""
    for sort in TABLED:
        key = Address(sort, name.text)
        if key in clauses:
            return key, clauses[key]
    known = [key.name for key in clauses if key.sort in TABLED]
    near = nearest(name.text, known)
    raise amendment_error(
        "RB163",
        name.span,
        f"there is no table of `{name.text}`",
        f"did you mean `{near}`?" if near else "declare it first, with its rows",
    )


def add_columns(clause: s.Clause, addition: s.ColumnsClause) -> s.Clause:
    """Return the clause with the columns of *addition* added to its table."""
    first = _table(clause, addition)
    new = addition.table.columns[1:]
    for column in new:
        old = next(
            (named for named in first.columns if named.text == column.text), None
        )
        if old is not None:
            raise amendment_error(
                "RB024",
                column.span,
                f"`{addition.name.text}` has the column `{column.text}` twice",
                None,
                ((old.span, "first here"),),
            )
    added = dict(_labelled_rows(first, addition))
    default = added.pop(OTHERWISE, None)
    rows = tuple(_extend_row(row, added, default, addition) for row in first.rows)
    cells = () if default is None else default.cells[1:]
    table = s.Table(
        (*first.columns, *new),
        rows,
        (*first.defaults, *cells) if cells else (),
        span=first.span,
    )
    return attrs.evolve(clause, table=table)  # type: ignore[call-arg]


def _table(clause: s.Clause, addition: s.ColumnsClause) -> s.Table:
    """Return the table of a clause.

    For a kind written on one line, the table has one column with the names.
    """
    table = getattr(clause, "table", None)
    if isinstance(table, s.Table):
        return table
    if isinstance(clause, s.KindClause):
        rows = tuple(
            s.Row(
                (s.Cell(s.CellForm.NAME, member, span=member.span),), span=member.span
            )
            for member in clause.members
        )
        return s.Table((clause.name,), rows, span=clause.span)
    name = addition.name
    raise amendment_error(
        "RB161", name.span, f"`{name.text}` is declared without a table"
    )


def _labelled_rows(
    table: s.Table, addition: s.ColumnsClause
) -> Iterator[tuple[str, s.Row]]:
    """Yield each added row with its label; reject an unknown or repeated label."""
    known = {row_label(row): row for row in table.rows}
    seen: dict[str, s.Row] = {}
    for row in addition.table.rows:
        name = row_label(row)
        if name in seen:
            raise amendment_error(
                "RB024",
                row.cells[0].span,
                f"`{name}` has two rows",
                None,
                ((seen[name].cells[0].span, "first here"),),
            )
        if name not in known and name != OTHERWISE:
            near = nearest(name, known)
            raise amendment_error(
                "RB101",
                row.cells[0].span,
                f"the first table of `{addition.name.text}` has no row `{name}`",
                f"did you mean `{near}`?" if near else None,
            )
        seen[name] = row
        yield name, row


def _extend_row(
    row: s.Row,
    rows_by_label: Mapping[str, s.Row],
    default: s.Row | None,
    addition: s.ColumnsClause,
) -> s.Row:
    """Return a row with the added cells for its label, or else those of *default*."""
    added = rows_by_label.get(row_label(row), default)
    if added is None:
        raise amendment_error(
            "RB022",
            addition.table.columns[0].span,
            f"this table has no row for `{row_label(row)}`",
            "add a row for it, or a last row `otherwise` for all other rows",
            ((row.span, "declared here"),),
        )
    cites: tuple[Cite, ...] = () if added is default else added.cites
    return attrs.evolve(
        row, cells=(*row.cells, *added.cells[1:]), cites=(*row.cites, *cites)
    )


def row_label(row: s.Row) -> str:
    """Return the name in the first cell of a row, which identifies the row."""
    value = row.cells[0].value
    return value.text if isinstance(value, s.Name) else str(value)
