"""Files of a report: the page and the tables next to it, each written atomically."""

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
    """Files of a report, after a check that they can be written."""

    page: Path

    @classmethod
    def seen(cls, name: str) -> Self:
        """Return the files of the report with this page, after checking them.

        Raise `Refused` or `OSError` if a file cannot be written, would replace an
        unrelated file, or needs a library that is not installed.
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
        """Write all files; none replaces an old one before all are complete."""
        paths = tables.beside(self.page)
        about = tables.head(sides, settings)
        with ExitStack() as stack:
            stack.enter_context(replacing(self.page)).write_text(page, encoding="utf-8")
            for name, columns in tables.tables(sides).items():
                part = stack.enter_context(replacing(paths[name]))
                tables.write(columns, part, {"table": name, **about})
