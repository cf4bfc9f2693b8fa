"""Gains and losses of players by event, derived from successive views of one seat.

They are cached in memory only. After a restart, the log is shown without them.
"""

from collections.abc import Mapping
from typing import Any

import attrs

from interpreter import Game
from workbench.presentation.localization.localizer import Localizer
from workbench.presentation.narration.view_changes import view_changes
from workbench.web.views.board_view import RecentlyUsedCache

MAX_SEATS = 2_000
"""Maximum number of seats with cached gains, over all tables."""
MAX_STEPS = 80
GAINS_BY_SEAT = RecentlyUsedCache(MAX_SEATS)


@attrs.define
class SeatGains:
    """Last view shown to a seat, and texts of gains by game step."""

    step: int
    view: Mapping[str, Any]
    gains_by_step: dict[int, str] = attrs.field(factory=dict)


def seat_gains(
    key: tuple[str, str | None],
    game: Game,
    view: Mapping[str, Any],
    localizer: Localizer,
) -> Mapping[int, str]:
    """Return texts of the gains and losses that a seat has seen, by game step.

    *key* is a pair of the table's id and the seat. Payments of the acting seat are
    omitted unless a chance event followed.
    """
    cache_key = (*key, localizer.language, game.book.digest)
    cached: SeatGains | None = GAINS_BY_SEAT.get(cache_key)
    if cached is None or cached.step > game.steps:
        old_gains = {} if cached is None else cached.gains_by_step
        remaining = {
            step: text for step, text in old_gains.items() if step <= game.steps
        }
        GAINS_BY_SEAT.put(cache_key, SeatGains(game.steps, view, remaining))
        return remaining
    if cached.step < game.steps:
        new = game.events[cached.step :]
        chance = any("chance" in event for event in new)
        omitted_seat = (
            None if chance else next((e["seat"] for e in new if "seat" in e), None)
        )
        changes = " · ".join(view_changes(cached.view, view, localizer, omitted_seat))
        if changes:
            cached.gains_by_step[game.steps] = changes
        for old in sorted(cached.gains_by_step)[:-MAX_STEPS]:
            del cached.gains_by_step[old]
        cached.step, cached.view = game.steps, view
    return cached.gains_by_step
