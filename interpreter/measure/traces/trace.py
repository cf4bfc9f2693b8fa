"""Traces: events of games as arrays, and a legend that explains the numbers."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from importlib import import_module
from typing import Any

import attrs

from interpreter.core.action_index import PASS_NAME
from interpreter.errors import UsageError
from interpreter.measure.traces.recorded_cells import (
    CARDS,
    END_COLUMNS,
    WatchedCell,
    recorded_cells,
)
from interpreter.plan.plan import Plan
from rulebook import model as m

BY_CHANCE, BEGINNING = -1, -2
"""Values in the action column for a chance outcome, and for the start of a game."""

MAX_LEGENDS = 8
"""Maximum number of legends in the cache."""

NUMPY = "measuring games requires numpy: pip install 'rulebook-lang[batch]'"

EVENT = ("index", "seat", "legal", "turn")
CHANGE = ("event", "cell", "was", "now")
TURN = ("events", "turn", "round", "seat")
"""Columns of a turn's row that precede the points of each seat and the measures."""


@attrs.frozen(eq=False)
class Trace:
    """Events of some games, one game after another, as numpy arrays.

    * `events`: a row for the start of each game, each action and each outcome of
    chance. Columns: index of the action, seat, number of legal actions, turn.
    * `changes`: a row for each cell that an event changed. Columns: number of the
    event, number of the cell in the legend, old value, new value.
    * `turns`: a row for the end of each turn, and one more for the end of each game.
    Columns: number of events up to then, turn, round, seat, points of each seat, values
    of the declared measures.
    * `ends`: rounds, turns, starter, status and cells at the end of each game.
    * `marks`: numbers of events, changes and turns up to the end of each game.
    """

    events: Any
    changes: Any
    turns: Any
    ends: Any
    marks: Any

    @property
    def games(self) -> int:
        """Number of games."""
        return len(self.marks)


@attrs.frozen(eq=False)
class Legend:
    """Meaning of the numbers in traces: seats, actions by number, recorded cells.

    `action_numbers` maps each action index to the number of its action.
    `actions_with_cost` contains the actions that have a cost, `kinds` the cards of each
    domain that fields can hold, and `spaces` the spaces of each domain on which pieces
    may stand. `measures` are the measures that the rules declare.
    """

    seats: tuple[str, ...]
    actions: tuple[str, ...]
    action_numbers: tuple[int, ...]
    actions_with_cost: frozenset[str]
    cells: tuple[WatchedCell, ...]
    pieces: tuple[str, ...]
    awards: tuple[str, ...]
    kinds: Mapping[str, tuple[str, ...]]
    spaces: Mapping[str, tuple[str, ...]]
    measures: tuple[m.GameMeasure, ...]


@lru_cache(maxsize=MAX_LEGENDS)
def legend(plan: Plan) -> Legend:
    """Return the legend for traces of a plan's games."""
    space = plan.actions
    action_numbers = [0]
    for number, planned in enumerate(space.listed, 1):
        action_numbers += [number] * planned.size
    cells = recorded_cells(plan)
    names = plan.values.names
    cards = dict.fromkeys([seen.sort for seen in cells if seen.meaning in CARDS])
    bases = [domain for x in plan.layout.pieces.values() for domain in x.bases]
    return Legend(
        seats=names["player"],
        actions=(PASS_NAME, *[planned.name for planned in space.listed]),
        action_numbers=tuple(action_numbers),
        actions_with_cost=frozenset(
            x.name for x in space.listed if _has_cost(x.action)
        ),
        cells=cells,
        pieces=tuple(plan.layout.pieces),
        awards=tuple(plan.layout.awards),
        kinds={name: names[name] for name in cards},
        spaces={name: names[name] for name in dict.fromkeys(bases)},
        measures=tuple(plan.model.measures.values()),
    )


def _has_cost(action: m.Action) -> bool:
    return any(x.sort is m.RequirementSort.PAYS for x in action.requirements)


def turn_width(plan: Plan) -> int:
    """Return the number of columns in the row of a turn."""
    return len(TURN) + plan.players + measure_width(plan)


def measure_width(plan: Plan) -> int:
    """Return the number of columns for the declared measures."""
    measures = plan.model.measures.values()
    return sum([plan.players if x.each_player else 1 for x in measures])


def end_width(plan: Plan) -> int:
    """Return the number of columns for the end of a game."""
    return len(END_COLUMNS) + len(recorded_cells(plan))


def cell_numbers(plan: Plan) -> Any:
    """Return an array with each cell's number in the legend, or -1 if not recorded."""
    table = numpy().full(len(plan.start_cells), -1, "int32")
    for place, seen in enumerate(recorded_cells(plan)):
        table[seen.cell] = place
    return table


def numpy() -> Any:
    """Import and return numpy, which only measures and batches need."""
    try:
        return import_module("numpy")
    except ImportError as error:
        raise UsageError(NUMPY) from error
