"""Names of phases and awards, collected before any body is checked."""

from __future__ import annotations

from rulebook import syntax as s
from rulebook.check.declare.symbol_table import SymbolTable, mistake


def declare_phases_and_awards(world: SymbolTable) -> None:
    """Store the names of phases and awards; report a game without phases."""
    clauses = world.clauses.values()
    phases = [clause for clause in clauses if isinstance(clause, s.Phase)]
    world.phases = tuple(phase.name.text for phase in phases)
    world.awards = tuple(
        clause.name.text for clause in clauses if isinstance(clause, s.AwardClause)
    )
    if not phases:
        raise mistake(
            "RB147",
            world.header.span,
            "this rulebook does not define a turn, so it cannot be played",
            "add a clause `turn` or `round` with a `phase`",
        )
    world.phases_each_round = phases[0].each_round
    for phase in phases:
        if phase.each_round != phases[0].each_round:
            raise mistake(
                "RB102",
                phase.name.span,
                "a game has either a `turn` or a `round`",
                "move all phases into one of them",
                related=((phases[0].name.span, "a phase of the other one"),),
            )
