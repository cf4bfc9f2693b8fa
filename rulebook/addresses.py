"""Addresses of clauses, such as `action.build`, and of the model parts made from them.

Examples are `define.reach(player,space)`, `setup`, `before each round`, `player.level`
and `scenario "Two pay"`. The procedures of a model have addresses such as `turn.main`,
`card.gift` and `award.largest.gained`. No other module parses or writes them.
"""

from __future__ import annotations

from functools import lru_cache

import attrs

PHASE = "turn"
CARD = "card"
AWARD = "award"
RULE = "rule"
LIMIT = "limit"
ACTION = "action"
DEFINE = "define"

LOOK = "look"
EACH_SORT = "each"
"""Sort of the amendment `in each OWNER`, which edits the fields of the owners."""

CHOICE_PREFIX = "choose_"
"""Prefix that turns a variable's name into the name of the action that chooses it."""

LEFT_SUFFIX = "_left"
"""Suffix that turns a piece's name into the name of the number left in supply."""

TEST_SORTS = frozenset({"scenario", "invariant"})
"""Sorts of test clauses, which have a title instead of a name."""


@attrs.frozen
class Address:
    """Address of a clause: its sort, its name, and the path to a part of it.

    `sort` is the first word; for a field it is the owner. `parameter_kinds` contains
    the kinds of a definition's parameters, which distinguish definitions with the same
    name.
    """

    sort: str
    name: str = ""
    path: tuple[str, ...] = ()
    parameter_kinds: str | None = None

    @classmethod
    def parse(cls, text: str) -> Address:
        """Return the address with this text, such as `action.build`."""
        sort, quote, title = text.partition(' "')
        if quote:
            return cls(sort, title.removesuffix('"'))
        plain, bracket, shape = text.partition("(")
        sort, _, dotted_name = plain.partition(".")
        within = cls.of_clause(sort, dotted_name)
        return (
            attrs.evolve(within, parameter_kinds=shape.removesuffix(")"))
            if bracket
            else within
        )

    @classmethod
    def of_clause(cls, sort: str, dotted_name: str) -> Address:
        """Return the address for a sort and a name; dots in the name start a path."""
        name, *path = dotted_name.split(".")
        return cls(sort, name, tuple(path))

    @property
    def short(self) -> Address:
        """Address as people write it, without parameter kinds."""
        return (
            self
            if self.parameter_kinds is None
            else Address(self.sort, self.name, self.path)
        )

    @property
    def without_sort(self) -> str:
        """Address without the sort; empty if only one clause of the sort can exist."""
        return ".".join(filter(None, (self.name, *self.path)))

    @property
    def last_word(self) -> str:
        """Last word of the path, or else the name, or else the sort."""
        return self.path[-1] if self.path else self.name or self.sort

    @property
    def description(self) -> str:
        """Address in words, for messages: `action build`."""
        short = self.short
        if short.sort in TEST_SORTS:
            return str(short)
        return " ".join(filter(None, (short.sort, short.name, *short.path)))

    @property
    def is_phase(self) -> bool:
        """True if this is the address of a phase clause."""
        return self.sort == "phase"

    @property
    def is_test(self) -> bool:
        """True if this is the address of a scenario or an invariant."""
        return self.sort in TEST_SORTS

    def __str__(self) -> str:
        if self.sort in TEST_SORTS:
            return f'{self.sort} "{self.name}"'
        shape = "" if self.parameter_kinds is None else f"({self.parameter_kinds})"
        return ".".join(filter(None, (self.sort, self.name, *self.path))) + shape


def phase_unit(phase: str) -> str:
    """Return the name of the procedure that runs a phase."""
    return str(Address(PHASE, phase))


def phase_players_unit(phase: str) -> str:
    """Return the name of the procedure that runs a phase for each of its players."""
    return str(Address(PHASE, phase, ("players",)))


def phase_of(unit: str) -> str | None:
    """Return the phase that a procedure runs, or None for any other procedure."""
    address = Address.parse(unit)
    return address.name if address.sort == PHASE else None


def text_name(unit: str) -> str:
    """Return the name by which texts for players refer to a procedure or action.

    It is the name of the phase or card, if the procedure belongs to one.
    """
    address = Address.parse(unit)
    return address.name if address.sort in (PHASE, CARD) and address.name else unit


def card_unit(card: str) -> str:
    """Return the name of the procedure that carries out a card's text."""
    return str(Address(CARD, card))


def limit_field(limit: str) -> str:
    """Return the name of the player field that counts the uses of a limit."""
    return str(Address(LIMIT, limit))


@lru_cache(maxsize=4096)
def counted_limit(field: str) -> str | None:
    """Return the limit whose uses a field counts, or None for any other field."""
    address = Address.parse(field)
    return address.without_sort if address.sort == LIMIT and address.name else None


def sort_of(text: str) -> str:
    """Return the sort, which is the first word, of the text of an address."""
    return Address.parse(text).sort
