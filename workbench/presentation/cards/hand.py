"""Hand of a seat: its cards by field, and its other values."""

from collections.abc import Collection, Mapping
from typing import Any

import attrs

from interpreter import Game
from rulebook import Rulebook
from rulebook.model import Bag, DomainSort
from rulebook.tooling import counted_limit
from workbench.presentation.cards.faces import currencies, face_of
from workbench.presentation.cards.rows import CardGroup
from workbench.presentation.localization.localizer import Localizer
from workbench.presentation.narration.momentary_fields import (
    hidden_fields,
    name_only_bags,
)
from workbench.presentation.picture.scene import field_text

SMALL_CURRENCY_SIZE = 10
"""Maximum number of kinds of cards in a currency that is listed with zero counts."""


@attrs.frozen
class Hand:
    """Cards of a seat, grouped by field, and the titles and texts of other values."""

    groups: tuple[CardGroup, ...]
    facts: tuple[tuple[str, str], ...]


def hand_of(
    game: Game, seat: str, view: Mapping[str, Any], localizer: Localizer
) -> Hand:
    """Return the hand of a seat in a view."""
    book, values = game.book, view.get("player", {}).get(seat, {})
    hidden = hidden_fields(book, view)
    groups, facts = [], []
    for field in book.model.fields.values():
        if not field.each_player or field.name not in values or field.name in hidden:
            continue
        value = values[field.name]
        if counted_limit(field.name) is not None:
            continue
        if isinstance(field.type, Bag) and is_visible_bag(
            value, book.model.domains[field.type.domain].members
        ):
            group = _card_group(book, field.name, field.type.domain, value, localizer)
            if group.faces:
                groups.append(group)
        elif text := field_text(value, localizer):
            facts.append((localizer.field(field.home, field.name), text))
    return Hand(tuple(groups), tuple(facts))


def is_visible_bag(value: Any, members: Collection[str]) -> bool:
    """Return whether a value is a bag of these members whose cards are visible.

    A card may be named `count`, as the number of hidden cards is.
    """
    return isinstance(value, Mapping) and value.keys() == set(members)


def _card_group(
    book: Rulebook,
    name: str,
    domain: str,
    value: Mapping[str, int],
    localizer: Localizer,
) -> CardGroup:
    """Return the cards in one field of a seat."""
    is_currency = domain in currencies(book) and name not in name_only_bags(book)
    lists_zero = is_currency and len(value) <= SMALL_CURRENCY_SIZE
    faces = tuple(
        face_of(book, card, count, localizer, is_currency=is_currency)
        for card, count in value.items()
        if count or lists_zero
    )
    title = localizer.field(DomainSort.PLAYER, name)
    return CardGroup(name, title, sum(value.values()), faces)
