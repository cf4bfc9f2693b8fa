"""Race of a game: the score of each seat at the ends of turns, as a line chart.

The score is the seat's points. In rules without points, it is the public number by
which the rules rank the players.

All coordinates are percentages of the chart's width and height, so that texts keep
their size in charts of any size.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import attrs

from rulebook import Rulebook
from rulebook.model import (
    Audience,
    DomainSort,
    Field,
    FieldValue,
    Model,
    Ranking,
    Whole,
)
from rulebook.tooling import find
from workbench.web.workshop.replay_view import Viewpoint
from workbench.web.workshop.timeline import Timeline

MAX_MOMENTS = 60
"""Maximum number of turns in the chart; longer games leave out turns evenly."""

MAX_TICKS = 6
"""Maximum number of labels of an axis."""

LABEL_HEIGHT = 11.5
"""Minimum distance between two labels at the ends of lines."""

DASHES = ("", "9 4", "4 4", "14 4 3 4", "2 5", "14 6", "9 3 3 3 3 3", "6 2")
"""Dashes of the lines, which distinguish seats without colours."""


@attrs.frozen
class Moment:
    """Score of each seat at the end of a turn; turn 0 is the set-up."""

    turn: int
    points: Mapping[str, int]


def ranking_field(model: Model) -> Field | None:
    """Return the public number of players that ranks them, or None."""
    code = (*model.procedures.values(), *model.actions.values())
    for ranking in find(code, Ranking):
        value = ranking.by[0].value
        if isinstance(value, FieldValue):
            field = model.fields[value.field]
            is_public = field.seen_by is Audience.ALL and not field.is_pair
            is_of_player = field.home == DomainSort.PLAYER
            if is_public and is_of_player and isinstance(field.type, Whole):
                return field
    return None


def scores(book: Rulebook, view: Mapping[str, Any]) -> Mapping[str, int]:
    """Return the score of each seat in a view; empty without a score."""
    if book.model.points.lines:
        return dict(view["points"])
    field = ranking_field(book.model)
    if field is None:
        return {}
    return {seat: held[field.name] for seat, held in view["player"].items()}


def race(timeline: Timeline, viewpoint: Viewpoint) -> list[Moment]:
    """Return the scores at the ends of turns, as a viewpoint saw them at that time."""
    ends = {turn: step for step, turn in enumerate(timeline.turns)}
    moments = []
    for turn in evenly(sorted(ends), MAX_MOMENTS):
        game = viewpoint.game_view(timeline.game_at(ends[turn]))
        moments.append(Moment(turn, scores(timeline.book, game.view(viewpoint.seat))))
    return moments


def evenly(values: Sequence[int], count: int) -> list[int]:
    """Return at most *count* of the values, with the first and the last.

    >>> evenly(range(10), 4)
    [0, 3, 6, 9]
    """
    last = len(values) - 1
    if last < count:
        return list(values)
    return [values[round(number * last / (count - 1))] for number in range(count)]


def chart(moments: Sequence[Moment], seats: Sequence[str]) -> dict[str, Any]:
    """Return the lines, axes and labels of the chart as plain data.

    Each line has the points of a seat as text, its dashes, and the heights of its end
    and its label.
    """
    numbers = [moment.points[seat] for moment in moments for seat in seats]
    low, high = min(0, *numbers), max(1, *numbers)
    first, last = moments[0].turn, max(moments[-1].turn, moments[0].turn + 1)

    def x(turn: float) -> float:
        return round(100 * (turn - first) / (last - first), 2)

    def y(points: float) -> float:
        return round(96 - 92 * (points - low) / (high - low), 2)

    final = moments[-1].points
    heights = spread([y(final[seat]) for seat in seats], LABEL_HEIGHT)
    return {
        "lines": [
            {
                "seat": seat,
                "points": " ".join(
                    f"{x(moment.turn)},{y(moment.points[seat])}" for moment in moments
                ),
                "dashes": DASHES[number % len(DASHES)],
                "final": final[seat],
                "end": y(final[seat]),
                "label": heights[number],
            }
            for number, seat in enumerate(seats)
        ],
        "points": [(tick, y(tick)) for tick in ticks(low, high)],
        "turns": [(tick, x(tick)) for tick in ticks(first, last)],
    }


def ticks(low: int, high: int) -> list[int]:
    """Return round numbers from *low* to *high* as labels of an axis.

    >>> ticks(0, 10)
    [0, 2, 4, 6, 8, 10]
    """
    steps = (unit * 10**power for power in range(10) for unit in (1, 2, 5))
    step = next(each for each in steps if (high - low) / each < MAX_TICKS)
    return list(range(-(-low // step) * step, high + 1, step))


def spread(heights: Sequence[float], distance: float) -> list[float]:
    """Return the heights, moved as little as needed to keep a distance.

    >>> spread([50, 52, 90], 10)
    [46.0, 56.0, 90.0]
    """
    distance = min(distance, 100 / max(len(heights), 1))
    order = sorted(range(len(heights)), key=lambda n: (heights[n], n))
    groups: list[list[int]] = []
    for number in order:
        groups.append([number])
        while groups[1:] and _start(groups[-1], heights, distance) < (
            _start(groups[-2], heights, distance) + len(groups[-2]) * distance
        ):
            merged = groups.pop()
            groups[-1] += merged
    moved = [0.0] * len(heights)
    for group in groups:
        start = _start(group, heights, distance)
        for place, number in enumerate(group):
            moved[number] = round(start + (place + 0.5) * distance, 2)
    return moved


def _start(group: Sequence[int], heights: Sequence[float], distance: float) -> float:
    """Return the upper edge of a group of adjacent labels, within the chart."""
    middle = sum(heights[number] for number in group) / len(group)
    length = len(group) * distance
    return min(max(middle - length / 2, 0), 100 - length)
