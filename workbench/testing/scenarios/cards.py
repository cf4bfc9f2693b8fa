"""Scenario lines that move cards from their places before set-up."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import attrs

from rulebook import model as m
from workbench.testing.scenarios.words import amounts

Cards = Mapping[str, int]


@attrs.frozen
class Holder:
    """Field that holds cards, with its contents before set-up and in the position.

    In a stack, `order` and `had` are the cards from the top, now and before, with None
    for an unknown card. `knowing` are the seats that know all of them.
    """

    path: str
    before: Cards
    after: Cards
    endless: bool = False
    order: Sequence[str | None] | None = None
    had: Sequence[str | None] | None = None
    knowing: Sequence[str] = ()

    @property
    def is_stack(self) -> bool:
        """Whether the cards have an order."""
        return self.order is not None


def holder(path: str, field: m.Field, before: Any, after: Any) -> Holder | None:
    """Return the holder for a field, or None if the field contains no cards."""
    match field.type:
        case m.Bag() if field.endless:
            return Holder(path, {}, {}, endless=True)
        case m.Bag() if isinstance(after, Mapping):
            return Holder(path, before, after)
        case m.Stack():
            return Holder(
                path,
                counted(before),
                counted(after),
                order=ordered(after),
                had=ordered(before),
                knowing=knowing(after),
            )
        case m.Member(optional=True):
            return Holder(path, slot(before), slot(after))
    return None


def slot(card: str | None) -> Cards:
    """Return the contents of a slot as counts by card."""
    return {} if card is None else {card: 1}


def counted(stack: Mapping[str, Any]) -> Counter[str]:
    """Return the number of each card in a stack."""
    known = [card for card in ordered(stack) if card is not None]
    return Counter(known) + Counter(stack["pool"])


def ordered(stack: Mapping[str, Any]) -> list[str | None]:
    """Return the cards of a stack from the top, with None for each unknown card."""
    return [card_of(entry) for entry in stack["known"]]


def card_of(entry: Any) -> str | None:
    """Return the card of a stack entry, or None if it is unknown."""
    card: str | None = entry["card"] if isinstance(entry, Mapping) else entry
    return card


def knowing(stack: Mapping[str, Any]) -> Sequence[str]:
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


def moves(holders: Sequence[Holder]) -> Iterator[str]:
    """Yield the lines that move all cards from their places before set-up.

    Cards that are in no holder are out of the game. An endless bag gives and takes any
    number.
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
            yield from between(other, each, taken)
        if endless:
            yield from between(endless[0], each, wanted)
    for other in finite:
        left = spare[other.path]
        if endless:
            yield from between(other, endless[0], left)
        else:
            for card, count in left.items():
                yield f"discard {count} {card} from {other.path}"
    for each in finite:
        if each.is_stack:
            yield from arranged(each)


def between(source: Holder, goal: Holder, cards: Cards) -> Iterator[str]:
    """Yield a line for each kind of card that moves from one holder to another."""
    end = "top of " if goal.is_stack else ""
    for card, count in cards.items():
        yield f"move {amounts({card: count})} from {source.path} to {end}{goal.path}"


def arranged(stack: Holder) -> Iterator[str]:
    """Yield the lines that put the cards of a stack in their order."""
    order = list(stack.order or ())
    if len(order) > 1 and order != stack.had:
        hidden = [place for place, card in enumerate(order) if card is None]
        first, last = (hidden[0], hidden[-1] + 1) if hidden else (0, 0)
        if hidden:
            yield f"shuffle {stack.path}"
        for card in reversed(order[:first]):
            yield f"move 1 {card} from {stack.path} to top of {stack.path}"
        for card in order[last:]:
            yield f"move 1 {card} from {stack.path} to bottom of {stack.path}"
    for seat in stack.knowing:
        yield f"{seat} sees {stack.path}"
