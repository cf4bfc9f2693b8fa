"""A class without a rule, or an operation without a text, is noticed at import."""

from __future__ import annotations

import runpy
from pathlib import Path

import attrs
import pytest

from interpreter.expressions.plain_values import TrueCount
from interpreter.expressions.tables import EXPRESSIONS, check_expressions
from interpreter.kernel import operations as k
from interpreter.lowering.rule_tables import STATEMENTS, check_statements
from interpreter.plan.specialise.terms import Blocks
from rulebook import model as m
from rulebook.completeness import IncompleteTable, check_complete, concrete

ROOT = Path(__file__).parents[2]

PRINTERS = {
    "expressions": (k.Value, k.Sequence, k.Row),
    "statements": (k.Statement,),
    "units": (k.Control, k.Outcomes),
}
"""Modules of both printers, with the sorts of operations that each prints."""

PRINTED = [
    (f"interpreter/{engine}_{module}.py", sort)
    for engine in ("python/python", "native/printing/c")
    for module, sorts in PRINTERS.items()
    for sort in sorts
]


@pytest.mark.parametrize(
    "expression", [TrueCount, m.HalfOf, m.PieceSpaces, m.SumBags, m.Winners]
)
def test_an_expression_without_a_rule_is_noticed(expression: type) -> None:
    rules = {
        name: {kind: rule for kind, rule in table.items() if kind is not expression}
        for name, table in attrs.asdict(EXPRESSIONS, recurse=False).items()
    }

    with pytest.raises(IncompleteTable, match=f"lacks .* for {expression.__name__}$"):
        check_expressions(attrs.evolve(EXPRESSIONS, **rules))


@pytest.mark.parametrize("statement", [Blocks, m.SetField, m.IfElse, m.StopUnit])
def test_a_statement_without_an_effect_is_noticed(statement: type) -> None:
    effects = {x: rule for x, rule in STATEMENTS.effects.items() if x is not statement}

    with pytest.raises(IncompleteTable, match=f"lacks .* for {statement.__name__}$"):
        check_statements(attrs.evolve(STATEMENTS, effects=effects))


@pytest.mark.parametrize("statement", [Blocks, m.Ask, m.IfElse, m.Wins])
def test_a_statement_without_a_flow_is_noticed(statement: type) -> None:
    flows = {x: rule for x, rule in STATEMENTS.flows.items() if x is not statement}

    with pytest.raises(IncompleteTable, match=f"lacks .* for {statement.__name__}$"):
        check_statements(attrs.evolve(STATEMENTS, flows=flows))


def test_a_new_class_of_the_model_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    @attrs.frozen
    class Whistle(m.Typed):
        """Expression that nothing lowers."""

    monkeypatch.setattr(m, "Whistle", Whistle, raising=False)

    with pytest.raises(IncompleteTable, match=r"lacks an entry for Whistle$"):
        runpy.run_path(str(ROOT / "interpreter/expressions/tables.py"))


@pytest.mark.parametrize(("module", "sort"), PRINTED)
def test_an_operation_that_a_printer_does_not_know_is_noticed(
    module: str, sort: type[k.Operation], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(k, "Whistle", type("Whistle", (sort,), {}), raising=False)

    with pytest.raises(IncompleteTable, match=r"lacks an entry for Whistle$"):
        runpy.run_path(str(ROOT / module))


def test_an_entry_for_a_class_that_does_not_exist_is_noticed() -> None:
    with pytest.raises(IncompleteTable, match=r"must not have an entry for Int, Var$"):
        check_complete("the text", [k.Int, k.Var, k.Load], [k.Load])


def test_sorts_are_no_operations_themselves() -> None:
    controls = concrete(k.Control, k)

    assert {k.WaitForAction, k.Return} <= controls
    assert not controls & {k.Control, k.Decision}
    assert concrete(k.Operation, k) >= concrete(k.Value, k) | controls
