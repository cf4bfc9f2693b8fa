"""Named values of definitions (`let`) that are computed once and stored."""

from __future__ import annotations

from collections.abc import Mapping

from rulebook import model as m
from rulebook.queries.calls import definition_order
from rulebook.traversal import walk

SHORT_CLASSES = (
    *(m.Const, m.OptionValue, m.Local, m.FieldValue, m.ColumnValue, m.PlayerCount),
    *(m.Compare, m.And, m.Or, m.Not, m.Arith, m.Extreme, m.HalfOf, m.Conditional),
)
"""Classes of expressions that a short value can contain; each takes one step."""

SHORT_SIZE_MAX = 16
"""Maximum number of expressions in a short value."""


def stored_names(defines: Mapping[str, m.Define]) -> frozenset[str]:
    """Return the keys of the definitions whose values must be computed only once.

    These are all named values (`let`) except short ones, which are computed at each
    use. A definition that reads such a value is included, because it stores the value.
    """
    stored: set[str] = set()
    sizes: dict[str, int] = {}
    for name in definition_order(defines):
        define = defines[name]
        parts = [part for part in walk(define.lines) if isinstance(part, m.Typed)]
        calls = [part.define for part in parts if m.is_call(part)]
        named = [x for x in calls if x in defines and defines[x].within is not None]
        sizes[name] = len(parts) + sum(sizes[call] for call in named)
        short = (
            len(named) == len(calls)
            and sizes[name] <= SHORT_SIZE_MAX
            and all(m.is_call(part) or _is_short(part) for part in parts)
        )
        if stored.intersection(named) or (define.within is not None and not short):
            stored.add(name)
    return frozenset(stored)


def _is_short(part: m.Typed) -> bool:
    """Return whether an expression takes one step apart from its operands."""
    return isinstance(part, SHORT_CLASSES) and not isinstance(
        part.type, m.Bag | m.Stack | m.SetOf
    )
