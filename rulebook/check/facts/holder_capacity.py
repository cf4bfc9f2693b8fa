"""Upper bounds on the number of cards in holders."""

from __future__ import annotations

from rulebook import model as m
from rulebook.check.declare.symbol_table import SymbolTable
from rulebook.check.typing.ranges import range_given_facts
from rulebook.model.limits import HOLDER_MAX
from rulebook.model.value_types import Bag, Member, Stack, Whole
from rulebook.queries.growing_domains import growing_domains


class CardCapacity:
    """Upper bounds on the number of cards of each domain in the game's holders."""

    def __init__(self, world: SymbolTable) -> None:
        assert world.model is not None
        self.world = world
        self.growing = growing_domains(world.model)
        self.totals = dict.fromkeys(world.domains, 0)
        for field in world.fields.values():
            kind = field.type
            if isinstance(kind, Bag | Stack | Member) and not field.endless:
                owners = 1 if field.owner is None else world.member_count(field.owner)
                self.totals[kind.domain] += owners * self.initial_cards(field)

    def initial_cards(self, field: m.Field) -> int:
        """Return the maximum number of cards in a holder at the start of a game."""
        kind = field.type
        assert isinstance(kind, Bag | Stack | Member)
        if isinstance(kind, Member):
            return 1  # a slot, or no place for cards
        if field.start_every:
            return self.total_cards(kind.domain)
        if field.start_each is not None:
            return pregame_maximum(field.start_each) * self.world.member_count(
                kind.domain
            )
        if m.is_constant(field.start):
            return sum(field.start.value)
        return 0

    def total_cards(self, domain: str) -> int:
        """Return the maximum number of cards of a domain; by default one of each."""
        copies = self.world.domains[domain].copies
        return (
            sum(map(pregame_maximum, copies))
            if copies
            else self.world.member_count(domain)
        )

    def max_of_kind(self, domain: str) -> int:
        """Return the maximum number of copies of one card of a domain in a holder."""
        return HOLDER_MAX if domain in self.growing else self.totals[domain]

    def bag_capacity(self, domain: str) -> int:
        """Return the maximum number of cards in a bag for cards of a domain."""
        if domain in self.growing:
            return HOLDER_MAX * self.world.member_count(domain)
        return self.totals[domain]

    def stack_capacity(self, domain: str) -> int:
        """Return the maximum number of cards in a stack for cards of a domain."""
        return HOLDER_MAX if domain in self.growing else self.totals[domain]


def pregame_maximum(value: m.Expr) -> int:
    """Return the maximum of a number fixed before set-up; 0 if it is negative."""
    bounds = (
        range_given_facts(value, ()) if isinstance(value.type, Whole) else Whole(0, 0)
    )
    return max(0, bounds.high)
