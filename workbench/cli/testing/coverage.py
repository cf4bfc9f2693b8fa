"""Command `rulebook coverage`: the parts of the rules that tests and games reach."""

from argparse import Namespace
from functools import partial
from pathlib import Path

from workbench.budget import STOPPED_BY_TIME, TimedBlock
from workbench.cli.frame.arguments import (
    BOT_SETTINGS,
    FAILED_RECORDS,
    JSON,
    TIME_LIMIT,
    VARIANT,
    fail_under,
    jobs,
)
from workbench.cli.frame.declarations import command, integer, option
from workbench.cli.frame.game_arguments import game_settings
from workbench.cli.frame.output import write_json, write_line, write_table
from workbench.cli.frame.test_output import save_records, write_failures
from workbench.cli.frame.time_up import report_time_up
from workbench.defaults import GUIDED, TEST_GAMES, UNIFORM
from workbench.files.library.atomic_files import check_replaceable, replace_text
from workbench.files.library.loading import load
from workbench.presentation.console.progress_bar import show_phase, with_progress
from workbench.testing.rule_tests.coverage_page import FIRST_BYTES, coverage_html
from workbench.testing.rule_tests.failure_items import DEAD_END, FAILURE
from workbench.testing.rule_tests.generated_games import comparison_games
from workbench.testing.rule_tests.playouts import GameList
from workbench.testing.rule_tests.rule_coverage import (
    COLUMN_HEADINGS,
    Coverage,
    CoverageRun,
    incomplete_lines,
    missing_text_lines,
    run_coverage,
    share_rows,
)

FULL_GAME_TEXT = "the game"
FULL_GAME_FINDINGS = (FAILURE, DEAD_END)
"""Kinds of findings whose games are saved in full, not shortened."""


@command(
    "coverage",
    VARIANT,
    integer(
        "--games N",
        "number of generated games, over all numbers of players; every second game"
        " changes an option",
        TEST_GAMES,
        minimum=0,
    ),
    option(
        "--choice",
        "how generated games choose actions: guided towards rules not reached yet, from"
        " set-up and other positions; or uniform among legal actions, from set-up",
        GUIDED,
        choices=(GUIDED, UNIFORM),
    ),
    jobs("play games"),
    option("--html FILE.html", "write an HTML page of the rules, coloured by coverage"),
    fail_under("the coverage is below PERCENT"),
    FAILED_RECORDS,
    *BOT_SETTINGS,
    TIME_LIMIT,
    JSON,
)
def run(arguments: Namespace) -> int:
    """Measure how much of the rules the tests cover."""
    if arguments.html is not None:
        check_replaceable(arguments.html, FIRST_BYTES, "a page of `coverage`")
    book, base = load(arguments.variant), game_settings(arguments)
    show_phase("preparing to count")
    coverage_run = CoverageRun(book, base)
    coverage: Coverage | None = None
    with TimedBlock() as timed:
        coverage = _measure(coverage_run, arguments)
    if coverage is None:
        coverage = coverage_run.coverage(brief=True)
    nothing_ran = not coverage.scenarios + coverage.games + len(coverage.failures)
    if timed.stopped is not None and nothing_ran:
        raise timed.stopped
    if arguments.html is not None:
        replace_text(Path(arguments.html), coverage_html(coverage))
    if arguments.json:
        stopped = None if timed.stopped is None else STOPPED_BY_TIME
        document = coverage.to_json(arguments.seed, arguments.choice)
        write_json({**document, "stopped": stopped})
    else:
        _write_report(coverage, arguments.fail_under)
    findings = (*coverage.failures, *coverage.edited_failures)
    record_files = save_records(findings, arguments)
    if not arguments.json:
        shortened = [item for item in findings if item.kind not in FULL_GAME_FINDINGS]
        write_failures(shortened, record_files)
        full = [item for item in findings if item.kind in FULL_GAME_FINDINGS]
        write_failures(full, record_files, FULL_GAME_TEXT)
    games_text = f"{coverage.games:,} of {arguments.games:,} games"
    report_time_up(timed.stopped, f"{coverage.scenario_count_text} and {games_text}")
    required = arguments.fail_under
    is_below = required is not None and coverage.total.percent < required
    return 1 if is_below or coverage.failures else 0


def _measure(coverage_run: CoverageRun, arguments: Namespace) -> Coverage:
    """Run the requested scenarios and games; return the coverage."""
    games, jobs = arguments.games, arguments.jobs
    display = partial(with_progress, results=lambda: coverage_run.progress_text)
    if arguments.choice == GUIDED:
        return run_coverage(coverage_run, coverage_run.make_guide(games), display, jobs)
    show_phase("generating games")
    game_list = GameList(
        list(comparison_games(coverage_run.book, coverage_run.base, games))
    )
    return run_coverage(coverage_run, game_list, display, jobs)


def _write_report(coverage: Coverage, required_percent: float | None) -> None:
    write_line(f"{coverage.book.name}, {coverage.counts_text}")
    write_table(
        share_rows(coverage),
        headings=COLUMN_HEADINGS,
        indent=2,
        right_aligned=(1, 2, 3, 4, 5),
    )
    for line in (*incomplete_lines(coverage), *missing_text_lines(coverage)):
        write_line(line)
    if required_percent is not None and coverage.total.percent < required_percent:
        write_line(
            f"coverage of {coverage.total.percent:.1f} % is below the required"
            f" {required_percent:g} %"
        )
