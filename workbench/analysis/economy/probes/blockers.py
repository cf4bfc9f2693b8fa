"""Unowned pieces that turns move and that block income."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import Any

import attrs

from workbench.analysis.economy.probes.income_probe import IncomeProbe


@attrs.frozen
class Blocker:
    """Unowned piece that blocks income, and the share of income that it blocks.

    Shares are of the income that the first piece with any yields on all spaces.
    `initial_share` is the share at the piece's initial place, if it has one, and
    `mean_share` the mean over the number of `places` where it may be. `worst_share` is
    the share at the worst place, `worst_place`.
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
    groups = [group for group in probe.piece_groups if set(group) & set(list(rows)[:1])]
    income = sum((_added_cards(probe, group) for group in groups), Fraction())
    return tuple(_blockers(probe, groups, income)) if income else ()


def _blockers(
    probe: IncomeProbe, groups: list[Any], unblocked_income: Fraction
) -> Iterator[Blocker]:
    """Yield the moved pieces that block income.

    *unblocked_income* is the income of *groups* of pieces while no unowned piece is on
    the board.
    """
    for piece, places in probe.moving_pieces.items():
        start: Mapping[str, Any] = probe.baseline.position["pieces"][piece]
        options = {
            repr(place): place for place in (*([start] if start else ()), *places)
        }
        shares = {
            key: 1
            - sum(_added_cards(probe, group, {piece: place}) for group in groups)
            / unblocked_income
            for key, place in options.items()
        }
        if not any(shares.values()):
            continue
        worst = max(shares, key=lambda key: shares[key])
        yield Blocker(
            piece,
            shares[repr(start)] if start else None,
            sum(shares.values(), Fraction()) / len(shares),
            shares[worst],
            tuple(options[worst]),
            len(shares),
        )


def _added_cards(
    probe: IncomeProbe,
    group: Mapping[str, Any],
    unowned: Mapping[str, Any] | None = None,
) -> Fraction:
    """Return how many cards per turn these pieces add to the base income."""
    income = sum(probe.mean_income(group, unowned).values(), Fraction())
    return income - sum(probe.base_income.values(), Fraction())
