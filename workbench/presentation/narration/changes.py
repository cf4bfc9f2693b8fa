"""Sentences about changes between two views, such as “Blue got 1 card”.

Their patterns are in the section `changes` of `workbench/languages/`. A pattern does
not depend on the number or gender of what it names.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from typing import Any

import attrs

from workbench.presentation.localization.languages import fill_gaps, phrase_table
from workbench.presentation.localization.localizer import NO_VALUE, Localizer

PATTERNS = "changes"
"""Section of the patterns."""


@attrs.frozen
class Change:
    """Sentence about a change of what a seat has, or of the common table (None)."""

    seat: str | None
    text: str


@attrs.frozen
class CardMove:
    """Number of cards of a kind that a seat has gained (positive) or lost.

    `name` is "" if the reader does not know which cards.
    """

    kind: str
    name: str
    number: int


@attrs.frozen
class ValueChange:
    """Change of a field of a seat or of the game, or of a member (`owner`)."""

    title: str
    before: Any
    after: Any
    owner: str = ""


def changes_text(changes: Iterable[Change]) -> str:
    """Return changes as one text; equal sentences get a count."""
    counts = Counter(change.text for change in changes)
    texts = (f"{text} × {n}" if n > 1 else text for text, n in counts.items())
    return " · ".join(texts)


@attrs.frozen
class Sentences:
    """Sentences about the changes of a seat, or of the common table (None)."""

    localizer: Localizer
    seat: str | None

    def fill(self, pattern: str, **parts: str) -> str:
        """Return a pattern with its gaps filled; it may name the seat."""
        owner = {} if self.seat is None else {"seat": self.localizer.title(self.seat)}
        text = phrase_table(self.localizer.language, PATTERNS)[pattern]
        return fill_gaps(text, {**owner, **parts})

    def describe(self, changes: Iterable[CardMove | ValueChange]) -> Iterator[str]:
        """Yield sentences about changes; all cards gained are in one sentence."""
        several = list(changes)
        yield from self.cards(each for each in several if isinstance(each, CardMove))
        yield from (
            self.value(each) for each in several if isinstance(each, ValueChange)
        )

    def value(self, change: ValueChange) -> str:
        """Return a sentence about the change of a value."""
        owners = ["seat"] * (self.seat is not None) + ["member"] * bool(change.owner)
        return self.fill(
            "_".join((*owners, "value")),
            what=change.title,
            member=self.localizer.value(change.owner),
            before=self._text(change.before),
            after=self._text(change.after),
        )

    def cards(self, moves: Iterable[CardMove]) -> Iterator[str]:
        """Yield a sentence for all cards gained, one for those lost, and so on."""
        texts: defaultdict[str, list[str]] = defaultdict(list)
        for pattern, move in patterns_of(moves):
            texts[pattern].append(self._card_text(move))
        for pattern, things in texts.items():
            yield self.fill(pattern, things=self.localizer.list_text(things))

    def _card_text(self, move: CardMove) -> str:
        """Return the cards of a move, without a number for a unique card.

        Unknown cards of a kind with a single member are named.
        """
        count = abs(move.number)
        name = move.name or self._sole_member(move.kind)
        if not name:
            return self.localizer.cards_text(count, move.kind)
        if count == 1 and name in self.localizer.unique_cards:
            return self.localizer.value(name)
        return self.localizer.count_text(str(count), name)

    def _sole_member(self, kind: str) -> str:
        """Return the only member of a kind, or "" if it has several."""
        book = self.localizer.book
        domain = book.model.domains.get(kind) if book is not None else None
        members = tuple(domain.members) if domain is not None else ()
        return members[0] if len(members) == 1 else ""

    def _text(self, value: Any) -> str:
        return NO_VALUE if value is None else self.localizer.value_text(value)


def patterns_of(moves: Iterable[CardMove]) -> Iterator[tuple[str, CardMove]]:
    """Yield the sums of equal moves that are not 0, each with its pattern.

    If unknown cards of a kind became as many known ones, or the other way round, the
    cards were turned over.
    """
    sums: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for move in moves:
        sums[move.kind][move.name] += move.number
    for kind, numbers in sums.items():
        known = [number for name, number in numbers.items() if name and number]
        is_turned = sum(numbers.values()) == 0 and len({n > 0 for n in known}) == 1
        for name, number in numbers.items():
            if not number or (is_turned and not name):
                continue
            if is_turned:
                pattern = "revealed" if number > 0 else "concealed"
            else:
                pattern = "got" if number > 0 else "lost"
            yield pattern, CardMove(kind, name, number)
