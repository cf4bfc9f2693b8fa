"""Lowering rules for all statements, by class.

Importing this module fails if a class of the model has no rule.
"""

from __future__ import annotations

from typing import get_args

import attrs

from interpreter.lowering import (
    card_moves,
    chance_flows,
    control_flows,
    decision_flows,
    piece_moves,
    statement_effects,
)
from interpreter.lowering.statement_effects import EffectTable
from interpreter.lowering.unit_lowerer import FlowTable
from rulebook import model as m
from rulebook.completeness import check_complete
from rulebook.signatures.statement_signatures import INTERRUPTIONS


@attrs.frozen
class StatementTables:
    """Lowering rules by class: `effects` never wait, and `flows` may wait."""

    effects: EffectTable
    flows: FlowTable


STATEMENTS = StatementTables(
    effects={
        **statement_effects.EFFECTS,
        **statement_effects.CONTAINERS,
        **card_moves.EFFECTS,
        **piece_moves.EFFECTS,
    },
    flows={**control_flows.FLOWS, **decision_flows.FLOWS, **chance_flows.FLOWS},
)


def check_statements(statements: StatementTables) -> None:
    """Raise `IncompleteTable` unless every class of statements has its rules.

    A statement needs an effect if it can run without waiting, and a flow if it can
    wait.
    """
    others = set(get_args(m.Stmt)) - INTERRUPTIONS
    flowing = [*INTERRUPTIONS, *statement_effects.CONTAINERS]
    effects, flows = statements.effects, statements.flows
    check_complete("the lowering of effects", effects, others)
    check_complete("the lowering of flows", flows, flowing)


check_statements(STATEMENTS)
