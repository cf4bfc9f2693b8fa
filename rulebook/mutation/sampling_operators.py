"""Sampling operators: classes of changes from which mutants are sampled.

A change without a sampling operator is only made when the mutants of a clause are
listed, and never sampled.
"""

from __future__ import annotations

from typing import Any

from rulebook import syntax as s
from rulebook.source.spans import Span
from rulebook.syntax import Node

AMOUNT, COMPARISON = "amount", "comparison"
REQUIREMENT_DROPPED, NEGATED = "requirement dropped", "condition negated"
DROPPED, DOUBLED, SWAPPED = "effect dropped", "effect doubled", "effects swapped"
SEAT, END, SHUFFLE = "seat", "end of a stack", "shuffle"
CLOCKWISE, DEFAULT, ROW = "clockwise", "default of an option", "row"
OPTIONAL, MULTIPLICITY, VISIBILITY = "optional or forced", "how often", "who sees it"
MOMENT, CARRIED_OVER = "moment", "carried over"
SAMPLED_OPERATORS = (
    *(AMOUNT, COMPARISON, REQUIREMENT_DROPPED, NEGATED, DROPPED, DOUBLED, SWAPPED),
    *(SEAT, END, SHUFFLE, CLOCKWISE, DEFAULT, ROW),
    *(OPTIONAL, MULTIPLICITY, VISIBILITY, MOMENT, CARRIED_OVER),
)
"""Names of all sampling operators."""
NUMBERS = (s.Number, s.Amount, s.Cell, s.Header)

OPERATOR_OF_DESCRIPTION = {
    "negated": NEGATED,
    "doubled": DOUBLED,
    "seat": SEAT,
    "whose": SEAT,
    "end of stack": END,
    "shuffled": SHUFFLE,
    "row": ROW,
    **dict.fromkeys(("may/must", "optional"), OPTIONAL),
    **dict.fromkeys(
        ("once", "one round", "one for all", "all for some", "once/still", "only one"),
        MULTIPLICITY,
    ),
    **dict.fromkeys(("seen by", "all see it"), VISIBILITY),
    **dict.fromkeys(("before/after", "offered", "one by one"), MOMENT),
    **dict.fromkeys(("resets", "period"), CARRIED_OVER),
}
"""Sampling operators by the description of the change."""


def operator_of(description: str, old: Node, new: Any) -> str:
    """Return the sampling operator of a change to a node, or "" if it has none."""
    match description, old:
        case "number", _ if isinstance(old, NUMBERS):
            return AMOUNT
        case "comparison", s.CompareExpression() if new.op != old.op:
            return COMPARISON
        case "order", s.ClockwiseExpression():
            return CLOCKWISE
        case ("name", s.Row()) | ("yes/no", s.Cell()):
            return ROW
    return OPERATOR_OF_DESCRIPTION.get(description, "")


def operator_of_lines(description: str, lines: tuple[Any, ...], span: Span) -> str:
    """Return the sampling operator of a change to a sequence of lines at a span."""
    line = next((line for line in lines if line.span == span), None)
    match description, line:
        case "dropped", s.Needs() | s.NeedsAs() | s.Pays():
            return REQUIREMENT_DROPPED
        case "dropped", s.ShuffleStatement():
            return SHUFFLE
        case "dropped", s.Row():
            return ROW
        case "dropped", s.Statement():
            return DROPPED
        case "order", s.Statement():
            return SWAPPED
    return OPERATOR_OF_DESCRIPTION.get(description, "")


def operator_in_clause(old: Node, new: Any, operator: str) -> str:
    """Return `DEFAULT` if a change affects an option's default, else *operator*."""
    is_default = isinstance(old, s.OptionClause) and old.default != new.default
    return DEFAULT if is_default else operator


__all__ = [
    "DOUBLED",
    "SAMPLED_OPERATORS",
    "SWAPPED",
    "VISIBILITY",
    "operator_in_clause",
    "operator_of",
    "operator_of_lines",
]
