"""Scenario lines that move cards from their initial to their final places."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import attrs

from rulebook import model as m
from workbench.testing.scenarios.rule_words import card_counts_text

Cards = Mapping[str, int]


@attrs.frozen
class CardField:
    """Field that holds cards, with its contents before set-up and in the position.

    In a stack, `order` and `order_before` list the cards from the top, now and before
    set-up, with None for an unknown card. `knowing_seats` are the seats that know all
    cards.
    """

    path: str
    before: Cards
    after: Cards
    endless: bool = False
    order: Sequence[str | None] | None = None
    order_before: Sequence[str | None] | None = None
    knowing_seats: Sequence[str] = ()

    @property
    def is_stack(self) -> bool:
        """True if the cards have an order."""
        return self.order is not None


def card_field(path: str, field: m.Field, before: Any, after: Any) -> CardField | None:
    """Return the card field for a model field, or None if it contains no cards."""
    match field.type:
        case m.Bag() if field.endless:
            return CardField(path, {}, {}, endless=True)
        case m.Bag() if isinstance(after, Mapping):
            return CardField(path, before, after)
        case m.Stack():
            return CardField(
                path,
                stack_counts(before),
                stack_counts(after),
                order=stack_order(after),
                order_before=stack_order(before),
                knowing_seats=knowing_seats(after),
            )
        case m.Member(optional=True):
            return CardField(path, slot_counts(before), slot_counts(after))
    return None


def slot_counts(card: str | None) -> Cards:
    """Return the contents of a slot as counts by card."""
    return {} if card is None else {card: 1}


def stack_counts(stack: Mapping[str, Any]) -> Counter[str]:
    """Return the number of each card in a stack."""
    known = [card for card in stack_order(stack) if card is not None]
    return Counter(known) + Counter(stack["pool"])


def stack_order(stack: Mapping[str, Any]) -> list[str | None]:
    """Return the cards of a stack from the top, with None for each unknown card."""
    return [entry_card(entry) for entry in stack["known"]]


def entry_card(entry: Any) -> str | None:
    """Return the card of a stack entry, or None if it is unknown."""
    card: str | None = entry["card"] if isinstance(entry, Mapping) else entry
    return card


def knowing_seats(stack: Mapping[str, Any]) -> Sequence[str]:
    """Return the seats that know all cards of a stack."""
    known = [
        entry["known_to"] if isinstance(entry, Mapping) else []
        for entry in stack["known"]
    ]
    return (
        [seat for seat in known[0] if all(seat in others for others in known)]
        if (known)
        else []
    )


def move_lines(holders: Sequence[CardField]) -> Iterator[str]:
    """Yield the lines that move all cards from their initial to their final places.

    Cards without a holder are out of the game. An endless bag can give and take any
    number of cards.
    """
    endless = [each for each in holders if each.endless]
    finite = [each for each in holders if not each.endless]
    spare = {each.path: Counter(each.before) - Counter(each.after) for each in finite}
    for each in finite:
        wanted = Counter(each.after) - Counter(each.before)
        for other in finite:
            taken = wanted & spare[other.path]
            wanted -= taken
            spare[other.path] -= taken
            yield from transfer_lines(other, each, taken)
        if endless:
            yield from transfer_lines(endless[0], each, wanted)
    for other in finite:
        unplaced = spare[other.path]
        if endless:
            yield from transfer_lines(other, endless[0], unplaced)
        else:
            for card, count in unplaced.items():
                yield f"discard {count} {card} from {other.path}"
    for each in finite:
        if each.is_stack:
            yield from order_lines(each)


def transfer_lines(source: CardField, target: CardField, cards: Cards) -> Iterator[str]:
    """Yield a line for each kind of card that moves from *source* to *target*."""
    end = "top of " if target.is_stack else ""
    for card, count in cards.items():
        cards_text = card_counts_text({card: count})
        yield f"move {cards_text} from {source.path} to {end}{target.path}"


def order_lines(stack: CardField) -> Iterator[str]:
    """Yield the lines that restore the order of a stack and the seats that know it."""
    order = list(stack.order or ())
    if len(order) > 1 and order != stack.order_before:
        hidden = [index for index, card in enumerate(order) if card is None]
        first, last = (hidden[0], hidden[-1] + 1) if hidden else (0, 0)
        if hidden:
            yield f"shuffle {stack.path}"
        for card in reversed(order[:first]):
            yield f"move 1 {card} from {stack.path} to top of {stack.path}"
        for card in order[last:]:
            yield f"move 1 {card} from {stack.path} to bottom of {stack.path}"
    for seat in stack.knowing_seats:
        yield f"{seat} sees {stack.path}"
