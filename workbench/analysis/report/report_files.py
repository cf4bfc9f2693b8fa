"""Files of a report: the page and the tables next to it, each written atomically."""

from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Self

import attrs

from workbench.analysis.comparison.comparison import Comparison
from workbench.analysis.report import charts, report_tables
from workbench.analysis.report.comparison_page import report_page
from workbench.analysis.report.page import PAGE_START, import_jinja, render_page
from workbench.analysis.runs.parquet import FIRST_BYTES as PARQUET
from workbench.analysis.runs.parquet import ParquetWriter
from workbench.errors import RequestError
from workbench.files.library.atomic_files import (
    atomic_replacement,
    check_replaceable,
    check_writable,
    is_regular_file,
)

ENDINGS = (".html", ".htm")
FILE_DESCRIPTION = "a report"
TABLE_DESCRIPTION = "a table of a report"


@attrs.frozen
class ReportFiles:
    """Files of a report, after a check that they can be written."""

    page: Path

    @classmethod
    def for_page(cls, name: str) -> Self:
        """Return the files of the report with this page, after checking them.

        Raise `RequestError` or `OSError` if a file cannot be written, would replace an
        unrelated file, or needs a library that is not installed.
        """
        page = Path(name)
        if page.suffix.lower() not in ENDINGS:
            raise RequestError(
                f"{name} does not end in .html", "a report is an HTML page"
            )
        if page.exists() and not is_regular_file(page):
            raise RequestError(
                f"{name} is not a regular file",
                "data files are written next to the report",
            )
        for import_function in (
            import_jinja,
            charts.import_altair,
            charts.import_vl_convert,
            report_tables.import_arrow,
        ):
            import_function()
        check_replaceable(page, (PAGE_START.encode(),), FILE_DESCRIPTION)
        check_writable(page)
        for path in report_tables.table_paths(page).values():
            check_replaceable(path, (PARQUET,), TABLE_DESCRIPTION)
            if is_regular_file(path) and not ParquetWriter().is_own_file(path):
                problem = f"{path} already exists and is not {TABLE_DESCRIPTION}"
                raise RequestError(problem, "nothing was changed")
            check_writable(path)
        return cls(page)

    def write(self, comparison: Comparison, command: Sequence[str]) -> None:
        """Write the report on a comparison, which *command* repeats.

        No file replaces an old one before all are complete.
        """
        paths = report_tables.table_paths(self.page)
        page = report_page(comparison, command, [path.name for path in paths.values()])
        metadata = report_tables.table_header(comparison)
        with ExitStack() as stack:
            stack.enter_context(atomic_replacement(self.page)).write_text(
                render_page(page), encoding="utf-8"
            )
            tables = report_tables.report_tables(comparison.variants)
            for name, columns in tables.items():
                temp = stack.enter_context(atomic_replacement(paths[name]))
                report_tables.write_table(columns, temp, {"table": name, **metadata})
