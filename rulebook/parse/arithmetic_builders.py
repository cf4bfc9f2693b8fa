"""Node builders for arithmetic: sums, products, divisions, larger and smaller.

`OPERATORS` maps productions to binary operators; a division has two.
"""

from __future__ import annotations

from lark import Token, Tree

from rulebook import syntax
from rulebook.parse.node_builder import Builder, BuilderTable, parts

RULES = BuilderTable()

OPERATORS = {
    "add": syntax.ArithmeticOperator.PLUS,
    "subtract": syntax.ArithmeticOperator.MINUS,
    "multiply": syntax.ArithmeticOperator.TIMES,
    "remainder": syntax.ArithmeticOperator.REMAINDER,
}


@RULES(*OPERATORS)
def _arith(b: Builder, t: Tree[Token]) -> syntax.ArithExpression:
    left, right = parts(t)
    operator = OPERATORS[t.data]
    return syntax.ArithExpression(operator, b.expr(left), b.expr(right), span=b.span(t))


@RULES("divide")
def _divide(b: Builder, t: Tree[Token]) -> syntax.ArithExpression:
    left, right, up = parts(t)
    operator = (
        syntax.ArithmeticOperator.DOWN if up is None else syntax.ArithmeticOperator.UP
    )
    return syntax.ArithExpression(operator, b.expr(left), b.expr(right), span=b.span(t))


@RULES("conditional")
def _conditional(b: Builder, t: Tree[Token]) -> syntax.Expr:
    *guarded, last = parts(t)
    other = b.expr(last)
    for branch in reversed(guarded):
        assert isinstance(branch, Tree)
        value, condition = map(b.expr, parts(branch))
        other = syntax.ConditionalExpression(value, condition, other, span=b.span(t))
    return other


RULES.add_node("half_of", syntax.HalfOf, Builder.expr)


@RULES("member_after")
def _member_after(b: Builder, t: Tree[Token]) -> syntax.MemberAfterExpression:
    places, word, member = parts(t)
    return syntax.MemberAfterExpression(
        b.expr(places), b.expr(member), str(word) == "before", span=b.span(t)
    )


@RULES("smaller_of", "larger_of")
def _extreme(b: Builder, t: Tree[Token]) -> syntax.ExtremeExpression:
    left, right = parts(t)
    smaller = t.data == "smaller_of"
    return syntax.ExtremeExpression(
        smaller, b.expr(left), b.expr(right), span=b.span(t)
    )
