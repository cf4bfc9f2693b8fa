"""Offers: actions that the rules offer at a decision, with prices, legal or not."""

from collections.abc import Iterator, Mapping
from functools import lru_cache
from itertools import islice, product
from math import prod
from typing import Any

from interpreter import Game
from rulebook import Rulebook
from rulebook.model import (
    Action,
    Bag,
    ColumnValue,
    Member,
    RequirementSort,
    Truth,
    Type,
    Whole,
)
from rulebook.tooling import Effects, effects_within, find

MAX_INSTANCES = 4096
"""Maximum number of argument combinations of an action that are checked."""
NOT_OFFERED_KEYS = frozenset({"not_now", "only_in", "unknown_action", "another_turn"})
"""Keys of explanations for actions that are not offered at all."""


@lru_cache(maxsize=64)
def ending_actions(book: Rulebook) -> frozenset[str]:
    """Return the actions that end a turn, a phase or a series of offers."""
    return frozenset(filter(None, (effects.until for effects in _effects(book))))


def _effects(book: Rulebook) -> Iterator[Effects]:
    return effects_within(book.model.procedures, book.model.actions)


@lru_cache(maxsize=512)
def offers_in_clause(book: Rulebook, clause: str) -> Mapping[str, bool]:
    """Return the actions offered in a clause, and whether all their offers are free."""
    unit = book.model.procedures.get(clause) or book.model.actions.get(clause)
    free: dict[str, bool] = {}
    for effects in effects_within(unit):
        for offer in effects.offers:
            free[offer.action] = offer.free and free.get(offer.action, True)
    return free


def current_offers(book: Rulebook, view: Mapping[str, Any]) -> Mapping[str, bool]:
    """Return the actions offered at the current decision of a view, legal or not.

    The value of an action is true if it is free of charge in every offer.
    """
    pending = view.get("pending")
    return offers_in_clause(book, pending[-1]["clause"]) if pending else {}


@lru_cache(maxsize=4096)
def card_price(book: Rulebook, action: str, card: str) -> tuple[tuple[str, int], ...]:
    """Return the cost of an action with *card* as its argument.

    The result consists of (card, count) pairs. It is empty without such a cost.
    """
    definition = book.model.actions.get(action)
    for requirement in definition.requirements if definition else ():
        if requirement.sort is not RequirementSort.PAYS:
            continue
        for column_value in find(requirement.bag, ColumnValue):
            domain = book.model.domains[column_value.domain]
            column = domain.columns[column_value.column]
            if card in domain.members and isinstance(column.type, Bag):
                members = book.model.domains[column.type.domain].members
                values = column.values[domain.members.index(card)]
                pairs = zip(members, values, strict=True)
                return tuple(pair for pair in pairs if pair[1])
    return ()


def action_instances(game: Game, action: Action) -> Iterator[str]:
    """Yield the texts of an action with possible arguments, up to `MAX_INSTANCES`."""
    for arguments in islice(product(*_arguments(game, action)), MAX_INSTANCES):
        yield f"{action.name}({', '.join(arguments)})" if arguments else action.name


def count_instances(game: Game, action: Action) -> int:
    """Return the number of all argument combinations of an action."""
    return prod(len(values) for values in _arguments(game, action))


def _arguments(game: Game, action: Action) -> list[tuple[str, ...]]:
    """Return the texts of the possible values of each parameter of an action."""
    return [
        tuple(parameter_values(game, parameter.type))
        for parameter in action.parameters
        if isinstance(parameter.type, Member | Truth | Whole)
    ]


def parameter_values(game: Game, kind: Type) -> Iterator[str]:
    """Yield the texts of all values of a parameter's type."""
    match kind:
        case Whole(low=low, high=high):
            yield from map(str, range(low, high + 1))
        case Truth():
            yield from ("no", "yes")
        case Member(domain=name):
            domain: Any = game.book.model.domains[name]
            if domain.members[:1] and domain.members[0] in game.book.seats:
                yield from game.seats
            elif domain.each_player:
                for seat in game.seats:
                    yield from (f"{seat}_{member}" for member in domain.members)
            else:
                yield from domain.members
