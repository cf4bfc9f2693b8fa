"""Definitions that are tables: the parameters alone decide between constants."""

from __future__ import annotations

from collections.abc import Mapping

import attrs

from rulebook import model as m

LINES_MIN = 4
"""Minimum number of lines of a table; fewer are as fast one by one."""

ENTRIES_MAX = 4_096
"""Maximum number of entries of a table that is looked up."""

Bounds = tuple[int | None, int | None]
"""Smallest and largest value of a parameter, or None where it has no bound."""


@attrs.frozen
class TableLine:
    """Line of a table: its constant, and bounds of parameters (by slot)."""

    bounds: Mapping[int, Bounds]
    value: int


def constant_table(define: m.Define) -> tuple[TableLine, ...] | None:
    """Return the lines of a definition that is a table, or None for any other.

    The first line whose bounds contain all parameters gives the value.
    """
    if define.adds or len(define.lines) < LINES_MIN:
        return None
    if not isinstance(define.type, m.Whole | m.Member):
        return None
    kinds = [parameter.type for parameter in define.parameters]
    if not kinds or not all(isinstance(kind, m.Whole | m.Member) for kind in kinds):
        return None
    lines = [_table_line(line) for line in define.lines]
    known = tuple(line for line in lines if line is not None)
    return known if len(known) == len(lines) else None


def _table_line(line: m.DefineLine) -> TableLine | None:
    if not m.is_constant(line.value):
        return None
    bounds: dict[int, Bounds] = {}
    for part in () if line.condition is None else m.conjuncts(line.condition):
        if not m.is_comparison(part) or part.op not in BOUNDS:
            return None
        if not (m.is_variable(part.left) and m.is_constant(part.right)):
            return None
        value, (is_low, is_high) = part.right.value, BOUNDS[part.op]
        low, high = bounds.get(part.left.slot, (None, None))
        if is_low:
            low = value if low is None else max(low, value)
        if is_high:
            high = value if high is None else min(high, value)
        bounds[part.left.slot] = (low, high)
    return TableLine(bounds, line.value.value)


BOUNDS = {
    m.Comparison.EQUAL: (True, True),
    m.Comparison.AT_LEAST: (True, False),
    m.Comparison.AT_MOST: (False, True),
}
"""Whether a comparison with a constant is a lower and an upper bound."""
