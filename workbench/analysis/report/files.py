"""The files of a report: a page, and the tables beside it, each whole or not at all."""

from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any, Self

import attrs

from workbench.analysis.report import charts, tables
from workbench.analysis.report.page import BEGINS, jinja
from workbench.analysis.report.variants import ReportVariant
from workbench.analysis.runs.parquet import BEGINS as PARQUET
from workbench.analysis.runs.parquet import Parquet
from workbench.errors import Refused
from workbench.files.library.files import can_replace, is_regular, replacing, spare

ENDINGS = (".html", ".htm")
WHAT = "a report"
BESIDE = "a table of a report"


@attrs.frozen
class ReportFiles:
    """Where a report is written; that it can be was seen before."""

    page: Path

    @classmethod
    def seen(cls, name: str) -> Self:
        """The files of a page that is called so.

        Raises `Refused` or `OSError` where they cannot be written, would take the place
        of something else, or where what is needed for them is missing.
        """
        page = Path(name)
        if page.suffix.lower() not in ENDINGS:
            raise Refused(f"{name} does not end in .html", "a report is an HTML page")
        if page.exists() and not is_regular(page):
            raise Refused(
                f"{name} is not a regular file",
                "data files are written next to the report",
            )
        for needed in (jinja, charts.altair, charts.drawing, tables.arrow):
            needed()
        spare(page, (BEGINS.encode(),), WHAT)
        can_replace(page)
        for path in tables.beside(page).values():
            spare(path, (PARQUET,), BESIDE)
            if is_regular(path) and not Parquet().ours(path):
                said = f"{path} already exists and is not {BESIDE}"
                raise Refused(said, "nothing was changed")
            can_replace(path)
        return cls(page)

    def write(
        self, page: str, sides: Sequence[ReportVariant], settings: Mapping[str, Any]
    ) -> None:
        """Write all of them; none takes its place before every one is written."""
        paths = tables.beside(self.page)
        about = tables.head(sides, settings)
        with ExitStack() as stack:
            stack.enter_context(replacing(self.page)).write_text(page, encoding="utf-8")
            for name, columns in tables.tables(sides).items():
                part = stack.enter_context(replacing(paths[name]))
                tables.write(columns, part, {"table": name, **about})
