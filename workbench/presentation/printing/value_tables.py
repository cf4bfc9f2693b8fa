"""Tables of values: definitions whose lines only compare parameters with constants."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import attrs

from rulebook import Cite
from rulebook import model as m
from workbench.presentation.printing.pages import PrintedRow, PrintedTable
from workbench.presentation.printing.sentences.forms import Writer
from workbench.presentation.printing.sentences.text_runs import Text, plain_text

MIN_LINES = 3
"""Minimum number of lines of a definition that is printed as a table."""

ANY = plain_text("–")

KEY_TESTS = {
    (m.Comparison.EQUAL,),
    (m.Comparison.AT_LEAST, m.Comparison.AT_MOST),
}
"""Operators of the tests of a parameter that can be a key: a value, or a range."""

Test = tuple[m.Comparison, m.Expr]
"""Operator and constant with which a line compares a parameter."""

Keys = Mapping[int, tuple[Test, ...]]
"""Tests of a line, by the slot of the parameter."""


@attrs.frozen
class KeyedLine:
    """Line of a definition with its keys; None for all other parameters."""

    line: m.DefineLine
    keys: Keys | None

    def keys_without(self, slot: int) -> dict[int, tuple[Test, ...]] | None:
        """Return the keys for all other parameters than one."""
        if self.keys is None:
            return None
        return {key: tests for key, tests in self.keys.items() if key != slot}


def value_table(
    writer: Writer, define: m.Define, titles: Mapping[str, Text]
) -> PrintedTable | None:
    """Return a definition as a table, or None if it is not a table of values.

    *titles* are the titles of the definition and its parameters, by name. A parameter
    is spread over columns if each row then has a value for each column.
    """
    keyed = [KeyedLine(line, _keys(line.condition)) for line in define.lines]
    *first, last = keyed
    if len(keyed) < MIN_LINES or not define.parameters:
        return None
    if any(not line.keys for line in first) or last.line.condition is not None:
        return None
    if any(line.line.label for line in keyed):
        return None
    for parameter in reversed(define.parameters):
        columns = _columns(first, parameter.slot)
        if columns:
            return _spread(writer, define, keyed, parameter, columns, titles)
    rows = tuple(
        PrintedRow(
            (
                *(_key(writer, line, parameter) for parameter in define.parameters),
                writer.value(line.line.value),
            ),
            cites=line.line.cites,
        )
        for line in keyed
    )
    heads = tuple(titles[parameter.name] for parameter in define.parameters)
    return PrintedTable((*heads, titles[define.sentence]), rows)


def _spread(
    writer: Writer,
    define: m.Define,
    keyed: list[KeyedLine],
    spread: m.Parameter,
    columns: list[m.Expr],
    titles: Mapping[str, Text],
) -> PrintedTable:
    """Return a table with a column for each value of a parameter."""
    others = [x for x in define.parameters if x is not spread]
    rows = []
    for start in range(0, len(keyed), len(columns)):
        group = keyed[start : start + len(columns)]
        cells = [_key(writer, group[0], parameter) for parameter in others]
        values = [writer.value(line.line.value) for line in group]
        rows.append(PrintedRow((*cells, *values), cites=_cites(group)))
    heads = [titles[parameter.name] for parameter in others]
    return PrintedTable((*heads, *map(writer.value, columns)), tuple(rows))


def _cites(group: list[KeyedLine]) -> tuple[Cite, ...]:
    return tuple(dict.fromkeys(cite for line in group for cite in line.line.cites))


def _columns(first: list[KeyedLine], slot: int) -> list[m.Expr]:
    """Return the values of a parameter that recur in each row, or an empty list.

    *first* are all lines but the last, whose keys are not written.
    """
    columns: list[m.Expr] = []
    for line in first:
        if line.keys_without(slot) != first[0].keys_without(slot):
            break
        match (line.keys or {}).get(slot):
            case [(m.Comparison.EQUAL, value)]:
                columns.append(value)
            case _:
                return []
    count = len(columns)
    if count < 2 or (len(first) + 1) % count:
        return []
    for place, line in enumerate(first):
        group = first[place - place % count]
        tests = ((m.Comparison.EQUAL, columns[place % count]),)
        if (line.keys or {}).get(slot) != tests:
            return []
        if line.keys_without(slot) != group.keys_without(slot):
            return []
    return columns


def _key(writer: Writer, line: KeyedLine, parameter: m.Parameter) -> Text:
    """Return the values of a parameter to which a line applies."""
    match (line.keys or {}).get(parameter.slot):
        case [(m.Comparison.EQUAL, value)]:
            return writer.value(value)
        case [(m.Comparison.AT_LEAST, low), (m.Comparison.AT_MOST, high)]:
            return (*writer.value(low), *ANY, *writer.value(high))
        case _:
            return ANY


def _keys(condition: m.Expr | None) -> Keys | None:
    """Return the keys in a condition, or None if it has other tests."""
    keys: dict[int, tuple[Test, ...]] = {}
    if condition is None:
        return None
    for part in _conjuncts(condition):
        if not isinstance(part, m.Compare) or not m.is_constant(part.right):
            return None
        if not m.is_variable(part.left):
            return None
        slot = part.left.slot
        keys[slot] = (*keys.get(slot, ()), (part.op, part.right))
    ways = {tuple(op for op, _ in tests) for tests in keys.values()}
    return keys if ways <= KEY_TESTS else None


def _conjuncts(condition: m.Expr) -> Iterator[m.Expr]:
    if isinstance(condition, m.And):
        for part in condition.parts:
            yield from _conjuncts(part)
    else:
        yield condition
