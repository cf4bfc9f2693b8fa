"""Fragments of Python code that carry their properties.

A `Code` is the text of an expression with its precedence, its free variables, its
nesting depth, and its value if constant. The functions of this module combine
fragments, so that no text ever has to be parsed.
"""

from __future__ import annotations

from collections.abc import Iterable
from enum import IntEnum
from typing import Any

import attrs

Uses = frozenset[str]
NOTHING: Uses = frozenset()


class Precedence(IntEnum):
    """Precedence of Python expressions, from loosest to tightest."""

    CHOICE = 0
    OR = 1
    AND = 2
    NOT = 3
    COMPARE = 4
    BITS = 5
    SHIFT = 6
    SUM = 7
    PRODUCT = 8
    SIGN = 9
    ATOM = 10


class NotConstant:
    """Placeholder for a value that depends on the state."""

    def __repr__(self) -> str:
        return "UNKNOWN"


UNKNOWN = NotConstant()


@attrs.frozen
class Code:
    """Python expression. `constant` is its value, if known.

    As a string it is safe as an operand: it has brackets where needed.

    >>> one = add_constant(2, Code("n", uses=frozenset({"n"})))
    >>> one.text, str(one)
    ('2 + n', '(2 + n)')
    """

    text: str
    precedence: Precedence = Precedence.ATOM
    uses: Uses = NOTHING
    depth: int = 0
    constant: Any = UNKNOWN

    def __str__(self) -> str:
        return self.with_precedence(Precedence.ATOM)

    def with_precedence(self, precedence: Precedence) -> str:
        """Return the text as an operand of an operator with this precedence."""
        return self.text if self.precedence >= precedence else f"({self.text})"

    @property
    def is_constant(self) -> bool:
        """Whether the value is constant."""
        return self.constant is not UNKNOWN

    def bind(self, *names: str) -> Code:
        """Return the code with some variables bound instead of free."""
        return attrs.evolve(self, uses=self.uses - frozenset(names))


CELLS = Code("s", uses=frozenset({"s"}))
LOCALS = Code("f", uses=frozenset({"f"}))


def literal(value: bool | int) -> Code:
    """Return the code of a truth value or number."""
    negative = type(value) is int and value < 0
    binds = Precedence.SIGN if negative else Precedence.ATOM
    return Code(repr(value), binds, constant=value)


def name(text: str) -> Code:
    """Return the code of a variable."""
    return Code(text, uses=frozenset({text}))


def combine(text: str, *parts: Code, precedence: Precedence = Precedence.ATOM) -> Code:
    """Return code whose text contains the given parts."""
    uses, depth = NOTHING, 0
    for part in parts:
        uses |= part.uses
        depth = max(depth, part.depth)
    return Code(text, precedence, uses, depth + 1)


def call(function: str, *arguments: Code) -> Code:
    """Return the code of a function call.

    >>> call("max", add_constant(2, name("n")), literal(0)).text
    'max(2 + n, 0)'
    """
    return combine(f"{function}({join_code(arguments)})", *arguments)


def join_code(parts: Iterable[Code]) -> str:
    """Return the texts of fragments, separated by commas."""
    return ", ".join([part.text for part in parts])


def index_into(table: str, *places: Code) -> Code:
    """Return the code of an element of a nested table, given its indices."""
    return combine(table + "".join([f"[{place.text}]" for place in places]), *places)


def cell(row: Code) -> Code:
    """Return the code of a cell of the state."""
    return combine(f"s[{row.text}]", row, CELLS)


def cells(start: Code, end: Code, step: Code | None = None) -> Code:
    """Return the code of a list of cells of the state."""
    more = "" if step is None else f":{step.text}"
    parts = [start, end, CELLS] + ([] if step is None else [step])
    return combine(f"s[{start.text}:{end.text}{more}]", *parts)


def add_constant(constant: int, number: Code) -> Code:
    """Return the code of a number plus a constant.

    >>> add_constant(2, literal(3)).text, add_constant(0, name("n")).text
    ('5', 'n')
    """
    if number.is_constant:
        return literal(constant + number.constant)
    if not constant:
        return number
    return combine(
        f"{constant} + {number.with_precedence(Precedence.PRODUCT)}",
        number,
        precedence=Precedence.SUM,
    )


def add(left: Code, right: Code) -> Code:
    """Return the code of the sum of two numbers."""
    if left.is_constant:
        return add_constant(left.constant, right)
    if right.is_constant and not right.constant:
        return left
    return binary(Precedence.SUM, "+", left, right)


def multiply(number: Code, factor: int) -> Code:
    """Return the code of a number times a constant factor."""
    if number.is_constant:
        return literal(number.constant * factor)
    return (
        number
        if factor == 1
        else binary(Precedence.PRODUCT, "*", number, literal(factor))
    )


def binary(precedence: Precedence, operator: str, left: Code, right: Code) -> Code:
    """Return the code of a left-associative binary operation.

    >>> binary(Precedence.SUM, "-", name("a"), add_constant(1, name("b"))).text
    'a - (1 + b)'
    """
    tighter = Precedence(precedence + 1)
    first, second = left.with_precedence(precedence), right.with_precedence(tighter)
    text = f"{first} {operator} {second}"
    return combine(text, left, right, precedence=precedence)


def compare(left: Code, operator: str, right: Code) -> Code:
    """Return the code of a comparison."""
    first, second = (side.with_precedence(Precedence.BITS) for side in (left, right))
    return combine(
        f"{first} {operator} {second}", left, right, precedence=Precedence.COMPARE
    )


def compare_with_bounds(
    low: Code, value: Code, high: Code, first: str, second: str
) -> Code:
    """Return the code of the chained comparison `low first value second high`."""
    sides = [side.with_precedence(Precedence.BITS) for side in (low, value, high)]
    text = f"{sides[0]} {first} {sides[1]} {second} {sides[2]}"
    return combine(text, low, value, high, precedence=Precedence.COMPARE)


def chain(operator: str, parts: list[Code]) -> Code:
    """Return the code of parts joined by `and` or `or`, without redundant constants.

    >>> either = chain("or", [name("b"), name("c")])
    >>> chain("and", [name("a"), literal(True), either]).text
    'a and (b or c)'
    """
    neutral = operator == "and"
    left = [
        part for part in parts if not (part.is_constant and part.constant is neutral)
    ]
    if any(part.is_constant for part in left):
        return literal(not neutral)
    if not left:
        return literal(neutral)
    if len(left) == 1:
        return left[0]
    binds = Precedence.AND if neutral else Precedence.OR
    tighter = Precedence(binds + 1)
    text = f" {operator} ".join([part.with_precedence(tighter) for part in left])
    return combine(text, *left, precedence=binds)


def negate(condition: Code) -> Code:
    """Return the code of the negation of a condition."""
    if condition.is_constant:
        return literal(not condition.constant)
    return combine(
        f"not {condition.with_precedence(Precedence.NOT)}",
        condition,
        precedence=Precedence.NOT,
    )


def conditional(condition: Code, then: Code, otherwise: Code) -> Code:
    """Return the code of a conditional expression.

    >>> conditional(name("a"), literal(1), literal(0)).text
    '1 if a else 0'
    """
    if condition.is_constant:
        return then if condition.constant else otherwise
    sides = [
        side.with_precedence(Precedence.OR) for side in (then, condition, otherwise)
    ]
    text = f"{sides[0]} if {sides[1]} else {sides[2]}"
    return combine(text, then, condition, otherwise, precedence=Precedence.CHOICE)


def lambda_of(variable: str, value: Code, *extra: str) -> Code:
    """Return the code of a lambda with one variable and any extra parameters."""
    parameters = ", ".join([variable, *extra])
    return combine(
        f"lambda {parameters}: {value.text}", value, precedence=Precedence.CHOICE
    ).bind(variable, *extra)


def comprehension_clause(
    variables: str, members: Code, test: Code | None = None
) -> Code:
    """Return the code `for v in members if test`, the end of a comprehension.

    Several variables are separated by `, `.
    """
    loop = f"for {variables} in {members.with_precedence(Precedence.OR)}"
    if test is None or (test.is_constant and test.constant):
        return combine(loop, members)
    tested = f"{loop} if {test.with_precedence(Precedence.OR)}"
    return combine(tested, members, test.bind(*variables.split(", ")))


def comprehension(value: Code, loop: Code, variable: str) -> Code:
    """Return the code `value for v in members`, to be put in brackets."""
    text = f"{value.with_precedence(Precedence.OR)} {loop.text}"
    return combine(text, value.bind(variable), loop)


def list_code(contents: Code) -> Code:
    """Return the code of a list."""
    return combine(f"[{contents.text}]", contents)


def tuple_code(parts: Iterable[Code]) -> Code:
    """Return the code of a tuple.

    >>> tuple_code([name("a")]).text, tuple_code([]).text
    ('(a,)', '()')
    """
    row = list(parts)
    comma = "," if len(row) == 1 else ""
    return combine(f"({join_code(row)}{comma})", *row)
