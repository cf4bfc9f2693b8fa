"""`rulebook coverage`: what of the rules their scenarios and made-up games reach."""

import os
from argparse import Namespace
from pathlib import Path

from workbench.cli.frame.games import settings
from workbench.cli.frame.items import kept_records, put_failed
from workbench.cli.frame.output import put, put_json, put_rows
from workbench.console.progress import progress
from workbench.defaults import GUIDED
from workbench.errors import Refused
from workbench.library.files import replace_text, spare
from workbench.library.loading import load
from workbench.rule_tests.breaks import DEAD_END, FAILURE
from workbench.rule_tests.coverage import (
    HEADS,
    Coverage,
    Measure,
    lines,
    measured_by,
    summed,
)
from workbench.rule_tests.coverage_page import BEGINS, page
from workbench.rule_tests.made_up import made_up
from workbench.rule_tests.playing import Listed

WHOLE = 100
GAME = "the game"
LONG = (FAILURE, DEAD_END)
"""What is told with the game as it was played, and not with a shorter one."""


def run(arguments: Namespace) -> int:
    """The exit code of `rulebook coverage`."""
    _check(arguments)
    book, base = load(arguments.variant), settings(arguments)
    measure, games = Measure(book, base), arguments.games
    if arguments.choice == GUIDED:
        coverage = measured_by(measure, measure.guide(games), progress, arguments.jobs)
    else:
        listed = Listed(list(made_up(book, base, games)))
        coverage = measured_by(measure, listed, progress, arguments.jobs)
    if arguments.html is not None:
        replace_text(Path(arguments.html), page(coverage))
    if arguments.json:
        put_json(coverage.to_json(arguments.seed, arguments.choice))
    else:
        _show(coverage, arguments.fail_under)
    if arguments.records is not None or not arguments.json:
        seen = (*coverage.wrong, *coverage.doubtful)
        kept = kept_records(seen, Path(arguments.records or "."))
        if not arguments.json:
            put_failed([item for item in seen if item.kind not in LONG], kept)
            put_failed([item for item in seen if item.kind in LONG], kept, GAME)
    least = arguments.fail_under
    few = least is not None and coverage.whole.percent < least
    return 1 if few or coverage.wrong else 0


def _check(arguments: Namespace) -> None:
    """Refuse numbers that make no sense, and files that are somebody else's."""
    least, jobs = arguments.fail_under, arguments.jobs
    if arguments.games < 0:
        raise Refused(f"--games {arguments.games} is less than 0")
    if least is not None and not 0 <= least <= WHOLE:
        raise Refused(f"--fail-under {least:g} is no percentage from 0 to {WHOLE}")
    if jobs < 1:
        raise Refused(f"--jobs {jobs} is less than 1")
    if jobs > (os.cpu_count() or 1) * 4:
        raise Refused(f"--jobs {jobs} is more than this machine can use")
    if arguments.html is not None:
        spare(arguments.html, BEGINS, "a page of `coverage`")


def _show(coverage: Coverage, least: float | None) -> None:
    put(f"{coverage.book.name}, {coverage.sizes}")
    put_rows(summed(coverage), heads=HEADS, indent=2, right=(1, 2, 3, 4, 5))
    for line in lines(coverage):
        put(line)
    if least is not None and coverage.whole.percent < least:
        put(f"{coverage.whole.percent:.1f} % is less than {least:g} %")
