"""Fragments of Python code that carry their properties.

A `Code` is the text of an expression with its precedence, its free variables, its
nesting depth, and its value if that is constant. The functions of this module combine
fragments, so that no text ever has to be parsed.
"""

from __future__ import annotations

from collections.abc import Iterable
from enum import IntEnum
from typing import Any

import attrs

Uses = frozenset[str]
NOTHING: Uses = frozenset()


class Binds(IntEnum):
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


class Unknown:
    """Placeholder for a value that depends on the state."""

    def __repr__(self) -> str:
        return "UNKNOWN"


UNKNOWN = Unknown()


@attrs.frozen
class Code:
    """Python expression. `uses` are its free variables, `constant` its value if known.

    As a string it is safe as an operand: it has brackets where needed.

    >>> one = plus(2, Code("n", uses=frozenset({"n"})))
    >>> one.text, str(one)
    ('2 + n', '(2 + n)')
    """

    text: str
    binds: Binds = Binds.ATOM
    uses: Uses = NOTHING
    depth: int = 0
    constant: Any = UNKNOWN

    def __str__(self) -> str:
        return self.at(Binds.ATOM)

    def at(self, binds: Binds) -> str:
        """Return the text as an operand of an operator with this precedence."""
        return self.text if self.binds >= binds else f"({self.text})"

    @property
    def known(self) -> bool:
        """Whether the value is constant."""
        return self.constant is not UNKNOWN

    def hides(self, *names: str) -> Code:
        """Return the code with some variables bound, so that they are no
        longer free.
        """
        return attrs.evolve(self, uses=self.uses - frozenset(names))


CELLS = Code("s", uses=frozenset({"s"}))
LOCALS = Code("f", uses=frozenset({"f"}))


def literal(value: bool | int) -> Code:
    """Return the code of a truth value or number."""
    negative = type(value) is int and value < 0
    binds = Binds.SIGN if negative else Binds.ATOM
    return Code(repr(value), binds, constant=value)


def name(text: str) -> Code:
    """Return the code of a variable."""
    return Code(text, uses=frozenset({text}))


def made(text: str, *parts: Code, binds: Binds = Binds.ATOM) -> Code:
    """Return code whose text contains the given parts."""
    uses, depth = NOTHING, 0
    for part in parts:
        uses |= part.uses
        depth = max(depth, part.depth)
    return Code(text, binds, uses, depth + 1)


def call(function: str, *arguments: Code) -> Code:
    """Return the code of a function call.

    >>> call("max", plus(2, name("n")), literal(0)).text
    'max(2 + n, 0)'
    """
    return made(f"{function}({listed(arguments)})", *arguments)


def listed(parts: Iterable[Code]) -> str:
    """Return the texts of fragments, separated by commas."""
    return ", ".join([part.text for part in parts])


def looked_up(table: str, *places: Code) -> Code:
    """Return the code of an element of a nested table, given the index at
    each level.
    """
    return made(table + "".join([f"[{place.text}]" for place in places]), *places)


def cell(row: Code) -> Code:
    """Return the code of a cell of the state."""
    return made(f"s[{row.text}]", row, CELLS)


def cells(start: Code, end: Code, step: Code | None = None) -> Code:
    """Return the code of a list of cells of the state."""
    more = "" if step is None else f":{step.text}"
    parts = [start, end, CELLS] + ([] if step is None else [step])
    return made(f"s[{start.text}:{end.text}{more}]", *parts)


def plus(base: int, offset: Code) -> Code:
    """Return the code of a number plus a constant.

    >>> plus(2, literal(3)).text, plus(0, name("n")).text
    ('5', 'n')
    """
    if offset.known:
        return literal(base + offset.constant)
    if not base:
        return offset
    return made(f"{base} + {offset.at(Binds.PRODUCT)}", offset, binds=Binds.SUM)


def added(left: Code, right: Code) -> Code:
    """Return the code of the sum of two numbers."""
    if left.known:
        return plus(left.constant, right)
    if right.known and not right.constant:
        return left
    return binary(Binds.SUM, "+", left, right)


def times(number: Code, factor: int) -> Code:
    """Return the code of a number times a constant factor."""
    if number.known:
        return literal(number.constant * factor)
    return (
        number if factor == 1 else binary(Binds.PRODUCT, "*", number, literal(factor))
    )


def binary(binds: Binds, operator: str, left: Code, right: Code) -> Code:
    """Return the code of a left-associative binary operation.

    >>> binary(Binds.SUM, "-", name("a"), plus(1, name("b"))).text
    'a - (1 + b)'
    """
    tighter = Binds(binds + 1)
    text = f"{left.at(binds)} {operator} {right.at(tighter)}"
    return made(text, left, right, binds=binds)


def compared(left: Code, operator: str, right: Code) -> Code:
    """Return the code of a comparison."""
    text = f"{left.at(Binds.BITS)} {operator} {right.at(Binds.BITS)}"
    return made(text, left, right, binds=Binds.COMPARE)


def between(low: Code, value: Code, high: Code, first: str, second: str) -> Code:
    """Return the code of a chained comparison with a bound on each side."""
    sides = [side.at(Binds.BITS) for side in (low, value, high)]
    text = f"{sides[0]} {first} {sides[1]} {second} {sides[2]}"
    return made(text, low, value, high, binds=Binds.COMPARE)


def chain(word: str, parts: list[Code]) -> Code:
    """Return the code of parts joined by `and` or `or`, with constant parts simplified.

    >>> either = chain("or", [name("b"), name("c")])
    >>> chain("and", [name("a"), literal(True), either]).text
    'a and (b or c)'
    """
    neutral = word == "and"
    left = [part for part in parts if not (part.known and part.constant is neutral)]
    if any(part.known for part in left):
        return literal(not neutral)
    if not left:
        return literal(neutral)
    if len(left) == 1:
        return left[0]
    binds = Binds.AND if neutral else Binds.OR
    tighter = Binds(binds + 1)
    text = f" {word} ".join([part.at(tighter) for part in left])
    return made(text, *left, binds=binds)


def negated(condition: Code) -> Code:
    """Return the code of the negation of a condition."""
    if condition.known:
        return literal(not condition.constant)
    return made(f"not {condition.at(Binds.NOT)}", condition, binds=Binds.NOT)


def choice(condition: Code, then: Code, otherwise: Code) -> Code:
    """Return the code of a conditional expression.

    >>> choice(name("a"), literal(1), literal(0)).text
    '1 if a else 0'
    """
    if condition.known:
        return then if condition.constant else otherwise
    sides = [side.at(Binds.OR) for side in (then, condition, otherwise)]
    text = f"{sides[0]} if {sides[1]} else {sides[2]}"
    return made(text, then, condition, otherwise, binds=Binds.CHOICE)


def function_of(variable: str, value: Code, *more: str) -> Code:
    """Return the code of a lambda with one variable, and possibly more parameters."""
    parameters = ", ".join([variable, *more])
    return made(f"lambda {parameters}: {value.text}", value, binds=Binds.CHOICE).hides(
        variable, *more
    )


def each(variable: str, members: Code, test: Code | None = None) -> Code:
    """Return the code `for v in members if test`, the end of a comprehension."""
    loop = f"for {variable} in {members.at(Binds.OR)}"
    if test is None or (test.known and test.constant):
        return made(loop, members)
    tested = f"{loop} if {test.at(Binds.OR)}"
    return made(tested, members, test.hides(variable))


def run(value: Code, loop: Code, variable: str) -> Code:
    """Return the code `value for v in members`, to be put in brackets."""
    text = f"{value.at(Binds.OR)} {loop.text}"
    return made(text, value.hides(variable), loop)


def array(inside: Code) -> Code:
    """Return the code of a list."""
    return made(f"[{inside.text}]", inside)


def row_of(parts: Iterable[Code]) -> Code:
    """Return the code of a tuple.

    >>> row_of([name("a")]).text, row_of([]).text
    ('(a,)', '()')
    """
    row = list(parts)
    comma = "," if len(row) == 1 else ""
    return made(f"({listed(row)}{comma})", *row)
