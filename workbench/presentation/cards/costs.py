"""Costs of actions, and what a seat lacks for them."""

from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Any

import attrs

from interpreter import Game
from rulebook import Rulebook
from rulebook.model import Bag, Const, RequirementSort, is_constant
from workbench.presentation.cards.hand import is_visible_bag


@attrs.frozen
class Cost:
    """Fixed price of an action, and the cards in the bag that pays.

    `holding` is None if no visible bag of the seat contains the cards of the price.
    """

    action: str
    price: tuple[tuple[str, int], ...]
    holding: Mapping[str, int] | None

    @property
    def missing(self) -> dict[str, int]:
        """Cards that the seat lacks."""
        held = dict(self.price) if self.holding is None else self.holding
        return {card: n - held[card] for card, n in self.price if held[card] < n}

    @property
    def is_affordable(self) -> bool:
        """True if the seat has all cards of the price."""
        return self.holding is not None and not self.missing


def costs_of(game: Game, seat: str | None, view: Mapping[str, Any]) -> Iterator[Cost]:
    """Yield the cost of each action with a fixed price, for a seat."""
    holdings = view.get("player", {}).get(seat, {})
    for name in game.book.model.actions:
        price = fixed_price(game.book, name)
        if price:
            members = game.book.model.domains[_paid_kind(game.book, name)].members
            bags = (bag for bag in holdings.values() if is_visible_bag(bag, members))
            yield Cost(name, price, next(bags, None))


@lru_cache(maxsize=512)
def fixed_price(book: Rulebook, action: str) -> tuple[tuple[str, int], ...]:
    """Return the fixed cost of an action as (card, count) pairs, or an empty tuple."""
    bag = _constant_price(book, action)
    if bag is None:
        return ()
    members = book.model.domains[_paid_kind(book, action)].members
    return tuple(pair for pair in zip(members, bag.value, strict=True) if pair[1])


def _paid_kind(book: Rulebook, action: str) -> str:
    """Return the kind of the cards that an action with a fixed price costs."""
    bag = _constant_price(book, action)
    assert bag is not None and isinstance(bag.type, Bag)
    return bag.type.domain


def _constant_price(book: Rulebook, action: str) -> Const | None:
    """Return the fixed price of an action, or None without one."""
    definition = book.model.actions.get(action)
    needs = definition.requirements if definition else ()
    prices = (need.bag for need in needs if need.sort is RequirementSort.PAYS)
    return next((price for price in prices if is_constant(price)), None)
