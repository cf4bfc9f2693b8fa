"""Economy of a game over many boards, as means with intervals.

Each board is drawn by set-up and examined separately. A number is the mean over the
boards, with a 95 % interval, a minimum and a maximum.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from fractions import Fraction
from statistics import fmean, stdev

import attrs

from rulebook import Rulebook
from workbench.analysis.economy.examination import Begun, Economy, SupplyReport, examine
from workbench.analysis.economy.probes.baseline import Baseline
from workbench.analysis.economy.probes.blockers import Blocked
from workbench.analysis.economy.probes.income import Income
from workbench.analysis.economy.valuation.prices import Price
from workbench.analysis.simulation.settings import Settings
from workbench.analysis.statistics.quantiles import student
from workbench.budget import TimeUp
from workbench.errors import Refused

LEAST = 2
"""Minimum number of boards for a mean with an interval."""
Shown = Callable[[Iterable[int], int, str], Iterable[int]]
"""Callback that shows progress on items (with total and label) and returns them."""
SURE = 0.975
"""Probability below the upper end of a two-sided 95 % interval."""


@attrs.frozen
class Spread:
    """Mean of a number over boards, with its interval, minimum and maximum.

    `half` is the half-width of the 95 % interval. `never` counts the boards on which
    the number does not exist.
    """

    mean: float
    half: float
    least: float
    most: float
    never: int = 0

    @classmethod
    def of(cls, values: Iterable[float | Fraction | None]) -> Spread | None:
        """Return the spread of one value per board, or None if all are None."""
        listed = list(values)
        known = [float(value) for value in listed if value is not None]
        if not known:
            return None
        half = 0.0
        if len(known) > 1:
            error = stdev(known) / len(known) ** 0.5
            half = student(SURE, len(known) - 1) * error
        never = len(listed) - len(known)
        return cls(fmean(known), half, min(known), max(known), never)


@attrs.frozen
class BlockedShare:
    """Shares of all income that an unowned piece blocks, over many boards."""

    piece: str
    begins: Spread | None
    evenly: Spread
    most: Spread


@attrs.frozen
class Boards:
    """Economy over many boards; incomes are numbers of cards per turn.

    `first` is the economy of the first board; of its `unfed` prices, only those that
    are never paid on any board remain.

    `spaces` is the income of a piece on each space, by piece. `richest` is the income
    of the richest space, by piece, and `kinds` the income of all spaces together, by
    piece and kind of card. `setups` is the income of each set-up by label, and `waits`
    its saving time for each price. `stopped` is set if time ran out before all boards
    were examined.
    """

    first: Economy
    number: int
    spaces: Mapping[str, Mapping[str, Spread]]
    richest: Mapping[str, Spread]
    kinds: Mapping[str, Mapping[str, Spread]]
    setups: Mapping[str, Spread]
    waits: Mapping[str, tuple[tuple[Price, Spread | None], ...]]
    blocked: tuple[BlockedShare, ...]
    stopped: TimeUp | None = None

    @property
    def fed(self) -> SupplyReport:
        """Income of turns on the first board."""
        assert self.first.fed is not None
        return self.first.fed


def examine_boards(
    book: Rulebook,
    settings: Settings,
    setups: int,
    boards: int,
    at: int = 1,
    shown: Shown = lambda items, total, what: items,
) -> Boards:
    """Return the economy over *boards* boards, drawn with consecutive seeds.

    The first seed is that of *settings*. *setups* is the number of set-ups sampled on
    each board, and *at* the round whose income is computed. Raises `Refused` if set-up
    draws no board or turns yield no income.
    """
    if not Baseline.of(book, settings).deals:
        raise Refused(f"{book.name} always has the same board", status=1)
    seeds = range(settings.seed or 0, (settings.seed or 0) + boards)
    each: list[Economy] = []
    for seed in shown(seeds, boards, "boards"):
        economy = examine(book, attrs.evolve(settings, seed=seed), setups, at)
        if economy.stopped is not None:
            if len(each) < LEAST:
                raise economy.stopped
            return attrs.evolve(together(each), stopped=economy.stopped)
        if not economy.ground.deals:
            raise Refused(f"{book.name} always has the same board", status=1)
        if economy.fed is None or not economy.fed.brings:
            why = economy.why or "no turn yields income automatically"
            raise Refused(
                f"no mean over the boards of {book.name} can be computed: {why}",
                status=1,
            )
        each.append(economy)
    return together(each)


def together(each: list[Economy]) -> Boards:
    """Return the economies of single boards combined into one."""
    feds = [economy.fed for economy in each if economy.fed is not None]
    first = feds[0]
    always = [it for it in each[0].unfed if all(it in other.unfed for other in each)]
    return Boards(
        first=attrs.evolve(each[0], unfed=tuple(always)),
        number=len(each),
        spaces={
            piece: spreads([cards(fed.spaces.get(piece, {})) for fed in feds])
            for piece in first.spaces
        },
        richest={
            piece: _sure(max(cards(fed.spaces[piece]).values()) for fed in feds)
            for piece in first.spaces
        },
        kinds={
            piece: spreads([by_kind(fed.spaces[piece].values()) for fed in feds])
            for piece in first.spaces
        },
        setups=spreads([dict(setups(fed)) for fed in feds]),
        waits=dict(_waits(feds)),
        blocked=tuple(_blocked(feds)),
    )


def cards(row: Mapping[str, Income]) -> dict[str, Fraction]:
    """Return the number of cards of all kinds that each space yields."""
    return {space: sum(it.values(), Fraction()) for space, it in row.items()}


def by_kind(incomes: Iterable[Income]) -> dict[str, Fraction]:
    """Return the sum of several incomes, by kind of card."""
    every: dict[str, Fraction] = {}
    for income in incomes:
        for kind, value in income.items():
            every[kind] = every.get(kind, Fraction()) + value
    return every


def setups(fed: SupplyReport) -> Iterator[tuple[str, Fraction]]:
    """Yield the number of cards that each labelled set-up yields, and their mean."""
    for begun in fed.begun:
        yield begun.setup.label, sum(begun.income.values(), Fraction())
    yield MEAN, sum(fed.setups.mean.values(), Fraction())


MEAN = "mean"
"""Label of the mean income over all set-ups in the sample."""


def spreads(
    tables: list[dict[str, Fraction]],
) -> dict[str, Spread]:
    """Return the spread of each named number; it is 0 on boards without it."""
    names = dict.fromkeys(name for table in tables for name in table)
    return {
        name: _sure(table.get(name, Fraction()) for table in tables) for name in names
    }


def _sure(values: Iterable[Fraction]) -> Spread:
    """Return the spread of values of which there is at least one."""
    spread = Spread.of(values)
    assert spread is not None
    return spread


def _waits(
    feds: list[SupplyReport],
) -> Iterator[tuple[str, tuple[tuple[Price, Spread | None], ...]]]:
    """Yield each set-up with the saving times of all prices on its boards."""
    for label in dict.fromkeys(it.setup.label for fed in feds for it in fed.begun):
        begun: list[Begun] = [
            it for fed in feds for it in fed.begun if it.setup.label == label
        ]
        yield (
            label,
            tuple(
                (wait.price, Spread.of(it.waits[number].full for it in begun))
                for number, wait in enumerate(begun[0].waits)
            ),
        )


def _blocked(feds: list[SupplyReport]) -> Iterator[BlockedShare]:
    """Yield the unowned pieces that block income on every board."""
    tables: list[dict[str, Blocked]] = [
        {it.piece: it for it in fed.blocked} for fed in feds
    ]
    for piece in tables[0]:
        listed = [table[piece] for table in tables if piece in table]
        if len(listed) == len(tables):
            yield BlockedShare(
                piece,
                Spread.of(it.begins for it in listed),
                _sure(it.evenly for it in listed),
                _sure(it.most for it in listed),
            )
