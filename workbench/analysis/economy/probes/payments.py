"""Means of payment: cards of a player, or what a definition counts as payable."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import Any

import attrs

from interpreter import Game
from rulebook import model as m
from rulebook.signatures import effects_within
from rulebook.tooling import rewrite
from workbench.analysis.economy.probes.queries import is_true, member_constant

Plain = dict[str, Any]
MAX_COUNTED_CARDS = 99
"""Maximum number of cards of a kind that is tried as a payment."""


@attrs.frozen(slots=False)
class Payments:
    """Means of payment in a game.

    `field` is the players' field that pays, or None if a definition determines what is
    payable. `requirement` is the payment requirement of an action, with its variables
    `slots`. `store` is the game's field that receives paid cards.
    """

    model: m.Model
    domain: str
    requirement: m.Requirement
    slots: tuple[str, ...]
    field: str | None
    store: str | None

    @classmethod
    def of_model(cls, model: m.Model) -> Payments | None:
        """Return the means of payment of a model, or None if no action has a cost."""
        for action in model.actions.values():
            for requirement in action.requirements:
                if requirement.sort is m.RequirementSort.PAYS:
                    return cls._from_requirement(model, action, requirement)
        return None

    @classmethod
    def _from_requirement(
        cls, model: m.Model, action: m.Action, requirement: m.Requirement
    ) -> Payments:
        """Return the means of payment that a payment requirement uses."""
        assert requirement.bag is not None and isinstance(requirement.bag.type, m.Bag)
        domain = requirement.bag.type.domain
        holder, field, store = requirement.holder, None, None
        if m.is_field(holder) and holder.field in model.fields:
            held_field = model.fields[holder.field]
            if held_field.each_player and isinstance(held_field.type, m.Bag):
                field = held_field.name
                store = next(_payment_stores(model, action, domain), None)
        return cls(model, domain, requirement, action.slots, field, store)

    @cached_property
    def kinds(self) -> tuple[str, ...]:
        """Kinds of cards that can pay."""
        return self.model.domains[self.domain].members

    def counts_by_name(self, bag: tuple[int, ...]) -> dict[str, int]:
        """Return the counts in a bag by name of the card, without zeros."""
        pairs = zip(self.kinds, bag, strict=True)
        return {kind: count for kind, count in pairs if count}

    def payable_cards(self, game: Game, seat: str) -> dict[str, int]:
        """Return how many cards of each kind a seat can pay, by asking the engine."""
        assert self.requirement.bag is not None
        return {kind: self._payable_count(game, seat, kind) for kind in self.kinds}

    def _payable_count(self, game: Game, seat: str, kind: str) -> int:
        """Return how many cards of a kind a seat can pay."""
        count = 0
        while count < MAX_COUNTED_CARDS and self._can_pay(game, seat, kind, count + 1):
            count += 1
        return count

    def _can_pay(self, game: Game, seat: str, kind: str, count: int) -> bool:
        """Return whether a seat can pay *count* cards of a kind."""
        bag = tuple(count * (other == kind) for other in self.kinds)
        condition = _with_price(self.requirement, m.constant(bag, m.Bag(self.domain)))
        you = member_constant("player", game.seats.index(seat))
        return is_true(game, condition, self.slots, {m.YOU: you})

    def return_all_cards(self, position: Plain) -> None:
        """Move all payable cards of players to the store, in place."""
        if self.field is None:
            return
        for fields in position["player"].values():
            for kind, count in fields[self.field].items():
                self._return_cards(position, kind, count)
                fields[self.field][kind] = 0

    def give_cards(self, position: Plain, seat: str, cards: Mapping[str, int]) -> None:
        """Give a seat cards, limited by the supply; change *position* in place."""
        if self.field is None:
            return
        bag = position["player"][seat][self.field]
        for kind, count in cards.items():
            bag[kind] += self._take_from_supply(position, kind, count)

    def _return_cards(self, position: Plain, kind: str, count: int) -> None:
        if self.store is not None and kind in position["game"].get(self.store, {}):
            position["game"][self.store][kind] += count

    def _take_from_supply(self, position: Plain, kind: str, count: int) -> int:
        """Take up to *count* cards of a kind from the supply; return how many."""
        if self.store is None or kind not in position["game"].get(self.store, {}):
            return count
        supply = position["game"][self.store]
        taken = min(count, supply[kind])
        supply[kind] -= taken
        return int(taken)


def _payment_stores(model: m.Model, action: m.Action, domain: str) -> Iterator[str]:
    """Yield the bags of the game to which an action moves its payment."""
    moves = [effects.cards for effects in effects_within(action.body)]
    for destination in [moved.destination for moved in moves if moved and moved.bag]:
        if m.is_field(destination) and destination.owner is None:
            field = model.fields[destination.field]
            if field.type == m.Bag(domain) and not field.endless:
                yield field.name


def _with_price(requirement: m.Requirement, price: m.Expr) -> m.Expr:
    """Return the condition of a payment requirement with another price."""
    return rewrite(  # type: ignore[no-any-return]
        requirement.condition, lambda node: price if node == requirement.bag else node
    )
