"""The state as one flat list of cells, and the position of everything in it.

The first cells are counters and the order of turns. The order consists of the seat with
the next turn, its place, and its direction, and which seats miss a turn or have had one
in this round (bits). A field has one cell for each member of its owner's domain. A bag
has a row of counts for each member, and a stack has a cell with its `StackValue`. Each
piece has a cell for every space it may stand on: the owner's index, 0 without an owner,
-1 for nothing. Before every block, and after each row of a bag, there are cells that
are never written. They make the index -1 (`none`) read as 0, no or none. If several of
a piece may stand on a space, the space has a count for each owner instead.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import attrs

from rulebook.model import (
    NONE,
    Bag,
    Field,
    Member,
    Model,
    Piece,
    SetOf,
    Stack,
    Truth,
    Whole,
)
from rulebook.model import Type as ValueType

ACTIVE, STARTER, TURN, WINNER, RANKS, STATUS, REASON = range(7)
ROUND, NEXT, PLACE, BACKWARDS, MISSING, HAD = range(7, 13)
RUNNING, ENDED, UNFINISHED = range(3)
ENDLESS = 1_000_000_000

# Known cards and places of unknown ones (-1), the top first, each with the seats that
# know it as bits; then the count of each unknown card in the stack.
Entry = tuple[int, int]
StackValue = tuple[tuple[Entry, ...], tuple[int, ...]]


@attrs.frozen
class Block:
    """Cells of a field: `count` rows of `size` cells, one every `stride` cells."""

    field: Field
    base: int
    stride: int
    size: int
    count: int
    seen: int | None = None

    def row(self, owner: int) -> int:
        """Return the first cell of an owner."""
        return self.base + owner * self.stride


@attrs.frozen
class PieceCells:
    """Cells of a piece: the first cell of each domain, and the whole range.

    `owners` is the number of counts of a space, or 0 if only one of the kind stands on
    it. `room` is the maximum number for each owner or for all together, or None for any
    number.
    """

    bases: dict[str, int]
    low: int
    high: int
    count: int
    owners: int = 0
    room: int | None = None


@attrs.frozen
class Layout:
    """Positions of the cells.

    `empty` is the list before any field has its start value.
    """

    empty: tuple[Any, ...]
    fields: dict[str, Block]
    pieces: dict[str, PieceCells]
    awards: dict[str, int]


def nothing(kind: ValueType) -> Any:
    """Return the value of a scalar before it is written."""
    match kind:
        case Truth():
            return False
        case Whole():
            return 0
        case Member():
            return NONE
        case SetOf():
            return ()
        case _:
            raise AssertionError(kind)


def make_layout(
    model: Model,
    sizes: dict[str, int],
    piece_counts: dict[str, int],
    rooms: dict[str, int | None],
    looked_at: Iterable[str],
) -> Layout:
    """Lay out the cells for a number of players; `looked_at` fields can be viewed."""
    cells: list[Any] = [NONE, NONE, 0, NONE, (), RUNNING, None]
    cells += [0, NONE, NONE, False, 0, 0]
    seen = set(looked_at)
    fields = {
        key: add_field(cells, field, sizes, marked=key in seen)
        for key, field in model.fields.items()
    }
    pieces = {}
    for name, piece in model.pieces.items():
        low, owners = len(cells), owners_of(piece, sizes)
        bases = {}
        for domain in piece.stands_on:
            cells.extend([0] * owners or [NONE])
            bases[domain] = len(cells)
            cells.extend([0] * owners * sizes[domain] or [NONE] * sizes[domain])
        pieces[name] = PieceCells(
            bases, low, len(cells), piece_counts[name], owners, rooms[name]
        )
    awards = {}
    for name in model.awards:
        awards[name] = len(cells)
        cells.append(NONE)
    return Layout(tuple(cells), fields, pieces, awards)


def owners_of(piece: Piece, sizes: dict[str, int]) -> int:
    """Return how many counts of a piece a space has, or 0 if it has only one cell."""
    if piece.room is None:
        return 0
    return sizes["player"] if piece.each_player else 1


def add_field(
    cells: list[Any], field: Field, sizes: dict[str, int], *, marked: bool
) -> Block:
    """Add the cells of one field."""
    count = 1 if field.owner is None else sizes[field.owner]
    seen = None
    if isinstance(field.type, Bag):
        size = sizes[field.type.domain]
        cells.extend([0] * (size + 2))
        base, stride = len(cells), size + 1
        cells.extend([0] * (count * stride))
    elif isinstance(field.type, Stack):
        size = stride = 1
        empty: StackValue = ((), (0,) * sizes[field.type.domain])
        cells.append(empty)
        base = len(cells)
        cells.extend([empty] * count)
    else:
        size = stride = 1
        value = nothing(field.type)
        cells.append(value)
        base = len(cells)
        cells.extend([value] * count)
    if marked:
        cells.append(0)
        seen = len(cells)
        cells.extend([0] * count)
    return Block(field, base, stride, size, count, seen)
