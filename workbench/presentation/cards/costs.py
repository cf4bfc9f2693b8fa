"""Costs of actions, and what a seat lacks for them."""

from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Any

import attrs

from interpreter import Game
from rulebook import Rulebook
from rulebook.model import Bag, RequirementSort, is_constant
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
            bags = (bag for bag in holdings.values() if _lists_all_cards(bag, price))
            yield Cost(name, price, next(bags, None))


def _lists_all_cards(bag: Any, price: tuple[tuple[str, int], ...]) -> bool:
    """Return whether a visible bag has a count for each card of a price."""
    return is_visible_bag(bag) and all(card in bag for card, _ in price)


@lru_cache(maxsize=512)
def fixed_price(book: Rulebook, action: str) -> tuple[tuple[str, int], ...]:
    """Return the fixed cost of an action as (card, count) pairs, or an empty tuple."""
    definition = book.model.actions.get(action)
    for requirement in definition.requirements if definition else ():
        if requirement.sort is RequirementSort.PAYS and is_constant(requirement.bag):
            assert isinstance(requirement.bag.type, Bag)
            members = book.model.domains[requirement.bag.type.domain].members
            pairs = zip(members, requirement.bag.value, strict=True)
            return tuple(pair for pair in pairs if pair[1])
    return ()
