"""Layout of the state: one flat list of cells, and the location of each value.

The first cells are counters and the order of turns: the seat with the next turn, its
place, the direction, and the seats (as bits) that miss a turn or have had one in this
round. A field has one cell for each member of its owner's domain. A bag has a row of
counts for each member, and a stack has a cell with its `StackValue`. A piece has a cell
for every space on which it may stand: the owner's index, 0 without an owner, -1 if the
space is empty. If several copies of a piece may share a space, the space has a count
for each owner instead.

Some cells before every block, and after each row of a bag, are never written. They make
the index -1 (`none`) read as 0, no or none.
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
ROUND, NEXT, PLACE, BACKWARDS, MISSES_TURN, HAD_TURN = range(7, 13)
RUNNING, ENDED, UNFINISHED = range(3)
ENDLESS = 1_000_000_000

# Cards of a stack from the top (-1 if unknown), each with the seats that know it, as
# bits; then the number of unknown cards of each kind.
Entry = tuple[int, int]
StackValue = tuple[tuple[Entry, ...], tuple[int, ...]]


@attrs.frozen
class Block:
    """Cells of a field: `count` rows of `size` cells, starting `stride` cells apart.

    `viewers_base` is the first of `count` cells with the seats that looked at each row,
    or None.
    """

    field: Field
    base: int
    stride: int
    size: int
    count: int
    viewers_base: int | None = None

    def row(self, owner: int) -> int:
        """Return the first cell of an owner's row."""
        return self.base + owner * self.stride


@attrs.frozen
class PieceCells:
    """Cells of a piece, from `low` to `high - 1`; `bases` has the first in each domain.

    `owners` is the number of counts on each space, or 0 if a space holds only one
    piece. `max_per_space` limits the pieces on a space, for each owner or for all
    together; None means no limit.
    """

    bases: dict[str, int]
    low: int
    high: int
    count: int
    owners: int = 0
    max_per_space: int | None = None


@attrs.frozen
class Layout:
    """Locations of all cells.

    `empty_cells` contains the cells before fields get their start values.
    """

    empty_cells: tuple[Any, ...]
    fields: dict[str, Block]
    pieces: dict[str, PieceCells]
    awards: dict[str, int]


def empty_value(kind: ValueType) -> Any:
    """Return the value of a cell of this type before it is written."""
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
    max_per_space: dict[str, int | None],
    inspectable_fields: Iterable[str],
) -> Layout:
    """Create the layout for a number of players.

    `inspectable_fields` are the keys of fields whose cards players may look at.
    """
    cells: list[Any] = [NONE, NONE, 0, NONE, (), RUNNING, None]
    cells += [0, NONE, NONE, False, 0, 0]
    seen = set(inspectable_fields)
    fields = {
        key: add_field(cells, field, sizes, with_viewers=key in seen)
        for key, field in model.fields.items()
    }
    pieces = {}
    for name, piece in model.pieces.items():
        low, owners = len(cells), owner_count(piece, sizes)
        bases = {}
        for domain in piece.stands_on:
            cells.extend([0] * owners or [NONE])
            bases[domain] = len(cells)
            cells.extend([0] * owners * sizes[domain] or [NONE] * sizes[domain])
        pieces[name] = PieceCells(
            bases, low, len(cells), piece_counts[name], owners, max_per_space[name]
        )
    awards = {}
    for name in model.awards:
        awards[name] = len(cells)
        cells.append(NONE)
    return Layout(tuple(cells), fields, pieces, awards)


def owner_count(piece: Piece, sizes: dict[str, int]) -> int:
    """Return the number of counts of a piece on a space, or 0 for a single cell."""
    if piece.room is None:
        return 0
    return 1 if piece.owner is None else sizes[piece.owner]


def add_field(
    cells: list[Any], field: Field, sizes: dict[str, int], *, with_viewers: bool
) -> Block:
    """Add the cells of a field, and return its block."""
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
        value = empty_value(field.type)
        cells.append(value)
        base = len(cells)
        cells.extend([value] * count)
    if with_viewers:
        cells.append(0)
        seen = len(cells)
        cells.extend([0] * count)
    return Block(field, base, stride, size, count, seen)
