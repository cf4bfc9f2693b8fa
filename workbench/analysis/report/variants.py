"""Variants of a report, with the measures of their games as columns."""

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from string import ascii_uppercase
from typing import Any

import attrs
import numpy as np

from rulebook import Rulebook
from workbench.analysis.comparison.games import HIDDEN, VariantGames
from workbench.analysis.report.income import BoardIncome
from workbench.presentation.localization.localizer import Wording

Array = Any
Columns = Mapping[str, Array]
Row = Mapping[str, float | None]


@attrs.define(eq=False, slots=False)
class ReportVariant:
    """Variant of a report, with its letter, display name and games.

    `ground` is its board with the income of the spaces, or None without a board.
    """

    letter: str
    called: str
    variant: str
    played: VariantGames
    ground: BoardIncome | None

    @property
    def book(self) -> Rulebook:
        """Rules of the variant."""
        return self.played.book

    @cached_property
    def words(self) -> Wording:
        """Words of the rules, for display."""
        return Wording.of(self.book)

    @property
    def games(self) -> int:
        """Number of games."""
        return len(self.played.results)

    @property
    def label(self) -> str:
        """Label of the variant in charts."""
        return f"{self.letter}, {self.called}"

    @cached_property
    def seeds(self) -> Array:
        """Seed of each game."""
        return np.array([result.seed for result in self.played.results], "int64")

    @cached_property
    def columns(self) -> Columns:
        """Values of each measure by game; NaN if the measure does not apply.

        A measure of something that does not exist in a game is 0.
        """
        rows = [result.measures or {} for result in self.played.results]
        names = list(dict.fromkeys(name for row in different(rows) for name in row))
        values = [
            list(row.values()) if list(row) == names else [row.get(x, 0) for x in names]
            for row in rows
        ]
        table = np.array(values, float).reshape(len(rows), len(names))
        return dict(zip(names, table.T.copy(), strict=True))

    @cached_property
    def compared(self) -> Columns:
        """Columns to be compared, without those of single spaces."""
        return {
            name: values
            for name, values in self.columns.items()
            if name.partition(".")[0] not in HIDDEN
        }

    @cached_property
    def race(self) -> tuple[Array, Array]:
        """Points of the best and the last player: a row per game, a column per round.

        A finished game keeps its last points. The arrays have no columns if no game has
        a round.
        """
        races = [result.race for result in self.played.results]
        last = max(
            (race.rounds[-1] for race in races if race and race.rounds), default=0
        )
        tables = np.zeros((2, len(races), last), "int64")
        for row, race in enumerate(races):
            if race and race.rounds:
                ends = np.diff([*race.rounds, last + 1])
                begun = race.rounds[0] - 1
                for table, points in zip(tables, (race.best, race.last), strict=True):
                    table[row, begun:] = np.repeat(points, ends)
        return tables[0], tables[1]

    def known(self, name: str) -> Array:
        """Return the values of a column, without NaN."""
        values = self.columns.get(name, np.zeros(0))
        return values[~np.isnan(values)]


def different(rows: Sequence[Row]) -> Iterator[Row]:
    """Yield each row whose columns differ from those of the row before."""
    names: list[str] | None = None
    for row in rows:
        if list(row) != names:
            names = list(row)
            yield row


def sides(
    variants: Sequence[str],
    played: Sequence[VariantGames],
    grounds: Sequence[BoardIncome | None],
) -> list[ReportVariant]:
    """Return the variants of a report, the first of which is the baseline."""
    names = called(variants, [each.book for each in played])
    return [
        ReportVariant(letter(place), *each)
        for place, each in enumerate(zip(names, variants, played, grounds, strict=True))
    ]


def letter(place: int) -> str:
    """Return the letter of the variant at a position, or `V` and a number after `Z`."""
    letters = len(ascii_uppercase)
    return ascii_uppercase[place] if place < letters else f"V{place + 1}"


def called(variants: Sequence[str], books: Sequence[Rulebook]) -> list[str]:
    """Return display names of variants: titles of games and names of house rules."""
    base = variants[0]
    names = [Wording.of(books[0]).heading]
    for variant, book in zip(variants[1:], books[1:], strict=True):
        rest = variant.removeprefix(f"{base}+")
        laid = rest != variant
        names.append(rest.replace("_", " ") if laid else Wording.of(book).heading)
    if len(set(names)) < len(names):
        return [book.name for book in books]
    return names
