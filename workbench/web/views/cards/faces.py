"""Faces of cards as plain data, with the symbols of their cards."""

from collections.abc import Iterable
from typing import Any

from rulebook import Rulebook
from workbench.presentation.cards.faces import Face, face_of
from workbench.presentation.cards.rows import CardGroup
from workbench.presentation.localization.localizer import Localizer
from workbench.web.views.symbols import card_symbol


def group_data(book: Rulebook, group: CardGroup, language: str) -> dict[str, Any]:
    """Return a group of cards as plain data."""
    return {
        "field": group.field,
        "title": group.title,
        "count": group.count,
        "is_single": group.is_single,
        "face_down": group.face_down,
        "cards": [_face_data(book, face, language) for face in group.faces],
    }


def column_texts(
    book: Rulebook, cards: Iterable[str], localizer: Localizer
) -> dict[str, str]:
    """Return the printed columns as one text for each card that has some."""
    faces = (face_of(book, card, 1, localizer, is_currency=False) for card in cards)
    return {
        face.card: " · ".join(
            f"{column.title} {column.text}".rstrip() for column in face.columns
        )
        for face in faces
        if face.columns
    }


def _face_data(book: Rulebook, face: Face, language: str) -> dict[str, Any]:
    """Return a face as plain data, with a chip for each card in its columns."""
    return {
        "card": face.card,
        "title": face.title,
        "face_title": face.face_title,
        "count": face.count,
        "counted": face.is_counted,
        "pays": face.is_currency,
        "sign": card_symbol(book, face.card, language),
        "text": face.text,
        "columns": [
            {
                "title": column.title,
                "text": column.text,
                "chips": [
                    {"sign": card_symbol(book, name, language), "count": count}
                    for name, count in column.amounts.items()
                    if count
                ],
            }
            for column in face.columns
        ],
    }
