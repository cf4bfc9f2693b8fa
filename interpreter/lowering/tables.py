"""Rules of lowering for all expressions and statements, by class."""

from __future__ import annotations

import attrs

from interpreter.lowering import (
    card_moves,
    cards,
    chance,
    control,
    decisions,
    paths,
    piece_moves,
    pieces,
    sets,
    statements,
    values,
)
from interpreter.lowering.lowerer import Tables
from interpreter.lowering.statements import EffectTable
from interpreter.lowering.units import FlowTable


@attrs.frozen
class StatementTables:
    """Rules by class: for statements that never wait, and for those that may."""

    effects: EffectTable
    flows: FlowTable


EXPRESSIONS = Tables(
    values={
        **values.VALUES,
        **cards.VALUES,
        **sets.VALUES,
        **pieces.VALUES,
        **paths.VALUES,
    },
    sequences={
        **sets.SEQUENCES,
        **cards.SEQUENCES,
        **pieces.SEQUENCES,
        **paths.SEQUENCES,
    },
    rows=cards.ROWS,
)

STATEMENTS = StatementTables(
    effects={
        **statements.EFFECTS,
        **card_moves.EFFECTS,
        **piece_moves.EFFECTS,
    },
    flows={**control.FLOWS, **decisions.FLOWS, **chance.FLOWS},
)
