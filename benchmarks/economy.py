"""Whether what `rulebook economy` says of spaces is what turns that are drawn bring.

    python -m benchmarks.economy [VARIANT] [--turns N]

On each space that brings something a piece is put, alone and with no piece of nobody in
its way, and so many turns are drawn by the engine's own chance. A space agrees where
what is said lies in the 95 % interval of the mean of what they bring. Exit code 1 where
fewer than 93 in 100 do.
"""

from __future__ import annotations

import argparse
import sys
from statistics import fmean, stdev
from typing import NamedTuple

import workbench
from interpreter import Game
from workbench.economy.asked.ground import Ground
from workbench.economy.asked.income import Asker
from workbench.economy.asked.turns import held
from workbench.simulation.settings import Settings

FEWEST = 0.93
WIDE = 1.96


class Row(NamedTuple):
    """A space: what is said of it, what it brought, and half of the interval."""

    space: str
    said: float
    drawn: float
    half: float

    @property
    def agrees(self) -> bool:
        """Whether what is said lies in the interval."""
        return abs(self.said - self.drawn) <= self.half


def compared(variant: str, turns: int, spaces: int | None = None) -> list[Row]:
    """The spaces of the first piece that brings something, so many or all of them."""
    asker = Asker.of(Ground.of(workbench.load(variant), Settings()))
    if spaces is None:
        piece, row = next(iter(asker.table.items()))
        said = {space: float(sum(it.values())) for space, it in row.items() if it}
    else:
        piece = next(
            name for name, n in asker.spaces.items() if n and brings(asker, name)
        )
        listed = asker.spaces[piece][:spaces]
        said = {it: float(sum(asker.income({piece: (it,)}).values())) for it in listed}
    return [drawn(asker, piece, space, value, turns) for space, value in said.items()]


def brings(asker: Asker, piece: str) -> bool:
    """Whether a piece brings anything."""
    return any(asker.income(crowd) for crowd in asker.crowds if piece in crowd)


def drawn(asker: Asker, piece: str, space: str, said: float, turns: int) -> Row:
    """What turns that are drawn bring to a space."""
    ground = asker.ground
    game = ground.laid(asker.seat, {piece: (space,)}, without=asker.moving)
    begins, before = game.position, sum(held(ground, game, asker.seat).values())
    counts = []
    for seed in range(turns):
        seeded = hash_of(space, seed)
        game = Game.laid_out(ground.book, begins, seed=seeded, chance="drawn")
        counts.append(sum(held(ground, game, asker.seat).values()) - before)
    return Row(space, said, fmean(counts), WIDE * stdev(counts) / turns**0.5)


def hash_of(space: str, seed: int) -> int:
    """A seed of its own for each turn of each space, the same everywhere."""
    total: int = sum(ord(letter) * 131**n for n, letter in enumerate(space))
    return total % 10**9 + seed


def agreeing(rows: list[Row]) -> int:
    """How many spaces agree."""
    return len([row for row in rows if row.agrees])


def main() -> int:
    """Print a line for each space."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("variant", nargs="?", default="germany+endless_bank")
    parser.add_argument("--turns", type=int, default=3_000)
    arguments = parser.parse_args()
    rows = compared(arguments.variant, arguments.turns)
    for row in rows:
        mark = "" if row.agrees else "  differs"
        print(f"{row.space:24} {row.said:.4f}  {row.drawn:.4f} ± {row.half:.4f}{mark}")
    print(f"{agreeing(rows)} of {len(rows)} agree")
    return 0 if agreeing(rows) >= FEWEST * len(rows) else 1


if __name__ == "__main__":
    sys.exit(main())
