"""Rules of lowering for all expressions and statements, by class.

A class of the model without a rule is an error when this module is imported.
"""

from __future__ import annotations

from typing import get_args

import attrs

from interpreter.kernel.completeness import check_complete
from interpreter.lowering import (
    card_moves,
    chance_flows,
    control_flows,
    decision_flows,
    piece_moves,
)
from interpreter.lowering import (
    statement_effects as statements,
)
from interpreter.lowering.expressions import (
    card_values,
    path_values,
    piece_values,
    plain_values,
    set_values,
    stored_values,
)
from interpreter.lowering.lowerer import Tables
from interpreter.lowering.statement_effects import EffectTable
from interpreter.lowering.unit_lowerer import FlowTable
from interpreter.plan.specialise.terms import Blocks, TrueCount
from rulebook import model as m
from rulebook.tooling import INTERRUPTIONS

CONTAINERS = (
    m.LabelledBlock,
    m.IfElse,
    Blocks,
    m.EachMember,
    m.Repeat,
    m.CallProcedure,
)
"""Statements that wait if a statement inside them, or a unit they run, waits."""


@attrs.frozen
class StatementTables:
    """Rules by class: for statements that never wait, and for those that may."""

    effects: EffectTable
    flows: FlowTable


EXPRESSIONS = Tables(
    values={
        **stored_values.VALUES,
        **plain_values.VALUES,
        **card_values.VALUES,
        **set_values.VALUES,
        **piece_values.VALUES,
        **path_values.VALUES,
    },
    sequences={
        **stored_values.SEQUENCES,
        **set_values.SEQUENCES,
        **card_values.SEQUENCES,
        **piece_values.SEQUENCES,
        **path_values.SEQUENCES,
    },
    rows={**stored_values.ROWS, **card_values.ROWS},
)

STATEMENTS = StatementTables(
    effects={
        **statements.EFFECTS,
        **card_moves.EFFECTS,
        **piece_moves.EFFECTS,
    },
    flows={**control_flows.FLOWS, **decision_flows.FLOWS, **chance_flows.FLOWS},
)


def check_tables(expressions: Tables, statements: StatementTables) -> None:
    """Raise `IncompleteTable` unless every class of the model has its rules.

    A class of expressions needs a rule for its value, its members or its counts. A
    statement needs an effect if it can run without waiting, and a flow if it can wait.
    """
    check_complete(
        "the lowering of expressions",
        [*expressions.values, *expressions.sequences, *expressions.rows],
        [*[x for x in vars(m).values() if is_expression(x)], TrueCount],
    )
    certain = set(INTERRUPTIONS)
    others = set(get_args(m.Stmt)) - certain
    effects, flows = statements.effects, statements.flows
    check_complete("the lowering of effects", effects, [*others, Blocks])
    check_complete("the lowering of flows", flows, [*certain, *CONTAINERS])


def is_expression(x: object) -> bool:
    """Return whether something is a class of expressions."""
    return isinstance(x, type) and issubclass(x, m.Typed) and x is not m.Typed


check_tables(EXPRESSIONS, STATEMENTS)
