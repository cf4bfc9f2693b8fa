"""`rulebook coverage`: what of the rules their scenarios and made-up games reach."""

from argparse import Namespace
from pathlib import Path

from workbench.cli.frame.games import settings
from workbench.cli.frame.output import put, put_json, put_rows
from workbench.console.progress import progress
from workbench.errors import Refused
from workbench.library.files import replace_text, spare
from workbench.library.loading import load
from workbench.rule_tests.coverage import HEADS, Coverage, lines, measured, summed
from workbench.rule_tests.coverage_page import BEGINS, page
from workbench.rule_tests.made_up import made_up

WHOLE = 100


def run(arguments: Namespace) -> int:
    """The exit code of `rulebook coverage`."""
    least = arguments.fail_under
    if arguments.games < 0:
        raise Refused(f"--games {arguments.games} is less than 0")
    if least is not None and not 0 <= least <= WHOLE:
        raise Refused(f"--fail-under {least:g} is no percentage from 0 to {WHOLE}")
    if arguments.html is not None:
        spare(arguments.html, BEGINS, "a page of `coverage`")
    book = load(arguments.variant)
    games = list(made_up(book, settings(arguments), arguments.games))
    coverage = measured(book, games, progress)
    if arguments.html is not None:
        replace_text(Path(arguments.html), page(coverage))
    if arguments.json:
        put_json(coverage.to_json(arguments.seed))
    else:
        _show(coverage, least)
    few = least is not None and coverage.whole.percent < least
    return 1 if few or coverage.failed else 0


def _show(coverage: Coverage, least: float | None) -> None:
    put(f"{coverage.book.name}, {coverage.scenarios} scenarios, {coverage.games} games")
    put_rows(summed(coverage), heads=HEADS, indent=2, right=(1, 2, 3, 4, 5))
    for line in lines(coverage):
        put(line)
    for test in coverage.failed:
        put(f"{test} fails: `rulebook test` says more")
    if least is not None and coverage.whole.percent < least:
        put(f"{coverage.whole.percent:.1f} % is less than {least:g} %")
