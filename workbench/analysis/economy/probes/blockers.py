"""Unowned pieces that turns move and that block income."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import Any

import attrs

from workbench.analysis.economy.probes.income_probe import IncomeProbe


@attrs.frozen
class Blocker:
    """Share of all income that a piece blocks.

    `begins` is the share at its initial place, and `evenly` the mean over all places to
    which a turn may move it. `worst` is the share at the worst place, `where`.
    """

    piece: str
    begins: Fraction | None
    evenly: Fraction
    worst: Fraction
    where: tuple[str, ...]
    places: int


def find_blockers(asker: IncomeProbe) -> tuple[Blocker, ...]:
    """Return the unowned pieces that turns move and that block income."""
    rows = asker.income_by_space
    crowds = [crowd for crowd in asker.piece_groups if set(crowd) & set(list(rows)[:1])]
    free = sum((_added_cards(asker, crowd) for crowd in crowds), Fraction())
    return tuple(_blockers(asker, crowds, free)) if free else ()


def _blockers(
    asker: IncomeProbe, crowds: list[Any], free: Fraction
) -> Iterator[Blocker]:
    """Yield the moved pieces that block income.

    *free* is the income of the groups of pieces *crowds* without any unowned piece.
    """
    for piece, ways in asker.moving.items():
        begins: Mapping[str, Any] = asker.baseline.position["pieces"][piece]
        standings = {repr(way): way for way in (*([begins] if begins else ()), *ways)}
        shares = {
            key: 1
            - sum(_added_cards(asker, crowd, {piece: way}) for crowd in crowds) / free
            for key, way in standings.items()
        }
        if not any(shares.values()):
            continue
        worst = max(shares, key=lambda key: shares[key])
        yield Blocker(
            piece,
            shares[repr(begins)] if begins else None,
            sum(shares.values(), Fraction()) / len(shares),
            shares[worst],
            tuple(standings[worst]),
            len(shares),
        )


def _added_cards(
    asker: IncomeProbe,
    crowd: Mapping[str, Any],
    unowned: Mapping[str, Any] | None = None,
) -> Fraction:
    """Return how many more cards per turn a seat gains with these pieces."""
    own = sum(asker.mean_income(crowd, unowned).values(), Fraction())
    return own - sum(asker.base_income.values(), Fraction())
