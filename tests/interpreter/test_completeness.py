"""A class without a rule, or an operation without a text, is an error at import."""

from __future__ import annotations

import runpy
from enum import StrEnum
from pathlib import Path
from types import ModuleType

import attrs
import pytest

from interpreter.expressions.tables import EXPRESSIONS, check_expressions
from interpreter.kernel import operations as k
from interpreter.lowering.rule_tables import STATEMENTS, check_statements
from rulebook import model as m
from rulebook import parse, shared_enums
from rulebook import syntax as s
from rulebook.completeness import IncompleteTable, check_complete, concrete_classes
from rulebook.syntax import expression_nodes, statement_nodes

ROOT = Path(__file__).parents[2]

PRINTERS = {
    "expressions": (k.Value, k.Sequence, k.Row),
    "statements": (k.Statement,),
    "units": (k.Control, k.Outcomes),
}
"""Modules of both printers, with the classes of operations that each module prints."""

PRINTED = [
    (f"interpreter/{engine}_{module}.py", sort)
    for engine in ("python/python", "native/printing/c")
    for module, sorts in PRINTERS.items()
    for sort in sorts
]


@pytest.mark.parametrize("expression", [m.HalfOf, m.PieceSpaces, m.SumBags, m.Winners])
def test_an_expression_without_a_rule_is_reported(expression: type) -> None:
    rules = {
        name: {kind: rule for kind, rule in table.items() if kind is not expression}
        for name, table in attrs.asdict(EXPRESSIONS, recurse=False).items()
    }

    with pytest.raises(IncompleteTable, match=f"lacks .* for {expression.__name__}$"):
        check_expressions(attrs.evolve(EXPRESSIONS, **rules))


@pytest.mark.parametrize("statement", [m.SetField, m.IfElse, m.StopUnit])
def test_a_statement_without_an_effect_is_reported(statement: type) -> None:
    effects = {x: rule for x, rule in STATEMENTS.effects.items() if x is not statement}

    with pytest.raises(IncompleteTable, match=f"lacks .* for {statement.__name__}$"):
        check_statements(attrs.evolve(STATEMENTS, effects=effects))


@pytest.mark.parametrize("statement", [m.Ask, m.IfElse, m.Wins])
def test_a_statement_without_a_flow_is_reported(statement: type) -> None:
    flows = {x: rule for x, rule in STATEMENTS.flows.items() if x is not statement}

    with pytest.raises(IncompleteTable, match=f"lacks .* for {statement.__name__}$"):
        check_statements(attrs.evolve(STATEMENTS, flows=flows))


@pytest.mark.parametrize(
    "module",
    [
        "interpreter/explain/condition_parts.py",
        "interpreter/expressions/tables.py",
        "rulebook/signatures/expression_signatures.py",
    ],
)
def test_a_new_model_class_is_reported(
    module: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    @attrs.frozen
    class Whistle(m.Binder, m.Typed):
        """Expression class without an entry in any table."""

    monkeypatch.setattr(m, "Whistle", Whistle, raising=False)

    with pytest.raises(IncompleteTable, match=r"lacks an entry for Whistle$"):
        runpy.run_path(str(ROOT / module))


@pytest.mark.parametrize(
    "module",
    [
        "rulebook/signatures/statement_signatures.py",
        "workbench/presentation/printing/sentences/all_forms.py",
    ],
)
def test_a_new_statement_class_is_reported(
    module: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    @attrs.frozen
    class Whistle(m.Part):
        body: tuple[m.Stmt, ...]

    monkeypatch.setattr(m, "Stmt", m.Stmt | Whistle)

    with pytest.raises(IncompleteTable, match=r"lacks an entry for Whistle$"):
        runpy.run_path(str(ROOT / module))


@pytest.mark.parametrize(
    ("union", "module"),
    [
        ("Expr", "rulebook/check/__init__.py"),
        ("Stmt", "rulebook/check/bodies/scenarios.py"),
        ("BODY_CLASSES", "rulebook/mutation/__init__.py"),
    ],
)
def test_a_new_syntax_class_is_reported(
    union: str, module: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    whistle = type("Whistle", (s.Node,), {})
    more = {whistle} if union == "BODY_CLASSES" else whistle
    monkeypatch.setattr(s, union, getattr(s, union) | more)

    with pytest.raises(IncompleteTable, match=r"lacks an entry for Whistle$"):
        runpy.run_path(str(ROOT / module))


@pytest.mark.parametrize("home", [expression_nodes, statement_nodes])
def test_a_class_missing_from_its_union_is_reported(
    home: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    whistle = type("Whistle", (s.Node,), {"__module__": home.__name__})
    monkeypatch.setattr(home, "Whistle", whistle, raising=False)

    with pytest.raises(IncompleteTable, match=r"lacks an entry for Whistle$"):
        runpy.run_path(str(ROOT / "rulebook/syntax/body_classes.py"))


@pytest.mark.parametrize(
    ("home", "module"),
    [
        (shared_enums, "rulebook/signatures/range_arithmetic.py"),
        (s, "rulebook/write/expression_text.py"),
        (m, "interpreter/expressions/plain_values.py"),
    ],
)
def test_a_new_operator_is_reported(
    home: ModuleType, module: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    more = {**m.ArithmeticOperator.__members__, "WHISTLE": "whistle"}
    monkeypatch.setattr(home, "ArithmeticOperator", StrEnum("ArithmeticOperator", more))

    with pytest.raises(
        IncompleteTable, match=r"lacks .* <ArithmeticOperator.WHISTLE: "
    ):
        runpy.run_path(str(ROOT / module))


def test_a_production_without_a_builder_is_reported(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.delitem(parse.BUILDERS, "half_of")
    parse.node_builders.cache_clear()

    with pytest.raises(IncompleteTable, match=r"lacks an entry for 'half_of'$"):
        parse.parse("rules language 1\nturn\n", "any.rules")


@pytest.mark.parametrize(("module", "sort"), PRINTED)
def test_an_operation_missing_from_a_printer_is_reported(
    module: str, sort: type[k.Operation], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(k, "Whistle", type("Whistle", (sort,), {}), raising=False)

    with pytest.raises(IncompleteTable, match=r"lacks an entry for Whistle$"):
        runpy.run_path(str(ROOT / module))


def test_an_entry_for_an_unknown_class_is_reported() -> None:
    with pytest.raises(IncompleteTable, match=r"must not have an entry for Int, Var$"):
        check_complete("the text", [k.Int, k.Var, k.Load], [k.Load])


def test_sorts_are_not_operations() -> None:
    controls = concrete_classes(k.Control, k)

    assert {k.WaitForAction, k.Return} <= controls
    assert not controls & {k.Control, k.Decision}
    assert concrete_classes(k.Operation, k) >= concrete_classes(k.Value, k) | controls
