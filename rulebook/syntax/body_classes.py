"""Classes of all syntax nodes for expressions, statements and their parts.

A class of `expression_nodes` or `statement_nodes` without a place in a union, or in
`BODY_PARTS`, is an error at import.
"""

from typing import get_args

from rulebook.completeness import check_complete, concrete_classes
from rulebook.syntax import expression_nodes as e
from rulebook.syntax import statement_nodes
from rulebook.syntax.base_nodes import Node

BODY_PARTS = (
    *(*get_args(e.Content), *get_args(statement_nodes.Thing)),
    *(e.Amount, e.BinderPhrase, e.ClockwiseExpression, e.InOrder, e.Most),
    *(e.CombinationPhrase, e.NumberRange, statement_nodes.ActionOffer),
)
"""Classes of nodes that occur only as parts of expressions and statements."""

BODY_CLASSES = frozenset(
    (*get_args(e.Expr), *get_args(statement_nodes.Stmt), *BODY_PARTS)
)
"""Classes of expressions, statements and their parts."""

check_complete(
    "`Expr`, `Stmt` or `BODY_PARTS`",
    BODY_CLASSES,
    {
        kind
        for home in (e, statement_nodes)
        for kind in concrete_classes(Node, home)
        if kind.__module__ == home.__name__
    },
)
