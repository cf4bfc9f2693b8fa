"""Names of phases and awards, collected before any body is checked."""

from __future__ import annotations

from rulebook import syntax as s
from rulebook.check.declare.symbol_table import SymbolTable, mistake


def declare_phases_and_awards(world: SymbolTable) -> None:
    """Store the names of phases and awards; report a game without phases."""
    phases: list[str] = []
    awards: list[str] = []
    for clause in world.clauses.values():
        if isinstance(clause, s.Phase):
            phases.append(clause.name.text)
        elif isinstance(clause, s.AwardClause):
            awards.append(clause.name.text)
    world.phases = tuple(phases)
    world.awards = tuple(awards)
    if not phases:
        raise mistake(
            "RB147",
            world.header.span,
            "this rulebook does not define a turn, so it cannot be played",
            "add a clause `turn` with a `phase`",
        )
