"""Conversion of tables in definitions to lines with conditions.

Each parameter has a column, or the values of one parameter are the names of columns.
The first row that applies gives the value, and every combination of parameters must
have a value. A key can be a range, or `-` for any value.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import reduce
from itertools import product
from math import prod

import attrs

from rulebook import model as m
from rulebook import syntax as s
from rulebook.check.declare.symbol_table import (
    DefineSignature,
    SymbolTable,
    mistake,
    unknown_name_error,
)
from rulebook.model.value_types import Member, Whole
from rulebook.shared_enums import Comparison

MAX_COMBINATIONS = 2_000
"""Maximum number of combinations of parameter values in a table."""

COLUMN_HELP = (
    "each parameter has a column; then comes a column with the name of the definition, "
    "or the columns are values of one parameter"
)
"""Help text on the columns of a table."""


@attrs.frozen
class Entry:
    """Value in a table, with its keys by parameter name."""

    keys: Mapping[str, s.Cell]
    value: s.Cell
    row: s.Row

    @property
    def is_fallback(self) -> bool:
        """True if the value applies to all combinations that no row above covers."""
        return all(key.form is s.CellForm.EMPTY for key in self.keys.values())


def table_lines(
    world: SymbolTable, table: s.Table, signature: DefineSignature
) -> tuple[s.DefinitionLine, ...]:
    """Return the lines of a definition that are equivalent to its table.

    Raise `Mistake` if the table does not fit the parameters, or omits a combination.
    """
    spread = _spread_parameter(world, table, signature)
    domains = {x.name: _values(world, x, table) for x in signature.parameters}
    if prod(map(len, domains.values())) > MAX_COMBINATIONS:
        raise mistake(
            "RB176",
            table.span,
            f"this table has more than {MAX_COMBINATIONS:,} combinations of parameters",
            "give the parameters smaller ranges",
        )
    entries = list(_entries(table, signature, spread))
    uncovered = dict.fromkeys(product(*domains.values()))
    for entry in entries:
        matching = [
            _matching_values(signature, entry.keys[name], values)
            for name, values in domains.items()
        ]
        applies = [each for each in product(*matching) if each in uncovered]
        if not applies and not (entry.is_fallback and entry is entries[-1]):
            raise mistake(
                "RB176",
                entry.value.span,
                "this value never applies",
                "rows above it, or the ranges of the parameters, exclude it",
            )
        for combination in applies:
            del uncovered[combination]
    for combination in uncovered:
        pairs = zip(domains, combination, strict=True)
        pair_text = ", ".join(f"`{name} = {value}`" for name, value in pairs)
        raise mistake(
            "RB176",
            table.span,
            f"no row has a value for {pair_text}",
            "add a row, or end with a row of `-` and a value for all others",
        )
    return tuple(map(_line, entries))


def _spread_parameter(
    world: SymbolTable, table: s.Table, signature: DefineSignature
) -> m.Parameter | None:
    """Return the parameter whose values are names of columns, or None.

    Raise `Mistake` if the columns do not fit the parameters.
    """
    parameters = {x.name for x in signature.parameters}
    given = {column.text for column in table.columns}
    absent = [x for x in signature.parameters if x.name not in given]
    others = [column for column in table.columns if column.text not in parameters]
    is_named = signature.name in given
    if len(absent) == 1 and others and not is_named:
        _check_spread_columns(others, _values(world, absent[0], table))
        return absent[0]
    if absent or not (others and is_named):
        wanted = "`, `".join(x.name for x in absent) or signature.name
        raise mistake(
            "RB176", table.span, f"this table has no column for `{wanted}`", COLUMN_HELP
        )
    for column in others:
        if column.text != signature.name:
            raise mistake(
                "RB176",
                column.span,
                f"`{column.text}` is neither a parameter nor the definition",
                COLUMN_HELP,
            )
    return None


def _check_spread_columns(columns: list[s.Name], values: tuple[int | str, ...]) -> None:
    """Check that each column is a different value of the spread parameter."""
    known: set[int | str] = set()
    for column in columns:
        key = s.column_key(column)
        if key not in values:
            raise unknown_name_error("key", column, map(str, values))
        if key in known:
            raise mistake("RB024", column.span, f"the column `{key}` occurs twice")
        known.add(key)


def _entries(
    table: s.Table, signature: DefineSignature, spread: m.Parameter | None
) -> Iterator[Entry]:
    """Yield the values in a table, row by row."""
    parameters = {parameter.name for parameter in signature.parameters}
    for row in table.rows:
        cells = list(zip(table.columns, row.cells, strict=True))
        keys = {x.text: cell for x, cell in cells if x.text in parameters}
        for column, cell in cells:
            if column.text not in parameters:
                own = {} if spread is None else {spread.name: _cell_of_key(column)}
                yield Entry({**keys, **own}, cell, row)


def _cell_of_key(column: s.Name) -> s.Cell:
    """Return a column heading as a key: a cell that contains a number or a name."""
    key = s.column_key(column)
    if isinstance(key, int):
        return s.Cell(s.CellForm.NUMBER, key, span=column.span)
    return s.Cell(s.CellForm.NAME, column, span=column.span)


def _values(
    world: SymbolTable, parameter: m.Parameter, table: s.Table
) -> tuple[int | str, ...]:
    """Return all values of a parameter."""
    match parameter.type:
        case Whole(low=low, high=high):
            return tuple(range(low, min(high, low + MAX_COMBINATIONS) + 1))
        case Member(domain=domain):
            return tuple(world.domains[domain].members)
    raise mistake(
        "RB176",
        table.span,
        f"the values of `{parameter.name}` cannot be keys of a table",
        "keys are numbers or members of a kind",
    )


def _matching_values(
    signature: DefineSignature, key: s.Cell, values: tuple[int | str, ...]
) -> list[int | str]:
    """Return those of a parameter's *values* that a key matches."""
    match key.form:
        case s.CellForm.EMPTY:
            return list(values)
        case s.CellForm.NUMBER:
            return [value for value in values if value == key.value]
        case s.CellForm.RANGE:
            low, high = key.value
            return [x for x in values if isinstance(x, int) and low <= x <= high]
        case s.CellForm.NAME:
            name = key.value.text
            if any(x.name == name for x in signature.parameters):
                raise mistake(
                    "RB105",
                    key.span,
                    f"`{name}` is a parameter here, not a member",
                    "give the parameter another name",
                )
            if name not in values:
                raise unknown_name_error("key", key.value, map(str, values))
            return [name]
    raise mistake(
        "RB105",
        key.span,
        "this cannot be a key of a table",
        "write a number, a range such as `2 to 4`, a name, or `-` for any value",
    )


def _line(entry: Entry) -> s.DefinitionLine:
    """Return the definition line for a value of a table; keys become its condition."""
    tests = [test for name, key in entry.keys.items() for test in _tests(name, key)]
    condition = reduce(_both, tests) if tests else None
    return s.DefinitionLine(
        _value(entry.value), condition, cites=entry.row.cites, span=entry.value.span
    )


def _both(left: s.Expr, right: s.Expr) -> s.Expr:
    return s.AndExpression(left, right, span=right.span)


def _tests(parameter: str, key: s.Cell) -> Iterator[s.Expr]:
    """Yield the conditions under which a parameter matches a key."""
    bounds: tuple[tuple[Comparison, s.Expr], ...] = ()
    match key.form:
        case s.CellForm.RANGE:
            low, high = (s.Number(bound, span=key.span) for bound in key.value)
            bounds = (Comparison.AT_LEAST, low), (Comparison.AT_MOST, high)
        case s.CellForm.NUMBER | s.CellForm.NAME:
            bounds = ((Comparison.EQUAL, _value(key)),)
    name = s.NameRef(s.Name(parameter, span=key.span), span=key.span)
    for op, bound in bounds:
        yield s.CompareExpression(op, name, bound, span=key.span)


def _value(cell: s.Cell) -> s.Expr:
    """Return the value of a cell as an expression."""
    match cell.form:
        case s.CellForm.NUMBER:
            return s.Number(cell.value, span=cell.span)
        case s.CellForm.NAME:
            return s.NameRef(cell.value, span=cell.span)
        case s.CellForm.YES_NO:
            return s.YesNo(cell.value, span=cell.span)
        case s.CellForm.EMPTY:
            return s.NoneValue(span=cell.span)
    raise mistake(
        "RB105",
        cell.span,
        "this cannot be a value of a definition's table",
        "write a number, a name, `yes`, `no`, or `-` for none",
    )
