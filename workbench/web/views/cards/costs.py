"""Costs of actions, as plain data for a page."""

from collections.abc import Iterator, Mapping
from typing import Any

from interpreter import Game
from workbench.presentation.cards.costs import costs_of
from workbench.presentation.localization.localizer import Localizer, is_worth_showing
from workbench.web.views.choices import action_title
from workbench.web.views.symbols import card_symbol

MAX_CHIPS = 6
"""Maximum number of chips drawn for one card in a cost."""


def cost_rows(
    game: Game, seat: str | None, view: Mapping[str, Any], localizer: Localizer
) -> Iterator[dict[str, Any]]:
    """Yield the cost of each action with a fixed price, and what the seat lacks."""
    for cost in costs_of(game, seat, view):
        held = dict(cost.price) if cost.holding is None else cost.holding
        chips = [
            {
                "sign": card_symbol(game.book, card, localizer.language),
                "missing": number >= held[card],
            }
            for card, count in cost.price
            for number in range(min(count, MAX_CHIPS))
        ]
        yield {
            "action": cost.action,
            "title": action_title(cost.action, localizer),
            "text": localizer.holding_text(dict(cost.price)),
            "is_affordable": cost.is_affordable,
            "chips": chips,
            "lacks": localizer.holding_text(cost.missing)
            if is_worth_showing(cost.missing)
            else "",
        }
