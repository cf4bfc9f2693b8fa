"""Tables of values: definitions whose lines only compare parameters with constants."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import attrs

from rulebook import model as m
from workbench.presentation.printing.pages import PrintedRow, PrintedTable
from workbench.presentation.printing.sentences.forms import Writer
from workbench.presentation.printing.sentences.text_runs import Text, plain_text

MIN_LINES = 2
"""Minimum number of lines with keys for a definition to be printed as a table."""

ANY = plain_text("–")

KEY_TESTS = {
    (m.Comparison.EQUAL,),
    (m.Comparison.AT_LEAST, m.Comparison.AT_MOST),
}
"""Operators of the tests that can form a key: equality, or the ends of a range."""

Test = tuple[m.Comparison, m.Expr]
"""Operator and constant with which a line compares a parameter."""

Keys = Mapping[int, tuple[Test, ...]]
"""Tests of a line, by parameter slot; parameters without tests may have any value."""


@attrs.frozen
class KeyedLine:
    """Line of a definition, with its number (from 1) and its keys."""

    number: int
    line: m.DefineLine
    keys: Keys

    def keys_without(self, slot: int) -> Keys:
        """Return the keys for all other parameters."""
        return {key: tests for key, tests in self.keys.items() if key != slot}


def value_table(
    writer: Writer, define: m.Define, titles: Mapping[str, Text], place: str
) -> PrintedTable | None:
    """Return a definition as a table, or None if it is not a table of values.

    *titles* are the titles of the definition and its parameters, by name, and *place*
    is its address. A parameter is spread over columns if each row then has a value for
    each column.
    """
    keyed = _keyed_lines(define)
    if keyed is None:
        return None
    for parameter in reversed(define.parameters):
        others = [x for x in define.parameters if x is not parameter]
        columns = _columns(keyed, parameter.slot) if others else []
        if columns:
            heads = [writer.value(column) for column in columns]
            return _table(writer, keyed, others, titles, heads, place)
    heads = [titles[define.sentence]]
    return _table(writer, keyed, [*define.parameters], titles, heads, place)


def has_overlaps(define: m.Define) -> bool:
    """Return whether several rows of a table may apply to the same values.

    This is possible if a line has a range, or applies to any value.
    """
    keyed = _keyed_lines(define) or ()
    tests = [each.keys.get(x.slot, ()) for each in keyed for x in define.parameters]
    return any(len(test) != 1 for test in tests)


def _keyed_lines(define: m.Define) -> list[KeyedLine] | None:
    """Return the lines with their keys, or None if a line cannot be a table row."""
    keyed = []
    for number, line in enumerate(define.lines, 1):
        keys = _keys(line.condition)
        last = number == len(define.lines)
        if line.label or keys is None or (not keys and not last):
            return None
        keyed.append(KeyedLine(number, line, keys))
    enough = MIN_LINES if keyed[-1].keys else MIN_LINES + 1
    return keyed if define.parameters and len(keyed) >= enough else None


def _table(
    writer: Writer,
    keyed: list[KeyedLine],
    parameters: list[m.Parameter],
    titles: Mapping[str, Text],
    value_heads: list[Text],
    place: str,
) -> PrintedTable:
    """Return a table with columns for *parameters*, then for *value_heads*."""
    rows = []
    for start in range(0, len(keyed), len(value_heads)):
        group = keyed[start : start + len(value_heads)]
        cells = [_key(writer, group[0], parameter) for parameter in parameters]
        cells += [writer.value(each.line.value) for each in group]
        cites = dict.fromkeys(cite for each in group for cite in each.line.cites)
        rows.append(
            PrintedRow(tuple(cells), f"{place}.{group[0].number}", tuple(cites))
        )
    heads = [titles[parameter.name] for parameter in parameters]
    return PrintedTable((*heads, *value_heads), tuple(rows), len(parameters))


def _columns(keyed: list[KeyedLine], slot: int) -> list[m.Expr]:
    """Return the constants of a parameter that can head columns; empty if none can."""
    columns: list[m.Expr] = []
    for each in keyed:
        if each.keys_without(slot) != keyed[0].keys_without(slot):
            break
        match each.keys.get(slot):
            case [(m.Comparison.EQUAL, value)] if value not in columns:
                columns.append(value)
            case _:
                return []
    count = len(columns)
    if count < 2 or len(keyed) % count:
        return []
    for place, each in enumerate(keyed):
        group = keyed[place - place % count]
        tests = ((m.Comparison.EQUAL, columns[place % count]),)
        if each.keys.get(slot) != tests:
            return []
        if each.keys_without(slot) != group.keys_without(slot):
            return []
    return columns


def _key(writer: Writer, line: KeyedLine, parameter: m.Parameter) -> Text:
    """Return the values of a parameter to which a line applies."""
    match line.keys.get(parameter.slot):
        case None:
            return ANY
        case [(m.Comparison.EQUAL, value)]:
            return writer.value(value)
        case tests:
            (_, low), (_, high) = tests
            return (*writer.value(low), *ANY, *writer.value(high))


def _keys(condition: m.Expr | None) -> Keys | None:
    """Return the keys in a condition, or None if it contains other tests."""
    keys: dict[int, tuple[Test, ...]] = {}
    for part in () if condition is None else _conjuncts(condition):
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
