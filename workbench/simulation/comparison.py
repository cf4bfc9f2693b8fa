"""Variants side by side: games of the same seeds, and what differs between them.

Two games of one seed roll the same dice. Their difference varies less than either of
them, so that few pairs tell what many games apart would.
"""

from collections.abc import Iterator, Mapping, Sequence
from statistics import mean, stdev
from typing import Any

import attrs

from workbench.simulation.statistics import Result

Measure = tuple[str, str | None]
"""What is measured, and of which seat or action."""


@attrs.frozen
class Row:
    """One measure in two variants, as means of a game; `error` is the standard error.

    There is none for fewer than two pairs.
    """

    measure: str
    of: str | None
    first: float
    second: float
    difference: float
    error: float | None

    def to_json(self) -> dict[str, Any]:
        """The row as plain data."""
        return attrs.asdict(self)


def measured(result: Result, seats: Sequence[str]) -> Mapping[Measure, float]:
    """What is measured in one game."""
    numbers: dict[Measure, float] = {
        ("turns", None): result.turns,
        ("decisions", None): result.decisions,
    }
    numbers |= {("wins", seat): float(seat in result.winners) for seat in seats}
    numbers |= {("points", seat): result.points[seat] for seat in seats}
    return numbers | {("actions", name): n for name, n in result.actions.items()}


def compared(
    first: Sequence[Result], second: Sequence[Result], seats: Sequence[str]
) -> Iterator[Row]:
    """How the second variant differs from the first, in pairs of games by seed.

    What is not in a game, an action that nobody did, is there no times.
    """
    pairs = [
        (measured(mine, seats), measured(theirs, seats))
        for mine, theirs in zip(first, second, strict=True)
    ]
    names = dict.fromkeys(name for pair in pairs for side in pair for name in side)
    fixed = [name for name in names if name[0] != "actions"]
    actions = sorted(name for name in names if name[0] == "actions")
    for name in (*fixed, *actions):
        sides = [(mine.get(name, 0), theirs.get(name, 0)) for mine, theirs in pairs]
        yield row(name, sides)


def row(name: Measure, sides: Sequence[tuple[float, float]]) -> Row:
    """The row of a measure from its values in pairs of games."""
    longer = [theirs - mine for mine, theirs in sides]
    error = stdev(longer) / len(longer) ** 0.5 if len(longer) > 1 else None
    measure, of = name
    return Row(
        measure,
        of,
        first=round(mean(mine for mine, _ in sides), 3),
        second=round(mean(other for _, other in sides), 3),
        difference=round(mean(longer), 3),
        error=None if error is None else round(error, 3),
    )


def cells(row: Row) -> tuple[str, str, str, str]:
    """A row for people: means of a game, and how sure the difference is."""
    called = " ".join(filter(None, (row.measure, row.of)))
    sure = "" if row.error is None else f" ± {2 * row.error:.2f}"
    difference = f"{row.difference:+.2f}{sure}"
    return called, f"{row.first:.2f}", f"{row.second:.2f}", difference
