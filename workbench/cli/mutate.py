"""Command `rulebook mutate`: changes of the rules that no test notices."""

import os
from argparse import Namespace
from collections.abc import Sequence
from contextlib import ExitStack
from shlex import join

from workbench.analysis.simulation.settings import Settings
from workbench.budget import TIME, Timed
from workbench.cli.frame.command_line import typed
from workbench.cli.frame.output import put, put_json, put_lines, put_rows
from workbench.cli.frame.time_up import say_stopped
from workbench.errors import Refused
from workbench.files.library.loading import load
from workbench.presentation.console.progress import phase, progress
from workbench.testing.rule_tests.coverage import measured
from workbench.testing.rule_tests.generated_games import made_up
from workbench.testing.rule_tests.mutant_samples import (
    JudgementFile,
    MutationReport,
    Sample,
    judged,
)
from workbench.testing.rule_tests.verdicts import KILLED, Judgement, drawn

HEADS = ("", "tried", "noticed")


def run(arguments: Namespace) -> int:
    """Run `rulebook mutate` and return the exit code."""
    _check(arguments)
    book = load(arguments.variant)
    base = Settings(seed=arguments.seed)
    sample = Sample(
        arguments.variant, base, arguments.sample, arguments.games, arguments.own
    )
    with ExitStack() as stack:
        kept = None
        if arguments.resume is not None:
            kept = stack.enter_context(
                JudgementFile(arguments.resume, sample.head(book))
            )
        phase("listing the changes")
        places = drawn(book)
        judgements: list[Judgement] = []
        with Timed() as timed:
            games = list(made_up(book, base, arguments.games))
            coverage = measured(book, games, progress)
            if coverage.failed:
                first = coverage.failed[0]
                raise Refused(
                    f"{first} fails with the unchanged rules",
                    "fix it first; run `rulebook test` for details",
                    status=1,
                )
            came = judged(book, sample, coverage, arguments.jobs, kept)
            for judgement in progress(
                came, arguments.sample, "changes", lambda: noticed(judgements)
            ):
                judgements.append(judgement)  # noqa: PERF402  (kept if it is stopped)
    judgements.sort(key=lambda judgement: judgement.number)
    report = MutationReport(book, sample, places, tuple(judgements))
    if arguments.json:
        stopped = None if timed.stopped is None else TIME
        put_json({**report.to_json(), "stopped": stopped})
    else:
        _show(report)
    tried = min(len(report.tried), arguments.sample)
    done = f"{tried:,} of {arguments.sample:,} changes tried"
    if arguments.resume is not None:
        again = join(typed("mutate", arguments))
        done += f"; to continue: `{again}`"
    say_stopped(timed.stopped, done)
    return 0


def noticed(judgements: Sequence[Judgement]) -> str:
    """Return how many changes tests have noticed so far, for people."""
    return f"{sum(each.verdict == KILLED for each in judgements)} noticed"


def _check(arguments: Namespace) -> None:
    """Raise `Refused` for invalid numbers."""
    for name, low in {"sample": 1, "games": 0, "jobs": 1}.items():
        value = getattr(arguments, name)
        if value < low:
            raise Refused(f"--{name} must be at least {low}, not {value}")
    if arguments.jobs > (os.cpu_count() or 1) * 4:
        raise Refused(
            f"--jobs {arguments.jobs} is too many for this machine: the limit is 4"
            " per core"
        )


def _show(report: MutationReport) -> None:
    tried, killed = len(report.tried), len(report.killed)
    put(f"{report.book.name}, {tried} changes of {len(report.candidates)}")
    if report.refused:
        put(f"  not counted, rejected by the checker: {report.refused}")
    if report.idle:
        put(f"  not counted, without any effect: {report.idle}")
    rows = [
        (name, str(tried), str(killed))
        for name, (tried, killed) in report.by_operator.items()
    ]
    if report.percent is None:
        put("  no change was tried")
        return
    rows.append(("all", str(tried), f"{killed} ({report.percent:.1f} %)"))
    put_rows(rows, heads=HEADS, indent=2, right=(1, 2))
    for mutant, judgement in report.survivors:
        told = report.survivor_document(mutant, judgement)
        place = f"{told['file']}:{told['line']}"
        put(f"\n{place}: {told['why']}, ran {told['times']} times: {told['change']}")
        put_lines(told["amendment"].rstrip())
