"""Command `rulebook test`: scenarios and invariants of rule files."""

from argparse import Namespace
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path

import attrs

from interpreter import VerdictStatus
from rulebook import Rulebook
from workbench.budget import STOPPED_BY_TIME, TimedBlock
from workbench.cli.frame.arguments import (
    BOT_SETTINGS,
    FAILED_RECORDS,
    JSON,
    TIME_LIMIT,
    VARIANTS,
)
from workbench.cli.frame.declarations import command, integer, option
from workbench.cli.frame.game_arguments import game_settings
from workbench.cli.frame.output import write_json, write_line
from workbench.cli.frame.test_output import save_records, write_failures
from workbench.cli.frame.time_up import report_time_up
from workbench.defaults import TEST_GAMES
from workbench.files.library.loading import load
from workbench.presentation.console.progress_bar import show_phase, with_progress
from workbench.testing.rule_tests import suite
from workbench.testing.rule_tests.suite import SuiteItem


@command(
    "test",
    VARIANTS,
    integer(
        "--games N",
        "number of generated games for each number of players, to check invariants;"
        " every full 20 add one game for each other value of each option",
        TEST_GAMES,
        minimum=0,
    ),
    option(
        "-k TEXT",
        "run only tests whose names contain TEXT",
        "",
        default_text="all tests",
    ),
    FAILED_RECORDS,
    option(
        "--pictures DIR",
        "folder for SVG pictures of the positions in which tests fail",
        default_text="no pictures",
    ),
    *BOT_SETTINGS,
    TIME_LIMIT,
    JSON,
)
def run(arguments: Namespace) -> int:
    """Run the scenarios and check the invariants of rule files."""
    settings = game_settings(arguments)
    items: list[SuiteItem] = []
    seen: list[SuiteItem] = []
    read = tests = ran = 0
    display = partial(
        with_progress, results=lambda: f"{sum(item.is_failed for item in items)} failed"
    )
    with TimedBlock() as timed:
        for variant in arguments.variants:
            show_phase(f"reading {variant}")
            book = load(variant)
            read, tests = (
                read + 1,
                tests + suite.TestSelection(book, arguments.k).test_count,
            )
            outcomes = suite.run_suite(
                book, settings, arguments.games, arguments.k, display
            )
            for item in outcomes:
                ran += item.status is not VerdictStatus.SKIPPED
                if item not in seen:
                    seen.append(item)
                    items.append(with_picture(item, book, arguments.pictures))
    failed = [item for item in items if item.is_failed]
    passed = sum(item.status is VerdictStatus.PASSED for item in items)
    record_files = save_records(failed, arguments)
    if arguments.json:
        write_json(
            {
                "passed": passed,
                "failed": len(failed),
                "stopped": None if timed.stopped is None else STOPPED_BY_TIME,
                "items": [item.to_json() for item in items],
            }
        )
    else:
        _write_report(items, failed, record_files)
    files = len(arguments.variants)
    files_text = "" if read == files else f" from {read} of {files} files"
    report_time_up(timed.stopped, f"{ran:,} of {tests:,} tests run{files_text}")
    is_incomplete = timed.stopped is not None and (read < files or ran < tests)
    return 1 if failed or is_incomplete else 0


def with_picture(item: SuiteItem, book: Rulebook, folder: str | None) -> SuiteItem:
    """Return the item, with a picture saved in *folder* (if given) if it failed."""
    if folder is None or not item.is_failed or item.record is None:
        return item
    from workbench.presentation.picture.failure_pictures import save_picture

    path = save_picture(book, item.name, item.record, Path(folder))
    return item if path is None else attrs.evolve(item, picture=str(path))


def _write_report(
    items: Sequence[SuiteItem],
    failed: Sequence[SuiteItem],
    record_files: Mapping[str, Path],
) -> None:
    write_failures(failed, record_files)
    passed = sum(item.status is VerdictStatus.PASSED for item in items)
    parts = [f"{passed} passed", f"{len(failed)} failed"]
    skipped = len(items) - passed - len(failed)
    if skipped:
        parts.append(f"{skipped} skipped")
    write_line(", ".join(parts))
