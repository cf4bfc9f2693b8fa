"""Definitions of the rules as kernel functions, for passes that evaluate them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import product
from math import prod
from typing import Any

import attrs

from interpreter.core.facts import Facts
from interpreter.expressions.lowerer import Lowerer
from interpreter.expressions.tables import EXPRESSIONS
from interpreter.kernel import operations as k
from interpreter.kernel.evaluator import Function
from rulebook import model as m
from rulebook import tooling
from rulebook.tooling import TABLE_ENTRIES_MAX, constant_table

LINES_MAX = 2
"""Maximum number of lines of a definition that becomes a selection between values."""


@attrs.define
class Definitions:
    """Definitions of one game, each lowered on first use."""

    facts: Facts
    names: dict[str, str] = attrs.field(init=False)
    bodies: dict[str, Function] = attrs.field(factory=dict)

    @names.default
    def _names(self) -> dict[str, str]:
        return {
            name: define for define, name in self.facts.definition_functions.items()
        }

    def function(self, name: str) -> Function | None:
        """Return the kernel function with a name, or None if no definition has it."""
        if name not in self.names:
            return None
        if name not in self.bodies:
            define = self.facts.model.defines[self.names[name]]
            self.bodies[name] = lowered_function(self.facts, define)
        return self.bodies[name]


def lowered_function(facts: Facts, define: m.Define) -> Function:
    """Return the kernel function of a definition."""
    low = Lowerer(facts, EXPRESSIONS)
    stored = define.name in facts.stored_names
    whole = None if stored else tooling.single_expression(define)
    body = None if whole is None else low.argument(whole)
    return Function(
        tuple([parameter.slot for parameter in define.parameters]),
        tuple(
            [(low.condition(x.condition), low.argument(x.value)) for x in define.lines]
        ),
        default_value(facts, define.type),
        define.adds,
        selection(facts, low, define) if body is None and not stored else body,
        least_result(facts.model, define),
    )


def selection(facts: Facts, low: Lowerer, define: m.Define) -> k.Value | None:
    """Return a definition with few lines as one value; None for another definition."""
    numbers = isinstance(define.type, m.Truth | m.Whole | m.Member)
    if define.adds or not numbers or len(define.lines) > LINES_MAX:
        return None
    default = default_value(facts, define.type)
    value: k.Value = k.Int(int(default), truth=isinstance(default, bool))
    for line in reversed(define.lines):
        own = low.value(line.value)
        if line.condition is None:
            value = own
        else:
            value = k.Select(low.value(line.condition), own, value)
    return value


@attrs.frozen
class TableLookup:
    """Lookup of a definition's value; `applies` is None if it always applies."""

    applies: k.Value | None
    value: k.Value


def table_lookup(facts: Facts, define: m.Define) -> TableLookup | None:
    """Return a lookup that replaces the lines of a definition, or None.

    The table has an entry for every member of a parameter and for none. Numbers outside
    the range of a parameter have no entry.
    """
    lines = constant_table(define)
    if lines is None:
        return None
    axes = [_table_axis(facts, parameter.type) for parameter in define.parameters]
    if prod(size for _, size in axes) > TABLE_ENTRIES_MAX:
        return None
    values = {entry: default_value(facts, define.type) for entry in _entries(axes)}
    for line in reversed(lines):
        box = []
        for parameter, (low, size) in zip(define.parameters, axes, strict=True):
            least, most = line.bounds.get(parameter.slot, (None, None))
            first = low if least is None else max(low, least)
            last = low + size - 1 if most is None else min(low + size - 1, most)
            box.append((first, last - first + 1))
        values.update(dict.fromkeys(_entries(box), line.value))
    slots = [k.Var(parameter.slot) for parameter in define.parameters]
    index = k.GridIndex(tuple(axes), tuple(slots), None, 1)
    exact = all(isinstance(parameter.type, m.Member) for parameter in define.parameters)
    return TableLookup(
        None if exact else k.CompareValues(">=", index, k.Int(0)),
        k.Lookup((*values.values(), default_value(facts, define.type)), index),
    )


def _table_axis(facts: Facts, kind: m.Type) -> tuple[int, int]:
    """Return the smallest value of a parameter and the number of its values."""
    if isinstance(kind, m.Member):
        return m.NONE, facts.sizes[kind.domain] + 1
    assert isinstance(kind, m.Whole)
    return kind.low, kind.high - kind.low + 1


def _entries(axes: Iterable[tuple[int, int]]) -> Iterator[tuple[int, ...]]:
    return product(*[range(low, low + size) for low, size in axes])


def least_result(model: m.Model, define: m.Define) -> k.Value | None:
    """Return the smallest result of a definition, or None if it may be 0 or less."""
    if not isinstance(define.type, m.Whole):
        return None
    if define.adds or define.lines[-1].condition is not None:
        return None
    least = min([tooling.range_of(model, line.value).low for line in define.lines])
    return k.Amount(least, define, ("least",)) if least > 0 else None


def default_value(facts: Facts, kind: m.Type) -> Any:
    """Return the value of a definition when no line applies."""
    match kind:
        case m.Truth():
            return False
        case m.Member():
            return m.NONE
        case m.Bag(domain=domain):
            return (0,) * facts.sizes[domain]
        case m.SetOf():
            return ()
        case _:
            return 0
