"""Values in the gaps of questions and reports, as one reader knows them."""

import re
from collections.abc import Mapping
from functools import cached_property
from typing import Any

import attrs

from rulebook.tooling import ACTIVE_PLAYER, COUNT, GAP, YOU
from workbench.presentation.localization.localizer import Localizer

_NUMBER = re.compile(r" \d+$")


@attrs.frozen(slots=False)
class GapValues:
    """Values by name at a decision or event, from a reader's view before it.

    `seat` decides. `arguments` are those of its action, and `outcomes` are those of
    the chance events that followed. A value that the reader does not know is None.
    """

    view: Mapping[str, Any]
    seat: str | None
    localizer: Localizer
    arguments: Mapping[str, Any] = attrs.field(factory=dict)
    outcomes: Mapping[str, Any] = attrs.field(factory=dict)

    @cached_property
    def values(self) -> Mapping[str, Any]:
        """All values by name; a name of an inner clause or block hides others.

        The variables of a clause with the same name are numbered: `card`, `card 2`.
        """
        values = {ACTIVE_PLAYER: self.view.get("active"), **self.view.get("game", {})}
        for frame in self.view.get("pending") or ():
            for name, value in frame["values"].items():
                values[without_number(name)] = value
        return {**values, **self.outcomes, **self.arguments, YOU: self.seat}

    def fill(self, template: str) -> str | None:
        """Return a text with its gaps filled, or None if a value is not known."""
        texts = {match[0]: self._text(match) for match in GAP.finditer(template)}
        if None in texts.values():
            return None
        return GAP.sub(lambda match: str(texts[match[0]]), template)

    def gap_values(self, template: str) -> list[Any]:
        """Return the values in the gaps of a text."""
        return [self._value(match) for match in GAP.finditer(template)]

    def outcomes_in(self, template: str) -> set[str]:
        """Return the names of the chance events whose outcome a text contains."""
        gaps = (match for match in GAP.finditer(template) if not match[1])
        return {match[2] or match[3] for match in gaps} & self.outcomes.keys()

    def _value(self, match: re.Match[str]) -> Any:
        """Return the value of a gap, or None if the reader does not know it."""
        owner = self.seat if match[1] else match[2] and self.values.get(match[2])
        if not (match[1] or match[2]):
            return self.values.get(match[3])
        for members in self.view.values():
            fields = members.get(owner) if isinstance(members, Mapping) else None
            if isinstance(fields, Mapping) and match[3] in fields:
                return fields[match[3]]
        return self.localizer.column_value(str(owner), match[3])

    def _text(self, match: re.Match[str]) -> str | None:
        """Return the text of a gap, or None if the reader does not know its value."""
        value = self._value(match)
        if match[4]:
            is_number = isinstance(value, int) or (match[3] == COUNT and value)
            return self.localizer.cards_text(value, match[4]) if is_number else None
        if value is None:
            return None
        if isinstance(value, Mapping) and self.localizer.is_hidden(value):
            return None
        if isinstance(value, Mapping):
            cards = self._card_texts(value)
            return self.localizer.list_text(cards or [self.localizer.phrase("nothing")])
        if match[3] in self.outcomes and not (match[1] or match[2]):
            return self.localizer.outcome(match[3], value)
        return self.localizer.value_text(value)

    def _card_texts(self, cards: Mapping[str, Any]) -> list[str]:
        """Return texts such as `2 coins`, without a number for a unique card."""
        unique = self.localizer.unique_cards
        single = [
            card for card, count in cards.items() if card in unique and count == 1
        ]
        others = {card: cards[card] for card in cards if card not in single}
        titles = map(self.localizer.value, single)
        return [*titles, *self.localizer.card_texts(others)]


def without_number(name: str) -> str:
    """Return the name in the rules of a variable or step: `card` for `card 2`."""
    return _NUMBER.sub("", name)
