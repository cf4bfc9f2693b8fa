"""Text in the rules language for values, spaces and events of records."""

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from typing import Any

import attrs

from rulebook import Rulebook
from rulebook import model as m

Event = Mapping[str, Any]
NAME = re.compile(r"[^\W\d_]\w*")


@attrs.frozen
class RecordNames:
    """Rule-file names of the spaces on players' own boards, by names in records."""

    player_spaces: Mapping[str, str]

    @classmethod
    def of_book(cls, book: Rulebook) -> "RecordNames":
        """Return the names of the spaces of a book."""
        domains = [each for each in book.model.domains.values() if each.each_player]
        return cls(
            {
                f"{seat}_{member}": f"{seat}'s {name}"
                for seat in book.seats
                for domain in domains
                for member, name in owned_spaces(book, domain)
            }
        )

    def to_rule_text(self, text: str) -> str:
        """Return a text from a record, with space names replaced as in rule files."""
        return NAME.sub(lambda name: self.player_spaces.get(name[0], name[0]), text)


def owned_spaces(book: Rulebook, domain: m.Domain) -> Iterator[tuple[str, str]]:
    """Yield (record name, rule text) for each space of a domain that players own."""
    if not domain.axes:
        yield from zip(domain.members, domain.members, strict=True)
        return
    axes = [axis_coordinates(book, axis) for axis in domain.axes]
    for member, coordinates in zip(domain.members, product(*axes), strict=True):
        yield member, f"{domain.name}({', '.join(coordinates)})"


def axis_coordinates(book: Rulebook, axis: m.Axis) -> list[str]:
    """Return the coordinates of an axis as written in rule files."""
    numbers = range(axis.low, axis.low + axis.size)
    if isinstance(axis.type, m.Member):
        return [book.model.domains[axis.type.domain].members[n] for n in numbers]
    return [str(number) for number in numbers]


def value_text(value: Any) -> str:
    """Return a plain value as written in rule files."""
    match value:
        case None:
            return "none"
        case bool():
            return "yes" if value else "no"
        case _:
            return str(value)


def field_text(owner: str | None, name: str, arguments: Sequence[str] = ()) -> str:
    """Return the text for a field of an owner, or of the game, with its arguments."""
    owner_text = "" if owner is None else f"{owner}'s "
    argument_text = f"({', '.join(arguments)})" if arguments else ""
    return f"{owner_text}{name}{argument_text}"


def card_counts_text(cards: Mapping[str, int]) -> str:
    """Return the text for counts of cards, such as `2 salt, 1 silk`."""
    return ", ".join(f"{count} {card}" for card, count in cards.items() if count)


def when_line(event: Event, names: RecordNames) -> str | None:
    """Return the line under `when` for an event, or None if no line can express it."""
    if "action" in event:
        return f"{event['seat']} does {names.to_rule_text(event['action'])}"
    name, outcome = str(event["chance"]), event["outcome"]
    prefix = f"chance {name} gives" if NAME.fullmatch(name) else "chance gives"
    match outcome:
        case [value] | (str() | int() as value):
            return f"{prefix} {names.to_rule_text(value_text(value))}"
        case [*faces] if all(isinstance(face, str | int) for face in faces):
            return f"dice show {', '.join(map(value_text, faces))}"
        case _:
            return None
