"""Games of one variant, with their measures as columns."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from itertools import chain
from string import ascii_uppercase
from typing import TYPE_CHECKING

import attrs
import numpy as np

from rulebook import Rulebook
from workbench.analysis.measures.measure_summaries import HIDDEN_SCOPES
from workbench.analysis.measures.measure_table import ALL_MEASURES
from workbench.analysis.simulation.bot_errors import BotErrors
from workbench.analysis.simulation.bot_gains import BotGains
from workbench.analysis.simulation.settings import Settings
from workbench.analysis.simulation.statistics import Result
from workbench.analysis.statistics.contrasts import Column, Columns, as_numbers
from workbench.presentation.localization.localizer import Localizer

if TYPE_CHECKING:
    from workbench.analysis.economy.board_income import BoardIncome

HIDDEN_MEASURES = {
    measure.name for measure in ALL_MEASURES if measure.scope in HIDDEN_SCOPES
}
"""Names of measures of individual spaces, which are too many to be compared."""


@attrs.frozen(eq=False, slots=False)
class VariantGames:
    """Games of one variant, in order of their seeds.

    `variant` is the argument of the command. `letter` and `title` name the variant in
    tables and charts. `bots` maps each seat to its bot.
    """

    letter: str
    title: str
    variant: str
    book: Rulebook
    engine: str
    bots: Mapping[str, str]
    settings: Settings
    results: Sequence[Result] = ()

    @property
    def label(self) -> str:
        """Label of the variant in charts."""
        return f"{self.letter}, {self.title}"

    @cached_property
    def localizer(self) -> Localizer:
        """Localizer for displaying names from the rules."""
        return Localizer.for_book(self.book)

    @property
    def bots_text(self) -> str:
        """Names of the bots as text."""
        names = set(self.bots.values())
        if len(names) == 1:
            return f"{names.pop()} in every seat"
        return ", ".join(f"{name} as {seat}" for seat, name in self.bots.items())

    @cached_property
    def board_income(self) -> BoardIncome | None:
        """Board with the income of its spaces, or None if the game has no board."""
        from workbench.analysis.economy.board_income import BoardIncome

        return BoardIncome.for_book(self.book, self.settings)

    @property
    def unfinished_count(self) -> int:
        """Number of unfinished games."""
        return sum(not result.finished for result in self.results)

    @property
    def gains(self) -> BotGains:
        """Gain of each bot: wins beyond its share of the seats."""
        gains = BotGains(self.bots)
        for result in self.results:
            gains.add(result)
        return gains

    @property
    def errors(self) -> BotErrors:
        """Errors of the bots."""
        return BotErrors.of_results(self.bots, self.results)

    @cached_property
    def columns(self) -> Columns:
        """Values of each measure by game; NaN if the measure does not apply.

        A measure that is missing from a game is 0 in that game.
        """
        return columns_from_rows([result.measures or {} for result in self.results])

    @property
    def compared_columns(self) -> Columns:
        """Columns to compare, without those of individual spaces."""
        return {
            name: values
            for name, values in self.columns.items()
            if name.partition(".")[0] not in HIDDEN_MEASURES
        }

    def known_values(self, name: str) -> Column:
        """Return the values of a column, without NaN."""
        values = self.columns.get(name, np.zeros(0))
        return values[~np.isnan(values)]

    @property
    def replayed_games(self) -> VariantGames:
        """Games that were replayed to count how often rule parts took effect."""
        results = [result for result in self.results if result.counts is not None]
        return attrs.evolve(self, results=results)

    @property
    def rule_part_counts(self) -> Columns:
        """Number of times that each rule part took effect, by replayed game."""
        return columns_from_rows(
            [result.counts or {} for result in self.replayed_games.results]
        )

    @cached_property
    def points_by_round(self) -> tuple[Column, Column]:
        """Points of the best and the last player: a row per game, a column per round.

        A finished game keeps its last points. The arrays have no columns if no game has
        a round.
        """
        tables_by_game = [result.points_by_round for result in self.results]
        last = max(
            (
                points.rounds[-1]
                for points in tables_by_game
                if points and points.rounds
            ),
            default=0,
        )
        tables = np.zeros((2, len(tables_by_game), last), "int64")
        for row, points in enumerate(tables_by_game):
            if points and points.rounds:
                ends = np.diff([*points.rounds, last + 1])
                start = points.rounds[0] - 1
                for table, line in zip(tables, (points.best, points.last), strict=True):
                    table[row, start:] = np.repeat(line, ends)
        return tables[0], tables[1]


def columns_from_rows(rows: Sequence[Mapping[str, float | None]]) -> Columns:
    """Return rows as columns; None becomes NaN, and values missing from a row are 0."""
    names = dict.fromkeys(chain.from_iterable({tuple(row): None for row in rows}))
    return {name: as_numbers([row.get(name, 0) for row in rows]) for name in names}


def variant_letter(position: int) -> str:
    """Return the letter of the variant at a position: `A` for 0, `V27` after `Z`."""
    letters = len(ascii_uppercase)
    return ascii_uppercase[position] if position < letters else f"V{position + 1}"


def variant_titles(books: Mapping[str, Rulebook]) -> list[str]:
    """Return a title for each variant: that of its game, or its house rules."""
    base, titles = next(iter(books)), []
    for variant, book in books.items():
        suffix = variant.removeprefix(f"{base}+")
        is_rule = suffix != variant
        titles.append(
            suffix.replace("_", " ") if is_rule else Localizer.for_book(book).heading
        )
    if len(set(titles)) < len(titles):
        return [book.name for book in books.values()]
    return titles
