"""Tables of values in definitions, as lines with conditions.

Each parameter has a column, but one may be spread: its values are names of columns. The
first row that applies gives the value, and every combination of parameters has one. A
key can be a range, or `-` for any value.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import reduce
from itertools import product
from math import prod

import attrs

from rulebook import model as m
from rulebook import syntax as s
from rulebook.check.declare.symbol_table import DefineSignature, SymbolTable, mistake
from rulebook.model.value_types import Member, Whole
from rulebook.shared_enums import Comparison

MAX_COMBINATIONS = 2_000
"""Maximum number of combinations of parameters of a table."""

Key = s.Cell
"""Cell with the values of a parameter to which a row applies."""


@attrs.frozen
class Entry:
    """Value in a table, with the cells that say to which parameters it applies."""

    keys: tuple[tuple[m.Parameter, Key], ...]
    value: s.Cell
    row: s.Row


def table_lines(
    world: SymbolTable, table: s.Table, signature: DefineSignature
) -> tuple[s.DefinitionLine, ...]:
    """Return the lines of a definition that are equivalent to its table.

    Raise `Mistake` if the table does not fit the parameters, or lacks a combination.
    """
    spread = _spread_parameter(table, signature)
    entries = list(_entries(table, signature, spread))
    domains = [_values(world, parameter, table) for parameter in signature.parameters]
    if prod(map(len, domains)) > MAX_COMBINATIONS:
        raise mistake(
            "RB176",
            table.span,
            f"this table has more than {MAX_COMBINATIONS:,} combinations of parameters",
            "give the parameters smaller ranges",
        )
    left = dict.fromkeys(product(*domains))
    for entry in entries:
        keys = {parameter.name: key for parameter, key in entry.keys}
        matching = [
            [value for value in values if _is_match(keys[parameter.name], value)]
            for parameter, values in zip(signature.parameters, domains, strict=True)
        ]
        applies = [each for each in product(*matching) if each in left]
        if not applies:
            raise mistake(
                "RB176",
                entry.value.span,
                "this value never applies",
                "rows above it, or the ranges of the parameters, exclude it",
            )
        for combination in applies:
            del left[combination]
    for combination in left:
        said = ", ".join(
            f"`{parameter.name} = {value}`"
            for parameter, value in zip(signature.parameters, combination, strict=True)
        )
        raise mistake(
            "RB176",
            table.span,
            f"no row has a value for {said}",
            "add a row, or end with a row of `-` and a value for all others",
        )
    lines = [_line(entry) for entry in entries]
    return (*lines[:-1], attrs.evolve(lines[-1], condition=None))


def _spread_parameter(table: s.Table, signature: DefineSignature) -> m.Parameter | None:
    """Return the parameter whose values are names of columns, or None."""
    columns = {column.text for column in table.columns}
    absent = [x for x in signature.parameters if x.name not in columns]
    single = [name for name in columns if name == signature.name]
    if len(absent) + len(single) == 1:
        return absent[0] if absent else None
    said = "`, `".join(x.name for x in absent) or signature.name
    raise mistake(
        "RB176",
        table.span,
        f"this table has no column for `{said}`",
        "each parameter has a column; then comes a column with the name of the "
        "definition, or the columns are values of one parameter",
    )


def _entries(
    table: s.Table, signature: DefineSignature, spread: m.Parameter | None
) -> Iterator[Entry]:
    """Yield the values in a table, row by row."""
    parameters = {parameter.name: parameter for parameter in signature.parameters}
    for row in table.rows:
        cells = list(zip(table.columns, row.cells, strict=True))
        keys = tuple(
            (parameters[column.text], cell)
            for column, cell in cells
            if column.text in parameters
        )
        for column, cell in cells:
            if column.text in parameters:
                continue
            if spread is None:
                yield Entry(keys, cell, row)
            else:
                yield Entry((*keys, (spread, _column_key(column))), cell, row)


def _column_key(column: s.Name) -> Key:
    """Return the name of a column as the cell of a key."""
    if column.text.isdigit():
        return s.Cell(s.CellForm.NUMBER, int(column.text), span=column.span)
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


def _is_match(key: Key, value: int | str) -> bool:
    """Return whether a key applies to a value of its parameter."""
    match key.form:
        case s.CellForm.EMPTY:
            return True
        case s.CellForm.NUMBER:
            return bool(key.value == value)
        case s.CellForm.NAME:
            return bool(key.value.text == value)
        case s.CellForm.RANGE:
            low, high = key.value
            return isinstance(value, int) and low <= value <= high
    raise mistake(
        "RB105",
        key.span,
        "this cannot be a key of a table",
        "write a number, a range such as `2 to 4`, a name, or `-` for any value",
    )


def _line(entry: Entry) -> s.DefinitionLine:
    """Return a value of a table as a line of the definition."""
    tests = [test for parameter, key in entry.keys for test in _tests(parameter, key)]
    condition: s.Expr | None = None
    if tests:
        condition = reduce(
            lambda left, right: s.AndExpression(left, right, span=right.span), tests
        )
    return s.DefinitionLine(
        _value(entry.value), condition, cites=entry.row.cites, span=entry.value.span
    )


def _tests(parameter: m.Parameter, key: Key) -> Iterator[s.Expr]:
    """Yield the conditions of a key."""
    bounds: tuple[tuple[Comparison, s.Expr], ...] = ()
    match key.form:
        case s.CellForm.RANGE:
            low, high = (s.Number(bound, span=key.span) for bound in key.value)
            bounds = (Comparison.AT_LEAST, low), (Comparison.AT_MOST, high)
        case s.CellForm.NUMBER | s.CellForm.NAME:
            bounds = ((Comparison.EQUAL, _value(key)),)
    name = s.NameRef(s.Name(parameter.name, span=key.span), span=key.span)
    for op, bound in bounds:
        yield s.CompareExpression(op, name, bound, span=key.span)


def _value(cell: s.Cell) -> s.Expr:
    """Return the value of a cell as an expression."""
    match cell.form:
        case s.CellForm.NUMBER:
            if cell.value < 0:
                return s.Negate(s.Number(-cell.value, span=cell.span), span=cell.span)
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
