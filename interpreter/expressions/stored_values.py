"""Lowering of constants, variables, fields, columns and calls, whatever their type.

A number or member becomes a value, a set becomes a sequence, and a bag becomes a row.
"""

from __future__ import annotations

from typing import Any

from interpreter.core.layout import ENDLESS
from interpreter.expressions.card_values import is_endless, kinds_of
from interpreter.expressions.lowerer import NO, YES, Argument, Lowerer, Rule
from interpreter.expressions.set_values import size_of
from interpreter.kernel import operations as k
from rulebook import model as m


def _const(t: Lowerer, e: m.Const) -> k.Value:
    size = t.size_of(e)
    if size is not None and e.value >= size:
        return k.Absent(e.value)
    if isinstance(e.type, m.Whole):
        return k.Amount(int(e.value), e)
    if isinstance(e.value, bool):
        return YES if e.value else NO
    return k.Int(int(e.value))


def _option(t: Lowerer, e: m.OptionValue) -> k.Value:
    value = t.facts.options[e.name]
    known = m.NONE if value is None else value
    if isinstance(e.type, m.Whole):
        return k.Amount(int(known), e)
    return k.Int(int(known), truth=isinstance(known, bool))


def _field_row(t: Lowerer, e: m.FieldValue) -> k.Row:
    size = kinds_of(t, e.type)
    if is_endless(t, e):
        return k.ConstantRow((ENDLESS,) * size, e)
    return k.CellRow(t.first_cell(e), size)


def _column(t: Lowerer, e: m.ColumnValue) -> k.Value:
    data = f"{e.domain}.{e.column}" if isinstance(e.type, m.Whole) else None
    return k.Lookup(_members_values(t, e), t.value(e.of), data)


def _column_row(t: Lowerer, e: m.ColumnValue) -> k.Row:
    return k.LookupRow(_members_values(t, e), t.value(e.of), f"{e.domain}.{e.column}")


def _members_values(t: Lowerer, e: m.ColumnValue) -> tuple[Any, ...]:
    return tuple(t.facts.column(e.domain, e.column))


def _function_call(t: Lowerer, e: m.CallDefine) -> tuple[str, tuple[Argument, ...]]:
    """Return the name of a definition's function, and the lowered arguments."""
    return t.facts.definition_functions[e.define], tuple(map(t.argument, e.arguments))


RULES: dict[type, tuple[Rule, Rule, Rule]] = {
    m.Const: (
        _const,
        lambda _, e: k.Listed(tuple(e.value)),
        lambda _, e: k.ConstantRow(tuple(e.value), e),
    ),
    m.OptionValue: (
        _option,
        lambda t, e: k.Listed(tuple(t.facts.options[e.name])),
        lambda t, e: k.ConstantRow(tuple(t.facts.options[e.name]), e),
    ),
    m.Local: (
        lambda t, e: k.Var(e.slot, t.size_of(e)),
        lambda t, e: k.LocalSet(e.slot, size_of(t, e)),
        lambda t, e: k.LocalRow(e.slot, kinds_of(t, e.type)),
    ),
    m.FieldValue: (
        lambda t, e: k.Load(t.first_cell(e)),
        lambda t, e: k.CellSet(t.first_cell(e)),
        _field_row,
    ),
    m.ColumnValue: (
        _column,
        lambda t, e: k.TableRow(_members_values(t, e), t.value(e.of)),
        _column_row,
    ),
    m.CallDefine: (
        lambda t, e: k.CallFunction(*_function_call(t, e)),
        lambda t, e: k.CallSet(*_function_call(t, e), size_of(t, e)),
        lambda t, e: k.CallRow(*_function_call(t, e), kinds_of(t, e.type)),
    ),
}
"""Lowering rules by class: for the value, for the sequence and for the row."""

VALUES, SEQUENCES, ROWS = [
    {kind: rules[place] for kind, rules in RULES.items()} for place in range(3)
]
