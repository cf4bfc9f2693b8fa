"""Faces of cards: title, number, text and printed columns."""

from collections.abc import Iterator, Mapping
from functools import lru_cache

import attrs

from rulebook import Address, Rulebook
from rulebook.model import Bag, RequirementSort, is_constant
from workbench.presentation.localization.localizer import Localizer


@attrs.frozen
class FaceColumn:
    """Title and text of a column on a face, with the cards in it if it has some."""

    title: str
    text: str
    amounts: Mapping[str, int]


@attrs.frozen
class Face:
    """Face of a card, with the number of its copies.

    `face_title` is the title on a face that shows the columns as well. Currencies have
    no columns. `is_counted` is false for one copy of a card that exists only once.
    """

    card: str
    title: str
    face_title: str
    count: int
    is_counted: bool
    is_currency: bool
    text: str
    columns: tuple[FaceColumn, ...]


def face_of(
    book: Rulebook, card: str, count: int, localizer: Localizer, *, is_currency: bool
) -> Face:
    """Return the face of a card and its count."""
    columns = () if is_currency else _printed_columns(card, localizer)
    return Face(
        card=card,
        title=localizer.value(card),
        face_title=localizer.face_title(card),
        count=count,
        is_counted=count != 1 or card not in localizer.unique_cards,
        is_currency=is_currency,
        text=_card_text(book, card, localizer),
        columns=tuple(columns),
    )


def _card_text(book: Rulebook, card: str, localizer: Localizer) -> str:
    """Return the text printed on a card."""
    clause = book.clauses.get(str(Address("card", card)))
    text = getattr(clause and clause.node, "text", None)
    return localizer.sentence(f"card.{card}", text) if text else ""


def _printed_columns(card: str, localizer: Localizer) -> Iterator[FaceColumn]:
    """Yield the columns of a card, without a text that is the title of the card."""
    for column, value in localizer.printed_columns(card):
        if localizer.value_text(value) == localizer.value(card):
            continue
        yield FaceColumn(
            localizer.short_title(column),
            "" if value is True else localizer.value_text(value),
            value if isinstance(value, Mapping) else {},
        )


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
