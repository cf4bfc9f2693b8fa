"""Income of spaces: mean number of cards per turn from a piece on each space."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cached_property
from typing import Any

import attrs

from workbench.analysis.economy.probes.baseline import Baseline, Number, Pieces
from workbench.analysis.economy.probes.placements import places
from workbench.analysis.economy.probes.stockpiles import heaps, room
from workbench.analysis.economy.probes.turns import (
    FURTHEST,
    Odds,
    Reach,
    TooMany,
    Walk,
    less,
    mean,
    turn_odds,
)

Income = Mapping[str, Fraction]


@attrs.frozen(slots=False)
class Asker:
    """Prober of the engine: computes what a seat gains in turns from a baseline.

    `reach` is the part of a turn that is explored. `moving` contains the unowned pieces
    that turns move, with all places they are moved to. They are not on the board unless
    an argument places them.
    """

    ground: Baseline
    seat: str
    reach: Reach
    moving: Mapping[str, tuple[Mapping[str, Any], ...]]

    @classmethod
    def of(cls, ground: Baseline) -> Asker:
        """Return the prober of a baseline."""
        seat = ground.seats[0]
        reach, moving = furthest(ground, seat)
        asker = cls(ground, seat, reach, moving)
        return attrs.evolve(asker, reach=asker.least())

    def least(self) -> Reach:
        """Return the shortest part of a turn that yields as much as the whole turn."""
        cheaper = FURTHEST[FURTHEST.index(self.reach) + 1 :]
        whole = self.sampled(self.reach)
        equal = (it for it in reversed(cheaper) if self.sampled(it) == whole)
        return next(equal, self.reach)

    def sampled(self, reach: Reach) -> list[Odds]:
        """Return the gains of sample groups in the seat's turn and the previous one."""
        return [
            self.odds(crowd, active, reach=reach)
            for crowd in self.samples
            for active in self.around
        ]

    @property
    def around(self) -> tuple[str, ...]:
        """The seat, and the seat whose turn comes just before."""
        seats = self.ground.others(self.seat)
        return tuple(dict.fromkeys((seats[0], seats[-1])))

    @cached_property
    def actives(self) -> tuple[str, ...]:
        """Seats whose turns are probed: only one if all turns yield the same."""
        seats = self.ground.others(self.seat)
        for pieces in self.samples:
            odds = [self.odds(pieces, active) for active in seats]
            if any(other != odds[0] for other in odds):
                return seats
        return (self.seat,)

    @property
    def is_even(self) -> bool:
        """Whether income does not depend on whose turn it is."""
        return len(self.actives) == 1

    @cached_property
    def spaces(self) -> Mapping[str, tuple[str, ...]]:
        """Spaces on which the seat's pieces may stand, by piece."""
        model = self.ground.book.model
        game = self.ground.with_holdings(self.seat, {})
        return {
            name: places(game, self.seat, name)
            for name, piece in model.pieces.items()
            if piece.each_player
        }

    @cached_property
    def counts(self) -> Mapping[str, int]:
        """Number of pieces of the seat, by name of the piece."""
        game = self.ground.with_holdings(self.seat, {})
        return {it.name: it.most for it in game.supplies if it.owner == self.seat}

    @cached_property
    def crowds(self) -> tuple[Pieces, ...]:
        """All spaces of each piece, split into groups that its supply can fill."""
        return tuple(
            {name: part}
            for name, spaces in self.spaces.items()
            for part in parts(spaces, self.counts[name])
        )

    @cached_property
    def heaps(self) -> Mapping[str, tuple[Number, ...]]:
        """Stockpile fields of the seat by kind, each at its maximum."""
        return heaps(self.ground, self.seat)

    @cached_property
    def room(self) -> Mapping[str, int]:
        """Maximum amount of each kind that the seat can store, if there is one."""
        return room(self.ground, self.seat, self.heaps)

    @cached_property
    def samples(self) -> tuple[Pieces, ...]:
        """Sample groups of pieces: none, and the first group with income by piece."""
        nothing = [self.odds({}, active) for active in self.around]
        bringing: dict[str, Pieces] = {}
        for crowd in self.crowds:
            name = next(iter(crowd))
            if name in bringing:
                continue
            if nothing != [self.odds(crowd, active) for active in self.around]:
                bringing[name] = crowd
        return ({}, *bringing.values())

    def odds(
        self,
        pieces: Pieces,
        active: str,
        nobodys: Mapping[str, Any] | None = None,
        reach: Reach | None = None,
    ) -> Odds:
        """Return the possible gains of a turn with their probabilities.

        The seat has *pieces*, and it is the turn of *active*. Raises `TooMany` if the
        turn has too many outcomes.
        """
        game = self.ground.with_holdings(
            self.seat, pieces, active=active, without=self.moving, nobodys=nobodys
        )
        return turn_odds(self.ground, game, self.seat, reach or self.reach)

    def income(
        self,
        pieces: Pieces,
        nobodys: Mapping[str, Any] | None = None,
    ) -> dict[str, Fraction]:
        """Return the mean gain per turn with these pieces, over all seats' turns."""
        total: dict[str, Fraction] = {}
        for active in self.actives:
            for kind, value in mean(self.odds(pieces, active, nobodys)).items():
                total[kind] = total.get(kind, Fraction()) + value / len(self.actives)
        return {kind: value for kind, value in total.items() if value}

    @cached_property
    def nothing(self) -> dict[str, Fraction]:
        """Mean gain per turn without any pieces."""
        return self.income({})

    @cached_property
    def table(self) -> Mapping[str, Mapping[str, Income]]:
        """Income of each space, by piece; pieces without income are omitted.

        If a group of pieces yields nothing, its spaces are not probed individually.
        """
        rows: dict[str, dict[str, Income]] = {}
        for crowd in self.crowds:
            brings = bool(less(self.income(crowd), self.nothing))
            for name, spaces in crowd.items():
                listed = rows.setdefault(name, {})
                for space in spaces:
                    alone = self.income({name: (space,)}) if brings else self.nothing
                    listed[space] = less(alone, self.nothing)
        return {name: row for name, row in rows.items() if any(row.values())}


def parts(spaces: Sequence[str], size: int) -> Iterator[Sequence[str]]:
    """Yield the spaces in groups of at most *size*."""
    for start in range(0, len(spaces) if size else 0, max(size, 1)):
        yield spaces[start : start + size]


def furthest(
    ground: Baseline, seat: str
) -> tuple[Reach, dict[str, tuple[dict[str, Any], ...]]]:
    """Return the longest part of a turn that can be explored, and the moved pieces."""
    for reach in FURTHEST:
        game = ground.with_holdings(seat, {})
        before = ground.position["pieces"]
        seen: dict[str, dict[str, dict[str, Any]]] = {}
        walk = Walk(ground, game.turn, reach)
        try:
            for ended, _ in walk.ends(game, Fraction(1), 0, spoken=False):
                for name, where in ended.position["pieces"].items():
                    if where != before[name]:
                        seen.setdefault(name, {})[repr(where)] = where
        except TooMany:
            continue
        pieces = ground.book.model.pieces
        moving = {
            name: tuple(ways.values())
            for name, ways in seen.items()
            if not pieces[name].each_player
        }
        return reach, moving
    raise TooMany
