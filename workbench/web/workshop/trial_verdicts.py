"""Verdicts: descriptions of what edited rules would change in a running game.

The reason for a difference could reveal hidden information. A reader who may not see
everything learns only the event, the kind of difference, and the clauses that cause it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import attrs

from interpreter import Game
from workbench.web.sandbox.rule_texts import load_book
from workbench.web.views.phrases import Phrases
from workbench.web.workshop.replay_view import (
    EVERYTHING,
    NOBODY,
    ReplayView,
    Viewpoint,
)
from workbench.web.workshop.timeline import Timeline

MAX_NAMED_CLAUSES = 3
"""Maximum number of clauses that a verdict names."""


@attrs.frozen
class VerdictReader:
    """Reader of a verdict: the game, the reader's seat, and what may be revealed."""

    game: Game
    seat: str | None
    knows_all: bool
    language: str

    def event_text(self, number: int) -> str:
        """Describe an event by its number, without what is hidden from the reader."""
        if not 0 < number <= self.game.steps:
            return ""
        viewpoint = Viewpoint(EVERYTHING if self.knows_all else self.seat or NOBODY)
        view = ReplayView(Timeline(self.game), viewpoint, self.language)
        return view.line_at(number)


def game_verdict(trial: Mapping[str, Any], reader: VerdictReader) -> dict[str, Any]:
    """Return the verdict on a game: whether it is still valid, and what differs."""
    phrases = Phrases(reader.language)
    holds, steps = trial["holds"], trial["steps"]
    if holds:
        heading = phrases("workshop.holds")
    elif steps:
        heading = phrases("workshop.holds_to", event=steps)
    else:
        heading = phrases("workshop.holds_not")
    return {
        "holds": holds,
        "steps": steps,
        "heading": heading,
        "lines": [
            *_difference_lines(trial, reader, phrases),
            *_clause_lines(trial, phrases),
        ],
    }


def _difference_lines(
    trial: Mapping[str, Any], reader: VerdictReader, phrases: Phrases
) -> list[str]:
    """Describe the first difference."""
    difference = trial["difference"]
    if difference is None:
        return [phrases("workshop.same" if trial["changes"] else "workshop.no_changes")]
    number, kind = difference["event"], phrases(f"workshop.kind_{difference['kind']}")
    event = reader.event_text(number)
    lines = [phrases("workshop.at_event", event=number, what=event, how=kind)]
    if not event:
        lines = [kind]
    if reader.knows_all:
        lines.append(str(difference["sentence"]))
    return lines


def _clause_lines(trial: Mapping[str, Any], phrases: Phrases) -> list[str]:
    """Return a line with the clauses that cause the difference and their places."""
    places = {change["clause"]: change for change in trial["changes"]}
    names = trial["clauses"][:MAX_NAMED_CLAUSES]
    if not names:
        return []
    texts = []
    for clause in names:
        change = places.get(clause, {})
        where = f" ({change['file']}:{change['line']})" if change.get("file") else ""
        texts.append(f"{clause}{where}")
    return [phrases("workshop.made_by", clauses=", ".join(texts))]


def record_verdict(
    request: Mapping[str, Any], trial: Mapping[str, Any]
) -> dict[str, Any]:
    """Return the verdict on the recorded game of a check, described for its `reader`.

    The game is replayed under its rules `before` the edit, so only workers do this.
    """
    game = Game.replay(request["record"], load_book("", request["before"]))
    return game_verdict(trial, VerdictReader(game, **request["reader"]))
