"""Cards on the table, as plain data for a page: rows, stacks and what seats laid out.

A game without a board shows all its cards there. Beside a board, only cards of a kind
that does not pay, which belong to no seat, are shown.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Any

import attrs

from interpreter import Game
from rulebook import Rulebook
from rulebook.model import Bag, DomainSort, Field, Member, Stack
from rulebook.tooling import counted_limit
from workbench.presentation.localization.localizer import Localizer
from workbench.presentation.narration.momentary_fields import hidden_fields
from workbench.web.views.cards.faces import card_face, currencies
from workbench.web.views.symbols import seat_symbols

MAX_FACES = 24
"""Maximum number of different cards that are drawn with faces in one row."""


@attrs.frozen
class CardRow:
    """Cards in one place: faces from the top, and the number of cards face down."""

    faces: Mapping[str, int]
    face_down: int

    @property
    def count(self) -> int:
        """Number of all cards."""
        return sum(self.faces.values()) + self.face_down


def row_of(value: Any, members: Collection[str] = ()) -> CardRow:
    """Return the cards in the visible value of a field, of a kind with these members.

    The members of an open bag are always complete, so that a card named `count` is not
    the number of hidden cards.
    """
    if isinstance(value, dict) and value.keys() == set(members):
        return CardRow(_counted((), value), 0)
    match value:
        case None:
            return CardRow({}, 0)
        case str(card):
            return CardRow({card: 1}, 0)
        case {"known": [*known], "pool": pool}:
            cards = [each["card"] if isinstance(each, dict) else each for each in known]
            return CardRow(_counted(cards, pool), 0)
        case {"count": int(count)}:
            faces = _counted(value.get("known", ()), {})
            return CardRow(faces, count - sum(faces.values()))
        case _:
            return CardRow(_counted((), value), 0)


def _counted(cards: Iterable[str | None], more: Mapping[str, int]) -> dict[str, int]:
    """Return the numbers of known cards, from the top, and of more cards."""
    counts = Counter(filter(None, cards))
    counts.update({card: number for card, number in more.items() if number})
    return dict(counts)


def tableaus(
    game: Game,
    seat: str | None,
    view: Mapping[str, Any],
    localizer: Localizer,
    *,
    has_board: bool,
) -> list[dict[str, Any]]:
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
    drawn = [row for row in common if row and (row["cards"] or not has_board)]
    drawn.sort(key=lambda row: not any(card["columns"] for card in row["cards"]))
    groups: list[dict[str, Any]] = [{"title": "", "sign": None, "rows": drawn}]
    for other in game.seats if not has_board else ():
        values = view.get("player", {}).get(other, {})
        rows = [
            _row(book, field, values[field.name], localizer)
            for field in fields
            if field.home == DomainSort.PLAYER and field.name in values
            if other != seat or isinstance(field.type, Member)
        ]
        sign = seat_symbols(book, game.seats, localizer.language)[other]
        groups.append(
            {
                "title": localizer.title(other),
                "sign": sign,
                "rows": [row for row in rows if row and row["cards"]],
            }
        )
    return [group for group in groups if group["rows"]]


def card_fields(book: Rulebook, *, with_currencies: bool) -> Iterator[Field]:
    """Yield the fields that hold cards: bags, stacks and single cards."""
    for field in book.model.fields.values():
        if field.is_pair or counted_limit(field.name) is not None or field.piece:
            continue
        match field.type:
            case Bag(domain=domain) | Stack(domain=domain):
                is_card = True
            case Member(domain=domain):
                is_card = book.model.domains[domain].sort is DomainSort.CARDS
            case _:
                continue
        if is_card and (with_currencies or domain not in currencies(book)):
            yield field


def _row(
    book: Rulebook, field: Field, value: Any, localizer: Localizer
) -> dict[str, Any] | None:
    """Return a row of cards, or None if it is empty."""
    if value == "endless":
        return None
    domain = field.type.domain if isinstance(field.type, Bag) else None
    row = row_of(value, book.model.domains[domain].members if domain else ())
    if not row.count:
        return None
    pays = getattr(field.type, "domain", None) in currencies(book)
    is_long = len(row.faces) > MAX_FACES
    return {
        "field": field.name,
        "title": localizer.field(field.home, field.name),
        "count": row.count,
        "is_single": isinstance(field.type, Member),
        "face_down": row.count if is_long else row.face_down,
        "cards": []
        if is_long
        else [
            card_face(book, card, number, localizer, is_currency=pays)
            for card, number in row.faces.items()
        ],
    }
