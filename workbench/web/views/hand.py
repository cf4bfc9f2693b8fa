"""Hand of a seat and costs of actions, as plain data for a page."""

from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Any

from interpreter import Game
from rulebook import Address, Rulebook
from rulebook.model import Bag, DomainSort, RequirementSort, is_constant
from rulebook.tooling import counted_limit
from workbench.presentation.localization.localizer import Localizer, is_worth_showing
from workbench.presentation.narration.momentary_fields import (
    hidden_fields,
    name_only_bags,
)
from workbench.presentation.picture.scene import field_text
from workbench.web.views.choices import action_title
from workbench.web.views.offers import fixed_price
from workbench.web.views.symbols import card_symbol

MAX_CHIPS = 6
"""Maximum number of chips drawn for one card in a cost."""
SMALL_CURRENCY_SIZE = 10
"""Maximum number of kinds of cards in a currency that is listed with zero counts."""


def hand_data(
    game: Game, seat: str, view: Mapping[str, Any], localizer: Localizer
) -> dict[str, Any]:
    """Return the cards of a seat, grouped by field, and its other values."""
    book, values = game.book, view.get("player", {}).get(seat, {})
    hidden = hidden_fields(book, view)
    groups, facts = [], []
    for field in book.model.fields.values():
        if not field.each_player or field.name not in values or field.name in hidden:
            continue
        value = values[field.name]
        if counted_limit(field.name) is not None:
            continue
        if isinstance(field.type, Bag) and _is_visible_bag(value):
            group = _card_group(book, field.name, field.type.domain, value, localizer)
            if group["cards"]:
                groups.append(group)
        elif text := field_text(value, localizer):
            facts.append(
                {"title": localizer.field(field.home, field.name), "text": text}
            )
    return {"groups": groups, "facts": facts}


def _is_visible_bag(value: Any) -> bool:
    """Return whether a value is a bag whose cards are visible."""
    return isinstance(value, Mapping) and all(type(n) is int for n in value.values())


def _card_group(
    book: Rulebook,
    name: str,
    domain: str,
    value: Mapping[str, int],
    localizer: Localizer,
) -> dict[str, Any]:
    """Return the cards in one field of a seat."""
    is_currency = domain in currencies(book) and name not in name_only_bags(book)
    lists_zero = (
        is_currency and len(value) <= SMALL_CURRENCY_SIZE and "count" not in value
    )
    cards = [
        {
            "card": card,
            "title": localizer.value(card),
            "count": count,
            "pays": is_currency,
        }
        | {
            "sign": card_symbol(book, card, localizer.language),
            "text": _card_text(book, card, localizer),
        }
        for card, count in value.items()
        if card != "count" and (count or lists_zero)
    ]
    title = localizer.field(DomainSort.PLAYER, name)
    return {"title": title, "count": sum(value.values()), "cards": cards}


def _card_text(book: Rulebook, card: str, localizer: Localizer) -> str:
    """Return the text printed on a card."""
    clause = book.clauses.get(str(Address("card", card)))
    text = getattr(clause and clause.node, "text", None)
    return localizer.sentence(f"card.{card}", text) if text else ""


@lru_cache(maxsize=64)
def currencies(book: Rulebook) -> frozenset[str]:
    """Return the domains whose cards pay for actions."""
    return frozenset(
        requirement.bag.type.domain
        for action in book.model.actions.values()
        for requirement in action.requirements
        if requirement.sort is RequirementSort.PAYS and is_constant(requirement.bag)
        if isinstance(requirement.bag.type, Bag)
    )


def cost_rows(
    game: Game, seat: str | None, view: Mapping[str, Any], localizer: Localizer
) -> Iterator[dict[str, Any]]:
    """Yield the cost of each action with a fixed price, and what the seat lacks."""
    book = game.book
    holdings = view.get("player", {}).get(seat, {})
    for name in book.model.actions:
        paid = fixed_price(book, name)
        if not paid:
            continue
        paying_bag = next(
            (bag for bag in holdings.values() if _lists_all_cards(bag, paid)), None
        )
        chips = [
            {
                "sign": card_symbol(book, card, localizer.language),
                "missing": number >= available,
            }
            for card, count in paid
            for available in [count if paying_bag is None else paying_bag[card]]
            for number in range(min(count, MAX_CHIPS))
        ]
        missing_cards = {
            c: n - paying_bag[c]
            for c, n in paid
            if paying_bag is not None and paying_bag[c] < n
        }
        yield {
            "action": name,
            "title": action_title(name, localizer),
            "text": localizer.holding_text(dict(paid)),
            "chips": chips,
            "lacks": localizer.holding_text(missing_cards)
            if is_worth_showing(missing_cards)
            else "",
        }


def _lists_all_cards(bag: Any, price: tuple[tuple[str, int], ...]) -> bool:
    """Return whether a visible bag has a count for each card of a price."""
    return _is_visible_bag(bag) and all(card in bag for card, _ in price)
