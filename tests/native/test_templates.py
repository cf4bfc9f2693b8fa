"""Every class of the model has its C; what has none is told, never left out."""

from __future__ import annotations

from pathlib import Path

import attrs
import pytest

import rulebook as rb
from interpreter.native.engine import NotNative, engine
from interpreter.native.expressions.templates import TEMPLATES
from interpreter.native.lines import comment
from interpreter.native.program import translated
from interpreter.native.statements.tables import TABLES
from interpreter.plan.specialise.terms import HowMany
from interpreter.planning import plan_for
from interpreter.python.expressions.templates import TEMPLATES as IN_PYTHON
from interpreter.python.statements.tables import TABLES as STATEMENTS
from rulebook import model as m
from workbench import load

TINY = Path(__file__).parents[2] / "examples/tiny/noughts_and_crosses.rules"
ONLY_TESTS = {m.Require}
"""Statements of tests, which the interpreter runs."""


def expressions() -> set[type]:
    classes: set[type] = {HowMany}
    for value in vars(m).values():
        if isinstance(value, type) and issubclass(value, m.Typed):
            classes.add(value)
    return classes - {m.Typed}


def test_every_expression_has_its_c() -> None:
    written = {
        *TEMPLATES.values,
        *TEMPLATES.loops,
        *TEMPLATES.lists,
        *TEMPLATES.counts,
        *TEMPLATES.fills,
    }
    assert expressions() <= written
    assert written == set(IN_PYTHON)


def test_every_statement_has_its_c() -> None:
    assert set(TABLES.effects) == set(STATEMENTS.effects) - ONLY_TESTS
    assert set(TABLES.flows) == set(STATEMENTS.flows)


def test_what_has_no_c_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    book = load(str(TINY))
    without = {key: value for key, value in TABLES.flows.items() if key is not m.Ask}
    changed = attrs.evolve(TABLES, flows=without)
    monkeypatch.setattr("interpreter.native.program.TABLES", changed)
    refused = engine(plan_for(book, 2, {}, frozenset()))
    assert refused == NotNative("no C for Ask")


def test_an_operator_that_has_no_c_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("interpreter.native.expressions.values.SIGNS", frozenset("-*"))
    refused = engine(plan_for(load(str(TINY)), 2, {}, frozenset()))
    assert refused == NotNative("no C for the operator +")


def test_no_text_of_a_rule_file_ends_a_comment() -> None:
    hostile = '*/ int main(void) { return 1; } /* \\ ??/ "\n#error'
    assert not set(comment(hostile)) & set('*\\?"#\n')
    assert "return 1" in comment(hostile)


def test_the_c_of_a_game_is_the_same_every_time() -> None:
    book = load(str(TINY))
    assert translated(plan_for(book, 2, {})).text == (
        translated(plan_for(rb.load(TINY), 2, {})).text
    )
