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
    """Computes with the engine what a seat gains in turns from a baseline.

    `moving` contains the unowned pieces that a turn moves, with all their resulting
    places. They are removed unless a method's argument places them.
    """

    ground: Baseline
    seat: str
    reach: Reach
    moving: Mapping[str, tuple[Mapping[str, Any], ...]]

    @classmethod
    def of(cls, ground: Baseline) -> Asker:
        """Return the `Asker` of a baseline."""
        seat = ground.seats[0]
        reach, moving = furthest(ground, seat)
        asker = cls(ground, seat, reach, moving)
        return attrs.evolve(asker, reach=asker.least())

    def least(self) -> Reach:
        """Return the shortest part of a turn with the same income as all of it."""
        cheaper = FURTHEST[FURTHEST.index(self.reach) + 1 :]
        whole = self.sampled(self.reach)
        equal = (it for it in reversed(cheaper) if self.sampled(it) == whole)
        return next(equal, self.reach)

    def sampled(self, reach: Reach) -> list[Odds]:
        """Return the gains of sample groups in their own turn and the one before."""
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
        """Seats whose turns are probed: all, or one if all turns yield the same."""
        seats = self.ground.others(self.seat)
        for pieces in self.samples:
            odds = [self.odds(pieces, active) for active in seats]
            if any(other != odds[0] for other in odds):
                return seats
        return (self.seat,)

    @property
    def is_even(self) -> bool:
        """True if income does not depend on whose turn it is."""
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
        """Number of pieces of each name that the seat has."""
        game = self.ground.with_holdings(self.seat, {})
        return {it.name: it.most for it in game.supplies if it.owner == self.seat}

    @cached_property
    def crowds(self) -> tuple[Pieces, ...]:
        """Spaces of each piece, in groups no larger than its number of pieces."""
        return tuple(
            {name: part}
            for name, spaces in self.spaces.items()
            for part in parts(spaces, self.counts[name])
        )

    @cached_property
    def heaps(self) -> Mapping[str, tuple[Number, ...]]:
        """Stockpile numbers of the seat, at their maximum, by kind."""
        return heaps(self.ground, self.seat)

    @cached_property
    def room(self) -> Mapping[str, int]:
        """Maximum amount of each kind that the seat can store, if limited."""
        return room(self.ground, self.seat, self.heaps)

    @cached_property
    def samples(self) -> tuple[Pieces, ...]:
        """No pieces at all, and for each piece the first group that yields income."""
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
        """Return the gains of a turn with their probabilities, given *pieces*.

        Raises `TooMany` if the turn has too many outcomes.
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
        """Return the mean gain per turn, over the turns of all seats."""
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
    """Yield some spaces in groups of at most *size*."""
    for start in range(0, len(spaces) if size else 0, max(size, 1)):
        yield spaces[start : start + size]


def furthest(
    ground: Baseline, seat: str
) -> tuple[Reach, dict[str, tuple[dict[str, Any], ...]]]:
    """Return how far turns can be explored, and the unowned pieces that they move."""
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
