"""Builders and readers of simple expressions, such as constants and comparisons.

Builders take the place in a rule file as `span`. A plain int as an operand of a builder
stands for that constant.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, TypeGuard

import attrs

from rulebook.model.base_parts import FREE, YOU, Expr
from rulebook.model.limits import HOLDER_MAX
from rulebook.model.model_enums import DomainSort
from rulebook.model.model_values import (
    And,
    Arith,
    CallDefine,
    ColumnValue,
    Compare,
    Const,
    CountIn,
    Covers,
    FieldValue,
    Local,
    Not,
    OptionValue,
    Or,
    PieceCount,
    PieceLeft,
    PieceOn,
    PieceSpaces,
    SingleBag,
)
from rulebook.model.set_values import (
    AllOf,
    Contains,
    Exists,
    LongestTrail,
    NumberSet,
    Reach,
)
from rulebook.model.value_types import NONE, Bag, Member, SetOf, Truth, Type, Whole
from rulebook.shared_enums import ArithmeticOperator, Comparison
from rulebook.source.spans import NOWHERE, Span
from rulebook.traversal import find, walk

__all__ = [
    "add",
    "all_of",
    "and_parts",
    "arithmetic",
    "at_least",
    "at_most",
    "call",
    "chain_parts",
    "column_value",
    "compare",
    "conjunction",
    "conjuncts",
    "constant",
    "constant_value",
    "contains",
    "count_in",
    "covers",
    "disjunction",
    "equal",
    "exists",
    "field_key",
    "field_value",
    "field_values",
    "fields_read",
    "free_variables",
    "is_all_of",
    "is_board_search",
    "is_call",
    "is_column",
    "is_comparison",
    "is_constant",
    "is_field",
    "is_none",
    "is_option",
    "is_payment_condition",
    "is_single_card",
    "is_truth",
    "is_variable",
    "is_you",
    "logical_parts",
    "negated_condition",
    "negated_conjuncts",
    "negation",
    "no_value",
    "number",
    "number_set",
    "operands",
    "option",
    "or_parts",
    "payment_condition",
    "piece_count",
    "piece_left",
    "piece_on",
    "piece_spaces",
    "presence",
    "reads_variable",
    "simplified_negation",
    "single_bag",
    "subtract",
    "truth",
    "unequal",
    "variable",
    "variables_read",
    "you",
]

TRUTH = Truth()
MOST = Whole(0, HOLDER_MAX)

# ---------------------------------------------------------------- builders of values


def constant(value: Any, type: Type, span: Span = NOWHERE) -> Const:
    """Return a constant of any type."""
    return Const(value, type=type, span=span)


def number(value: int, span: Span = NOWHERE) -> Const:
    """Return the constant for a number, with a type that contains only this number."""
    return Const(value, type=Whole(value, value), span=span)


def truth(value: bool, span: Span = NOWHERE) -> Const:
    """Return the constant yes or no."""
    return Const(value, type=TRUTH, span=span)


def no_value(type: Type, span: Span = NOWHERE) -> Const:
    """Return the constant `none` of a type."""
    return Const(NONE, type=type, span=span)


def variable(slot: int, name: str, type: Type, span: Span = NOWHERE) -> Local:
    """Return the expression that reads a variable."""
    return Local(slot, name, type=type, span=span)


def you(span: Span = NOWHERE) -> Local:
    """Return the variable `you`."""
    return Local(YOU, "you", type=Member(DomainSort.PLAYER.value), span=span)


def field_value(
    key: str, owner: Expr | None, type: Type, span: Span = NOWHERE
) -> FieldValue:
    """Return the expression that reads a field of *owner*, or of the game if None."""
    return FieldValue(key, owner, type=type, span=span)


def option(name: str, type: Type, span: Span = NOWHERE) -> OptionValue:
    """Return the expression for the value of an option."""
    return OptionValue(name, type=type, span=span)


def column_value(
    domain: str, column: str, member: Expr, type: Type, span: Span = NOWHERE
) -> ColumnValue:
    """Return the expression for the value of a member's constant attribute."""
    return ColumnValue(domain, column, member, type=type, span=span)


def all_of(domain: str, span: Span = NOWHERE) -> AllOf:
    """Return the expression for the set of all members of a domain."""
    return AllOf(domain, type=SetOf(domain), span=span)


def number_set(low: Expr | int, high: Expr | int, span: Span = NOWHERE) -> NumberSet:
    """Return the expression for the set of whole numbers from *low* to *high*."""
    ends = _operand(low, span), _operand(high, span)
    return NumberSet(*ends, type=SetOf(None), span=span)


def single_bag(count: Expr, member: Expr, span: Span = NOWHERE) -> SingleBag:
    """Return the expression for a bag with *count* copies of one card."""
    assert isinstance(member.type, Member)
    return SingleBag(count, member, type=Bag(member.type.domain), span=span)


def count_in(holder: Expr, member: Expr, span: Span = NOWHERE) -> CountIn:
    """Return the expression for the number of copies of a card in a bag or stack."""
    return CountIn(holder, member, type=MOST, span=span)


def piece_left(piece: str, owner: Expr | None, span: Span = NOWHERE) -> PieceLeft:
    """Return the expression for the number of pieces in the supply (of *owner*)."""
    return PieceLeft(piece, owner, type=MOST, span=span)


def piece_count(
    piece: str,
    owner: Expr | None,
    spaces: Expr | None,
    span: Span = NOWHERE,
    *,
    another: bool = False,
    maximum: int = HOLDER_MAX,
) -> PieceCount:
    """Return the expression for the number of pieces, which is at most *maximum*."""
    type_ = Whole(0, maximum)
    return PieceCount(piece, owner, spaces, another, type=type_, span=span)


def piece_spaces(
    piece: str, owner: Expr | None, domain: str, span: Span = NOWHERE
) -> PieceSpaces:
    """Return the expression for the spaces of a domain that have a piece."""
    return PieceSpaces(piece, owner, domain, type=SetOf(domain), span=span)


def call(
    define: str, arguments: tuple[Expr, ...], type: Type, span: Span = NOWHERE
) -> CallDefine:
    """Return an expression that calls a definition with these arguments."""
    return CallDefine(define, arguments, type=type, span=span)


def arithmetic(
    op: ArithmeticOperator,
    left: Expr,
    right: Expr | int,
    type: Type,
    span: Span = NOWHERE,
) -> Arith:
    """Return the expression that applies an operator to two numbers."""
    return Arith(op, left, _operand(right, span), type=type, span=span)


def payment_condition(span: Span = NOWHERE) -> Not:
    """Return the condition that an action is paid for (variable FREE is false)."""
    return negation(variable(FREE, "free", TRUTH, span))


def add(left: Expr, right: Expr | int, type: Type, span: Span = NOWHERE) -> Arith:
    """Return the expression for the sum of two numbers."""
    return arithmetic(ArithmeticOperator.PLUS, left, right, type, span)


def subtract(left: Expr, right: Expr | int, type: Type, span: Span = NOWHERE) -> Arith:
    """Return the expression for the difference of two numbers."""
    return arithmetic(ArithmeticOperator.MINUS, left, right, type, span)


# -------------------------------------------------------------- builders of conditions


def compare(
    op: Comparison, left: Expr, right: Expr | int, span: Span = NOWHERE
) -> Compare:
    """Return the condition that the comparison *op* holds between two values."""
    return Compare(op, left, _operand(right, span), type=TRUTH, span=span)


def equal(left: Expr, right: Expr | int, span: Span = NOWHERE) -> Compare:
    """Return the condition that two values are equal."""
    return compare(Comparison.EQUAL, left, right, span)


def unequal(left: Expr, right: Expr | int, span: Span = NOWHERE) -> Compare:
    """Return the condition that two values are different."""
    return compare(Comparison.UNEQUAL, left, right, span)


def at_least(left: Expr, right: Expr | int, span: Span = NOWHERE) -> Compare:
    """Return the condition that *left* is not less than *right*."""
    return compare(Comparison.AT_LEAST, left, right, span)


def at_most(left: Expr, right: Expr | int, span: Span = NOWHERE) -> Compare:
    """Return the condition that *left* is not more than *right*."""
    return compare(Comparison.AT_MOST, left, right, span)


def presence(value: Expr) -> Compare:
    """Return the condition that a value is not `none`."""
    return unequal(value, no_value(value.type, value.span), value.span)


def conjunction(parts: tuple[Expr, ...], span: Span = NOWHERE) -> Expr:
    """Return the condition that all parts are true; a single part is returned as is."""
    if len(parts) == 1:
        return parts[0]
    return And(parts, type=TRUTH, span=span) if parts else truth(True, span)


def disjunction(parts: tuple[Expr, ...], span: Span = NOWHERE) -> Expr:
    """Return the condition that some part is true; a single part is returned as is."""
    if len(parts) == 1:
        return parts[0]
    return Or(parts, type=TRUTH, span=span) if parts else truth(False, span)


def negation(condition: Expr, span: Span | None = None) -> Not:
    """Return the condition that *condition* is false, by default with its span."""
    return Not(condition, type=TRUTH, span=condition.span if span is None else span)


def simplified_negation(condition: Expr) -> Expr:
    """Return the negation of a condition; negations and comparisons are simplified."""
    match condition:
        case Not(value=value):
            return value
        case Compare(op=op):
            return attrs.evolve(condition, op=op.negation)
    return negation(condition)


def covers(holder: Expr, bag: Expr, span: Span = NOWHERE) -> Covers:
    """Return the condition that a holder has at least the cards of a bag."""
    return Covers(holder, bag, type=TRUTH, span=span)


def contains(set: Expr, member: Expr, span: Span = NOWHERE) -> Contains:
    """Return the condition that a member is in a set."""
    return Contains(set, member, type=TRUTH, span=span)


def exists(
    slot: int, name: str, set: Expr, where: Expr | None, span: Span = NOWHERE
) -> Exists:
    """Return the condition that some member of a set meets *where*."""
    return Exists(slot, name, set, where, type=TRUTH, span=span)


def piece_on(
    piece: str,
    owner: Expr | None,
    space: Expr,
    span: Span = NOWHERE,
    *,
    another: bool = False,
) -> PieceOn:
    """Return the condition that a piece is on a space."""
    return PieceOn(piece, owner, space, another, type=TRUTH, span=span)


def _operand(value: Expr | int, span: Span) -> Expr:
    return number(value, span) if isinstance(value, int) else value


# ---------------------------------------------------------------- readers of values


def is_constant(value: object) -> TypeGuard[Const]:
    """Return whether an expression is a constant."""
    return isinstance(value, Const)


def constant_value(value: object) -> Any:
    """Return the value of a constant, or None for every other expression."""
    return value.value if isinstance(value, Const) else None


def is_none(value: object) -> bool:
    """Return whether an expression is the constant `none`."""
    return isinstance(value, Const) and bool(value.value == NONE)


def is_truth(value: object, expected: bool) -> bool:
    """Return whether an expression is the yes/no constant *expected*."""
    return isinstance(value, Const) and value.value is expected


def is_variable(value: object, slot: int | None = None) -> TypeGuard[Local]:
    """Return whether an expression is a variable, in *slot* if that is given."""
    return isinstance(value, Local) and slot in (None, value.slot)


def is_you(value: object) -> bool:
    """Return whether an expression is the variable `you`."""
    return is_variable(value, YOU)


def is_field(value: object) -> TypeGuard[FieldValue]:
    """Return whether an expression is the value of a field."""
    return isinstance(value, FieldValue)


def field_key(value: object) -> str | None:
    """Return the field's key if an expression is the value of a field, else None."""
    return value.field if isinstance(value, FieldValue) else None


def is_option(value: object) -> TypeGuard[OptionValue]:
    """Return whether an expression is the value of an option."""
    return isinstance(value, OptionValue)


def is_board_search(value: object) -> bool:
    """Return whether an expression searches a board: a longest trail, or a reach."""
    return isinstance(value, LongestTrail | Reach)


def is_call(value: object) -> TypeGuard[CallDefine]:
    """Return whether an expression is the value of a definition."""
    return isinstance(value, CallDefine)


def is_column(value: object) -> TypeGuard[ColumnValue]:
    """Return whether an expression is a constant attribute of a member."""
    return isinstance(value, ColumnValue)


def is_all_of(value: object) -> TypeGuard[AllOf]:
    """Return whether an expression is the set of all members of a domain."""
    return isinstance(value, AllOf)


def is_single_card(bag: object) -> bool:
    """Return whether a bag contains exactly one card, of any kind."""
    return isinstance(bag, SingleBag) and constant_value(bag.count) == 1


def variables_read(node: object) -> frozenset[int]:
    """Return the slots of all variables in a tree, even those that it binds itself."""
    return frozenset(part.slot for part in find(node, Local))


def free_variables(node: object) -> Iterator[Local]:
    """Yield the variables in a tree that it does not bind itself."""
    nodes = list(walk(node))
    bound = {part.slot for part in nodes if part.scope}
    for part in nodes:
        if isinstance(part, Local) and part.slot not in bound:
            yield part


def reads_variable(node: object, slot: int) -> bool:
    """Return whether a tree reads the variable in *slot*."""
    return any(part.slot == slot for part in find(node, Local))


def field_values(node: object) -> Iterator[FieldValue]:
    """Yield the values of fields that a tree reads directly."""
    return find(node, FieldValue)


def fields_read(node: object) -> frozenset[str]:
    """Return the keys of the fields whose values a tree reads directly."""
    return frozenset(part.field for part in field_values(node))


# ---------------------------------------------------------------- readers of conditions


def is_comparison(condition: object) -> TypeGuard[Compare]:
    """Return whether an expression compares two values."""
    return isinstance(condition, Compare)


def operands(condition: object) -> tuple[Expr, Expr] | None:
    """Return the two sides of a comparison, or None for every other expression."""
    return (condition.left, condition.right) if isinstance(condition, Compare) else None


def conjuncts(condition: Expr) -> Iterator[Expr]:
    """Yield the parts of a condition that must all be true."""
    if isinstance(condition, And):
        for part in condition.parts:
            yield from conjuncts(part)
    else:
        yield condition


def and_parts(condition: Expr) -> tuple[Expr, ...]:
    """Return the operands of a conjunction; any other condition is its only operand."""
    return condition.parts if isinstance(condition, And) else (condition,)


def or_parts(condition: Expr) -> tuple[Expr, ...]:
    """Return the operands of a disjunction; any other condition is its only operand."""
    return condition.parts if isinstance(condition, Or) else (condition,)


def chain_parts(condition: object) -> tuple[tuple[Expr, ...], bool] | None:
    """Return the operands of `and` or `or`, and whether all of them must be true.

    Return None for every other expression.
    """
    if isinstance(condition, And | Or):
        return condition.parts, isinstance(condition, And)
    return None


def logical_parts(condition: object) -> tuple[Expr, ...] | None:
    """Return the operands of `and`, `or` or `not`, or None for other expressions."""
    if isinstance(condition, And | Or):
        return condition.parts
    return (condition.value,) if isinstance(condition, Not) else None


def is_payment_condition(condition: object) -> bool:
    """Return whether a condition tests that an action is done with payment."""
    inner = negated_condition(condition)
    return is_variable(inner, FREE) and inner.name == "free"


def negated_condition(condition: object) -> Expr | None:
    """Return the operand of a negation, or None for any other condition."""
    return condition.value if isinstance(condition, Not) else None


def negated_conjuncts(condition: Expr) -> Iterator[Expr]:
    """Yield conditions whose conjunction is the negation of a condition."""
    match condition:
        case Not(value=value):
            yield from conjuncts(value)
        case Or(parts=parts):
            for part in parts:
                yield from negated_conjuncts(part)
        case _:
            yield simplified_negation(condition)
