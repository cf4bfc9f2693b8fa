"""Check that labels in a clause are unique, so that each identifies a line or step."""

from __future__ import annotations

from collections.abc import Iterable

from rulebook import syntax as s
from rulebook.check.declare.symbol_table import SymbolTable, mistake
from rulebook.traversal import find


def check_labels(world: SymbolTable) -> None:
    """Report labels that occur twice in a clause.

    The labels of requirements are checked later, when all requirements are known.
    """
    for clause in world.clauses.values():
        _report_repeats(
            world, "step", (step.name for step in find(clause, s.StepStatement))
        )
        match clause:
            case s.PointsClause() | s.HintValueClause() | s.DefineClause():
                labels = (line.label for line in clause.lines)
                _report_repeats(
                    world, "line", (label for label in labels if label is not None)
                )
            case s.CardTextClause():
                needs = (need.label for need in find(clause, s.Needs))
                _report_repeats(world, "requirement", needs)


def _report_repeats(world: SymbolTable, sort: str, labels: Iterable[s.Name]) -> None:
    """Report each repeated label, with the span of its first occurrence."""
    seen: dict[str, s.Name] = {}
    for label in labels:
        first = seen.setdefault(label.text, label)
        with world.collect_errors():
            if first is not label:
                raise mistake(
                    "RB102",
                    label.span,
                    f"the {sort} `{label.text}` occurs twice",
                    f"use another label: amendments refer to a {sort} by its label",
                    ((first.span, "first here"),),
                )
