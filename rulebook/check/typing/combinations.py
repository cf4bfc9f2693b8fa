"""Checks of combinations of cards in a bag or stack, in which equal cards differ."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from rulebook import model as m
from rulebook import syntax as s
from rulebook.check.declare.scope import Unit
from rulebook.check.declare.symbol_table import mistake
from rulebook.check.typing.assignability import DEFAULT_MAXIMUM, TRUTH, describe_type
from rulebook.check.typing.expression_checks import (
    check_condition,
    check_expr,
    check_number,
)
from rulebook.check.typing.superlatives import check_measure
from rulebook.model.value_types import Bag, Stack, Type, Whole

Fields = dict[str, Any]


@contextmanager
def _binding(unit: Unit, node: s.CombinationPhrase) -> Iterator[Fields]:
    """Yield the fields of a combination's node; its name is visible in the block."""
    holder = _holder(unit, node)
    least, most = (
        None if size is None else check_number(unit, size)
        for size in (node.least, node.most)
    )
    name = m.COMBINATION if node.name is None else node.name.text
    with unit.block():
        slot = unit.declare(name, bag_of(holder))
        given, where = _split(unit, node.where, slot)
        yield {
            "slot": slot,
            "name": name,
            "holder": holder,
            "least": least,
            "most": most,
            "given": given,
            "where": where,
        }


def bag_of(holder: m.Expr) -> Bag:
    """Return the type of a bag of the same kind of cards as a bag or stack."""
    assert isinstance(holder.type, Bag | Stack)
    return Bag(holder.type.domain)


def _holder(unit: Unit, node: s.CombinationPhrase) -> m.Expr:
    """Return the bag or stack of a combination; raise `Mistake` for other values."""
    holder, kind = check_expr(unit, node.holder), node.kind.text
    if not isinstance(holder.type, Bag | Stack):
        raise mistake(
            "RB110",
            holder.span,
            "expected a bag or stack of cards, but this is "
            f"{describe_type(holder.type)}",
        )
    if kind != "cards" and unit.world.words.get(kind) != holder.type.domain:
        raise mistake(
            "RB120",
            node.kind.span,
            f"there are no {kind} in {describe_type(holder.type)}",
            "write `cards`, or the plural of their kind",
        )
    return holder


def _split(
    unit: Unit, node: s.Expr | None, slot: int
) -> tuple[m.Expr | None, m.Expr | None]:
    """Return the parts of a condition that do not and that do read a combination."""
    if node is None:
        return None, None
    condition = check_condition(unit, node)
    given: list[m.Expr] = []
    tested: list[m.Expr] = []
    for part in m.conjuncts(condition):
        (tested if m.reads_variable(part, slot) else given).append(part)
    first, second = (
        m.conjunction(tuple(parts), condition.span) if parts else None
        for parts in (given, tested)
    )
    return first, second


def _some(
    unit: Unit, node: s.SomeCombination | s.NoCombination, expected: Type | None
) -> m.Expr:
    with _binding(unit, node.binder) as fields:
        exists = m.CombinationExists(**fields, type=TRUTH, span=node.span)
    return m.negation(exists) if isinstance(node, s.NoCombination) else exists


def _count(unit: Unit, node: s.NumberOfCombinations, expected: Type | None) -> m.Expr:
    with _binding(unit, node.binder) as fields:
        return m.CountCombinations(
            **fields, type=Whole(0, DEFAULT_MAXIMUM), span=node.span
        )


def _highest(
    unit: Unit, node: s.HighestOfCombinations, expected: Type | None
) -> m.Expr:
    with _binding(unit, node.binder) as fields:
        name, type_ = fields["name"], bag_of(fields["holder"])
        bag = m.variable(fields["slot"], name, type_, node.binder.span)
        value = check_measure(unit, bag, node.value)
    assert isinstance(value.type, Whole)
    return m.HighestCombination(
        **fields,
        value=value,
        smallest=node.word in s.SMALLEST,
        type=Whole(min(0, value.type.low), max(0, value.type.high)),
        span=node.span,
    )


COMBINATION_CHECKS: dict[type[Any], Callable[..., m.Expr]] = {
    s.SomeCombination: _some,
    s.NoCombination: _some,
    s.NumberOfCombinations: _count,
    s.HighestOfCombinations: _highest,
}
"""Functions that check combinations, by class of syntax node."""
