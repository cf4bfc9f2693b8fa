"""Rows of cards: the cards in one field, as a reader sees them."""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Any

import attrs

from rulebook import Rulebook
from rulebook.model import Bag, DomainSort, Field, Member, Stack
from rulebook.tooling import counted_limit
from workbench.presentation.cards.faces import Face, currencies


@attrs.frozen
class CardGroup:
    """Cards in one field: faces, and the number of all cards and of those face down.

    `is_single` is true for a field that holds only one card.
    """

    field: str
    title: str
    count: int
    faces: tuple[Face, ...]
    face_down: int = 0
    is_single: bool = False


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
