"""Costs of actions, as plain data for a page."""

from collections.abc import Iterator, Mapping
from typing import Any

from interpreter import Game
from workbench.presentation.localization.localizer import Localizer, is_worth_showing
from workbench.web.views.cards.faces import is_visible_bag
from workbench.web.views.choices import action_title
from workbench.web.views.offers import fixed_price
from workbench.web.views.symbols import card_symbol

MAX_CHIPS = 6
"""Maximum number of chips drawn for one card in a cost."""


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
            "is_affordable": paying_bag is not None and not missing_cards,
            "chips": chips,
            "lacks": localizer.holding_text(missing_cards)
            if is_worth_showing(missing_cards)
            else "",
        }


def _lists_all_cards(bag: Any, price: tuple[tuple[str, int], ...]) -> bool:
    """Return whether a visible bag has a count for each card of a price."""
    return is_visible_bag(bag) and all(card in bag for card, _ in price)
