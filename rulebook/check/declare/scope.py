"""Scope of local variables while a unit (clause with a body) is checked."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from enum import Enum, auto

import attrs

from rulebook import model as m
from rulebook.addresses import Address
from rulebook.check.declare.symbol_table import SymbolTable
from rulebook.model.value_types import Type
from rulebook.source.spans import Span


class UnitSort(Enum):
    """Sort of the clause that contains a unit."""

    DEFINE = auto()
    ACTION = auto()
    PROCEDURE = auto()
    TEST = auto()
    VALUE = auto()


@attrs.define
class Unit:
    """Clause body under check: its slots, and the names visible at this point.

    `has_actor` is false in a definition. `names` maps each visible name to its meaning:
    a variable, or a named value of a definition. `excluded_slot` is the slot of the
    player that `another player's` excludes. `broken` contains the variables declared in
    lines with errors, `conditional_names` the names that only conditions bind.
    """

    world: SymbolTable
    clause: str
    sort: UnitSort
    has_actor: bool = True
    excluded_slot: int | None = None
    slots: list[str] = attrs.Factory(lambda: ["you"])
    names: dict[str, m.Expr] = attrs.Factory(dict)
    steps: list[str] = attrs.Factory(list)
    broken: set[str] = attrs.Factory(set)
    conditional_names: frozenset[str] = frozenset()

    def declare(self, name: str, type_: Type) -> int:
        """Declare a variable in a new slot; return the slot."""
        slot = self.new_unnamed_slot(name)
        self.names[name] = m.variable(slot, name, type_)
        return slot

    def new_unnamed_slot(self, name: str) -> int:
        """Return a new slot that no name refers to; *name* only describes it."""
        self.slots.append(name)
        return len(self.slots) - 1

    @contextmanager
    def block(self) -> Iterator[None]:
        """Remove the names declared in the `with` block when it ends."""
        before = dict(self.names)
        try:
            yield
        finally:
            self.names = before

    @contextmanager
    def mark_condition_names(self, names: Iterable[str]) -> Iterator[None]:
        """Mark *names* as bound only by a condition during the `with` block."""
        before = self.conditional_names
        self.conditional_names = before.union(names)
        try:
            yield
        finally:
            self.conditional_names = before

    @property
    def event_name(self) -> str:
        """Name of a chance event here: that of the innermost step, or of the clause."""
        return self.steps[-1] if self.steps else Address.parse(self.clause).last_word

    def local(self, name: str, span: Span) -> m.Expr:
        """Return the meaning of a visible name, with the span of its use."""
        return attrs.evolve(self.names[name], span=span)


def bind_parameters(
    unit: Unit, parameters: tuple[tuple[str, Type], ...]
) -> tuple[m.Parameter, ...]:
    """Declare parameters in order; return them with their slots."""
    return tuple(
        m.Parameter(slot=unit.declare(name, type_), name=name, type=type_)
        for name, type_ in parameters
    )
