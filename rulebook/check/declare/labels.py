"""Labels that stand twice in a clause: what calls the parts by them finds one only."""

from __future__ import annotations

from collections.abc import Iterable

from rulebook import syntax as s
from rulebook.check.declare.symbols import World, mistake
from rulebook.walk import find


def check_labels(world: World) -> None:
    """See that the parts of each clause have labels of their own.

    The requirements of an action are seen to where all of them are known.
    """
    for clause in world.clauses.values():
        _differ(world, "step", (one.name for one in find(clause, s.Step)))
        match clause:
            case s.PointsClause() | s.HintValueClause() | s.DefineClause():
                labels = (one.label for one in clause.lines)
                _differ(world, "line", (one for one in labels if one is not None))
            case s.CardTextClause():
                needs = (one.label for one in find(clause, s.Needs))
                _differ(world, "requirement", needs)


def _differ(world: World, sort: str, labels: Iterable[s.Name]) -> None:
    """See that labels differ; each further one of a text is told, with the first."""
    seen: dict[str, s.Name] = {}
    for one in labels:
        first = seen.setdefault(one.text, one)
        with world.collecting():
            if first is not one:
                raise mistake(
                    "RB102",
                    one.span,
                    f"the {sort} `{one.text}` is there twice",
                    f"give it a label of its own: amendments call a {sort} by it",
                    ((first.span, "first here"),),
                )
