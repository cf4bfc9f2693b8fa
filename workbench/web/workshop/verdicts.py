"""What becomes of a game by changed rules, in words for who asks.

While a game goes on the sentence that says why may tell of what is hidden: who does not
see everything is told at which event, of which sort the difference is, and which of the
changed clauses make it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import attrs

from interpreter import Game
from workbench.presentation.localization.localizer import Wording
from workbench.presentation.narration.view_text import event_line
from workbench.web.sandbox.rule_texts import book_of
from workbench.web.views.phrases import Phrases

SHOWN = 3
"""How many clauses are named."""


@attrs.frozen
class Reader:
    """Who is told: of which game, the seat that asks, and whether it may know all."""

    game: Game
    seat: str | None
    knows_all: bool
    language: str

    @property
    def words(self) -> Wording:
        """The words of the game."""
        return Wording(self.language, self.game.book)

    def event(self, number: int) -> str:
        """An event by its number, as far as the reader knows it."""
        events: Sequence[Any] = self.game.log(self.seat)
        if self.knows_all:
            events = self.game.events
        if not 0 < number <= len(events):
            return ""
        return event_line(events[number - 1], self.words).strip().strip("()")


def verdict(tried: Mapping[str, Any], reader: Reader) -> dict[str, Any]:
    """What is said of a game that was tried: does it hold, and what is otherwise."""
    say = Phrases(reader.language)
    holds, steps = tried["holds"], tried["steps"]
    if holds:
        heading = say("workshop.holds")
    elif steps:
        heading = say("workshop.holds_to", event=steps)
    else:
        heading = say("workshop.holds_not")
    return {
        "holds": holds,
        "steps": steps,
        "heading": heading,
        "lines": [*_difference(tried, reader, say), *_clauses(tried, say)],
    }


def _difference(tried: Mapping[str, Any], reader: Reader, say: Phrases) -> list[str]:
    """The first difference in words."""
    told = tried["difference"]
    if told is None:
        return [say("workshop.same" if tried["changes"] else "workshop.no_changes")]
    number, kind = told["event"], say(f"workshop.kind_{told['kind']}")
    event = reader.event(number)
    lines = [say("workshop.at_event", event=number, what=event, how=kind)]
    if not event:
        lines = [kind]
    if reader.knows_all:
        lines.append(str(told["sentence"]))
    return lines


def _clauses(tried: Mapping[str, Any], say: Phrases) -> list[str]:
    """The clauses that make the difference, and where they stand."""
    places = {change["clause"]: change for change in tried["changes"]}
    named = tried["clauses"][:SHOWN]
    if not named:
        return []
    told = []
    for clause in named:
        change = places.get(clause, {})
        where = f" ({change['file']}:{change['line']})" if change.get("file") else ""
        told.append(f"{clause}{where}")
    return [say("workshop.made_by", clauses=", ".join(told))]


def judged(asked: Mapping[str, Any], tried: Mapping[str, Any]) -> dict[str, Any]:
    """The verdict on the recorded game of a check, in words for its `reader`.

    The game is replayed under the rules `before`: only a worker does this.
    """
    game = Game.replay(asked["record"], book_of("", asked["before"]))
    return verdict(tried, Reader(game, **asked["reader"]))
