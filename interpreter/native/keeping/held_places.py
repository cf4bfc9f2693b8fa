"""Sets of places by content: which cells of a row contain a value, as bits and counts.

They are updated at every write to a cell of the row. A set exists for each value from
-1 on, because -1 stands for an empty cell.
"""

from __future__ import annotations

from collections.abc import Callable

import attrs

VALUES_MAX = 16
"""Maximum number of different values of a cell whose places are kept."""

PLACES_MAX = 255
"""Maximum number of cells of a row whose places are kept, as in four words of bits."""


@attrs.frozen
class HeldRow:
    """Row of `size` cells from `base` on, in a block, whose places are kept by content.

    The cells contain -1 or a number below `values`. `first` is the first word of bits,
    `width` the number of words of a set, and `first_count` the first count.
    """

    number: int
    block: int
    base: int
    size: int
    values: int
    first: int
    width: int
    first_count: int

    def set_of(self, value: str, name: str, *, nowhere: bool) -> str:
        """Return the C address of the set of places that contain a value.

        *name* is a C variable for the value. If `nowhere` is true, -1 has no places.
        """
        inside = f"{name} >= {0 if nowhere else -1} && {name} < {self.values}"
        own = f"g->held + {self.first} + ({name} + 1) * {self.width}"
        return f"({{ num {name} = {value}; {inside} ? {own} : NO_PLACES; }})"

    def update(self, cell: str, old: str) -> str:
        """Return the C line after a write to a cell, whose content before was *old*."""
        return f"held_{self.number}(g, {cell} - {self.base}, {old}, g->s[{cell}]);"

    def function(self) -> tuple[str, list[str]]:
        """Return the C function that moves a place from one set to another."""
        head = f"static UNUSED void held_{self.number}(Game *g, num i, num o, num v)"
        bits, count = f"g->held + {self.first}", f"g->held_count + {self.first_count}"
        sizes = f"{self.size}, {self.width}, {self.values}"
        return head, [f"hold({bits}, {count}, {sizes}, i, o, v);"]

    def check(self) -> str:
        """Return the C line that aborts if the sets differ from the cells."""
        words, counts = (self.values + 1) * self.width, self.values + 1
        new = f"uint64_t held[{words}]; int16_t count[{counts}];"
        sizes = f"{self.size}, {self.width}, {self.values}"
        compute = f"hold_row(held, count, g->s + {self.base}, {sizes});"
        same = (
            f"!memcmp(held, g->held + {self.first}, sizeof held) && "
            f"!memcmp(count, g->held_count + {self.first_count}, sizeof count)"
        )
        return f'{{ {new} {compute} if (!({same})) differs("held {self.number}"); }}'

    def renewal(self) -> str:
        """Return the C line that computes all sets from the cells."""
        bits, count = f"g->held + {self.first}", f"g->held_count + {self.first_count}"
        sizes = f"{self.size}, {self.width}, {self.values}"
        return f"hold_row({bits}, {count}, g->s + {self.base}, {sizes});"


@attrs.define
class HeldPlaces:
    """Rows of cells of one C program whose places are kept by content.

    `words` and `counts` are the numbers of words and counts of all rows. `row_of`
    returns the size of the row that starts with a cell, and the number of values of its
    cells, or None if its places cannot be kept.
    """

    block_of: Callable[[int], int | None] = lambda _: None
    row_of: Callable[[int], tuple[int, int] | None] = lambda _: None
    rows: dict[int, HeldRow] = attrs.field(factory=dict)
    words: int = 0
    counts: int = 0

    def row(self, base: int) -> HeldRow | None:
        """Return the row that starts with a cell; None if it cannot be kept."""
        if base not in self.rows:
            block, contents = self.block_of(base), self.row_of(base)
            if block is None or contents is None:
                return None
            size, values = contents
            if values > VALUES_MAX or size > PLACES_MAX:
                return None
            width = size // 64 + 1
            self.rows[base] = HeldRow(
                len(self.rows),
                block,
                base,
                size,
                values,
                self.words,
                width,
                self.counts,
            )
            self.words += (values + 1) * width
            self.counts += values + 1
        return self.rows[base]

    def of_block(self, block: int) -> list[HeldRow]:
        """Return the rows of a block."""
        return [row for row in self.rows.values() if row.block == block]
