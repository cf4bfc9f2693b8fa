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

    `initial_share` is the share at its initial place, and `mean_share` the mean over
    all places to which a turn may move it. `worst_share` is the share at the worst
    place, `worst_place`.
    """

    piece: str
    initial_share: Fraction | None
    mean_share: Fraction
    worst_share: Fraction
    worst_place: tuple[str, ...]
    places: int


def find_blockers(probe: IncomeProbe) -> tuple[Blocker, ...]:
    """Return the unowned pieces that turns move and that block income."""
    rows = probe.income_by_space
    crowds = [crowd for crowd in probe.piece_groups if set(crowd) & set(list(rows)[:1])]
    free = sum((_added_cards(probe, crowd) for crowd in crowds), Fraction())
    return tuple(_blockers(probe, crowds, free)) if free else ()


def _blockers(
    probe: IncomeProbe, groups: list[Any], unblocked_income: Fraction
) -> Iterator[Blocker]:
    """Yield the moved pieces that block income.

    *unblocked_income* is the income of the groups of pieces *groups* without any
    unowned piece.
    """
    for piece, ways in probe.moving_pieces.items():
        begins: Mapping[str, Any] = probe.baseline.position["pieces"][piece]
        standings = {repr(way): way for way in (*([begins] if begins else ()), *ways)}
        shares = {
            key: 1
            - sum(_added_cards(probe, crowd, {piece: way}) for crowd in groups)
            / unblocked_income
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
    probe: IncomeProbe,
    group: Mapping[str, Any],
    unowned: Mapping[str, Any] | None = None,
) -> Fraction:
    """Return how many more cards per turn a seat gains with these pieces."""
    own = sum(probe.mean_income(group, unowned).values(), Fraction())
    return own - sum(probe.base_income.values(), Fraction())
