"""Check that an option without a value (`none`) is never used as a number.

An option with a range `or none` may be read as a number only where a condition rules
out `none`. An example is `limit is none or used < limit`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from rulebook import model as m
from rulebook.check.declare.symbols import World, mistake
from rulebook.check.facts.loops import found_by
from rulebook.model.types import NONE, Whole
from rulebook.traversal import children

Names = frozenset[str]
"""Names of optional options that are known to be numbers at this point."""

_Bound = m.Each | m.Together | m.Sum | m.BagOver | m.Sorted | m.Highest
NOBODY: Names = frozenset()


def check_nones(world: World) -> None:
    """Report every option that is used as a number where it may be `none`."""
    if world.model is None or not any(map(_optional, world.options.values())):
        return
    for part in children(world.model):
        with world.collecting():
            _read(part, NOBODY)


def _optional(node: Any) -> bool:
    return isinstance(node.type, Whole) and node.type.optional


def _read(node: Any, known: Names) -> None:
    """Check a node in evaluation order; *known* are the options known to be numbers."""
    if isinstance(node, m.OptionValue) and _optional(node) and node.name not in known:
        raise mistake(
            "RB175",
            node.span,
            f"`{node.name}` may be none, and none is not a number",
            f"handle this case first: `{node.name} is none or …`, or `… if"
            f" {node.name} is none`",
        )
    ORDERS.get(type(node), _any_order)(node, known)


def _any_order(node: Any, known: Names) -> None:
    for child in children(node):
        _read(child, known)


# ---------------------------------------------------------------- conditions


def _tested(node: Any) -> str | None:
    """Return the name of the option that a comparison compares with `none`, or None."""
    for side in (node.left, node.right):
        if isinstance(side, m.OptionValue) and _optional(side):
            return side.name
    return None


def _is_none(node: Any) -> bool:
    return any(
        isinstance(side, m.Const) and side.value == NONE
        for side in (node.left, node.right)
    )


def numbers_implied(condition: Any, holds: bool) -> Names:
    """Return the options that must be numbers if a condition has the value *holds*."""
    match condition:
        case m.Not(value=value):
            return numbers_implied(value, not holds)
        case m.And(parts=parts) | m.Or(parts=parts):
            names_of_parts = [numbers_implied(part, holds) for part in parts]
            every = isinstance(condition, m.And) == holds
            return (
                NOBODY.union(*names_of_parts)
                if every
                else names_of_parts[0].intersection(*names_of_parts)
            )
        case m.Compare(op=op) if op.is_sameness:
            name = _tested(condition)
            number = (op is m.Comparison.EQUAL) == holds and not _is_none(condition)
            other = (op is m.Comparison.EQUAL) != holds and _is_none(condition)
            return frozenset({name}) if name and (number or other) else NOBODY
    return NOBODY


# ---------------------------------------------------------------- orders of evaluation


def _compare(node: m.Compare, known: Names) -> None:
    """Check a comparison: `is` and `is not` may test an option that is none."""
    for side in (node.left, node.right):
        asked = isinstance(side, m.OptionValue) and node.op.is_sameness
        if not asked:
            _read(side, known)


def _chain(node: m.And | m.Or, known: Names) -> None:
    for part in node.parts:
        _read(part, known)
        known |= numbers_implied(part, isinstance(node, m.And))


def _if(node: m.If, known: Names) -> None:
    _read(node.condition, known)
    _read(node.body, known | numbers_implied(node.condition, True))
    _read(node.otherwise, known | numbers_implied(node.condition, False))


def _repeat(node: m.Repeat, known: Names) -> None:
    _read(node.times, known)
    if node.until is not None:
        _read(node.until, known)
        known |= numbers_implied(node.until, False)
    _read(node.body, known)


def _lines(lines: Iterable[tuple[Any, Any]], known: Names) -> None:
    """Check values chosen by the first true condition; a missing condition is true."""
    for value, condition in lines:
        if condition is None:
            _read(value, known)
            continue
        _read(condition, known)
        _read(value, known | numbers_implied(condition, True))
        known |= numbers_implied(condition, False)


def _define(node: m.Define, known: Names) -> None:
    if node.adds:
        _any_order(node, known)
    else:
        _lines(((line.value, line.condition) for line in node.lines), known)


def _action(node: m.Action, known: Names) -> None:
    for need in node.requirements:
        _any_order(need, known)
        known |= numbers_implied(need.condition, True)
    _read(node.body, known)


def _compared(node: m.Best, known: Names) -> None:
    """Check a superlative: only members that meet the condition are compared."""
    _read(node.set, known)
    if node.where is not None:
        _read(node.where, known)
        known |= numbers_implied(node.where, True)
    _read(node.by, known)


def _bound(node: _Bound, known: Names) -> None:
    """Check a binder: its set, its condition, then its body or value."""
    _read(node.set, known)
    condition = found_by(node.slot, node.set)
    if condition is not None:
        known |= numbers_implied(condition, True)
    if node.where is not None:
        _read(node.where, known)
        known |= numbers_implied(node.where, True)
    done = node.body if isinstance(node, m.Each | m.Together) else node.value
    _read(done, known)


def _option(node: m.Option, known: Names) -> None:
    _lines(node.default, known)


ORDERS: dict[type, Callable[[Any, Names], None]] = {
    m.Compare: _compare,
    m.And: _chain,
    m.Or: _chain,
    m.If: _if,
    m.Repeat: _repeat,
    m.Define: _define,
    m.Action: _action,
    m.Option: _option,
    m.Best: _compared,
    **dict.fromkeys((m.Each, m.Together, m.Sum, m.BagOver), _bound),
    **dict.fromkeys((m.Sorted, m.Highest), _bound),
}
