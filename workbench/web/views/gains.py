"""Gains and losses of players by event, derived from successive views of one seat.

They are cached in memory only. After a restart, the log is shown without them.
"""

from collections.abc import Mapping
from typing import Any

import attrs

from interpreter import Game
from workbench.presentation.localization.localizer import Localizer
from workbench.presentation.narration.view_changes import view_changes
from workbench.web.views.board_view import RecentValues

MAX_SEATS = 2_000
"""Maximum number of seats with cached gains, over all tables."""
MAX_STEPS = 80
GAINS_BY_SEAT = RecentValues(MAX_SEATS)


@attrs.define
class SeatGains:
    """Last view shown to a seat, and the gains by step of the game."""

    step: int
    view: Mapping[str, Any]
    gains_by_step: dict[int, str] = attrs.field(factory=dict)


def seat_gains(
    key: tuple[str, str | None],
    game: Game,
    view: Mapping[str, Any],
    localizer: Localizer,
) -> Mapping[int, str]:
    """Return the gains that a seat has seen, by step of the game.

    *key* is the table's id and the seat. Payments of the acting seat are omitted unless
    a chance event followed.
    """
    place = (*key, localizer.language, game.book.digest)
    course: SeatGains | None = GAINS_BY_SEAT.get(place)
    if course is None or course.step > game.steps:
        kept = {} if course is None else course.gains_by_step
        left = {step: text for step, text in kept.items() if step <= game.steps}
        GAINS_BY_SEAT.put(place, SeatGains(game.steps, view, left))
        return left
    if course.step < game.steps:
        new = game.events[course.step :]
        chance = any("chance" in event for event in new)
        aside = None if chance else next((e["seat"] for e in new if "seat" in e), None)
        told = " · ".join(view_changes(course.view, view, localizer, aside))
        if told:
            course.gains_by_step[game.steps] = told
        for old in sorted(course.gains_by_step)[:-MAX_STEPS]:
            del course.gains_by_step[old]
        course.step, course.view = game.steps, view
    return course.gains_by_step
