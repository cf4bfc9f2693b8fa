"""Check of `rulebook economy` for spaces against played games.

    python -m benchmarks.economy [--turns N] [--seed S]

Random players play whole games in the native engine, with the pawn removed and an
unlimited supply. They choose their starting spaces. Each turn shows what its roll
brought to each seat, and where the seat's pieces stand. Least squares over all turns
give the income of one piece on each space. Neither the fields next to a space nor their
numbers are used. A space agrees if its stated income lies in its interval. At 95 % the
intervals hold for all spaces together, so a correct income agrees for any seed. There
are enough turns to detect an error of 1 %. The exit code is 1 if fewer than 93 of 100
spaces agree, or if as many agree with 1 % more or less. Then the same is done with the
pawn on the board. It compares what the pawn stops at the start of the game, at the
worst place, and on average.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from statistics import NormalDist
from typing import Any

import attrs
import numpy as np

import workbench
from interpreter.c_engine import Batch
from workbench.analysis.economy.probes.baseline import Baseline
from workbench.analysis.economy.probes.blockers import find_blockers
from workbench.analysis.economy.probes.income_probe import IncomeProbe
from workbench.analysis.simulation.settings import Settings

HERE = Path(__file__).parent / "measured"
GAME = f"germany+endless_bank+{HERE / 'open_hands.rules'}"
GAME_WITHOUT_PAWN = f"{GAME}+{HERE / 'no_pawn.rules'}"
OPTIONS = {"variable_setup": True, "offers_per_turn": 0}
"""Options with which players soon settle all spaces and make no offers."""
HALL, PAWN, HAND = "town_hall", "robber", "hand"

AGREEING_MIN = 0.93
DETECTABLE_ERROR = 0.01
"""Relative error in the stated incomes that the check must detect."""
LEVEL = 0.95
GAMES, STEPS = 500, 1_000
TURNS = 5_000_000
PAWN_TURNS_SHARE = 0.4
"""Fraction of the turns that is played again with the pawn."""


@attrs.frozen
class Turns:
    """Observed turns: owners of the spaces, gains of the seats, and places of the pawn.

    The place is an index into `places`, or -1 without a pawn.
    """

    owners: Any
    gains: Any
    pawns: Any


@attrs.frozen
class PlayedTurns:
    """Played turns, in blocks, with the names of their columns."""

    cities: tuple[str, ...]
    places: tuple[str, ...]
    blocks: tuple[Turns, ...]


@attrs.frozen
class Row:
    """Space with its stated and measured income, and half the width of the interval."""

    city: str
    stated: float
    measured: float
    half_width: float

    def agrees(self, factor: float = 1.0) -> bool:
        """Return whether the stated income, times *factor*, lies in the interval."""
        return abs(self.stated * factor - self.measured) <= self.half_width


@attrs.frozen
class Share:
    """Share of all income that the pawn stops, as stated and as measured."""

    situation: str
    stated: float
    measured: float
    half_width: float

    @property
    def agrees(self) -> bool:
        """True if the stated share lies in the interval."""
        return abs(self.stated - self.measured) <= self.half_width


# ------------------------------------------------------------ statements


def income_probe() -> IncomeProbe:
    """Return the queries about the shipped rules with an unlimited supply."""
    book = workbench.load("germany+endless_bank")
    return IncomeProbe.from_baseline(Baseline.of_game(book, Settings(players=3)))


def stated_income(asker: IncomeProbe) -> dict[str, float]:
    """Return the stated number of cards per turn for a piece on each space."""
    row = asker.income_by_space[HALL]
    return {city: float(sum(it.values())) for city, it in row.items() if it}


# ------------------------------------------------------------ played games


def play_turns(variant: str, turns: int, seed: int) -> PlayedTurns:
    """Play at least *turns* turns with random players."""
    with Batch(
        workbench.load(variant),
        GAMES,
        players=3,
        options=OPTIONS,
        seed=seed,
        masks=False,
    ) as batch:
        numbers, blocks, count = np.random.default_rng(seed), [], 0
        while count < turns:
            blocks.append(_block(batch, numbers))
            count += len(blocks[-1].gains)
        names = batch.observed()
    return PlayedTurns(_spaces(names, HALL), _spaces(names, PAWN), tuple(blocks))


def _block(batch: Batch, numbers: np.random.Generator) -> Turns:
    """Return what `STEPS` steps of all games show: each turn at its first decision.

    No game has decided anything since the turn before. New cards in a hand therefore
    come from the roll.
    """
    names, games = batch.observed(), np.arange(GAMES)
    halls, stands = (_columns(names, piece) for piece in (HALL, PAWN))
    hands = [names.index(f"{seat}.{HAND}.count") for seat in batch.seats]
    turn, seen = names.index("turn"), []
    for _ in range(STEPS):
        now = batch.now
        held, at = (now.observations[:, it].copy() for it in (hands, turn))
        choice = (numbers.random(GAMES) * now.counts).astype(int)
        now = batch.step(now.indices[games, choice])
        if now.failed.any():
            sys.exit("a game cannot be played in C")
        row, ended = now.observations, now.terminated | now.truncated
        fresh = ~ended & (at > 0) & (row[:, turn] == at + 1)
        pawn = row[fresh][:, stands] >= 0
        seen.append(
            (
                row[fresh][:, halls].astype("int8"),
                (row[fresh][:, hands] - held[fresh]).astype("int16"),
                np.where(pawn.any(axis=1), pawn.argmax(axis=1), -1).astype("int16"),
            )
        )
    return Turns(*(np.concatenate(it) for it in zip(*seen, strict=True)))


def _columns(names: tuple[str, ...], piece: str) -> list[int]:
    """Return the columns with the owners of each space of a piece."""
    return [n for n, name in enumerate(names) if name.startswith(f"{piece}.")]


def _spaces(names: tuple[str, ...], piece: str) -> tuple[str, ...]:
    return tuple(names[n].partition(".")[2] for n in _columns(names, piece))


# ------------------------------------------------------------ results


def estimate_income(
    turns: PlayedTurns, cities: Iterable[str], place: int | None = None
) -> Any:
    """Estimate the income of a piece on each space by least squares.

    Returns the means and their covariances. A turn is one draw, because its roll is the
    same for all seats. `place` selects the turns with the pawn on one place; None
    selects all.
    """
    columns = [turns.cities.index(city) for city in cities]
    square, brought = 0.0, 0.0
    for has, gains in _by_block(turns, columns, place):
        square = square + sum(it.T @ it for it in has)
        brought = brought + sum(it.T @ got for it, got in zip(has, gains, strict=True))
    inverse = np.linalg.inv(square)
    means, spread = inverse @ brought, 0.0
    for has, gains in _by_block(turns, columns, place):
        pairs = zip(has, gains, strict=True)
        draws = sum(it * (got - it @ means)[:, None] for it, got in pairs)
        spread = spread + draws.T @ draws
    return means, inverse @ spread @ inverse


def _by_block(
    turns: PlayedTurns, columns: list[int], place: int | None
) -> Iterator[tuple[list[Any], list[Any]]]:
    """Yield by block: for each seat, the spaces of its pieces and its gains."""
    for block in turns.blocks:
        which = slice(None) if place is None else block.pawns == place
        owners, gains = block.owners[which][:, columns], block.gains[which]
        seats = range(gains.shape[1])
        yield (
            [(owners == seat).astype(float) for seat in seats],
            [gains[:, seat].astype(float) for seat in seats],
        )


def half_width(number: int) -> float:
    """Return the half-width, in standard errors, for *number* simultaneous
    intervals."""
    return NormalDist().inv_cdf(0.5 + LEVEL ** (1 / number) / 2)


def compare_income(listed: Mapping[str, float], turns: PlayedTurns) -> list[Row]:
    """Return the stated and the measured income of each space."""
    cities = tuple(listed)
    brought, spread = estimate_income(turns, cities)
    halves = half_width(len(cities)) * np.sqrt(np.diag(spread))
    return [
        Row(city, listed[city], float(mean), float(half))
        for city, mean, half in zip(cities, brought, halves, strict=True)
    ]


def compare_stopped_shares(asker: IncomeProbe, turns: PlayedTurns) -> list[Share]:
    """Return the stated and the measured share that the pawn stops."""
    (pawn,) = find_blockers(asker)
    (begins,) = asker.baseline.position["pieces"][PAWN]
    (worst,) = pawn.worst_place
    listed = stated_income(asker)
    free = sum(listed.values())
    stopped, spreads = {}, {}
    for number, place in enumerate(turns.places):
        brought, spread = estimate_income(turns, listed, number)
        stopped[place] = 1 - float(brought.sum()) / free
        spreads[place] = float(spread.sum()) / free**2
    assert len(stopped) == pawn.places
    assert pawn.initial_share is not None
    evenly = sum(stopped.values()) / pawn.places
    error = sum(spreads.values()) / pawn.places**2
    return [
        Share(of, float(value), share, half_width(3) * spread**0.5)
        for of, value, share, spread in (
            ("where it begins", pawn.initial_share, stopped[begins], spreads[begins]),
            ("at the worst", pawn.worst_share, stopped[worst], spreads[worst]),
            ("on average", pawn.mean_share, evenly, error),
        )
    ]


def agreeing_share(rows: list[Row], factor: float = 1.0) -> float:
    """Return the share of spaces that agree if the stated incomes are scaled by
    *factor*."""
    return sum(row.agrees(factor) for row in rows) / len(rows)


def main() -> int:
    """Print a line for each space, and one for each stopped share."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--turns", type=int, default=TURNS)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    asker = income_probe()
    listed = stated_income(asker)
    rows = compare_income(
        listed, play_turns(GAME_WITHOUT_PAWN, given.turns, given.seed)
    )
    for row in rows:
        mark = "" if row.agrees() else "  differs"
        print(
            f"{row.city:16} {row.stated:.4f}  "
            f"{row.measured:.4f} ± {row.half_width:.4f}{mark}"
        )
    share = agreeing_share(rows)
    near = [
        agreeing_share(rows, 1 + error)
        for error in (-DETECTABLE_ERROR, DETECTABLE_ERROR)
    ]
    print(f"{share:.0%} agree; {near[0]:.0%} and {near[1]:.0%} if 1 % less or more")
    shares = compare_stopped_shares(
        asker, play_turns(GAME, int(PAWN_TURNS_SHARE * given.turns), given.seed)
    )
    for it in shares:
        mark = "" if it.agrees else "  differs"
        print(
            f"{it.situation:16} {it.stated:.2%}  "
            f"{it.measured:.2%} ± {it.half_width:.2%}{mark}"
        )
    right = share >= AGREEING_MIN > max(near) and all(it.agrees for it in shares)
    return 0 if right else 1


if __name__ == "__main__":
    sys.exit(main())
