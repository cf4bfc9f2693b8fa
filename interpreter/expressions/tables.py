"""Lowering rules for all expressions, by class.

A class of expressions without a rule is an error when this module is imported.
"""

from __future__ import annotations

from interpreter.expressions import (
    card_values,
    path_values,
    piece_values,
    plain_values,
    set_values,
    stored_values,
)
from interpreter.expressions.lowerer import Tables
from rulebook import model as m
from rulebook.completeness import check_complete, concrete_classes

EXPRESSIONS = Tables(
    values={
        **stored_values.VALUES,
        **plain_values.VALUES,
        **card_values.VALUES,
        **set_values.VALUES,
        **piece_values.VALUES,
        **path_values.VALUES,
    },
    sequences={
        **stored_values.SEQUENCES,
        **set_values.SEQUENCES,
        **card_values.SEQUENCES,
        **piece_values.SEQUENCES,
        **path_values.SEQUENCES,
    },
    rows={**stored_values.ROWS, **card_values.ROWS},
)


def check_expressions(tables: Tables) -> None:
    """Raise `IncompleteTable` unless every class of expressions has a rule.

    A class needs a rule for its value, its members or its counts.
    """
    check_complete(
        "the lowering of expressions",
        [*tables.values, *tables.sequences, *tables.rows],
        concrete_classes(m.Typed, m),
    )


check_expressions(EXPRESSIONS)
