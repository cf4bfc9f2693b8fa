"""Gains and losses of players by event, derived from successive views of one seat.

They are cached in memory only. After a restart, the log is shown without them.
"""

from collections.abc import Mapping
from typing import Any

import attrs

from interpreter import Game
from workbench.presentation.localization.localizer import Wording
from workbench.presentation.narration.changes import changes
from workbench.web.views.board import RecentValues

SEATS = 2_000
"""Maximum number of seats with cached gains, over all tables."""
STEPS = 80
REMEMBERED = RecentValues(SEATS)


@attrs.define
class Course:
    """Last view shown to a seat, and the gains by step of the game."""

    step: int
    view: Mapping[str, Any]
    brought: dict[int, str] = attrs.field(factory=dict)


def brought(
    key: tuple[str, str | None],
    game: Game,
    view: Mapping[str, Any],
    words: Wording,
) -> Mapping[int, str]:
    """Return the gains that a seat has seen, by step of the game.

    *key* is the table's id and the seat. Payments of the acting seat are omitted unless
    a chance event followed.
    """
    place = (*key, words.language, game.book.digest)
    course: Course | None = REMEMBERED.get(place)
    if course is None or course.step > game.steps:
        kept = {} if course is None else course.brought
        left = {step: text for step, text in kept.items() if step <= game.steps}
        REMEMBERED.put(place, Course(game.steps, view, left))
        return left
    if course.step < game.steps:
        new = game.events[course.step :]
        chance = any("chance" in event for event in new)
        aside = None if chance else next((e["seat"] for e in new if "seat" in e), None)
        told = " · ".join(changes(course.view, view, words, aside))
        if told:
            course.brought[game.steps] = told
        for old in sorted(course.brought)[:-STEPS]:
            del course.brought[old]
        course.step, course.view = game.steps, view
    return course.brought
