"""The addresses of clauses and of what is made of them: read and written here alone.

`action.build`, `define.reach(player,space)`, `setup`, `before each round`,
`player.level`, `scenario "Two pay"`; and of the procedures of a model `turn.main`,
`card.gift`, `award.largest.gained`.
"""

from __future__ import annotations

import attrs

PHASE = "turn"
CARD = "card"
AWARD = "award"
RULE = "rule"
LIMIT = "limit"
ACTION = "action"
DEFINE = "define"

LOOK = "look"
EACH = "each"
"""What amendments name that has no address: all hints of a thing, a kind's fields."""

TESTS = frozenset({"scenario", "invariant"})
"""Sorts of clauses that are tests; they are called by a title."""


@attrs.frozen
class Address:
    """What a clause is called by: its sort, its name, and the way further in.

    `sort` is the first word, of a field its owner. `shape` are the kinds of a
    definition's parameters, which tell those of one name apart.
    """

    sort: str
    name: str = ""
    path: tuple[str, ...] = ()
    shape: str | None = None

    @classmethod
    def parse(cls, text: str) -> Address:
        """Return the address that is written so."""
        sort, quote, title = text.partition(' "')
        if quote:
            return cls(sort, title.removesuffix('"'))
        plain, bracket, shape = text.partition("(")
        sort, _, called = plain.partition(".")
        within = cls.within(sort, called)
        return (
            attrs.evolve(within, shape=shape.removesuffix(")")) if bracket else within
        )

    @classmethod
    def within(cls, sort: str, called: str) -> Address:
        """Return the address of a sort that is called so, with dots further in."""
        name, *path = called.split(".")
        return cls(sort, name, tuple(path))

    @property
    def short(self) -> Address:
        """The address as people write it, without the kinds of a definition."""
        return self if self.shape is None else Address(self.sort, self.name, self.path)

    @property
    def called(self) -> str:
        """What it is called beside its sort: nothing, where there is one of it."""
        return ".".join(filter(None, (self.name, *self.path)))

    @property
    def last(self) -> str:
        """The last word."""
        return self.path[-1] if self.path else self.name or self.sort

    @property
    def spoken(self) -> str:
        """The address in words: `action build`."""
        short = self.short
        if short.sort in TESTS:
            return str(short)
        return " ".join(filter(None, (short.sort, short.name, *short.path)))

    @property
    def is_phase(self) -> bool:
        """Whether it is a phase of the turn, as a clause."""
        return self.sort == "phase"

    @property
    def is_test(self) -> bool:
        """Whether it is a scenario or an invariant."""
        return self.sort in TESTS

    def __str__(self) -> str:
        if self.sort in TESTS:
            return f'{self.sort} "{self.name}"'
        shape = "" if self.shape is None else f"({self.shape})"
        return ".".join(filter(None, (self.sort, self.name, *self.path))) + shape


def phase_unit(phase: str) -> str:
    """Return the name of the procedure that a phase of the turn is."""
    return str(Address(PHASE, phase))


def phase_of(unit: str) -> str | None:
    """Return the phase that a procedure is, by its name; None: it is none."""
    address = Address.parse(unit)
    return address.name if address.sort == PHASE else None


def card_unit(card: str) -> str:
    """Return the name of the procedure that the text of a card is."""
    return str(Address(CARD, card))


def limit_field(limit: str) -> str:
    """Return the name of the field of each player that counts for a limit."""
    return str(Address(LIMIT, limit))


def limit_of(field: str) -> str | None:
    """Return the limit for which a field counts, by its name; None: for none."""
    address = Address.parse(field)
    return address.called if address.sort == LIMIT and address.name else None


def sort_of(text: str) -> str:
    """Return the sort of what is written as an address."""
    return Address.parse(text).sort
