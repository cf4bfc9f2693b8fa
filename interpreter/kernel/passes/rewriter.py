"""Rewriter that applies local passes to an operation, from the inside out.

A local pass is a function of the rewriter and an operation. It returns an equivalent,
faster operation, or the same operation if it cannot improve it. It may expect that the
operations inside are rewritten already.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import attrs

from interpreter.kernel import operations as k
from interpreter.kernel.evaluator import Functions, Unknown, evaluate
from interpreter.kernel.traversal import map_children, parts, walk

FIRST_NEW_SLOT = 4_000_000
"""First slot of the locals that passes create; all other slots are smaller."""

LOCALS = (k.Var, k.LocalSet, k.LocalRow)
"""Classes of operations that read a local."""

YES, NO = k.Int(1, truth=True), k.Int(0, truth=True)

CONSTANTS = (k.Int, k.Amount, k.Listed)
"""Classes of operations that are constant."""

COMPUTED = (
    *(k.Binary, k.Lookup, k.Range, k.Element, k.Total, k.LookupRow, k.ConstantRow),
)
"""Classes of operations that are constant if their parts are."""

LEAVES = (k.Int, k.Amount, k.Absent, k.Var, k.LocalSet, k.LocalRow, k.Listed, k.Tick)
"""Classes of operations that no pass changes."""

Improvement = Callable[["Rewriter", Any], Any]


@attrs.frozen
class LocalPass:
    """Local pass, with the classes of operations that it may improve."""

    improve: Improvement
    classes: frozenset[type]


@attrs.define(eq=False)
class Rewriter:
    """Rewriter of the operations of one program by local passes, in their order.

    `known_bodies` and `known_costs` cache results for the functions of the program.
    """

    passes: tuple[LocalPass, ...]
    functions: Functions = attrs.field(default=lambda _: None)
    known_bodies: dict[Any, k.Operation | None] = attrs.field(factory=dict)
    known_costs: dict[str, int] = attrs.field(factory=dict)
    last_slot: int = FIRST_NEW_SLOT
    by_class: dict[type, list[Improvement]] = attrs.field(init=False)

    @by_class.default
    def _by_class(self) -> dict[type, list[Improvement]]:
        by_class: dict[type, list[Improvement]] = {}
        for local_pass in self.passes:
            for kind in local_pass.classes:
                by_class.setdefault(kind, []).append(local_pass.improve)
        return by_class

    def rewrite(self, e: Any) -> Any:
        """Return an equivalent, faster operation."""
        if isinstance(e, LEAVES):
            return e
        return self.improve(map_children(e, self.rewrite))

    def improve(self, e: Any) -> Any:
        """Return an operation, improved by the passes if its parts are rewritten."""
        for improve in self.by_class.get(type(e), ()):
            new = improve(self, e)
            if new is not e:
                return self.improve(new)
        return e

    def substitute(self, e: Any, values: Mapping[int, k.Operation]) -> Any:
        """Return a rewritten operation with some locals replaced, by slot."""
        if isinstance(e, LOCALS):
            return values.get(e.slot, e)
        if isinstance(e, LEAVES):
            return e
        new = map_children(e, lambda part: self.substitute(part, values))
        return e if new is e else self.improve(new)

    def new_slot(self) -> int:
        """Return an unused slot."""
        self.last_slot += 1
        return self.last_slot

    def with_new_slots(self, e: k.Operation) -> k.Operation:
        """Return an operation in which each bound local has a new slot."""
        bound = [x.slot for x in walk(e) if hasattr(x, "slot") and not is_local(x)]
        slots: dict[int, int] = {}
        for slot in dict.fromkeys(bound):
            slots[slot] = self.new_slot()
        return renamed(e, slots) if slots else e

    def evaluate(self, e: k.Operation) -> Any:
        """Return the result of an operation, or raise `Unknown` if it may vary."""
        return evaluate(e, {}, self.functions)

    def members(self, e: k.Sequence) -> tuple[int, ...] | None:
        """Return the members of a sequence, or None if they may vary."""
        if not is_constant(e):
            return None
        try:
            return tuple(self.evaluate(e))
        except Unknown:
            return None


def is_constant(e: k.Operation) -> bool:
    """Return whether an operation is constant, or computes a number from amounts."""
    if isinstance(e, COMPUTED):
        return all(map(is_constant, parts(e)))
    return isinstance(e, CONSTANTS)


def is_local(e: k.Operation) -> bool:
    """Return whether an operation reads a local."""
    return isinstance(e, LOCALS)


def renamed(e: Any, slots: Mapping[int, int]) -> Any:
    """Return an operation with other slots for some locals."""
    new = map_children(e, lambda part: renamed(part, slots))
    slot = slots.get(getattr(new, "slot", -1))
    return new if slot is None else attrs.evolve(new, slot=slot)
