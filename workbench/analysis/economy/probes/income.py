"""The income of spaces: what a piece on each of them brings in a turn, on average."""

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
    """Asks the engine what turns bring to a seat on some ground.

    `moving` are the pieces of nobody that a turn moves about, with all ways in which
    they then stand: they are taken off unless a question says where they stand.
    """

    ground: Baseline
    seat: str
    reach: Reach
    moving: Mapping[str, tuple[Mapping[str, Any], ...]]

    @classmethod
    def of(cls, ground: Baseline) -> Asker:
        """What can be asked on some ground."""
        seat = ground.seats[0]
        reach, moving = furthest(ground, seat)
        asker = cls(ground, seat, reach, moving)
        return attrs.evolve(asker, reach=asker.least())

    def least(self) -> Reach:
        """The least of a turn that brings as much as all of it, to crowds of pieces."""
        cheaper = FURTHEST[FURTHEST.index(self.reach) + 1 :]
        whole = self.sampled(self.reach)
        equal = (it for it in reversed(cheaper) if self.sampled(it) == whole)
        return next(equal, self.reach)

    def sampled(self, reach: Reach) -> list[Odds]:
        """What some crowds are brought by their own turn and by the one before it."""
        return [
            self.odds(crowd, active, reach=reach)
            for crowd in self.samples
            for active in self.around
        ]

    @property
    def around(self) -> tuple[str, ...]:
        """The seat and the one before it, where whose turn ends its own begins."""
        seats = self.ground.others(self.seat)
        return tuple(dict.fromkeys((seats[0], seats[-1])))

    @cached_property
    def actives(self) -> tuple[str, ...]:
        """The seats whose turns are asked: all, or one where all bring the same."""
        seats = self.ground.others(self.seat)
        for pieces in self.samples:
            odds = [self.odds(pieces, active) for active in seats]
            if any(other != odds[0] for other in odds):
                return seats
        return (self.seat,)

    @property
    def is_even(self) -> bool:
        """Whether a turn brings the same whoever's it is."""
        return len(self.actives) == 1

    @cached_property
    def spaces(self) -> Mapping[str, tuple[str, ...]]:
        """The spaces on which the seat's pieces may stand, by piece."""
        model = self.ground.book.model
        game = self.ground.with_holdings(self.seat, {})
        return {
            name: places(game, self.seat, name)
            for name, piece in model.pieces.items()
            if piece.each_player
        }

    @cached_property
    def counts(self) -> Mapping[str, int]:
        """How many pieces of each name the seat has."""
        game = self.ground.with_holdings(self.seat, {})
        return {it.name: it.most for it in game.supplies if it.owner == self.seat}

    @cached_property
    def crowds(self) -> tuple[Pieces, ...]:
        """The spaces of each piece in as many parts as it has to come in."""
        return tuple(
            {name: part}
            for name, spaces in self.spaces.items()
            for part in parts(spaces, self.counts[name])
        )

    @cached_property
    def heaps(self) -> Mapping[str, tuple[Number, ...]]:
        """The numbers in which the seat lays up what pays, full, by kind."""
        return heaps(self.ground, self.seat)

    @cached_property
    def room(self) -> Mapping[str, int]:
        """How much of a kind the seat can keep, where its room has an end."""
        return room(self.ground, self.seat, self.heaps)

    @cached_property
    def samples(self) -> tuple[Pieces, ...]:
        """Nothing at all, and of each piece the first crowd that brings something."""
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
        """What a turn brings the seat that has some pieces.

        Raises `TooMany` where it has too many outcomes.
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
        """What a turn brings on average, whoever's it is."""
        total: dict[str, Fraction] = {}
        for active in self.actives:
            for kind, value in mean(self.odds(pieces, active, nobodys)).items():
                total[kind] = total.get(kind, Fraction()) + value / len(self.actives)
        return {kind: value for kind, value in total.items() if value}

    @cached_property
    def nothing(self) -> dict[str, Fraction]:
        """What a turn brings to whoever has no piece."""
        return self.income({})

    @cached_property
    def table(self) -> Mapping[str, Mapping[str, Income]]:
        """The income of each space, by piece; pieces that bring nothing are left out.

        Where a crowd of pieces brings nothing, none of its spaces is asked by itself.
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
    """Some spaces in parts of at most so many."""
    for start in range(0, len(spaces) if size else 0, max(size, 1)):
        yield spaces[start : start + size]


def furthest(
    ground: Baseline, seat: str
) -> tuple[Reach, dict[str, tuple[dict[str, Any], ...]]]:
    """How far turns can be gone through, and the pieces of nobody that they move."""
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
