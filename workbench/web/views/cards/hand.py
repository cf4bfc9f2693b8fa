"""Hand of a seat, as plain data for a page."""

from collections.abc import Mapping
from typing import Any

from interpreter import Game
from rulebook import Rulebook
from rulebook.model import Bag, DomainSort
from rulebook.tooling import counted_limit
from workbench.presentation.localization.localizer import Localizer
from workbench.presentation.narration.momentary_fields import (
    hidden_fields,
    name_only_bags,
)
from workbench.presentation.picture.scene import field_text
from workbench.web.views.cards.faces import card_face, currencies, is_visible_bag

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
        if isinstance(field.type, Bag) and is_visible_bag(value):
            group = _card_group(book, field.name, field.type.domain, value, localizer)
            if group["cards"]:
                groups.append(group)
        elif text := field_text(value, localizer):
            facts.append(
                {"title": localizer.field(field.home, field.name), "text": text}
            )
    return {"groups": groups, "facts": facts}


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
        card_face(book, card, count, localizer, is_currency=is_currency)
        for card, count in value.items()
        if card != "count" and (count or lists_zero)
    ]
    title = localizer.field(DomainSort.PLAYER, name)
    return {"title": title, "count": sum(value.values()), "cards": cards}
