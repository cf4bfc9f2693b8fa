"""Measures of the cards that each seat gains and loses, by kind of card.

In one event, cards of a kind may move between several seats and also to or from the
outside. Moves between seats are then attributed to the first seats in seating order.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import attrs

from workbench.analysis.measures.games import ACTIVE, TURN_NUMBER, Games
from workbench.analysis.measures.holdings import by_chance, costs, flow, kinds_of, moves
from workbench.analysis.measures.progress import Parts
from workbench.analysis.measures.table import OURS, SHARE, Measure, MeasureScope


@attrs.frozen(eq=False)
class SeatFlow:
    """Movements of cards by seat: parallel arrays by event, kind and seat.

    `row` is the entry's index in the flow. `came` and `left` count cards gained from
    and given up to the outside. `got` and `gave` count cards received from and given to
    other seats.
    """

    row: Any
    seat: Any
    came: Any
    left: Any
    got: Any
    gave: Any


@lru_cache(maxsize=1)
def seat_flow(games: Games) -> SeatFlow:
    """Return the movements of cards of each seat."""
    numpy, kinds, whole = games.numpy, kinds_of(games.legend), flow(games)
    event, seat, kind, number = moves(games)
    size = max(len(kinds.names), 1)
    row = numpy.searchsorted(whole.event * size + whole.kind, event * size + kind)
    order = numpy.argsort(row, kind="stable")  # by seat within a row
    row, seat, number = row[order], seat[order], number[order]
    more, less = numpy.maximum(number, 0), numpy.maximum(-number, 0)
    got, gave = (_first_ones(games, row, x, whole.between) for x in (more, less))
    return SeatFlow(row, seat, more - got, less - gave, got, gave)


def _first_ones(games: Games, row: Any, numbers: Any, most: Any) -> Any:
    """Return how much of each number counts until the limit of its row is reached.

    *row* is the row of each number, and *most* is the limit of each row.
    """
    numpy = games.numpy
    before = numpy.cumsum(numbers) - numbers
    first = numpy.searchsorted(row, row)
    before -= before[first] if len(before) else 0
    return numpy.clip(most[row] - before, 0, numbers)


def _by_seat(games: Games, rows: Any, numbers: Any) -> Parts:
    """Return the number of cards by seat and kind, for some rows of the flow."""
    kinds, seats = kinds_of(games.legend).names, games.legend.seats
    moved, whole = seat_flow(games), flow(games)
    here = rows[moved.row]
    whose = games.game_of_event[whole.event[moved.row[here]]]
    size = max(len(kinds), 1)
    things = moved.seat[here] * size + whole.kind[moved.row[here]]
    weights = numbers[here].astype("float64")
    table = games.table(whose, things, len(seats) * size, weights).astype("int64")
    return {
        f"{seat}.{kind}": table[:, place * size + number]
        for place, seat in enumerate(seats)
        for number, kind in enumerate(kinds)
    }


def produced(games: Games) -> Parts:
    """Return the number of cards that each seat gained by chance."""
    return _by_seat(games, by_chance(games), seat_flow(games).came)


def taken(games: Games) -> Parts:
    """Return the number of cards that each seat gained by actions or during set-up."""
    return _by_seat(games, ~by_chance(games), seat_flow(games).came)


def spent(games: Games) -> Parts:
    """Return the number of cards that each seat paid for actions."""
    rows = costs(games) & ~flow(games).swapped
    return _by_seat(games, rows, seat_flow(games).left)


def exchanged(games: Games) -> Parts:
    """Return the number of cards that each seat exchanged for others no seat held."""
    return _by_seat(games, flow(games).swapped, seat_flow(games).left)


def discarded(games: Games) -> Parts:
    """Return the number of cards each seat gave up but did not pay or exchange."""
    rows = ~costs(games) & ~flow(games).swapped
    return _by_seat(games, rows, seat_flow(games).left)


def traded(games: Games) -> Parts:
    """Return the number of cards each seat gave to others and got some back for."""
    return _by_seat(games, flow(games).traded, seat_flow(games).gave)


def received(games: Games) -> Parts:
    """Return the number of cards each seat received from others that got some back."""
    return _by_seat(games, flow(games).traded, seat_flow(games).got)


def seized(games: Games) -> Parts:
    """Return the number of cards that each seat took from others without giving any."""
    return _by_seat(games, ~flow(games).traded, seat_flow(games).got)


def lost(games: Games) -> Parts:
    """Return the number of cards that others took from each seat without giving any."""
    return _by_seat(games, ~flow(games).traded, seat_flow(games).gave)


# ---------------------------------------------------------------- turns


def idle_turns(games: Games) -> Parts:
    """Return the share of each seat's turns in which no action changed anything."""
    numpy, turns = games.numpy, games.trace.turns[games.ends_a_turn]
    whose = games.game_of_turn[games.ends_a_turn]
    active, busy = turns[:, ACTIVE], games.busy[whose, turns[:, TURN_NUMBER]]
    there = active >= 0
    idle = there & ~busy
    number = games.table(whose[there], active[there], games.seats)
    none = games.table(whose[idle], active[idle], games.seats)
    with numpy.errstate(invalid="ignore"):
        share = none / number
    return {seat: share[:, place] for place, seat in enumerate(games.legend.seats)}


BY_SEAT = (
    Measure(
        "idle_turns_by",
        MeasureScope.SEAT,
        SHARE,
        "Share of the seat's turns in which no action moved a card, a piece"
        " or an award.",
        OURS,
        idle_turns,
    ),
    Measure(
        "produced_by",
        MeasureScope.SEAT_CARD,
        "cards",
        "Number that the seat gained by chance events, not from other seats.",
        OURS,
        produced,
    ),
    Measure(
        "taken_by",
        MeasureScope.SEAT_CARD,
        "cards",
        "Number that the seat gained by an action or at the start of the"
        " game, not from other seats.",
        OURS,
        taken,
    ),
    Measure(
        "spent_by",
        MeasureScope.SEAT_CARD,
        "cards",
        "Number that the seat gave up, not to other seats, by actions with a cost.",
        OURS,
        spent,
    ),
    Measure(
        "exchanged_by",
        MeasureScope.SEAT_CARD,
        "cards",
        "Number that the seat gave up in exchange for other cards of the same"
        " sort that no seat held.",
        OURS,
        exchanged,
    ),
    Measure(
        "discarded_by",
        MeasureScope.SEAT_CARD,
        "cards",
        "Number that the seat gave up, not to other seats, without spending"
        " or exchanging them.",
        OURS,
        discarded,
    ),
    Measure(
        "traded_by",
        MeasureScope.SEAT_CARD,
        "cards",
        "Number that the seat gave to other seats and received something in return.",
        OURS,
        traded,
    ),
    Measure(
        "received_by",
        MeasureScope.SEAT_CARD,
        "cards",
        "Number that the seat received from other seats and gave something in return.",
        OURS,
        received,
    ),
    Measure(
        "seized_by",
        MeasureScope.SEAT_CARD,
        "cards",
        "Number that the seat received from other seats, which received nothing.",
        OURS,
        seized,
    ),
    Measure(
        "lost_by",
        MeasureScope.SEAT_CARD,
        "cards",
        "Number that other seats received from the seat, which received nothing.",
        OURS,
        lost,
    ),
)
"""Measures of single seats, computed only on request because there are many of them."""
