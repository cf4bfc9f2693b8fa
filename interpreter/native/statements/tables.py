"""Templates for all statements: the tables of all modules combined."""

from __future__ import annotations

from interpreter.native.statements import (
    chance,
    decisions,
    effects,
    flow,
    moves,
    pieces,
)
from interpreter.native.statements.flow import CStatementTables

TABLES = CStatementTables(
    effects={**effects.EFFECTS, **moves.EFFECTS, **pieces.EFFECTS},
    flows={**flow.FLOWS, **decisions.FLOWS, **chance.FLOWS},
)
