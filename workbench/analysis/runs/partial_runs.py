"""Partial runs: games of an unfinished run, in an append-only file.

The first line is the header of the run. Each other line is a complete portion of games.
A truncated last line is ignored. Portions are appended in any order and read in the
order of their games.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any, Self

import attrs

from workbench.analysis.runs.columns import Row, TableSchema
from workbench.analysis.runs.run_tables import GAMES, RunTables
from workbench.analysis.simulation.statistics import Result
from workbench.errors import RequestError
from workbench.files.library.state_files import StateFile

FORMAT = "rulebook-games/1"
FIRST_BYTES = (b'{"format": "rulebook-games/',)
FILE_DESCRIPTION = "a partial run of `simulate`"
CONFLICT_HELP = (
    "continue the run that it belongs to, choose another --out, or remove it"
)
LENGTH_MAX = 60


@attrs.frozen
class PortionLocation:
    """Byte range of a portion in the file, and its number of games."""

    offset: int
    length: int
    games: int


class PartialRun:
    """File with the games of an unfinished run; one process at a time can write it."""

    def __init__(
        self,
        path: Path,
        header: Mapping[str, Any],
        tables: RunTables,
        schemas: Mapping[str, TableSchema],
    ) -> None:
        self.path = path
        self.head = {"format": FORMAT, **header}
        self.tables = tables
        self.schemas = schemas
        self.places: dict[int, PortionLocation] = {}
        self._file = StateFile(path, FIRST_BYTES, FILE_DESCRIPTION)

    def __enter__(self) -> Self:
        with ExitStack() as stack:
            stack.enter_context(self._file)
            self._read()
            stack.pop_all()
        return self

    def __exit__(self, *_: object) -> None:
        self._file.__exit__()

    @property
    def games(self) -> int:
        """Number of games in the file."""
        return sum(place.games for place in self.places.values())

    def write_header(self) -> None:
        """Write the header, unless the file already contains it."""
        if not self._file.size:
            self._file.append(self.head)

    def add(self, results: Sequence[Result]) -> None:
        """Append a portion of games atomically."""
        first = results[0].game
        offset = self._file.size
        self._file.append({"first": first, "rows": self.tables.rows(results)})
        length = self._file.size - offset
        self.places[first] = PortionLocation(offset, length, len(results))

    def remove(self) -> None:
        """Delete the file, whose games have been written elsewhere."""
        self.path.unlink(missing_ok=True)

    def missing_ranges(self, games: int) -> Iterator[range]:
        """Yield the ranges of games below `games` that are not in the file."""
        start = 0
        for first in [*sorted(self.places), games]:
            yield range(start, min(first, games))
            start = first + self.places[first].games if first in self.places else start

    def results(self, games: int) -> Iterator[list[Result]]:
        """Yield the results of the first `games` games in order, a list per portion."""
        for rows in self._portions(games, GAMES):
            yield list(map(self.tables.result_of, rows))

    def rows(self, name: str, games: int) -> Iterator[Row]:
        """Yield the rows of a table for the first `games` games, in order."""
        for rows in self._portions(games, name):
            yield from rows

    # ---------------------------------------------------------------- file

    def _portions(self, games: int, name: str) -> Iterator[list[Row]]:
        """Yield the rows of a table, portion by portion, in order."""
        number = self.schemas[name].names.index("game")
        for first in sorted(self.places):
            if first >= games:
                return
            place = self.places[first]
            portion = self._file.read_at(place.offset, place.length)
            rows = portion["rows"][name]
            yield [row for row in rows if row[number] < games]

    def _read(self) -> None:
        """Find and check the portions in the file."""
        for line in self._file.lines():
            if line.number == 1:
                self._check_header(line.document)
            else:
                first, games = self._check_portion(line.number, line.document)
                self.places[first] = PortionLocation(line.offset, line.length, games)
        self._check_overlaps()

    def _check_header(self, header: Mapping[str, Any]) -> None:
        """Raise `RequestError` with the differences if the file has another header."""
        if header == self.head:
            return
        errors = [
            f"{name} {_value_text(header.get(name))}, "
            f"not {_value_text(self.head.get(name))}"
            for name in dict.fromkeys((*self.head, *header))
            if header.get(name) != self.head.get(name)
        ]
        problem = f"{self.path} contains games of a different run: {'; '.join(errors)}"
        raise RequestError(problem, CONFLICT_HELP)

    def _check_portion(
        self, number: int, document: Mapping[str, Any]
    ) -> tuple[int, int]:
        """Return the first game and the number of games of a valid portion.

        *number* is the number of its line. Raise `RequestError` if it is invalid.
        """
        first, rows = document.get("first"), document.get("rows")
        if type(first) is not int or first < 0 or not isinstance(rows, dict):
            self._file.raise_invalid(number, "is not a portion of games")
        if rows.keys() != self.schemas.keys():
            self._file.raise_invalid(
                number, f"does not contain the tables {', '.join(self.schemas)}"
            )
        for name, table in self.schemas.items():
            if error := error_in_rows(table, rows[name]):
                self._file.raise_invalid(number, f"is wrong: {error}")
        games = rows[GAMES]
        numbers = range(first, first + len(games))
        seed, bot_seed = self.head["seed"], self.head["bot_seed"]
        if not games or [row[:3] for row in games] != [
            [seed + number, bot_seed, number] for number in numbers
        ]:
            self._file.raise_invalid(
                number, "does not contain the games that it declares"
            )
        for name in self.schemas.keys() - {GAMES}:
            row_games = [row[1] for row in rows[name]]
            if row_games != sorted(row_games) or not set(row_games) <= set(numbers):
                self._file.raise_invalid(number, f"has {name} of different games")
        if first in self.places:
            self._file.raise_invalid(number, f"repeats game {first}")
        return first, len(games)

    def _check_overlaps(self) -> None:
        """Raise `RequestError` if two portions contain the same game."""
        end = 0
        for first in sorted(self.places):
            if first < end:
                problem = f"{self.path} is damaged: game {first} appears twice"
                raise RequestError(problem, "remove it", exit_code=1)
            end = first + self.places[first].games


def error_in_rows(table: TableSchema, rows: object) -> str | None:
    """Return the error in the rows of a table as text, or None if they are valid."""
    if not isinstance(rows, list):
        return f"{table.name} is not a list"
    return next(filter(None, map(table.error_in, rows)), None)


def _value_text(value: Any) -> str:
    """Return a value of a header as text, shortened."""
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= LENGTH_MAX else text[: LENGTH_MAX - 1] + "…"
