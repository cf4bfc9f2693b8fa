"""Command `rulebook check`: all errors in rule files, with their locations."""

import sys
from argparse import Namespace
from collections.abc import Mapping
from pathlib import Path

from rulebook import Diagnostic, RulesError
from workbench import budget
from workbench.budget import TimedBlock
from workbench.cli.frame.arguments import JSON, LANGUAGE, TIME_LIMIT, VARIANTS
from workbench.cli.frame.declarations import command, exclusive, flag
from workbench.cli.frame.error_messages import write_diagnostics
from workbench.cli.frame.output import (
    write_json,
    write_line,
)
from workbench.cli.frame.sarif import sarif_log
from workbench.cli.frame.stdio import name_standard_output
from workbench.cli.frame.time_up import report_time_up
from workbench.files.library.atomic_files import (
    STANDARD_INPUT,
    STDIN,
    read_standard_input,
)
from workbench.files.library.companions import Diagnostics, companion_diagnostics
from workbench.files.library.loading import examine, examine_text
from workbench.presentation.console.progress_bar import clear_progress, show_phase
from workbench.presentation.localization.localizer import Localizer


@command(
    "check",
    VARIANTS,
    flag("--strict", "treat warnings as errors"),
    LANGUAGE,
    TIME_LIMIT,
    *exclusive(
        JSON,
        flag(
            "--sarif",
            "write the diagnostics as a SARIF 2.1.0 log, for code hosting services",
        ),
    ),
)
def run(arguments: Namespace) -> int:
    """Check rule files for errors."""
    localizer = Localizer.for_book(None, arguments.language)
    unique_diagnostics: list[Diagnostic] = []
    texts: dict[str, str] = {}
    checked_count = 0
    with TimedBlock() as timed:
        for variant in arguments.variants:
            show_phase(f"checking {variant}")
            for checked, diagnostics in _check_variant(variant, texts).items():
                unique_diagnostics += (
                    new for new in diagnostics if new not in unique_diagnostics
                )
                if not diagnostics and not (arguments.json or arguments.sarif):
                    write_line(localizer.phrase("no_mistakes", variant=checked))
            checked_count += 1
            budget.check_time()
    if timed.stopped is not None and not checked_count:
        raise timed.stopped
    unique_diagnostics.sort(key=lambda fault: fault.sort_key)
    if arguments.json:
        write_json([diagnostic.to_json() for diagnostic in unique_diagnostics])
    elif arguments.sarif:
        write_json(sarif_log(unique_diagnostics))
    elif unique_diagnostics:
        clear_progress()
        with name_standard_output():
            write_diagnostics(unique_diagnostics, texts, sys.stdout)
    total = len(arguments.variants)
    report_time_up(timed.stopped, f"{checked_count:,} of {total:,} files checked")
    if checked_count < total:
        return 1
    failing_severities = {"error", "warning"} if arguments.strict else {"error"}
    return (
        1
        if any(fault.severity in failing_severities for fault in unique_diagnostics)
        else 0
    )


def _check_variant(variant: str, texts: dict[str, str]) -> Mapping[str, Diagnostics]:
    """Return the diagnostics of a variant, by the file name shown in the report.

    A companion file is checked once for each game that uses it. The texts that were
    read are added to `texts`, by file name.
    """
    if variant != STDIN:
        with_games = companion_diagnostics(Path(variant), texts)
        if with_games:
            return {f"{variant} ({game})": each for game, each in with_games.items()}
        return {variant: examine(variant, texts)[1]}
    try:
        text = read_standard_input()
    except RulesError as error:
        return {variant: error.diagnostics}
    return {variant: examine_text(text, STANDARD_INPUT, texts)[1]}
