"""The local variables of a unit while its text is checked."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from enum import Enum, auto

import attrs

from rulebook import model as m
from rulebook.addresses import Address
from rulebook.check.declare.symbols import World
from rulebook.model.types import Member, Type
from rulebook.source.spans import Span


class UnitSort(Enum):
    """What a code unit is."""

    DEFINE = auto()
    ACTION = auto()
    PROCEDURE = auto()
    TEST = auto()
    VALUE = auto()


@attrs.define
class Unit:
    """One code unit: its slots, and the names visible where the check stands.

    `you` is false where nobody acts (in a define). `mine` is the slot of the player
    whom `another player's` excludes. `broken` are the variables whose lines have a
    mistake, `asked` the names that only the conditions round this place know.
    """

    world: World
    clause: str
    sort: UnitSort
    you: bool = True
    mine: int | None = None
    slots: list[str] = attrs.Factory(lambda: ["you"])
    names: dict[str, tuple[int, Type]] = attrs.Factory(dict)
    steps: list[str] = attrs.Factory(list)
    broken: set[str] = attrs.Factory(set)
    asked: frozenset[str] = frozenset()

    def declare(self, name: str, type_: Type) -> int:
        """Bind a name to a new slot and return the slot."""
        slot = self.spare(name)
        self.names[name] = (slot, type_)
        return slot

    def spare(self, name: str) -> int:
        """Return a new slot that no name here means."""
        self.slots.append(name)
        return len(self.slots) - 1

    @contextmanager
    def block(self) -> Iterator[None]:
        """Forget the names declared inside at the end."""
        before = dict(self.names)
        try:
            yield
        finally:
            self.names = before

    @contextmanager
    def asked_of(self, names: Iterable[str]) -> Iterator[None]:
        """Remember names of a condition while what it governs is checked."""
        before = self.asked
        self.asked = before.union(names)
        try:
            yield
        finally:
            self.asked = before

    @property
    def event(self) -> str:
        """The name of a chance event here: the innermost step, else the clause."""
        return self.steps[-1] if self.steps else Address.parse(self.clause).last

    def local(self, name: str, span: Span) -> m.Local:
        """Return the variable of a name that is bound."""
        slot, type_ = self.names[name]
        return m.Local(slot=slot, name=name, type=type_, span=span)

    def you_value(self, span: Span) -> m.Local:
        """Return `you`."""
        return m.Local(slot=m.YOU, name="you", type=Member("player"), span=span)


def parameters(
    unit: Unit, given: tuple[tuple[str, Type], ...]
) -> tuple[m.Parameter, ...]:
    """Bind parameters in order and return them with their slots."""
    return tuple(
        m.Parameter(slot=unit.declare(name, type_), name=name, type=type_)
        for name, type_ in given
    )
