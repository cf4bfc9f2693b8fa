"""Connect four on bitboards, solved a few plies deep, without the rules language.

    python -m tests.support.four_in_a_row [--number N] [--seed N] > FILE

Generates positions in which the player to move cannot win at once. Exactly one first
disc leads to a win with the second disc, whatever the opponent does. Each line has the
columns played so far, from 1 to 7, and the winning column.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from random import Random

import attrs

COLUMNS, ROWS = 7, 6
STEP = ROWS + 1
"""Number of bits per column: above each column one bit is always empty."""

HEADINGS = (1, STEP, STEP - 1, STEP + 1)
WHOLE = "1234567"


def in_line(discs: int) -> bool:
    """Return whether four of these discs are in a line."""
    for heading in HEADINGS:
        pairs = discs & discs >> heading
        if pairs & pairs >> 2 * heading:
            return True
    return False


@attrs.frozen
class Position:
    """Discs of the player to move, and all discs: one bit per square."""

    own: int = 0
    every: int = 0

    def free(self) -> Iterator[int]:
        """Yield the columns that are not full."""
        for column in range(COLUMNS):
            if not self.every >> column * STEP + ROWS - 1 & 1:
                yield column

    def disc(self, column: int) -> int:
        """Return the bit of the lowest free square of a column."""
        below = ((1 << ROWS) - 1) << column * STEP
        return (self.every + (1 << column * STEP)) & below

    def after(self, column: int) -> Position:
        """Return the position for the opponent after a disc in a column."""
        return Position(self.every ^ self.own, self.every | self.disc(column))

    def wins_at_once(self, column: int) -> bool:
        """Return whether a disc in this column makes four in a line."""
        return in_line(self.own | self.disc(column))

    def can_win(self) -> bool:
        """Return whether the player to move can win at once."""
        return any(self.wins_at_once(column) for column in self.free())

    def wins_in_two(self, column: int) -> bool:
        """Return whether a disc in this column wins with the next one in any case."""
        there = self.after(column)
        replies = [*there.free()]
        return (
            bool(replies)
            and not there.can_win()
            and all(there.after(reply).can_win() for reply in replies)
        )

    def winning(self) -> list[int]:
        """Return the columns that win in two."""
        return [column for column in self.free() if self.wins_in_two(column)]


def played(columns: str) -> Position:
    """Return the position after discs in these columns, from 1 to 7."""
    position = Position()
    for column in columns:
        position = position.after(int(column) - 1)
    return position


def made(number: int, numbers: Random) -> Iterator[tuple[str, str]]:
    """Yield positions that only one column wins in two, and that column."""
    seen: set[Position] = set()
    while len(seen) < number:
        position, columns = Position(), ""
        while not position.can_win() and (free := [*position.free()]):
            winning = position.winning()
            if len(winning) == 1 and len(free) > 2 and position not in seen:
                seen.add(position)
                yield columns, WHOLE[winning[0]]
                break
            column = numbers.choice(free)
            position, columns = position.after(column), columns + WHOLE[column]


def main() -> None:
    """Print positions."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--number", type=int, default=50)
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    for columns, winning in made(asked.number, Random(asked.seed)):
        sys.stdout.write(f"{columns} {winning}\n")


if __name__ == "__main__":
    main()
