"""Templates for all statements: the tables of all modules combined."""

from __future__ import annotations

from interpreter.python.statements import (
    chance,
    decisions,
    effects,
    enumerators,
    flow,
    moves,
    pieces,
)
from interpreter.python.statements.flow import Tables

TABLES = Tables(
    effects={**effects.EFFECTS, **moves.EFFECTS, **pieces.EFFECTS},
    flows={**flow.FLOWS, **decisions.FLOWS, **chance.FLOWS},
    lists=enumerators.write_enumerator,
    tried=chance.nothing_asked,
)
