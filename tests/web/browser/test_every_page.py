"""Pages beside the table, and all generated reports, conform to WCAG level AA."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.web.browser.test_accessibility import WIDTHS, violations
from workbench.cli import main

TINY = Path(__file__).parents[3] / "examples" / "tiny"
DARE, FOUR = str(TINY / "dare.rules"), str(TINY / "connect_four.rules")
QUICK = ("coverage.html", "rules.html")
PAGES = ("learn/germany", "learn/germany/1?answer=yes", "replay", "t/unknown/")
REPORTS = {
    "report.html": (
        "compare",
        "classic",
        "classic+first_come",
        "--games",
        "4",
        "--report",
    ),
    "coverage.html": ("coverage", DARE, "--games", "2", "--html"),
    "rules.html": ("print", DARE, "--out"),
    "german.html": ("print", "germany", "--language", "de", "--out"),
    "sweep.svg": (
        "sweep",
        FOUR,
        "--vary",
        "option needed = 3, 4",
        "--games",
        "4",
        "--out",
    ),
    "income.svg": ("economy", "germany", "--out"),
    "board.svg": ("board", "germany", "--out"),
    "ladder.svg": ("ladder", DARE, "--bots", "random,greedy", "--games", "20", "--out"),
}


@pytest.mark.parametrize("width", WIDTHS)
def test_pages_beside_the_table_conform_to_wcag_level_aa(
    serve: Callable[..., Any], sit: Callable[..., Any], width: int
) -> None:
    """Exercises, the upload of a record, the handover, and an error."""
    server = serve()
    made = server.table("germany", 3, seed=3)
    page = sit(made.links["red"], width).page
    table = page.url.partition("?")[0]
    wrong = {}
    for address in (*(f"{server.base}/{each}" for each in PAGES), f"{table}handover"):
        page.goto(address, timeout=60_000)
        wrong[address] = violations(page)
    assert not any(wrong.values()), wrong


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("name", REPORTS)
def test_generated_reports_conform_to_wcag_level_aa(
    name: str, width: int, chromium: Any, tmp_path: Path, *, deep: bool
) -> None:
    """A report of each command that writes a page or a chart."""
    if not deep and name not in QUICK:
        pytest.skip("this report is among the long checks: --deep")
    file = tmp_path / name
    assert main([*REPORTS[name], str(file)]) == 0
    context = chromium.new_context(viewport={"width": width, "height": 900})
    page = context.new_page()
    page.goto(file.as_uri())
    wrong = violations(page)
    context.close()
    assert not wrong, "\n".join(wrong)
