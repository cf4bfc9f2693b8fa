"""Measures of the cards that each seat gains and loses, by kind of card.

In one event, cards of a kind may move between several seats and also to or from the
outside. Moves between seats are then attributed to the first seats in seating order.
"""

from __future__ import annotations

from functools import lru_cache, partial
from typing import Any

import attrs

from workbench.analysis.measures.game_course import ValuesByPart
from workbench.analysis.measures.holdings import (
    MOVEMENTS,
    card_flow,
    card_kinds,
    holding_changes,
)
from workbench.analysis.measures.measure_table import (
    SHARE,
    Measure,
    MeasureScope,
)
from workbench.analysis.measures.measured_games import (
    ACTIVE,
    TURN_NUMBER,
    MeasuredGames,
)


@attrs.frozen(eq=False)
class SeatFlow:
    """Movements of cards by seat: parallel arrays by event, kind and seat.

    `row` is the entry's index in `CardFlow`. `gained` and `lost` count cards gained
    from and given up to the outside. `received` and `given` count cards received from
    and given to other seats.
    """

    row: Any
    seat: Any
    gained: Any
    lost: Any
    received: Any
    given: Any


@lru_cache(maxsize=1)
def seat_flow(games: MeasuredGames) -> SeatFlow:
    """Return the movements of cards of each seat."""
    numpy, kinds, flow = games.numpy, card_kinds(games.legend), card_flow(games)
    event, seat, kind, number = holding_changes(games)
    size = max(len(kinds.names), 1)
    row = numpy.searchsorted(flow.event * size + flow.kind, event * size + kind)
    order = numpy.argsort(row, kind="stable")  # by seat within a row
    row, seat, number = row[order], seat[order], number[order]
    gains, losses = numpy.maximum(number, 0), numpy.maximum(-number, 0)
    received, given = (
        _clip_to_limits(games, row, x, flow.between_seats) for x in (gains, losses)
    )
    return SeatFlow(row, seat, gains - received, losses - given, received, given)


def _clip_to_limits(games: MeasuredGames, row: Any, numbers: Any, limits: Any) -> Any:
    """Return the numbers, reduced so that no row's sum exceeds its limit.

    *row* is the row of each number; later numbers of a row are reduced first.
    """
    numpy = games.numpy
    before = numpy.cumsum(numbers) - numbers
    first = numpy.searchsorted(row, row)
    before -= before[first] if len(before) else 0
    return numpy.clip(limits[row] - before, 0, numbers)


def _cards_by_seat(games: MeasuredGames, rows: Any, numbers: Any) -> ValuesByPart:
    """Return the sum of *numbers* over *rows* of the flow, by seat and kind of card."""
    kinds, seats = card_kinds(games.legend).names, games.legend.seats
    by_seat, flow = seat_flow(games), card_flow(games)
    selected = rows[by_seat.row]
    game = games.game_of_event[flow.event[by_seat.row[selected]]]
    size = max(len(kinds), 1)
    columns = by_seat.seat[selected] * size + flow.kind[by_seat.row[selected]]
    weights = numbers[selected].astype("float64")
    table = games.count_by_game_and_category(
        game, columns, len(seats) * size, weights
    ).astype("int64")
    return {
        f"{seat}.{kind}": table[:, seat_number * size + number]
        for seat_number, seat in enumerate(seats)
        for number, kind in enumerate(kinds)
    }


def cards_by_seat(movement: str, direction: str, games: MeasuredGames) -> ValuesByPart:
    """Return how many cards of each kind each seat moved in some way.

    *direction* is `gained`, `lost`, `received` or `given`.
    """
    numbers = getattr(seat_flow(games), direction)
    return _cards_by_seat(games, MOVEMENTS[movement](games), numbers)


# ---------------------------------------------------------------- turns


def idle_turns(games: MeasuredGames) -> ValuesByPart:
    """Return the share of each seat's turns in which no action changed anything."""
    numpy, turns = games.numpy, games.trace.turns[games.is_turn_end]
    game = games.game_of_turn[games.is_turn_end]
    active, busy = turns[:, ACTIVE], games.has_changes[game, turns[:, TURN_NUMBER]]
    known = active >= 0
    idle = known & ~busy
    total = games.count_by_game_and_category(
        game[known], active[known], games.seat_count
    )
    count = games.count_by_game_and_category(game[idle], active[idle], games.seat_count)
    with numpy.errstate(invalid="ignore"):
        share = count / total
    return {seat: share[:, index] for index, seat in enumerate(games.legend.seats)}


SEAT_MEASURES = (
    Measure(
        "idle_turns_by",
        MeasureScope.SEAT,
        SHARE,
        "Share of the seat's turns in which no action moved a card, a piece"
        " or an award.",
        idle_turns,
    ),
    Measure.of_cards(
        "produced_by",
        MeasureScope.SEAT_CARD,
        "that the seat gained by chance events, not from other seats.",
        partial(cards_by_seat, "by chance", "gained"),
    ),
    Measure.of_cards(
        "taken_by",
        MeasureScope.SEAT_CARD,
        "that the seat gained by an action or at the start of the"
        " game, not from other seats.",
        partial(cards_by_seat, "not by chance", "gained"),
    ),
    Measure.of_cards(
        "spent_by",
        MeasureScope.SEAT_CARD,
        "that the seat gave up, not to other seats, by actions with a cost.",
        partial(cards_by_seat, "paid", "lost"),
    ),
    Measure.of_cards(
        "exchanged_by",
        MeasureScope.SEAT_CARD,
        "that the seat gave up in exchange for other cards of the same"
        " sort that no seat held.",
        partial(cards_by_seat, "exchanged", "lost"),
    ),
    Measure.of_cards(
        "discarded_by",
        MeasureScope.SEAT_CARD,
        "that the seat gave up, not to other seats, without spending"
        " or exchanging them.",
        partial(cards_by_seat, "discarded", "lost"),
    ),
    Measure.of_cards(
        "traded_by",
        MeasureScope.SEAT_CARD,
        "that the seat gave to other seats and received something in return.",
        partial(cards_by_seat, "mutual", "given"),
    ),
    Measure.of_cards(
        "received_by",
        MeasureScope.SEAT_CARD,
        "that the seat received from other seats and gave something in return.",
        partial(cards_by_seat, "mutual", "received"),
    ),
    Measure.of_cards(
        "seized_by",
        MeasureScope.SEAT_CARD,
        "that the seat received from other seats, which received nothing.",
        partial(cards_by_seat, "one-sided", "received"),
    ),
    Measure.of_cards(
        "lost_by",
        MeasureScope.SEAT_CARD,
        "that other seats received from the seat, which received nothing.",
        partial(cards_by_seat, "one-sided", "given"),
    ),
)
"""Measures of single seats, computed only on request because there are many of them."""
