"""Measures of cards that seats gain and lose, of pieces, and of occupied spaces.

A seat holds the contents of its own cells. Gains and losses are net for each event: a
card that a seat gains and loses in one action does not count.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
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
    NOW,
    WAS,
    MeasuredGames,
)

MAX_CACHED_LEGENDS = 8
"""Maximum number of trace legends for which card kinds and cells are cached."""

MIN_GAINING_SEATS = 2
"""Minimum number of seats that must gain cards for an event to count as an exchange."""


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
    """Return arrays by cell: its seat, its kind of card, and whether it stores one
    card.
    """
    numpy, kinds = import_module("numpy"), card_kinds(legend)
    seat = [x.seat if x.meaning in CARDS else -1 for x in legend.cells]
    kind = [_kind_number(kinds, legend, x) for x in legend.cells]
    says = [x.meaning is CellMeaning.CARD for x in legend.cells]
    return numpy.array(seat, int), numpy.array(kind, int), numpy.array(says, bool)


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
    seat, kind, says = own_cells(games.legend)
    changes = games.trace.changes
    changes = changes[seat[changes[:, CELL]] >= 0]
    which = says[changes[:, CELL]]
    counts = changes[~which]
    rows, kind_of = [counts], [kind[counts[:, CELL]]]
    number = [counts[:, NOW] - counts[:, WAS]]
    for column, sign in ((NOW, 1), (WAS, -1)) if which.any() else ():
        there = changes[which & (changes[:, column] >= 0)]
        rows.append(there)
        kind_of.append(kind[there[:, CELL]] + there[:, column])
        number.append(numpy.full(len(there), sign))
    changes = numpy.concatenate(rows)
    size = max(len(kinds.names), 1)
    whose = (
        changes[:, EVENT].astype("int64") * games.seat_count + seat[changes[:, CELL]]
    )
    keys = whose * size + numpy.concatenate(kind_of)
    keys, (total,) = sums_by_key(games, keys, numpy.concatenate(number))
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
    begins = numpy.flatnonzero(numpy.concatenate([[True], numpy.diff(keys) > 0]))
    sums = [numpy.add.reduceat(some[order], begins) for some in numbers]
    return keys[begins], sums


@lru_cache(maxsize=1)
def card_flow(games: MeasuredGames) -> CardFlow:
    """Return the movements of cards in all games, by event and kind of card."""
    numpy, kinds = games.numpy, card_kinds(games.legend)
    event, seat, kind, number = holding_changes(games)
    size = max(len(kinds.names), 1)
    keys = event * size + kind
    ways = numpy.maximum(number, 0), numpy.maximum(-number, 0)
    both, (gained, lost) = sums_by_key(games, keys, *ways)
    between = numpy.minimum(gained, lost)
    came, left = gained - between, lost - between
    events, of = both // size, both % size
    gains = (number > 0) & (between[numpy.searchsorted(both, keys)] > 0)
    traded = _has_several_seats(games, event[gains], seat[gains])[events]
    sort = numpy.array(kinds.sorts or (0,))[of]
    swaps = numpy.zeros((2, len(games.trace.events), len(games.legend.kinds) + 1), bool)
    for side, moved in enumerate((came, left)):
        swaps[side, events[moved > 0], sort[moved > 0]] = True
    either, other = swaps
    swapped = either[events, sort] & other[events, sort] & games.is_action[events]
    return CardFlow(events, of, came, left, between, swapped, traded)


def _has_several_seats(games: MeasuredGames, events: Any, seats: Any) -> Any:
    """Return for each event whether at least two seats occur with it.

    *events* and *seats* are parallel arrays, sorted by event and then by seat.
    """
    numpy, pairs = games.numpy, events * games.seat_count + seats
    new = numpy.append(True, pairs[1:] != pairs[:-1])[: len(pairs)]
    often = numpy.bincount(events[new], minlength=len(games.trace.events))
    return often >= MIN_GAINING_SEATS


def _cards_by_kind(games: MeasuredGames, rows: Any, numbers: Any) -> ValuesByPart:
    """Return the number of cards of each kind by game, for the given rows of the
    flow."""
    kinds, moved = card_kinds(games.legend).names, card_flow(games)
    whose = games.game_of_event[moved.event[rows]]
    weights = numbers[rows].astype("float64")
    table = games.count_by_game_and_thing(
        whose, moved.kind[rows], max(len(kinds), 1), weights
    )
    table = table.astype("int64")
    return {name: table[:, number] for number, name in enumerate(kinds)}


def is_by_chance(games: MeasuredGames) -> Any:
    """Return for each row of the flow whether its event is a chance event."""
    return games.trace.events[card_flow(games).event, INDEX] == BY_CHANCE


def is_paid_action(games: MeasuredGames) -> Any:
    """Return for each row of the flow whether its event is an action with a cost."""
    legend = games.legend
    paid = [name in legend.pays for name in legend.actions]
    table = games.numpy.array([*paid, False])
    return table[games.action_of_event[card_flow(games).event]]


def produced_cards(games: MeasuredGames) -> ValuesByPart:
    """Return the number of cards that seats gained by chance."""
    return _cards_by_kind(games, is_by_chance(games), card_flow(games).gained)


def dealt_cards(games: MeasuredGames) -> ValuesByPart:
    """Return the number of cards that seats gained before the first turn."""
    moved = card_flow(games)
    before = games.trace.events[moved.event, IN_TURN] < 1
    return _cards_by_kind(games, before, moved.gained)


def taken_cards(games: MeasuredGames) -> ValuesByPart:
    """Return the number of cards that seats gained by actions or during set-up."""
    return _cards_by_kind(games, ~is_by_chance(games), card_flow(games).gained)


def spent_cards(games: MeasuredGames) -> ValuesByPart:
    """Return the number of cards that seats paid for actions."""
    moved = card_flow(games)
    return _cards_by_kind(games, is_paid_action(games) & ~moved.is_exchange, moved.lost)


def exchanged_cards(games: MeasuredGames) -> ValuesByPart:
    """Return the number of cards that seats exchanged for cards that no seat held."""
    moved = card_flow(games)
    return _cards_by_kind(games, moved.is_exchange, moved.lost)


def discarded_cards(games: MeasuredGames) -> ValuesByPart:
    """Return the number of cards that seats gave up but did not pay or exchange."""
    moved = card_flow(games)
    return _cards_by_kind(
        games, ~is_paid_action(games) & ~moved.is_exchange, moved.lost
    )


def traded_cards(games: MeasuredGames) -> ValuesByPart:
    """Return the number of cards that moved between seats that both gained cards."""
    moved = card_flow(games)
    return _cards_by_kind(games, moved.is_mutual, moved.between_seats)


def seized_cards(games: MeasuredGames) -> ValuesByPart:
    """Return the number of cards that seats took from others without giving any."""
    moved = card_flow(games)
    return _cards_by_kind(games, ~moved.is_mutual, moved.between_seats)


def shares_of_cards(games: MeasuredGames) -> ValuesByPart:
    """Return the share of each kind among all gained cards of the same sort."""
    numpy, kinds, moved = games.numpy, card_kinds(games.legend), card_flow(games)
    came = _cards_by_kind(games, slice(None), moved.gained)
    totals: dict[int, Any] = {}
    for sort, values in zip(kinds.sorts, came.values(), strict=True):
        totals[sort] = totals.get(sort, 0) + values
    with numpy.errstate(invalid="ignore"):
        return {
            name: values / totals[sort]
            for sort, (name, values) in zip(kinds.sorts, came.items(), strict=True)
        }


# ---------------------------------------------------------------- first appearances


def first_cards(games: MeasuredGames) -> ValuesByPart:
    """Return the round in which any seat first gained a card of each kind."""
    event, _, kind, number = holding_changes(games)
    gains = (number > 0) & (games.trace.events[event, IN_TURN] > 0)
    return _first_rounds(
        games, event[gains], kind[gains], card_kinds(games.legend).names
    )


def first_pieces(games: MeasuredGames) -> ValuesByPart:
    """Return the round in which a piece of each name was first placed."""
    return _first_rounds_in_cells(games, PIECES, games.legend.pieces)


def first_awards(games: MeasuredGames) -> ValuesByPart:
    """Return the round in which a seat first held each award."""
    return _first_rounds_in_cells(
        games, frozenset({CellMeaning.AWARD}), games.legend.awards
    )


def points_by_award(games: MeasuredGames) -> ValuesByPart:
    """Return the mean points that a new holder of each award gained in that turn."""
    numpy, legend, changes = games.numpy, games.legend, games.trace.changes
    number = [
        legend.awards.index(x.subject) if x.meaning is CellMeaning.AWARD else -1
        for x in legend.cells
    ]
    thing = numpy.array(number or [-1])[changes[:, CELL]]
    comes = (thing >= 0) & (changes[:, NOW] >= 0) & (games.turn_of_change > 0)
    whose, turn = games.game_of_change[comes], games.turn_of_change[comes]
    before, after = (
        games.last_row_of_turn[whose, turn - 1],
        games.last_row_of_turn[whose, turn],
    )
    said = (before >= 0) & (after >= 0)
    thing, seat = thing[comes][said], changes[comes, NOW][said]
    more = games.points[after[said], seat] - games.points[before[said], seat]
    size = len(legend.awards)
    times = games.count_by_game_and_thing(whose[said], thing, size)
    with numpy.errstate(invalid="ignore"):
        means = (
            games.count_by_game_and_thing(
                whose[said], thing, size, more.astype("float64")
            )
            / times
        )
    return {name: means[:, x] for x, name in enumerate(legend.awards)}


def _first_rounds_in_cells(
    games: MeasuredGames, cell_sorts: frozenset[CellMeaning], names: tuple[str, ...]
) -> ValuesByPart:
    """Return the first round of each named piece or award, from cells of the given
    sorts.
    """
    numpy, legend, changes = games.numpy, games.legend, games.trace.changes
    number = [
        names.index(x.subject) if x.meaning in cell_sorts else -1 for x in legend.cells
    ]
    counts = numpy.array(
        [x.meaning is CellMeaning.COUNT for x in legend.cells] or [False]
    )
    thing = numpy.array(number or [-1])[changes[:, CELL]]
    more = changes[:, NOW] > changes[:, WAS]
    stands = (changes[:, NOW] >= 0) & (more | ~counts[changes[:, CELL]])
    here = (thing >= 0) & stands & (games.turn_of_change > 0)
    return _first_rounds(games, changes[here, EVENT], thing[here], names)


def _first_rounds(
    games: MeasuredGames, events: Any, things: Any, names: tuple[str, ...]
) -> ValuesByPart:
    """Return the round of each thing's first event; *things* are indices in *names*."""
    rounds = games.first_rounds(events, things, len(names))
    return {name: rounds[:, number] for number, name in enumerate(names)}


# ---------------------------------------------------------------- occupied spaces


@lru_cache(maxsize=1)
def occupied_spaces(games: MeasuredGames) -> Mapping[str, Mapping[str, Any]]:
    """Return whether each space is occupied at the end, by domain, space and game."""
    legend, ends = games.legend, games.trace.ends
    stands: dict[str, dict[str, Any]] = {
        domain: {space: games.numpy.zeros(games.game_count, bool) for space in spaces}
        for domain, spaces in legend.spaces.items()
    }
    for place, cell in enumerate(legend.cells):
        if cell.meaning in PIECES:
            least = 1 if cell.meaning is CellMeaning.COUNT else 0
            stands[cell.sort][cell.place] |= ends[:, FIRST_CELL + place] >= least
    return stands


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
