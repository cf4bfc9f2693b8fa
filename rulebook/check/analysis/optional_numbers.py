"""Check that an option without a value (`none`) is never used as a number.

An option with a range `or none` may be read as a number only where a condition rules
out `none`. An example is `limit is none or used < limit`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import attrs

from rulebook import model as m
from rulebook.check.declare.symbol_table import SymbolTable, mistake
from rulebook.check.facts.fact_expansion import expand_named_values
from rulebook.check.facts.loops import search_condition
from rulebook.model.value_types import Whole
from rulebook.signatures import direct_parts, effects_of, is_statement
from rulebook.traversal import children

NumericOptions = frozenset[str]
"""Names of options that may be `none` in general, but are numbers at this point."""

NO_OPTIONS: NumericOptions = frozenset()


def check_optional_numbers(world: SymbolTable) -> None:
    """Report every option that is used as a number where it may be `none`."""
    if world.model is None or not any(map(_is_optional, world.options.values())):
        return
    for part in children(world.model):
        with world.collect_errors():
            _check_node(_with_plain_conditions(world.model, part), NO_OPTIONS)


def _with_plain_conditions(model: m.Model, part: Any) -> Any:
    """Return *part*; if it is a definition, expand named values in its conditions."""
    if not isinstance(part, m.Define):
        return part
    conditions = expand_named_values(
        model.defines, tuple(x.condition for x in part.lines)
    )
    pairs = zip(part.lines, conditions, strict=True)
    lines = (attrs.evolve(line, condition=condition) for line, condition in pairs)
    return attrs.evolve(part, lines=tuple(lines))


def _is_optional(node: Any) -> bool:
    return isinstance(node.type, Whole) and node.type.optional


def _check_node(node: Any, known: NumericOptions) -> None:
    """Check a node in evaluation order; *known* are the options known to be numbers."""
    if m.is_option(node) and _is_optional(node) and node.name not in known:
        raise mistake(
            "RB175",
            node.span,
            f"`{node.name}` may be none, and none is not a number",
            f"handle this case first: `{node.name} is none or …`, or `… if"
            f" {node.name} is none`",
        )
    if is_statement(node):
        _check_statement(node, known)
    elif isinstance(node, m.Binder):
        _check_binder(node, children(node), known)
    elif isinstance(node, m.Combinations):
        _check_combinations(node, known)
    elif m.is_comparison(node):
        _check_comparison(node, known)
    elif (chain := m.chain_parts(node)) is not None:
        _check_chain(*chain, known)
    else:
        ORDERS.get(type(node), _check_children)(node, known)


def _check_children(node: Any, known: NumericOptions) -> None:
    for child in children(node):
        _check_node(child, known)


# ---------------------------------------------------------------- conditions


def _tested_option(node: Any) -> str | None:
    """Return the name of the option that a comparison compares with `none`, or None."""
    for side in (node.left, node.right):
        if m.is_option(side) and _is_optional(side):
            return side.name
    return None


def _is_none(node: Any) -> bool:
    return any(m.is_none(side) for side in (node.left, node.right))


def options_implied(condition: Any, holds: bool) -> NumericOptions:
    """Return the options that must be numbers if a condition has the value *holds*."""
    if (inner := m.negated_condition(condition)) is not None:
        return options_implied(inner, not holds)
    if (chain := m.chain_parts(condition)) is not None:
        parts, every = chain
        implied = [options_implied(part, holds) for part in parts]
        if every == holds:
            return NO_OPTIONS.union(*implied)
        return implied[0].intersection(*implied)
    if not (m.is_comparison(condition) and condition.op.is_equality_test):
        return NO_OPTIONS
    name = _tested_option(condition)
    number = (condition.op is m.Comparison.EQUAL) == holds
    certain = number != _is_none(condition)
    return frozenset({name}) if name and certain else NO_OPTIONS


# ---------------------------------------------------------------- orders of evaluation


def _check_comparison(node: m.Compare, known: NumericOptions) -> None:
    """Check a comparison: `is` and `is not` may test an option that is none."""
    for side in (node.left, node.right):
        may_be_none = m.is_option(side) and node.op.is_equality_test
        if not may_be_none:
            _check_node(side, known)


def _check_chain(parts: tuple[m.Expr, ...], every: bool, known: NumericOptions) -> None:
    for part in parts:
        _check_node(part, known)
        known |= options_implied(part, every)


def _check_statement(node: Any, known: NumericOptions) -> None:
    """Check the parts of a statement, then its blocks with the options known there."""
    own = direct_parts(node)
    inside = known
    if isinstance(node, m.Binder):
        inside = _check_binder(node, (), known)
        own = [part for part in own if part is not node.set and part is not node.where]
    for part in own:
        _check_node(part, known)
    for block in effects_of(node).blocks:
        here = known if block.binder is None else inside
        for condition in block.holds:
            here |= options_implied(condition, True)
        for condition in block.fails:
            here |= options_implied(condition, False)
        for part in block.body:
            _check_node(part, here)


def _check_cases(lines: Iterable[tuple[Any, Any]], known: NumericOptions) -> None:
    """Check (value, condition) pairs; the first true condition selects the value.

    A missing condition counts as true.
    """
    for value, condition in lines:
        if condition is None:
            _check_node(value, known)
            continue
        _check_node(condition, known)
        _check_node(value, known | options_implied(condition, True))
        known |= options_implied(condition, False)


def _define(node: m.Define, known: NumericOptions) -> None:
    if node.adds:
        _check_children(node, known)
    else:
        _check_cases(((line.value, line.condition) for line in node.lines), known)


def _action(node: m.Action, known: NumericOptions) -> None:
    for need in node.requirements:
        _check_children(need, known)
        known |= options_implied(need.condition, True)
    _check_node(node.body, known)


def _check_binder(
    node: m.Binder, parts: Iterable[Any], known: NumericOptions
) -> NumericOptions:
    """Check a binder: its set, its condition, then *parts* for each member.

    Return the options known to be numbers for each member.
    """
    _check_node(node.set, known)
    condition = search_condition(node.slot, node.set)
    if condition is not None:
        known |= options_implied(condition, True)
    if node.where is not None:
        _check_node(node.where, known)
        known |= options_implied(node.where, True)
    for part in parts:
        if part is not node.set and part is not node.where:
            _check_node(part, known)
    return known


def _check_combinations(node: m.Combinations, known: NumericOptions) -> None:
    """Check a combination search in the order in which its parts are evaluated."""
    _check_node(node.holder, known)
    for condition in (node.given, node.where):
        if condition is not None:
            _check_node(condition, known)
            known |= options_implied(condition, True)
        if condition is node.given:
            _check_node((node.least, node.most), known)
    if isinstance(node, m.HighestCombination):
        _check_node(node.value, known)


def _option(node: m.Option, known: NumericOptions) -> None:
    _check_cases(node.default, known)


ORDERS: dict[type, Callable[[Any, NumericOptions], None]] = {
    m.Define: _define,
    m.Action: _action,
    m.Option: _option,
}
