"""Income of spaces: mean number of cards per turn that a piece on each space yields."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cached_property
from typing import Any

import attrs

from workbench.analysis.economy.probes.baseline import Baseline, NumberValue, Pieces
from workbench.analysis.economy.probes.placements import allowed_spaces
from workbench.analysis.economy.probes.stockpiles import (
    find_stockpiles,
    find_storage_limits,
)
from workbench.analysis.economy.probes.turns import (
    TURN_PARTS,
    GainOdds,
    TooManyOutcomes,
    TurnPart,
    TurnWalk,
    income_difference,
    mean_gain,
    possible_gains,
)

Income = Mapping[str, Fraction]


@attrs.frozen(slots=False)
class IncomeProbe:
    """Probe of the engine: computes what a seat gains in turns from a baseline.

    `turn_part` is the part of a turn that is explored. `moving_pieces` contains the
    unowned pieces that turns move, with all places they are moved to. They are not on
    the board unless an argument places them.
    """

    baseline: Baseline
    seat: str
    turn_part: TurnPart
    moving_pieces: Mapping[str, tuple[Mapping[str, Any], ...]]

    @classmethod
    def from_baseline(cls, baseline: Baseline) -> IncomeProbe:
        """Return the probe for a baseline."""
        seat = baseline.seats[0]
        turn_part, moving = longest_turn_part(baseline, seat)
        probe = cls(baseline, seat, turn_part, moving)
        return attrs.evolve(probe, turn_part=probe.shortest_turn_part())

    def shortest_turn_part(self) -> TurnPart:
        """Return the shortest part of a turn that yields as much as the whole turn."""
        shorter = TURN_PARTS[TURN_PARTS.index(self.turn_part) + 1 :]
        odds = self.sample_odds(self.turn_part)
        equal = (part for part in reversed(shorter) if self.sample_odds(part) == odds)
        return next(equal, self.turn_part)

    def sample_odds(self, turn_part: TurnPart) -> list[GainOdds]:
        """Return the odds of gains for each sample group in each recent seat's turn."""
        return [
            self.turn_gains(group, active, turn_part=turn_part)
            for group in self.sample_groups
            for active in self.recent_seats
        ]

    @property
    def recent_seats(self) -> tuple[str, ...]:
        """The probe's own seat, and the seat that plays immediately before it."""
        seats = self.baseline.seats_from(self.seat)
        return tuple(dict.fromkeys((seats[0], seats[-1])))

    @cached_property
    def probed_seats(self) -> tuple[str, ...]:
        """Seats whose turns are probed: only one if every turn has the same income."""
        seats = self.baseline.seats_from(self.seat)
        for pieces in self.sample_groups:
            odds = [self.turn_gains(pieces, active) for active in seats]
            if any(other != odds[0] for other in odds):
                return seats
        return (self.seat,)

    @property
    def is_even(self) -> bool:
        """True if income does not depend on whose turn it is."""
        return len(self.probed_seats) == 1

    @cached_property
    def spaces_by_piece(self) -> Mapping[str, tuple[str, ...]]:
        """Spaces on which the seat's pieces may stand, by piece."""
        model = self.baseline.book.model
        game = self.baseline.with_holdings(self.seat, {})
        return {
            name: allowed_spaces(game, self.seat, name)
            for name, piece in model.pieces.items()
            if piece.each_player
        }

    @cached_property
    def piece_counts(self) -> Mapping[str, int]:
        """Total number of pieces of each name that the seat owns."""
        game = self.baseline.with_holdings(self.seat, {})
        return {
            supply.name: supply.most
            for supply in game.supplies
            if supply.owner == self.seat and supply.name in self.spaces_by_piece
        }

    @cached_property
    def piece_groups(self) -> tuple[Pieces, ...]:
        """All spaces of each piece, split into groups that its supply can fill."""
        return tuple(
            {name: part}
            for name, spaces in self.spaces_by_piece.items()
            for part in groups_of(spaces, self.piece_counts[name])
        )

    @cached_property
    def stockpiles(self) -> Mapping[str, tuple[NumberValue, ...]]:
        """Stockpile fields of the seat by kind, each at its maximum."""
        return find_stockpiles(self.baseline, self.seat)

    @cached_property
    def storage_limits(self) -> Mapping[str, int]:
        """Maximum amount of each kind that the seat can store, if there is one."""
        return find_storage_limits(self.baseline, self.seat, self.stockpiles)

    @cached_property
    def sample_groups(self) -> tuple[Pieces, ...]:
        """Sample groups: no pieces, and each piece's first group with an income."""
        base_odds = [self.turn_gains({}, active) for active in self.recent_seats]
        with_income: dict[str, Pieces] = {}
        for group in self.piece_groups:
            name = next(iter(group))
            if name in with_income:
                continue
            if base_odds != [
                self.turn_gains(group, active) for active in self.recent_seats
            ]:
                with_income[name] = group
        return ({}, *with_income.values())

    def turn_gains(
        self,
        pieces: Pieces,
        active: str,
        unowned: Mapping[str, Any] | None = None,
        turn_part: TurnPart | None = None,
    ) -> GainOdds:
        """Return the possible gains of a turn with their probabilities.

        The seat owns *pieces*, and it is the turn of *active*. Raises `TooManyOutcomes`
        if the turn has too many outcomes.
        """
        game = self.baseline.with_holdings(
            self.seat,
            pieces,
            active=active,
            removed_pieces=self.moving_pieces,
            unowned=unowned,
        )
        return possible_gains(
            self.baseline, game, self.seat, turn_part or self.turn_part
        )

    def mean_income(
        self,
        pieces: Pieces,
        unowned: Mapping[str, Any] | None = None,
    ) -> dict[str, Fraction]:
        """Return the mean gain per turn with these pieces, over all seats' turns."""
        total: dict[str, Fraction] = {}
        for active in self.probed_seats:
            for kind, value in mean_gain(
                self.turn_gains(pieces, active, unowned)
            ).items():
                total[kind] = total.get(kind, Fraction()) + value / len(
                    self.probed_seats
                )
        return {kind: value for kind, value in total.items() if value}

    @cached_property
    def base_income(self) -> dict[str, Fraction]:
        """Mean gain per turn without any pieces."""
        return self.mean_income({})

    @cached_property
    def income_by_space(self) -> Mapping[str, Mapping[str, Income]]:
        """Income of each space, by piece, without pieces that yield nothing.

        If a group of pieces yields nothing, its spaces are not probed individually.
        """
        rows: dict[str, dict[str, Income]] = {}
        for group in self.piece_groups:
            yields = bool(income_difference(self.mean_income(group), self.base_income))
            for name, spaces in group.items():
                row_incomes = rows.setdefault(name, {})
                for space in spaces:
                    alone = (
                        self.mean_income({name: (space,)})
                        if yields
                        else self.base_income
                    )
                    row_incomes[space] = income_difference(alone, self.base_income)
        return {name: row for name, row in rows.items() if any(row.values())}


def groups_of(spaces: Sequence[str], size: int) -> Iterator[Sequence[str]]:
    """Yield the spaces in groups of at most *size*."""
    for start in range(0, len(spaces) if size else 0, max(size, 1)):
        yield spaces[start : start + size]


def longest_turn_part(
    baseline: Baseline, seat: str
) -> tuple[TurnPart, dict[str, tuple[dict[str, Any], ...]]]:
    """Return the longest part of a turn that can be explored, and the moved pieces."""
    for turn_part in TURN_PARTS:
        game = baseline.with_holdings(seat, {})
        before = baseline.position["pieces"]
        seen: dict[str, dict[str, dict[str, Any]]] = {}
        walk = TurnWalk(baseline, game.turn, turn_part)
        try:
            for ended, _ in walk.final_games(game, Fraction(1), 0, after_chance=False):
                for name, occupants in ended.position["pieces"].items():
                    if occupants != before[name]:
                        seen.setdefault(name, {})[repr(occupants)] = occupants
        except TooManyOutcomes:
            continue
        pieces = baseline.book.model.pieces
        moving = {
            name: tuple(placements.values())
            for name, placements in seen.items()
            if pieces[name].owner is None
        }
        return turn_part, moving
    raise TooManyOutcomes
