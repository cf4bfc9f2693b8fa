"""Observation of a seat as one row of numbers, read from the interpreter's state.

The table of `ObservedRun` entries defines the layout; the C engine reads the same
table.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from interpreter.knowledge.views import acting_seat, visible_cells
from interpreter.plan.observation_layout import (
    EVERYBODY,
    HIDDEN,
    ObservedRun,
    RunSort,
    observed_runs,
)
from interpreter.plan.plan import Plan
from interpreter.state.state import State

MAX_POINTS = -HIDDEN - 1
"""Maximum number of points in an observation; larger numbers are reduced to it."""

NO_MEMBER = -1
"""Number that represents no seat, no member, no card or no piece."""

Cells = list[Any]
Row = list[int]


def observation(plan: Plan, g: State, seat: int) -> Row:
    """Return the observation of a seat, with `HIDDEN` in place of hidden numbers."""
    s, row = visible_cells(plan, g, seat), []
    for run in observed_runs(plan):
        match run.sort:
            case RunSort.SEAT:
                row.append(seat)
            case RunSort.ASKS:
                row.append(g.frames[-1][0] if acting_seat(g) == seat else HIDDEN)
            case RunSort.POINTS:
                points = [plan.visible_points(s, n) for n in range(plan.players)]
                row += [min(max(-MAX_POINTS, number), MAX_POINTS) for number in points]
            case _ if is_visible(run, s, seat):
                row += READERS[run.sort](run, s, seat)
            case _:
                row += [HIDDEN] * len(run.names)
    return row


def is_visible(run: ObservedRun, s: Cells, seat: int) -> bool:
    """Return whether a seat sees the numbers of a run."""
    marked = run.viewers_cell >= 0 and bool(s[run.viewers_cell] >> seat & 1)
    return marked or run.owner in (EVERYBODY, seat)


def cells(run: ObservedRun, s: Cells, _seat: int) -> Row:
    """Return the contents of a run of cells as numbers."""
    return [int(cell) for cell in s[run.place : run.place + run.cells]]


def total(run: ObservedRun, s: Cells, _seat: int) -> Row:
    """Return a row with the number of cards in a bag."""
    return [sum(s[run.place : run.place + run.cells])]


def slot_size(run: ObservedRun, s: Cells, _seat: int) -> Row:
    """Return a row with the number of cards in a slot: 0 or 1."""
    return [int(s[run.place] >= 0)]


def size(run: ObservedRun, s: Cells, _seat: int) -> Row:
    """Return a row with the number of cards in a stack."""
    return [len(s[run.place][0])]


def known_cards(run: ObservedRun, s: Cells, seat: int) -> Iterator[int]:
    """Yield the cards of a stack from the top, or `HIDDEN` for unknown cards."""
    for card, who in s[run.place][0]:
        yield card if who >> seat & 1 else HIDDEN


def top(run: ObservedRun, s: Cells, seat: int) -> Row:
    """Return a row with a stack's top card: `HIDDEN` if unknown to the seat."""
    return [next(known_cards(run, s, seat), NO_MEMBER)]


def known_counts(run: ObservedRun, s: Cells, seat: int) -> Row:
    """Return the number of cards of each kind that the seat knows to be in a stack."""
    cards = list(known_cards(run, s, seat))
    return [cards.count(kind) for kind in range(len(run.names))]


def members(run: ObservedRun, s: Cells, _seat: int) -> Row:
    """Return whether each member is in a set, as 1 or 0."""
    return [int(member in s[run.place]) for member in range(len(run.names))]


READERS: dict[RunSort, Callable[[ObservedRun, Cells, int], Row]] = {
    RunSort.CELLS: cells,
    RunSort.TOTAL: total,
    RunSort.SIZE: size,
    RunSort.FILLED: slot_size,
    RunSort.TOP: top,
    RunSort.KNOWN: known_counts,
    RunSort.MEMBERS: members,
}
