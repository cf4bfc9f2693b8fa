"""Outputs of a run: files, whose format depends on their suffix, or a pipe."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any, Self

import attrs

from rulebook.tooling import nearest
from workbench.analysis.runs.columns import INT_BITS, TableSchema
from workbench.analysis.runs.parquet import ParquetWriter, check_arrow
from workbench.analysis.runs.partial_runs import PartialRun
from workbench.analysis.runs.run_tables import GAMES, RunTables
from workbench.analysis.runs.writers import (
    CsvWriter,
    JsonLinesWriter,
    TableWriter,
    TextWriter,
)
from workbench.analysis.simulation.statistics import Result
from workbench.errors import RequestError
from workbench.files.library.atomic_files import (
    LineWriter,
    atomic_replacement,
    check_replaceable,
    is_regular_file,
)

PARQUET = ".parquet"
TEXT_WRITERS: Mapping[str, TextWriter] = {
    ".jsonl": JsonLinesWriter(),
    ".csv": CsvWriter(),
}
WRITERS: Mapping[str, TableWriter] = {**TEXT_WRITERS, PARQUET: ParquetWriter()}
"""Writer for each supported suffix."""
PARTIAL_SUFFIX = ".part"
"""Suffix of the file that stores the games of an unfinished run."""
FILE_DESCRIPTION = "an output file of `simulate`"


@attrs.frozen
class RunFiles:
    """Files of a run: one for each table, and the partial run next to them."""

    path: Path
    writer: TableWriter
    schemas: Mapping[str, TableSchema]

    @property
    def partial_path(self) -> Path:
        """Path of the partial run."""
        return self.path.with_name(f"{self.path.name}{PARTIAL_SUFFIX}")

    @property
    def paths(self) -> dict[str, Path]:
        """Path of each table; the user chose that of the table of games."""
        ending = self.path.suffix
        paths = {
            name: self.path.with_suffix(f".{name}{ending}") for name in self.schemas
        }
        return {**paths, GAMES: self.path}

    def check_paths(self) -> None:
        """Check that the files can be written and would overwrite no unrelated file.

        Raise `RequestError` or `OSError` if not.
        """
        for name, path in self.paths.items():
            header = self.writer.file_header(self.schemas[name])
            check_replaceable(path, (header,), FILE_DESCRIPTION)
            if not is_regular_file(path):
                continue
            if not os.access(path, os.W_OK):
                path.open("ab").close()  # raises the system's error
            if isinstance(self.writer, ParquetWriter) and not self.writer.is_own_file(
                path
            ):
                problem = f"{path} already exists and is not {FILE_DESCRIPTION}"
                raise RequestError(problem, "nothing was changed")

    @contextmanager
    def open_partial_run(
        self, header: Mapping[str, Any], tables: RunTables, *, resume: bool
    ) -> Iterator[PartialRun]:
        """Open the partial run with this header, which may already contain games.

        Raise `RequestError` if it contains games and `resume` is false, if `resume` is
        true but the run is complete, or if the files cannot be written.
        """
        self.check_paths()
        if resume and self.path.exists() and not self.partial_path.exists():
            problem = f"{self.path} belongs to a completed run"
            raise RequestError(problem, "choose another --out, or remove it")
        with PartialRun(self.partial_path, header, tables, self.schemas) as partial_run:
            if partial_run.games and not resume:
                games = f"{partial_run.games:,} games of an interrupted run"
                problem = f"{self.partial_path} contains {games}"
                raise RequestError(
                    problem, "continue it with --resume, or remove the file"
                )
            yield partial_run

    def finish(self, partial_run: PartialRun, games: int, *, complete: bool) -> None:
        """Write the files; delete the partial run if the run is complete."""
        self.write(partial_run, games)
        if complete:
            partial_run.remove()

    def write(self, partial_run: PartialRun, games: int) -> None:
        """Write the first `games` games to the files, in order."""
        for name, path in self.paths.items():
            table = self.schemas[name]
            head = {**partial_run.head, "columns": [c.to_json() for c in table.columns]}
            with atomic_replacement(path) as temp:
                self.writer.write(table, partial_run.rows(name, games), temp, head)


def run_files(path: str, tables: RunTables, seeds: range, *, detail: bool) -> RunFiles:
    """Return the files of a run, in the format of the path's suffix.

    Raise `RequestError` for an unknown suffix, for *seeds* that the format cannot
    store, or if a required library is not installed.
    """
    target = Path(path)
    if is_regular_file(target) or not target.exists():
        check_suffix(path)
    ending = target.suffix
    if ending == PARQUET:
        check_arrow()
        if any(abs(seed) >> INT_BITS for seed in (seeds.start, seeds.stop)):
            raise RequestError("these seeds are too large for Parquet")
    return RunFiles(target, WRITERS[ending], tables.schemas(detail=detail))


def check_suffix(path: str) -> None:
    """Raise `RequestError` for a file with an unknown suffix."""
    ending = Path(path).suffix
    if ending not in WRITERS:
        near = nearest(ending, WRITERS)
        known = ", ".join(WRITERS)
        help = (
            f"did you mean `{near}`?" if near and ending else f"file types are {known}"
        )
        raise RequestError(f"{path} has no known file type", help)


def is_stream(path: str) -> bool:
    """Return whether a path is a pipe or device, to which rows can only be appended."""
    return not is_regular_file(path) and Path(path).exists()


class StreamedRows:
    """Pipe or device to which the row of each game is written, in order."""

    def __init__(self, path: str, tables: RunTables) -> None:
        self._stack = ExitStack()
        self._path, self._tables = path, tables
        self._writer = TEXT_WRITERS.get(Path(path).suffix, TEXT_WRITERS[".jsonl"])
        self._table = tables.schemas(detail=False)[GAMES]

    def __enter__(self) -> Self:
        self._lines = self._stack.enter_context(LineWriter(self._path))
        if header := self._writer.header_line(self._table):
            self._lines.add(header)
        return self

    def __exit__(self, *_: object) -> None:
        self._stack.close()

    def add(self, result: Result) -> None:
        """Write the row of a game."""
        rows = self._tables.rows([result])[GAMES]
        self._lines.add(self._writer.text(self._table, rows))
