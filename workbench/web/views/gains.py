"""What events brought to whom, as a seat may know it: told from one of its views to the
next that a page of the seat has shown.

What is remembered is lost with the server, and with it only what stands behind a roll.
"""

from collections.abc import Mapping
from typing import Any

import attrs

from interpreter import Game
from workbench.presentation.localization.localizer import Wording
from workbench.presentation.narration.changes import changes
from workbench.web.views.board import RecentValues

SEATS = 2_000
"""Of so many seats, of all tables, what was brought is remembered."""
STEPS = 80
REMEMBERED = RecentValues(SEATS)


@attrs.define
class Course:
    """The last view that was shown to a seat, and what was brought at which step."""

    step: int
    view: Mapping[str, Any]
    brought: dict[int, str] = attrs.field(factory=dict)


def brought(
    key: tuple[str, str | None],
    game: Game,
    view: Mapping[str, Any],
    words: Wording,
) -> Mapping[int, str]:
    """What was brought at each step that is remembered, of the seat of a key.

    What somebody pays for an action is no news, unless chance has come since.
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
