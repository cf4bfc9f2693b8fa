"""Cards that were picked but not yet moved, and are still in their source.

A seat that saw the choice therefore knows part of a hidden bag. For other seats they
may be any cards of the bag.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import attrs

from interpreter.core.chance import Stream
from interpreter.core.slots import FIRST_LOCAL
from interpreter.state.state import Frame, State
from rulebook.secrecy import KNOWN_TO_ACTOR, PUBLIC


@attrs.define(eq=False)
class PendingPick:
    """Cards in a local variable (`place`) of a frame that will be moved out of a bag.

    `grade` specifies which seats know them; `row` and `size` give the cells of the bag.
    `count` is the number of copies if the variable contains a single card.
    """

    frame: Frame
    place: int
    grade: int
    row: int
    size: int
    count: int

    def is_known_to(self, seat: int) -> bool:
        """Return whether a seat knows the cards."""
        own = self.grade == KNOWN_TO_ACTOR and self.frame[2] == seat
        return self.grade == PUBLIC or own

    @property
    def cards(self) -> list[int]:
        """Number of copies of each card in the pick."""
        value = self.frame[self.place]
        if isinstance(value, tuple):
            return list(value)
        return [self.count * (card == value) for card in range(self.size)]

    def add_to_bag(self, s: list[Any], times: int) -> None:
        """Add the cards *times* times to the bag; -1 removes them."""
        for card, number in enumerate(self.cards):
            s[self.row + card] += times * number

    def redraw(self, s: list[Any], chance: Stream) -> bool:
        """Replace the cards by the same number of random cards of the bag.

        Return False if the bag contains no such cards.
        """
        held: list[int] = s[self.row : self.row + self.size]
        value = self.frame[self.place]
        if isinstance(value, tuple):
            self.frame[self.place] = tuple(chance.draw(held, sum(value)))
            return True
        enough = [card for card, number in enumerate(held) if number >= self.count]
        if enough:
            weights = [held[card] if card in enough else 0 for card in range(self.size)]
            self.frame[self.place] = chance.draw(weights, 1).index(1)
        return bool(enough)


def pending_picks(g: State) -> Iterator[PendingPick]:
    """Yield the cards that are certain to be moved, once for each variable."""
    for frame in g.frames:
        unit = g.plan.units[frame[0]]
        seen: list[int] = []
        for promise in unit.promises:
            place = promise.slot + FIRST_LOCAL
            value = frame[place]
            nobody = promise.owner is not None and frame[
                promise.owner + FIRST_LOCAL
            ] in {
                None,
                -1,
            }
            at = frame[1]
            bound = any(s == promise.slot and step < at for s, step in unit.binders)
            is_past = not (bound and at <= promise.step)
            if is_past or nobody or value is None or value == -1 or place in seen:
                continue
            grade = unit.grades.get(promise.slot, PUBLIC)
            row = promise.row(g.s, frame)
            pick = PendingPick(frame, place, grade, row, promise.size, promise.count)
            bag = g.s[row : row + promise.size]
            if all(n <= held for n, held in zip(pick.cards, bag, strict=True)):
                seen.append(place)
                yield pick
