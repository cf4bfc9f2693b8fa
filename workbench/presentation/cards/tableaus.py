"""Cards on the table: rows, stacks and what seats laid out.

A game without a board shows all its cards there. Beside a board, only cards of a kind
that does not pay, which belong to no seat, are shown.
"""

from collections.abc import Mapping
from typing import Any

import attrs

from interpreter import Game
from rulebook import Rulebook
from rulebook.model import Bag, DomainSort, Field, Member
from workbench.presentation.cards.faces import currencies, face_of
from workbench.presentation.cards.rows import CardGroup, card_fields, row_of
from workbench.presentation.localization.localizer import Localizer
from workbench.presentation.narration.momentary_fields import hidden_fields

MAX_FACES = 24
"""Maximum number of different cards that are drawn with faces in one row."""


@attrs.frozen
class Tableau:
    """Rows of cards that a seat laid out, or common ones (None)."""

    seat: str | None
    rows: tuple[CardGroup, ...]


def tableaus_of(
    game: Game,
    seat: str | None,
    view: Mapping[str, Any],
    localizer: Localizer,
    *,
    has_board: bool,
) -> list[Tableau]:
    """Return the rows of cards on the table: first the common ones, then by seat.

    The reader's own cards are left out, because the hand shows them, and so are rows of
    seats, and rows beside a board, without an open card. Cards with columns come first.
    """
    book = game.book
    fields = [
        field
        for field in card_fields(book, with_currencies=not has_board)
        if field.name not in hidden_fields(book, view)
    ]
    common = [
        _row(book, field, view["game"][field.name], localizer)
        for field in fields
        if field.home is None and field.name in view["game"]
    ]
    drawn = [row for row in common if row and (row.faces or not has_board)]
    drawn.sort(key=lambda row: not any(face.columns for face in row.faces))
    tableaus = [Tableau(None, tuple(drawn))]
    for other in game.seats if not has_board else ():
        values = view.get("player", {}).get(other, {})
        rows = [
            _row(book, field, values[field.name], localizer)
            for field in fields
            if field.home == DomainSort.PLAYER and field.name in values
            if other != seat or isinstance(field.type, Member)
        ]
        tableaus.append(Tableau(other, tuple(row for row in rows if row and row.faces)))
    return [tableau for tableau in tableaus if tableau.rows]


def _row(
    book: Rulebook, field: Field, value: Any, localizer: Localizer
) -> CardGroup | None:
    """Return a row of cards, or None if it is empty."""
    if value == "endless":
        return None
    domain = field.type.domain if isinstance(field.type, Bag) else None
    row = row_of(value, book.model.domains[domain].members if domain else ())
    if not row.count:
        return None
    pays = getattr(field.type, "domain", None) in currencies(book)
    is_long = len(row.faces) > MAX_FACES
    faces = (
        face_of(book, card, number, localizer, is_currency=pays)
        for card, number in (() if is_long else row.faces.items())
    )
    return CardGroup(
        field.name,
        localizer.field(field.home, field.name),
        row.count,
        tuple(faces),
        face_down=row.count if is_long else row.face_down,
        is_single=isinstance(field.type, Member),
    )
