"""Measures of cards that seats gain and lose, of pieces, and of occupied spaces.

A seat holds the contents of its own cells. Gains and losses are net for each event: a
card that a seat gains and loses in one action does not count.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from importlib import import_module
from typing import Any

import attrs

from interpreter.tracing import (
    BY_CHANCE,
    CARDS,
    PIECES,
    CellMeaning,
    Legend,
    WatchedCell,
)
from workbench.analysis.measures.game_course import ValuesByPart
from workbench.analysis.measures.measured_games import (
    CELL,
    EVENT,
    FIRST_CELL,
    IN_TURN,
    INDEX,
    NEW_VALUE,
    OLD_VALUE,
    MeasuredGames,
)

MAX_CACHED_LEGENDS = 8
"""Maximum number of trace legends for which card kinds and cells are cached."""

MIN_GAINING_SEATS = 2
"""Minimum number of seats that gain cards when cards are traded."""


@attrs.frozen
class CardKinds:
    """Kinds of cards that seats can hold, numbered, and the sort of each.

    `first` is the number of the first kind of each sort.
    """

    names: tuple[str, ...]
    sorts: tuple[int, ...]
    first: Mapping[str, int]


@attrs.frozen(eq=False)
class CardFlow:
    """Movements of cards: parallel arrays by event and kind of card.

    `gained` counts cards that seats gained from outside, and `lost` cards that they
    gave up to outside. `between_seats` counts cards that moved between seats.
    `is_exchange` is true if the event exchanged cards with the outside, `is_mutual` if
    several seats gained cards.
    """

    event: Any
    kind: Any
    gained: Any
    lost: Any
    between_seats: Any
    is_exchange: Any
    is_mutual: Any


@lru_cache(maxsize=MAX_CACHED_LEGENDS)
def card_kinds(legend: Legend) -> CardKinds:
    """Return the kinds of cards that seats can hold."""
    held = {x.sort for x in legend.cells if x.seat >= 0 and x.meaning in CARDS}
    names: list[str] = []
    sorts: list[int] = []
    first: dict[str, int] = {}
    for number, (sort, kinds) in enumerate(legend.kinds.items()):
        if sort in held:
            first[sort] = len(names)
            names += [f"{sort}_{x}" if x in names else x for x in kinds]
            sorts += [number] * len(kinds)
    return CardKinds(tuple(names), tuple(sorts), first)


@lru_cache(maxsize=MAX_CACHED_LEGENDS)
def own_cells(legend: Legend) -> tuple[Any, Any, Any]:
    """Return arrays by cell: seat (or -1), kind of card, whether it stores one card."""
    numpy, kinds = import_module("numpy"), card_kinds(legend)
    seat = [x.seat if x.meaning in CARDS else -1 for x in legend.cells]
    kind = [_kind_number(kinds, legend, x) for x in legend.cells]
    is_single = [x.meaning is CellMeaning.CARD for x in legend.cells]
    return numpy.array(seat, int), numpy.array(kind, int), numpy.array(is_single, bool)


def _kind_number(kinds: CardKinds, legend: Legend, cell: WatchedCell) -> int:
    """Return the number of a cell's kind of card; 0 if the cell contains no cards.

    For a cell that stores any card of a sort, it is the first kind of the sort.
    """
    if cell.sort not in kinds.first or cell.meaning not in CARDS:
        return 0
    first = kinds.first[cell.sort]
    return first + (legend.kinds[cell.sort].index(cell.subject) if cell.subject else 0)


@lru_cache(maxsize=1)
def holding_changes(games: MeasuredGames) -> tuple[Any, Any, Any, Any]:
    """Return net changes of seats' cards as arrays: events, seats, kinds, amounts."""
    numpy, kinds = games.numpy, card_kinds(games.legend)
    seat, kind, is_single = own_cells(games.legend)
    changes = games.trace.changes
    changes = changes[seat[changes[:, CELL]] >= 0]
    single = is_single[changes[:, CELL]]
    counts = changes[~single]
    rows, kind_of = [counts], [kind[counts[:, CELL]]]
    amounts = [counts[:, NEW_VALUE] - counts[:, OLD_VALUE]]
    for column, sign in ((NEW_VALUE, 1), (OLD_VALUE, -1)) if single.any() else ():
        present = changes[single & (changes[:, column] >= 0)]
        rows.append(present)
        kind_of.append(kind[present[:, CELL]] + present[:, column])
        amounts.append(numpy.full(len(present), sign))
    changes = numpy.concatenate(rows)
    size = max(len(kinds.names), 1)
    game_seat = (
        changes[:, EVENT].astype("int64") * games.seat_count + seat[changes[:, CELL]]
    )
    keys = game_seat * size + numpy.concatenate(kind_of)
    keys, (total,) = sums_by_key(games, keys, numpy.concatenate(amounts))
    moved = total != 0
    keys, total = keys[moved], total[moved]
    return (
        keys // (games.seat_count * size),
        keys // size % games.seat_count,
        keys % size,
        total,
    )


def sums_by_key(
    games: MeasuredGames, keys: Any, *numbers: Any
) -> tuple[Any, Sequence[Any]]:
    """Return the distinct keys in ascending order, and the sum of each array by key."""
    numpy = games.numpy
    if len(keys) < MIN_GAINING_SEATS or (numpy.diff(keys) > 0).all():
        return keys, numbers
    order = numpy.argsort(keys, kind="stable")
    keys = keys[order]
    starts = numpy.flatnonzero(numpy.concatenate([[True], numpy.diff(keys) > 0]))
    sums = [numpy.add.reduceat(values[order], starts) for values in numbers]
    return keys[starts], sums


@lru_cache(maxsize=1)
def card_flow(games: MeasuredGames) -> CardFlow:
    """Return the movements of cards in all games, by event and kind of card."""
    numpy, kinds = games.numpy, card_kinds(games.legend)
    event, seat, kind, number = holding_changes(games)
    size = max(len(kinds.names), 1)
    keys = event * size + kind
    directions = numpy.maximum(number, 0), numpy.maximum(-number, 0)
    unique_keys, (gained, lost) = sums_by_key(games, keys, *directions)
    between = numpy.minimum(gained, lost)
    inflow, outflow = gained - between, lost - between
    events, kinds_moved = unique_keys // size, unique_keys % size
    gains = (number > 0) & (between[numpy.searchsorted(unique_keys, keys)] > 0)
    traded = _has_several_seats(games, event[gains], seat[gains])[events]
    sort = numpy.array(kinds.sorts or (0,))[kinds_moved]
    swaps = numpy.zeros((2, len(games.trace.events), len(games.legend.kinds) + 1), bool)
    for side, moved in enumerate((inflow, outflow)):
        swaps[side, events[moved > 0], sort[moved > 0]] = True
    either, other = swaps
    swapped = either[events, sort] & other[events, sort] & games.is_action[events]
    return CardFlow(events, kinds_moved, inflow, outflow, between, swapped, traded)


def _has_several_seats(games: MeasuredGames, events: Any, seats: Any) -> Any:
    """Return whether each event occurs with at least two different seats.

    *events* and *seats* are parallel arrays, sorted by event and then by seat.
    """
    numpy, pairs = games.numpy, events * games.seat_count + seats
    is_new = numpy.append(True, pairs[1:] != pairs[:-1])[: len(pairs)]
    counts = numpy.bincount(events[is_new], minlength=len(games.trace.events))
    return counts >= MIN_GAINING_SEATS


def _cards_by_kind(games: MeasuredGames, rows: Any, numbers: Any) -> ValuesByPart:
    """Return the sum of *numbers* over *rows* of the flow, by kind of card and game."""
    kinds, flow = card_kinds(games.legend).names, card_flow(games)
    game = games.game_of_event[flow.event[rows]]
    weights = numbers[rows].astype("float64")
    table = games.count_by_game_and_category(
        game, flow.kind[rows], max(len(kinds), 1), weights
    )
    table = table.astype("int64")
    return {name: table[:, number] for number, name in enumerate(kinds)}


def is_by_chance(games: MeasuredGames) -> Any:
    """Return whether the event of each row of the flow is a chance event."""
    return games.trace.events[card_flow(games).event, INDEX] == BY_CHANCE


def is_paid_action(games: MeasuredGames) -> Any:
    """Return whether the event of each row of the flow is an action with a cost."""
    legend = games.legend
    paid = [name in legend.actions_with_cost for name in legend.actions]
    table = games.numpy.array([*paid, False])
    return table[games.action_of_event[card_flow(games).event]]


MOVEMENTS: Mapping[str, Callable[[MeasuredGames], Any]] = {
    "by chance": is_by_chance,
    "not by chance": lambda games: ~is_by_chance(games),
    "in set-up": lambda games: games.trace.events[card_flow(games).event, IN_TURN] < 1,
    "paid": lambda games: is_paid_action(games) & ~card_flow(games).is_exchange,
    "exchanged": lambda games: card_flow(games).is_exchange,
    "discarded": lambda games: ~is_paid_action(games) & ~card_flow(games).is_exchange,
    "mutual": lambda games: card_flow(games).is_mutual,
    "one-sided": lambda games: ~card_flow(games).is_mutual,
}
"""Functions that select the rows of the flow in which cards move in some way."""


def cards_by_kind(movement: str, direction: str, games: MeasuredGames) -> ValuesByPart:
    """Return how many cards of each kind moved in some way.

    *direction* is `gained`, `lost` or `between_seats`.
    """
    numbers = getattr(card_flow(games), direction)
    return _cards_by_kind(games, MOVEMENTS[movement](games), numbers)


def shares_of_cards(games: MeasuredGames) -> ValuesByPart:
    """Return the share of each kind among all cards of its sort that seats gained."""
    numpy, kinds, flow = games.numpy, card_kinds(games.legend), card_flow(games)
    gained = _cards_by_kind(games, slice(None), flow.gained)
    totals: dict[int, Any] = {}
    for sort, values in zip(kinds.sorts, gained.values(), strict=True):
        totals[sort] = totals.get(sort, 0) + values
    with numpy.errstate(invalid="ignore"):
        return {
            name: values / totals[sort]
            for sort, (name, values) in zip(kinds.sorts, gained.items(), strict=True)
        }


# ---------------------------------------------------------------- first appearances


def first_cards(games: MeasuredGames) -> ValuesByPart:
    """Return the round in which a seat first gained each kind of card after set-up."""
    event, _, kind, number = holding_changes(games)
    gains = (number > 0) & (games.trace.events[event, IN_TURN] > 0)
    return _first_rounds(
        games, event[gains], kind[gains], card_kinds(games.legend).names
    )


def first_pieces(games: MeasuredGames) -> ValuesByPart:
    """Return the round in which a piece of each name was first placed after set-up."""
    return _first_rounds_in_cells(games, PIECES, games.legend.pieces)


def first_awards(games: MeasuredGames) -> ValuesByPart:
    """Return the round in which a seat first gained each award after set-up."""
    return _first_rounds_in_cells(
        games, frozenset({CellMeaning.AWARD}), games.legend.awards
    )


def points_by_award(games: MeasuredGames) -> ValuesByPart:
    """Return the mean points that a new holder of each award gained in that turn."""
    numpy, legend, changes = games.numpy, games.legend, games.trace.changes
    award_of_cell = [
        legend.awards.index(cell.subject) if cell.meaning is CellMeaning.AWARD else -1
        for cell in legend.cells
    ]
    award = numpy.array(award_of_cell or [-1])[changes[:, CELL]]
    is_new = (award >= 0) & (changes[:, NEW_VALUE] >= 0) & (games.turn_of_change > 0)
    game, turn = games.game_of_change[is_new], games.turn_of_change[is_new]
    before, after = (
        games.last_row_of_turn[game, turn - 1],
        games.last_row_of_turn[game, turn],
    )
    known = (before >= 0) & (after >= 0)
    award, seat = award[is_new][known], changes[is_new, NEW_VALUE][known]
    gain = games.points[after[known], seat] - games.points[before[known], seat]
    size = len(legend.awards)
    times = games.count_by_game_and_category(game[known], award, size)
    with numpy.errstate(invalid="ignore"):
        means = (
            games.count_by_game_and_category(
                game[known], award, size, gain.astype("float64")
            )
            / times
        )
    return {name: means[:, number] for number, name in enumerate(legend.awards)}


def _first_rounds_in_cells(
    games: MeasuredGames, meanings: frozenset[CellMeaning], names: tuple[str, ...]
) -> ValuesByPart:
    """Return the round in which cells with these meanings first contain each name."""
    numpy, legend, changes = games.numpy, games.legend, games.trace.changes
    index_of_cell = [
        names.index(cell.subject) if cell.meaning in meanings else -1
        for cell in legend.cells
    ]
    counts = numpy.array(
        [cell.meaning is CellMeaning.COUNT for cell in legend.cells] or [False]
    )
    index = numpy.array(index_of_cell or [-1])[changes[:, CELL]]
    grows = changes[:, NEW_VALUE] > changes[:, OLD_VALUE]
    is_placed = (changes[:, NEW_VALUE] >= 0) & (grows | ~counts[changes[:, CELL]])
    selected = (index >= 0) & is_placed & (games.turn_of_change > 0)
    return _first_rounds(games, changes[selected, EVENT], index[selected], names)


def _first_rounds(
    games: MeasuredGames, events: Any, indices: Any, names: tuple[str, ...]
) -> ValuesByPart:
    """Return the round of each name's first event; *indices* refer to *names*."""
    rounds = games.first_rounds(events, indices, len(names))
    return {name: rounds[:, number] for number, name in enumerate(names)}


# ---------------------------------------------------------------- occupied spaces


@lru_cache(maxsize=1)
def occupied_spaces(games: MeasuredGames) -> Mapping[str, Mapping[str, Any]]:
    """Return whether each space is occupied at the end, by domain, space and game."""
    legend, ends = games.legend, games.trace.ends
    occupied: dict[str, dict[str, Any]] = {
        domain: {space: games.numpy.zeros(games.game_count, bool) for space in spaces}
        for domain, spaces in legend.spaces.items()
    }
    for column, cell in enumerate(legend.cells):
        if cell.meaning in PIECES:
            minimum = 1 if cell.meaning is CellMeaning.COUNT else 0
            occupied[cell.sort][cell.place] |= ends[:, FIRST_CELL + column] >= minimum
    return occupied


def used_spaces(games: MeasuredGames) -> ValuesByPart:
    """Return 1 for each space that is occupied at the end, else 0."""
    parts: dict[str, Any] = {}
    for domain, spaces in occupied_spaces(games).items():
        for space, values in spaces.items():
            name = f"{domain}_{space}" if space in parts else space
            parts[name] = values.astype("int64")
    return parts


def space_coverage(games: MeasuredGames) -> ValuesByPart:
    """Return the share of occupied spaces at the end, for each domain of spaces."""
    numpy = games.numpy
    return {
        domain: numpy.mean(list(spaces.values()), axis=0)
        for domain, spaces in occupied_spaces(games).items()
        if spaces
    }
