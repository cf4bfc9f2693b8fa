"""Writer of expressions of the rules as C: lowered, optimised and printed."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import attrs

from interpreter.expressions.lowerer import Lowerer, NotLowerable
from interpreter.kernel import operations as k
from interpreter.kernel.passes.keeping import Keeper
from interpreter.kernel.passes.pipeline import Optimiser
from interpreter.native.c_file import CFile, NotTranslatable
from interpreter.native.printing.c_expressions import Loop, Printer
from rulebook import model as m


@attrs.define
class CWriter(Printer):
    """Writer of the expressions in one unit as C.

    `optimiser` runs the passes over each operation, and `keeper` marks what is kept,
    if anything is. `sizes` are the sizes of the locals, where they are known.
    """

    low: Lowerer = attrs.field(kw_only=True)
    optimiser: Optimiser = attrs.field(kw_only=True)
    keeper: Keeper | None = attrs.field(kw_only=True)
    sizes: Mapping[int, int] = attrs.field(kw_only=True)

    def with_variables(self) -> CWriter:
        """Return a writer that treats every slot as a C variable."""
        return attrs.evolve(self, places=None, bound={})

    def lower_optimised(self, lower: Callable[[Any], Any], e: Any) -> Any:
        """Return a lowered, optimised expression, or raise `NotTranslatable`."""
        try:
            return self.finished(self.optimiser.rewrite_once(lower, e))
        except NotLowerable as error:
            raise NotTranslatable(str(error)) from error

    def optimise(self, e: Any) -> Any:
        """Return an operation, optimised by the passes."""
        return self.finished(self.optimiser.rewrite(e))

    def finished(self, e: Any) -> Any:
        """Return a rewritten operation after the last passes."""
        narrowed = self.optimiser.narrow(e)
        keeper = self.keeper
        return narrowed if keeper is None else keeper.keep(narrowed, self.sizes)

    # ------------------------------------------------------------ expressions

    def code(self, e: m.Expr) -> str:
        """Return the C code of an expression whose value is one number."""
        return self.value(self.lower_optimised(self.low.value, e))

    def number(self, e: m.Expr) -> str:
        """Return the C code of an arithmetic operand; none counts as 0."""
        return self.value(self.lower_optimised(self.low.number, e))

    def sequence(self, e: m.Expr) -> k.Sequence:
        """Return the kernel sequence of the members of a set."""
        return self.lower_optimised(self.low.sequence, e)  # type: ignore[no-any-return]

    def row(self, e: m.Expr) -> k.Row:
        """Return the kernel row of the counts of a bag or stack."""
        return self.lower_optimised(self.low.row, e)  # type: ignore[no-any-return]

    def first_cell(self, e: m.FieldPlace) -> str:
        """Return the C code for the index of a field's first cell."""
        return self.value(self.lower_optimised(self.low.first_cell, e))

    def fill_set(self, e: m.Expr, array: str) -> str:
        """Return the lines that fill an array with the size and members of a set."""
        return self.fill_sequence(self.sequence(e), array)

    def fill_bag(self, e: m.Expr, array: str) -> str:
        """Return the lines that fill an array with the counts of a bag."""
        return self.fill_row(self.row(e), array)

    def set_size(self, e: m.Expr) -> int:
        """Return the maximum number of members of a set."""
        return self.max_size(self.sequence(e))

    def loop(self, e: m.Expr, slot: int, body: str, where: m.Expr | None = None) -> str:
        """Return the C loop over the members of a set that meet a condition.

        *slot* must be bound to a C variable.
        """
        if where is None:
            return self.for_each(self.sequence(e), self.bound[slot], body)
        chosen = k.FilteredSet(slot, self.low.sequence(e), self.low.value(where))
        return self.for_each(self.optimise(chosen), self.bound[slot], body)

    def cell(self, index: str) -> str:
        """Return the C code of a cell of the state."""
        return f"g->s[{index}]"

    def kinds(self, kind: m.Type) -> int:
        """Return the number of kinds of cards in a bag or stack."""
        assert isinstance(kind, m.Bag | m.Stack)
        return self.facts.sizes[kind.domain]


__all__ = ["CFile", "CWriter", "Loop", "NotTranslatable"]
