"""Check that no division can divide by 0."""

from __future__ import annotations

from rulebook import model as m
from rulebook.check.declare.symbol_table import SymbolTable, mistake
from rulebook.check.typing.ranges import range_of
from rulebook.signatures.range_arithmetic import DIVISION_OPERATORS
from rulebook.traversal import find


def check_divisors(world: SymbolTable) -> None:
    """Report every division whose divisor may be 0."""
    if world.model is None:
        return
    for node in find(world.model, m.Arith):
        if node.op in DIVISION_OPERATORS:
            with world.collect_errors():
                _check_divisor(world.model, node.right)


def _check_divisor(model: m.Model, divisor: m.Expr) -> None:
    bounds = range_of(model, divisor)
    if bounds.low <= 0 <= bounds.high:
        raise mistake(
            "RB174",
            divisor.span,
            "this may be 0, and division by 0 is not allowed",
            "divide by a number that is never 0, such as `larger of (…, 1)`",
        )
