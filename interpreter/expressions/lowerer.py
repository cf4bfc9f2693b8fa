"""Lowering of expressions, by tables with one rule for each class of the model.

A rule is a function of the `Lowerer` and the expression. `Tables` has one table for
each sort of operation. The type of the expression selects the table: a set becomes a
sequence, a bag becomes a row, and anything else becomes a value.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import count
from typing import Any

import attrs

from interpreter.core.facts import Facts
from interpreter.core.layout import ENDLESS
from interpreter.kernel import operations as k
from rulebook import model as m
from rulebook import tooling

FIRST_TEMPORARY_SLOT = 2_000_000
"""First slot of the locals that lowering creates; the model's slots are smaller."""

NONE, ZERO, ONE = k.Int(-1), k.Int(0), k.Int(1)
YES, NO = k.Int(1, truth=True), k.Int(0, truth=True)

Rule = Callable[["Lowerer", Any], Any]
Rules = Mapping[type, Rule]
Argument = k.Value | k.Sequence | k.Row


class NotLowerable(Exception):
    """Raised for an expression that cannot be lowered in this game."""


@attrs.frozen
class Tables:
    """Rules by class: for values, for sequences (sets) and for rows (bags)."""

    values: Rules
    sequences: Rules
    rows: Rules


@attrs.define
class Lowerer:
    """Translator of the expressions of one game to kernel operations.

    `tallies` are the domains of the tallies in the current unit, by slot.
    """

    facts: Facts
    tables: Tables
    tallies: dict[int, tuple[str, ...]] = attrs.field(factory=dict)
    names: Any = attrs.field(factory=lambda: count(FIRST_TEMPORARY_SLOT))

    # ------------------------------------------------------------ expressions

    def value(self, e: m.Expr) -> k.Value:
        """Lower an expression whose value is one number."""
        return self.apply(self.tables.values, e)  # type: ignore[no-any-return]

    def sequence(self, e: m.Expr) -> k.Sequence:
        """Lower a set to the sequence of its members."""
        return self.apply(self.tables.sequences, e)  # type: ignore[no-any-return]

    def row(self, e: m.Expr) -> k.Row:
        """Lower a bag or stack to the row of its counts."""
        if isinstance(e.type, m.Stack):
            return k.StackRow(self.stack(e))
        return self.apply(self.tables.rows, e)  # type: ignore[no-any-return]

    def apply(self, rules: Rules, e: m.Expr) -> Any:
        """Lower an expression by the rule for its class."""
        rule = rules.get(type(e))
        if rule is None:
            raise NotLowerable(f"{type(e).__name__} of type {e.type}")
        return rule(self, e)

    def argument(self, e: m.Expr) -> Argument:
        """Lower an argument of a call to a value, sequence or row, by its type."""
        match e.type:
            case m.SetOf():
                return self.sequence(e)
            case m.Bag():
                return self.row(e)
            case _:
                return self.value(e)

    def number(self, e: m.Expr) -> k.Value:
        """Lower an operand of arithmetic; none counts as 0."""
        value = self.value(e)
        return value if isinstance(e.type, m.Whole | m.Truth) else at_least_0(value)

    def literal_number(self, e: m.Expr) -> k.Value:
        """Lower a number; a constant becomes part of the program, not an `Amount`."""
        return k.Int(e.value) if m.is_constant(e) else self.value(e)

    def condition(self, e: m.Expr | None) -> k.Value | None:
        """Lower a condition, or return None if there is no condition."""
        return None if e is None else self.value(e)

    # ------------------------------------------------------------ slots and cells

    def new_slot(self) -> int:
        """Return the slot of a new local."""
        return int(next(self.names))

    def size_of(self, e: m.Expr) -> int | None:
        """Return the size of a value's domain, or None if it has no domain."""
        kind = e.type
        return self.facts.sizes[kind.domain] if isinstance(kind, m.Member) else None

    def first_cell(self, e: m.FieldPlace) -> k.Value:
        """Return the first cell of a field's owner."""
        block = self.facts.block(e)
        if e.owner is None:
            return k.Int(block.base)
        return plus(block.base, times(self.value(e.owner), block.stride))

    def stack(self, e: m.Expr) -> k.Stack:
        """Lower a stack field; raise `NotLowerable` for any other expression."""
        if not m.is_field(e) or not isinstance(e.type, m.Stack):
            raise NotLowerable(f"{type(e).__name__} as a stack")
        owner = None if e.owner is None else self.value(e.owner)
        kinds = self.facts.sizes[e.type.domain]
        return k.Stack(self.facts.block(e).base, owner, kinds)

    def is_natural(self, e: m.Expr) -> bool:
        """Return whether a number is certainly 0 or more."""
        bounds = tooling.range_of(self.facts.model, e)
        return bounds is not None and bounds.low >= 0 and bounds.high < ENDLESS


# ---------------------------------------------------------------- arithmetic and logic


def plus(base: int, value: k.Value) -> k.Value:
    """Return the operation that adds a constant to a number."""
    if isinstance(value, k.Int):
        return k.Int(base + value.value)
    return value if base == 0 else k.Binary("+", k.Int(base), value)


def add(left: k.Value, right: k.Value) -> k.Value:
    """Return the operation that adds two numbers."""
    return (
        plus(left.value, right)
        if isinstance(left, k.Int)
        else k.Binary("+", left, right)
    )


def times(value: k.Value, factor: int) -> k.Value:
    """Return the operation that multiplies a number by a constant."""
    if isinstance(value, k.Int):
        return k.Int(value.value * factor)
    return value if factor == 1 else k.Binary("*", value, k.Int(factor))


def at_least_0(value: k.Value) -> k.Value:
    """Return the operation for a number, with 0 in place of negative numbers."""
    return k.Binary("max", value, ZERO)


def exists(value: k.Value) -> k.Value:
    """Return the test that a member is not none."""
    return k.CompareValues(">=", value, ZERO)


def all_of(*parts: k.Value | None) -> k.Value | None:
    """Return the conjunction of conditions, or None if there are none."""
    given = tuple([part for part in parts if part is not None])
    if len(given) < 2:
        return given[0] if given else None
    return k.All(given)
