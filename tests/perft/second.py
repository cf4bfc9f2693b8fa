"""Independent implementations of games in `examples/tiny`, in plain Python, for perft.

They use neither the rule files nor the engine.
"""

from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import Any

Position = Any


def count(
    position: Position, after: Callable[[Position], Iterator[Position]], depth: int
) -> int:
    """Return the number of sequences of exactly *depth* actions from a position."""
    if depth == 0:
        return 1
    return sum(count(beyond, after, depth - 1) for beyond in after(position))


# ---------------------------------------------------------------- hex

Hex = tuple[int, tuple[str, ...]]


def empty_hex_board(size: int) -> Hex:
    """Return an empty rhombus; its cells are listed row by row."""
    return size, ("",) * (size * size)


def hex_successors(position: Hex) -> Iterator[Hex]:
    """Yield every position one stone later; none once a side is connected."""
    size, cells = position
    stones = len([cell for cell in cells if cell])
    if is_hex_connected(size, cells, "AB"[1 - stones % 2]):
        return
    for at, cell in enumerate(cells):
        if not cell:
            yield size, (*cells[:at], "AB"[stones % 2], *cells[at + 1 :])


def is_hex_connected(size: int, cells: tuple[str, ...], who: str) -> bool:
    """Return whether A's stones connect the outer columns, or B's the outer rows."""
    own = {(at % size, at // size) for at, cell in enumerate(cells) if cell == who}
    side = 0 if who == "A" else 1
    chain = {place for place in own if place[side] == 0}
    while True:
        wider = chain | {
            (x + dx, y + dy)
            for x, y in chain
            for dx, dy in ((1, 0), (-1, 0), (0, 1), (0, -1), (1, -1), (-1, 1))
            if (x + dx, y + dy) in own
        }
        if wider == chain:
            return any(place[side] == size - 1 for place in chain)
        chain = wider


# ---------------------------------------------------------------- breakthrough

Pawns = tuple[frozenset[tuple[int, int]], frozenset[tuple[int, int]]]


def initial_pawns() -> Pawns:
    """Return the start: two rows of pawns per side, the side to move first."""
    return (
        frozenset((x, y) for x in range(8) for y in (0, 1)),
        frozenset((x, y) for x in range(8) for y in (6, 7)),
    )


def pawn_successors(position: Pawns) -> Iterator[Pawns]:
    """Yield every position one step later, from the other side's view."""
    own, others = position
    if not own or any(y == 0 for _, y in others):
        return
    for x, y in own:
        for aside in (-1, 0, 1):
            to = (x + aside, y + 1)
            blocked = to in own or (aside == 0 and to in others)
            if 0 <= to[0] < 8 and not blocked:
                yield turned(others - {to}), turned((own - {(x, y)}) | {to})


def turned(pawns: frozenset[tuple[int, int]]) -> frozenset[tuple[int, int]]:
    """Return the pawns with rows counted from the other end."""
    return frozenset((x, 7 - y) for x, y in pawns)


# ---------------------------------------------------------------- dice and cards

Chances = tuple[Fraction, Fraction, Fraction]


def dare_chances(
    deck: tuple[int, ...] = (1, 1, 2, 3), mine: int = 0, theirs: int = 0
) -> Chances:
    """Return the probabilities that the roller, the other, or nobody wins.

    Both toss a coin to decide whether to turn the next card. A card is won if a
    three-sided die shows its value or more.
    """
    if not deck:
        return (
            Fraction(mine > theirs),
            Fraction(theirs > mine),
            Fraction(mine == theirs),
        )
    total = [Fraction(0)] * 3
    for at, worth in enumerate(deck):
        rest = (*deck[:at], *deck[at + 1 :])
        won = Fraction(1, 2) * Fraction(4 - worth, 3)
        for share, score in ((won, mine + worth), (1 - won, mine)):
            other, self, nobody = dare_chances(rest, theirs, score)
            for place, chance in enumerate((self, other, nobody)):
                total[place] += share * chance / len(deck)
    return (total[0], total[1], total[2])
