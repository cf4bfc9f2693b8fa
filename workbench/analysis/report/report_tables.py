"""Parquet tables next to a report, from which all its figures are computed.

`games` has a row per game and a column per measure. `rounds` has a row per round of a
game, `spaces` a row per space on the board, and `income` a row per piece, space and
kind of card.

The metadata of a file describes the games (`rulebook`, as JSON). The metadata of a
column contains its meaning.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any

import attrs
import numpy as np

from workbench.analysis.comparison.comparison import Comparison
from workbench.analysis.comparison.variant_games import VariantGames
from workbench.analysis.measures.measure_table import ALL_MEASURES
from workbench.analysis.report.board_maps import used_domains
from workbench.analysis.report.charts import FEATURE
from workbench.analysis.runs.parquet import METADATA_KEY
from workbench.extras import Extra, import_library
from workbench.files.library.versions import version

GAMES, ROUNDS, SPACES, INCOME = "games", "rounds", "spaces", "income"
NAMES = (GAMES, ROUNDS, SPACES, INCOME)
ENDING = ".parquet"
MEANINGS = {measure.name: measure.meaning for measure in ALL_MEASURES}
DECLARED = "as declared in the rules"
Array = Any


@attrs.frozen(eq=False)
class ReportColumn:
    """Column of a table, with its values, meaning and storage type."""

    name: str
    meaning: str
    values: Any
    storage_type: str


def import_arrow(module: str = "pyarrow") -> Any:
    """Import and return pyarrow or one of its modules."""
    return import_library(module, Extra.REPORT, FEATURE)


def table_paths(page: Path) -> dict[str, Path]:
    """Return the path of each table of a report by name, given the path of the page."""
    return {name: page.with_suffix(f".{name}{ENDING}") for name in NAMES}


def report_tables(sides: Sequence[VariantGames]) -> dict[str, list[ReportColumn]]:
    """Return the columns of each table, by name of the table."""
    return {
        GAMES: list(game_columns(sides)),
        ROUNDS: list(round_columns(sides)),
        SPACES: list(space_columns(sides)),
        INCOME: list(income_columns(sides)),
    }


def game_columns(sides: Sequence[VariantGames]) -> Iterator[ReportColumn]:
    """Yield the columns of the table of games; measures that do not apply are empty."""
    yield letter_column(sides, [len(side.results) for side in sides])
    seeds = [result.seed for side in sides for result in side.results]
    yield ReportColumn(
        "seed", "seed of the game; equal seeds form a pair", seeds, "int64"
    )
    for name in dict.fromkeys(name for side in sides for name in side.columns):
        values = np.concatenate(
            [side.columns.get(name, np.zeros(len(side.results))) for side in sides]
        )
        meaning = MEANINGS.get(name.partition(".")[0], DECLARED)
        yield ReportColumn(name, meaning, values, "double")


def round_columns(sides: Sequence[VariantGames]) -> Iterator[ReportColumn]:
    """Yield the columns of the table of rounds."""
    points_by_side = [
        [(r.seed, r.points_by_round) for r in side.results if r.points_by_round]
        for side in sides
    ]
    yield letter_column(
        sides,
        [sum(len(points.rounds) for _, points in games) for games in points_by_side],
    )
    pairs = [pair for games in points_by_side for pair in games]
    seeds = [seed for seed, points in pairs for _ in points.rounds]
    yield ReportColumn("seed", "seed of the game", seeds, "int64")
    for name, meaning in (
        ("rounds", "number of the round, starting at 1"),
        ("best", "highest points of a player at the end of the round"),
        ("last", "lowest points of a player at the end of the round"),
    ):
        values = [x for _, points in pairs for x in getattr(points, name)]
        yield ReportColumn(name.removesuffix("s"), meaning, values, "int64")


def space_columns(sides: Sequence[VariantGames]) -> Iterator[ReportColumn]:
    """Yield the columns of the table of spaces that can be occupied."""
    rows = [
        (side.letter, spaces.domain, space, column)
        for side in sides
        if side.board_income is not None
        for spaces in used_domains(side)
        for space, column in spaces.columns.items()
    ]
    definitions = (
        ("variant", "letter of the variant"),
        ("domain", "kind of space, named as in the rules"),
        ("space", "name of the space"),
        (
            "measure",
            "column of `games` that says whether the space is in use at the end",
        ),
    )
    for index, (name, meaning) in enumerate(definitions):
        yield ReportColumn(name, meaning, [row[index] for row in rows], "string")


def income_columns(sides: Sequence[VariantGames]) -> Iterator[ReportColumn]:
    """Yield the columns of the table of incomes."""
    rows = [
        (side.letter, piece, space, kind, float(number * board.turns), board.turns)
        for side in sides
        if (board := side.board_income) is not None
        for piece, by_space in board.income.items()
        for space, kinds in by_space.items()
        if space in board.names
        for kind, number in (kinds or {"": Fraction()}).items()
    ]
    definitions = (
        ("variant", "letter of the variant", "string"),
        ("piece", "the only piece on the space", "string"),
        ("space", "name of the space", "string"),
        ("kind", "kind of card; empty if there is no income", "string"),
        ("cards", "average number of cards, computed from the rules", "double"),
        ("turns", "number of turns that the average covers", "int64"),
    )
    for index, (name, meaning, storage_type) in enumerate(definitions):
        yield ReportColumn(name, meaning, [row[index] for row in rows], storage_type)


def letter_column(
    sides: Sequence[VariantGames], numbers: Sequence[int]
) -> ReportColumn:
    """Return the column with the letter of each variant, repeated *numbers* times."""
    values = [
        side.letter for side, n in zip(sides, numbers, strict=True) for _ in range(n)
    ]
    return ReportColumn(
        "variant", "letter of the variant, A the first", values, "string"
    )


def table_header(comparison: Comparison) -> dict[str, Any]:
    """Return the variants, bots and settings of the games as plain data."""
    settings, first = comparison.settings.settings, comparison.variants[0]
    variants = [
        {
            "letter": side.letter,
            "variant": side.variant,
            "name": side.book.name,
            "digest": side.book.digest,
            "engine": side.engine,
            "unfinished": side.unfinished_count,
        }
        for side in comparison.variants
    ]
    return {
        "variants": variants,
        "bots": dict(first.bots),
        "players": len(first.bots),
        "seed": settings.seed,
        "bot_seed": settings.bot_seed,
        "options": dict(settings.options),
        "program": version(),
    }


def write_table(
    columns: Sequence[ReportColumn], path: Path, metadata: Mapping[str, Any]
) -> None:
    """Write a table to a Parquet file."""
    pyarrow, parquet = import_arrow(), import_arrow("pyarrow.parquet")
    fields, arrays = [], []
    for column in columns:
        type = pyarrow.type_for_alias(column.storage_type)
        meaning = {b"meaning": column.meaning.encode()}
        fields.append(pyarrow.field(column.name, type, metadata=meaning))
        arrays.append(pyarrow.array(column.values, type=type, from_pandas=True))
    header = {METADATA_KEY: json.dumps(metadata, ensure_ascii=False).encode()}
    table = pyarrow.Table.from_arrays(
        arrays, schema=pyarrow.schema(fields, metadata=header)
    )
    parquet.write_table(table, path, compression="zstd")
