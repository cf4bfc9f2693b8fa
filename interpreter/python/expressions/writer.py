"""Writer of expressions as Python code over `s` (the cells) and `f` (the frame).

A slot is `f[n]`, or the variable `vN` if a quantifier, a definition or an enumeration
binds it. `Templates` contains a function for each class of expressions.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import attrs

from interpreter.core.facts import Facts
from interpreter.core.layout import Block
from interpreter.core.slots import FIRST_LOCAL
from interpreter.source import code
from interpreter.source.code import Code
from interpreter.source.source import Source
from rulebook import model as m

Template = Callable[["Writer", Any], Code]
Templates = Mapping[type, Template]


@attrs.define
class Writer:
    """Writer of the expressions of one unit; slots in `bound` are Python variables.

    With `variables`, every slot is a Python variable.
    """

    source: Source
    facts: Facts
    templates: Templates
    variables: bool = False
    bound: set[int] = attrs.field(factory=set)

    def with_variables(self) -> Writer:
        """Return a writer for code whose slots are all Python variables."""
        return attrs.evolve(self, variables=True, bound=set())

    # ------------------------------------------------------------ writing

    def code(self, expression: m.Expr) -> Code:
        """Return the code of an expression."""
        return self.source.flat(self.templates[type(expression)](self, expression))

    def text(self, expression: m.Expr) -> str:
        """Return the code of an expression as text, safe as an operand."""
        return str(self.code(expression))

    def function(self, expression: m.Expr) -> str:
        """Add a function of (s, f) that returns the value, and return its name."""
        return self.source.lines_of("s, f", self.code(expression).text)

    # ------------------------------------------------------------ variables

    def slot(self, number: int) -> Code:
        """Return the code of a local variable."""
        if self.variables or number in self.bound:
            return code.name(f"v{number}")
        return Code(f"f[{number + FIRST_LOCAL}]", uses=code.LOCALS.uses)

    @contextmanager
    def binding(self, slot: int) -> Iterator[str]:
        """Make a slot a Python variable inside the block."""
        new = slot not in self.bound
        self.bound.add(slot)
        yield f"v{slot}"
        if new:
            self.bound.remove(slot)

    # ------------------------------------------------------------ cells

    def row(self, value: m.FieldValue) -> Code:
        """Return code for the index of the first cell of a field's owner."""
        block = self.facts.block(value)
        if value.owner is None:
            return code.literal(block.base)
        return code.plus(block.base, code.times(self.code(value.owner), block.stride))

    def cell(self, value: m.FieldValue, member: m.Expr) -> Code:
        """Return code for the index of one count of a bag."""
        return code.added(self.row(value), self.code(member))

    def piece_cell(self, piece: str, space: m.Expr) -> Code:
        """Return code for the index of the cell of a piece on a space."""
        return code.plus(self.facts.piece_base(piece, space), self.code(space))

    def related_cells(self, piece: str, spaces: m.Related) -> Code:
        """Return code for the cells of a piece on related spaces, as a tuple."""
        base = self.facts.set_base(piece, spaces)
        rows = self.source.readers(self.facts.relations[spaces.relation], base)
        of = self.code(spaces.of)
        return code.made(f"{rows}[{of.text}](s)", of, code.CELLS)

    def bag_block(self, holder: m.Expr) -> Block | None:
        """Return the block of a holder, or None if it is not a bag field."""
        if isinstance(holder, m.FieldValue) and isinstance(holder.type, m.Bag):
            return self.facts.block(holder)
        return None

    # -------------------------------------------------------------------- sets

    def number(self, e: m.Expr) -> Code:
        """Return code for an arithmetic operand; none counts as 0."""
        operand = self.code(e)
        if isinstance(e.type, m.Whole):
            return operand
        return code.call("max", operand, code.literal(0))

    def tested(self, node: Any) -> Code | None:
        """Return code for the condition of a binder, inside `binding`; None if it has
        none.
        """
        return None if node.where is None else self.code(node.where)

    def chosen(self, node: Any) -> Code:
        """Return code for the list of a binder's members that meet its condition."""
        members = self.code(node.set)
        with self.binding(node.slot) as v:
            loop = code.each(v, members, self.tested(node))
            return code.array(code.run(code.name(v), loop, v))

    def candidates(self, node: Any) -> Code:
        """Return code for the list of members that meet a statement's condition."""
        members = self.code(node.set)
        with self.binding(node.slot) as v:
            test = None if node.where is None else self.code(node.where)
            return code.array(code.run(code.name(v), code.each(v, members, test), v))
