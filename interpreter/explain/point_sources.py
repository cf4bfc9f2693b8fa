"""Points by source: the value of each line of the rules' `points` for a player."""

from __future__ import annotations

from typing import Any

from interpreter.core.slots import FIRST_LOCAL
from interpreter.explain.evaluator import ExpressionEvaluator
from interpreter.plan.plan import Plan
from rulebook import model as m

PLAYER_SLOT = 1
"""Slot of the player in the lines of `points`."""


def point_sources(plan: Plan, s: list[Any], player: int) -> dict[str, int]:
    """Return the points of a player by the label of their line, hidden ones too."""
    lines = plan.model.points.lines
    return {line.label: line_value(plan, line, s, player) for line in lines}


def line_value(plan: Plan, line: m.PointLine, s: list[Any], player: int) -> int:
    """Return the value of a line for a player; 0 if its condition is false."""
    frame = [0] * FIRST_LOCAL + [0] * PLAYER_SLOT + [player]
    evaluator = ExpressionEvaluator(plan, s, frame)
    if line.condition is not None and not evaluator.value(line.condition):
        return 0
    return int(evaluator.value(line.value))
