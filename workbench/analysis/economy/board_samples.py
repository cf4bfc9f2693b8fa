"""Economy of a game over many boards, as means with intervals.

Each board is drawn by set-up and examined separately. Each number is the mean over the
boards, with a 95 % interval, a minimum and a maximum.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from fractions import Fraction
from statistics import fmean, stdev

import attrs

from rulebook import Rulebook
from workbench.analysis.economy.examination import (
    Economy,
    ExaminedSetUp,
    IncomeReport,
    examine,
)
from workbench.analysis.economy.probes.baseline import Baseline
from workbench.analysis.economy.probes.blockers import Blocker
from workbench.analysis.economy.probes.income_probe import Income
from workbench.analysis.economy.valuation.prices import Price
from workbench.analysis.simulation.settings import Settings
from workbench.analysis.statistics.quantiles import student_quantile
from workbench.budget import TimeUp
from workbench.errors import RequestError

MIN_BOARDS = 2
"""Minimum number of boards for a mean with an interval."""
ProgressDisplay = Callable[[Iterable[int], int, str], Iterable[int]]
"""Callback (items, total, label) that shows progress and yields the items."""
QUANTILE_95 = 0.975
"""Probability below the upper end of a two-sided 95 % interval."""


@attrs.frozen
class BoardSpread:
    """Mean of a number over boards, with its interval, minimum and maximum.

    `half_width` is the half-width of the 95 % interval. `missing_count` counts the
    boards on which the number does not exist.
    """

    mean: float
    half_width: float
    lowest: float
    highest: float
    missing_count: int = 0

    @classmethod
    def of_values(cls, values: Iterable[float | Fraction | None]) -> BoardSpread | None:
        """Return the spread of one value per board, or None if all are None."""
        all_values = list(values)
        known = [float(value) for value in all_values if value is not None]
        if not known:
            return None
        half_width = 0.0
        if len(known) > 1:
            error = stdev(known) / len(known) ** 0.5
            half_width = student_quantile(QUANTILE_95, len(known) - 1) * error
        missing = len(all_values) - len(known)
        return cls(fmean(known), half_width, min(known), max(known), missing)


@attrs.frozen
class BlockedShare:
    """Share of income that an unowned piece blocks, as spreads over many boards."""

    piece: str
    initial: BoardSpread | None
    mean: BoardSpread
    worst: BoardSpread


@attrs.frozen
class BoardsEconomy:
    """Economy over many boards; incomes are numbers of cards per turn.

    `first` is the economy of the first board, but its `unpayable` prices are those that
    income cannot pay on any board.

    `spaces` is the income of a piece on each space, by piece. `richest` is the income
    of the richest space, by piece, and `kinds` the income of all spaces together, by
    piece and kind of card. `setups` is the income of each set-up by label, and
    `saving_times` its saving time for each price. `time_up` is set if time ran out
    before all boards were examined.
    """

    first: Economy
    board_count: int
    spaces: Mapping[str, Mapping[str, BoardSpread]]
    richest: Mapping[str, BoardSpread]
    kinds: Mapping[str, Mapping[str, BoardSpread]]
    setups: Mapping[str, BoardSpread]
    saving_times: Mapping[str, tuple[tuple[Price, BoardSpread | None], ...]]
    blocked_shares: tuple[BlockedShare, ...]
    time_up: TimeUp | None = None

    @property
    def income_report(self) -> IncomeReport:
        """Report on the income of turns on the first board."""
        assert self.first.income_report is not None
        return self.first.income_report


def examine_boards(
    book: Rulebook,
    settings: Settings,
    setups: int,
    boards: int,
    round: int = 1,
    display: ProgressDisplay = lambda items, total, what: items,
) -> BoardsEconomy:
    """Return the economy over *boards* boards, drawn with consecutive seeds.

    The first seed is that of *settings*. *setups* is the number of set-ups sampled on
    each board, and *round* the round whose income is computed. Raises `RequestError` if
    set-up draws no board or turns yield no income.
    """
    if not Baseline.of_game(book, settings).deals_board:
        raise RequestError(f"{book.name} always has the same board", exit_code=1)
    seeds = range(settings.seed or 0, (settings.seed or 0) + boards)
    economies: list[Economy] = []
    for seed in display(seeds, boards, "boards"):
        economy = examine(book, attrs.evolve(settings, seed=seed), setups, round)
        if economy.time_up is not None:
            if len(economies) < MIN_BOARDS:
                raise economy.time_up
            return attrs.evolve(combine_economies(economies), time_up=economy.time_up)
        if not economy.baseline.deals_board:
            raise RequestError(f"{book.name} always has the same board", exit_code=1)
        if economy.income_report is None or not economy.income_report.has_income:
            why = economy.unknown_reason or "no turn yields income automatically"
            raise RequestError(
                f"no mean over the boards of {book.name} can be computed: {why}",
                exit_code=1,
            )
        economies.append(economy)
    return combine_economies(economies)


def combine_economies(economies: list[Economy]) -> BoardsEconomy:
    """Combine the economies of single boards into one."""
    income_reports = [
        economy.income_report
        for economy in economies
        if economy.income_report is not None
    ]
    first = income_reports[0]
    unpayable = [
        price
        for price in economies[0].unpayable
        if all(price in other.unpayable for other in economies)
    ]
    return BoardsEconomy(
        first=attrs.evolve(economies[0], unpayable=tuple(unpayable)),
        board_count=len(economies),
        spaces={
            piece: spreads(
                [
                    cards_by_space(income_report.spaces.get(piece, {}))
                    for income_report in income_reports
                ]
            )
            for piece in first.spaces
        },
        richest={
            piece: _known_spread(
                max(cards_by_space(income_report.spaces[piece]).values())
                for income_report in income_reports
            )
            for piece in first.spaces
        },
        kinds={
            piece: spreads(
                [
                    sum_by_kind(income_report.spaces[piece].values())
                    for income_report in income_reports
                ]
            )
            for piece in first.spaces
        },
        setups=spreads(
            [dict(setup_incomes(income_report)) for income_report in income_reports]
        ),
        saving_times=dict(_saving_times(income_reports)),
        blocked_shares=tuple(_blocked_shares(income_reports)),
    )


def cards_by_space(row: Mapping[str, Income]) -> dict[str, Fraction]:
    """Return how many cards of all kinds each space yields per turn."""
    return {space: sum(income.values(), Fraction()) for space, income in row.items()}


def sum_by_kind(incomes: Iterable[Income]) -> dict[str, Fraction]:
    """Return the sum of several incomes, by kind of card."""
    totals: dict[str, Fraction] = {}
    for income in incomes:
        for kind, value in income.items():
            totals[kind] = totals.get(kind, Fraction()) + value
    return totals


def setup_incomes(report: IncomeReport) -> Iterator[tuple[str, Fraction]]:
    """Yield the label and total income of each set-up, and finally of their mean."""
    for examined in report.examined_setups:
        yield examined.setup.label, sum(examined.income.values(), Fraction())
    yield MEAN_LABEL, sum(report.setups.mean.values(), Fraction())


MEAN_LABEL = "mean"
"""Label of the mean income over all set-ups in the sample."""


def spreads(
    tables: list[dict[str, Fraction]],
) -> dict[str, BoardSpread]:
    """Return the spread of each name's number over the tables; a missing one is 0."""
    names = dict.fromkeys(name for table in tables for name in table)
    return {
        name: _known_spread(table.get(name, Fraction()) for table in tables)
        for name in names
    }


def _known_spread(values: Iterable[Fraction]) -> BoardSpread:
    """Return the spread of a non-empty collection of values."""
    spread = BoardSpread.of_values(values)
    assert spread is not None
    return spread


def _saving_times(
    reports: list[IncomeReport],
) -> Iterator[tuple[str, tuple[tuple[Price, BoardSpread | None], ...]]]:
    """Yield each set-up's label, and the spread of its saving times with exchanges."""
    for label in dict.fromkeys(
        setup.setup.label
        for income_report in reports
        for setup in income_report.examined_setups
    ):
        examined: list[ExaminedSetUp] = [
            setup
            for income_report in reports
            for setup in income_report.examined_setups
            if setup.setup.label == label
        ]
        yield (
            label,
            tuple(
                (
                    wait.price,
                    BoardSpread.of_values(
                        setup.saving_times[number].turns_with_exchanges
                        for setup in examined
                    ),
                )
                for number, wait in enumerate(examined[0].saving_times)
            ),
        )


def _blocked_shares(reports: list[IncomeReport]) -> Iterator[BlockedShare]:
    """Yield the shares of the unowned pieces that block income on every board."""
    tables: list[dict[str, Blocker]] = [
        {blocker.piece: blocker for blocker in income_report.blockers}
        for income_report in reports
    ]
    for piece in tables[0]:
        blockers = [table[piece] for table in tables if piece in table]
        if len(blockers) == len(tables):
            yield BlockedShare(
                piece,
                BoardSpread.of_values(blocker.initial_share for blocker in blockers),
                _known_spread(blocker.mean_share for blocker in blockers),
                _known_spread(blocker.worst_share for blocker in blockers),
            )
