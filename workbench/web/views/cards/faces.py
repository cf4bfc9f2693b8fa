"""Faces of cards, as plain data: symbol, title, number, text and printed columns."""

from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Any

from rulebook import Address, Rulebook
from rulebook.model import Bag, RequirementSort, is_constant
from workbench.presentation.localization.localizer import Localizer
from workbench.web.views.symbols import card_symbol


def card_face(
    book: Rulebook, card: str, count: int, localizer: Localizer, *, is_currency: bool
) -> dict[str, Any]:
    """Return the face of a card and its count; currencies have no columns."""
    columns = () if is_currency else _printed_columns(book, card, localizer)
    return {
        "card": card,
        "title": localizer.value(card),
        "face_title": localizer.face_title(card),
        "count": count,
        "counted": count != 1 or card not in localizer.unique_cards,
        "pays": is_currency,
        "sign": card_symbol(book, card, localizer.language),
        "text": _card_text(book, card, localizer),
        "columns": list(columns),
    }


def is_visible_bag(value: Any) -> bool:
    """Return whether a value is a bag whose cards are visible."""
    return isinstance(value, Mapping) and all(type(n) is int for n in value.values())


def _card_text(book: Rulebook, card: str, localizer: Localizer) -> str:
    """Return the text printed on a card."""
    clause = book.clauses.get(str(Address("card", card)))
    text = getattr(clause and clause.node, "text", None)
    return localizer.sentence(f"card.{card}", text) if text else ""


def _printed_columns(
    book: Rulebook, card: str, localizer: Localizer
) -> Iterator[dict[str, Any]]:
    """Yield the title and the text of each column of a card; chips for its cards.

    A text that is the title of the card is left out.
    """
    for column, value in localizer.printed_columns(card):
        if localizer.value_text(value) == localizer.value(card):
            continue
        amounts = value if isinstance(value, Mapping) else {}
        yield {
            "title": localizer.short_title(column),
            "text": "" if value is True else localizer.value_text(value),
            "chips": [
                {"sign": card_symbol(book, name, localizer.language), "count": count}
                for name, count in amounts.items()
                if count
            ],
        }


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
