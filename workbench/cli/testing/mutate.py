"""Command `rulebook mutate`: changes to the rules that no test detects."""

from argparse import Namespace
from collections.abc import Sequence
from contextlib import ExitStack
from shlex import join

from workbench.analysis.simulation.settings import Settings
from workbench.budget import STOPPED_BY_TIME, TimedBlock
from workbench.cli.frame.arguments import JSON, TIME_LIMIT, VARIANT, jobs
from workbench.cli.frame.command_line import command_words
from workbench.cli.frame.declarations import command, flag, integer, option
from workbench.cli.frame.output import write_json, write_line, write_lines, write_table
from workbench.cli.frame.time_up import report_time_up
from workbench.defaults import MUTANTS, TEST_GAMES
from workbench.errors import RequestError
from workbench.files.library.loading import load
from workbench.presentation.console.progress_bar import show_phase, with_progress
from workbench.testing.rule_tests.generated_games import comparison_games
from workbench.testing.rule_tests.mutant_samples import (
    JudgementFile,
    MutantSample,
    MutationReport,
    judge_sample,
)
from workbench.testing.rule_tests.mutant_verdicts import (
    KILLED,
    NOT_MUTANTS,
    Judgement,
    sampled_mutants,
)
from workbench.testing.rule_tests.rule_coverage import measure_coverage

HEADS = ("", "tried", "noticed")


@command(
    "mutate",
    VARIANT,
    integer(
        "--sample N", "number of changes to try, one at a time", MUTANTS, minimum=1
    ),
    integer(
        "--seed S",
        "random seed for the choice of changes and for the generated games",
        1,
    ),
    integer(
        "--games N",
        "number of games generated for each change that passes all scenarios, to check"
        " the invariants",
        TEST_GAMES,
        minimum=0,
    ),
    jobs("try changes"),
    flag("--own", "change only clauses of the file itself, not those that it extends"),
    option(
        "--resume FILE.jsonl",
        "file to save results in; changes that it already contains are not tried again",
        default_text="none",
    ),
    TIME_LIMIT,
    JSON,
)
def run(arguments: Namespace) -> int:
    """Run mutation tests: change the rules and count the changes that the tests
    detect."""
    book = load(arguments.variant)
    base = Settings(seed=arguments.seed)
    sample = MutantSample(
        arguments.variant, base, arguments.sample, arguments.games, arguments.own
    )
    with ExitStack() as stack:
        file = None
        if arguments.resume is not None:
            file = stack.enter_context(
                JudgementFile(arguments.resume, sample.header(book))
            )
        show_phase("listing the changes")
        mutants = sampled_mutants(book)
        judgements: list[Judgement] = []
        with TimedBlock() as timed:
            games = list(comparison_games(book, base, arguments.games))
            coverage = measure_coverage(book, games, with_progress)
            if coverage.failed_names:
                first = coverage.failed_names[0]
                raise RequestError(
                    f"{first} fails with the unchanged rules",
                    "fix it first; run `rulebook test` for details",
                    exit_code=1,
                )
            judged = judge_sample(book, sample, coverage, arguments.jobs, file)
            for judgement in with_progress(
                judged,
                arguments.sample,
                "changes",
                lambda: detected_count_text(judgements),
                is_counted=lambda judgement: judgement.verdict not in NOT_MUTANTS,
            ):
                judgements.append(judgement)  # noqa: PERF402  (kept after a stop)
    judgements.sort(key=lambda judgement: judgement.number)
    report = MutationReport(book, sample, mutants, tuple(judgements))
    if arguments.json:
        stopped = None if timed.stopped is None else STOPPED_BY_TIME
        write_json({**report.to_json(), "stopped": stopped})
    else:
        _write_report(report)
    tried_count = min(len(report.mutant_judgements), arguments.sample)
    progress = f"{tried_count:,} of {arguments.sample:,} changes tried"
    if arguments.resume is not None:
        resume_command = join(command_words("mutate", arguments))
        progress += f"; to continue: `{resume_command}`"
    report_time_up(timed.stopped, progress)
    return 0


def detected_count_text(judgements: Sequence[Judgement]) -> str:
    """Return the number of changes that tests have detected so far, as text."""
    return f"{sum(each.verdict == KILLED for each in judgements)} noticed"


def _write_report(report: MutationReport) -> None:
    tried, killed = len(report.mutant_judgements), len(report.killed_mutants)
    write_line(f"{report.book.name}, {tried} changes of {len(report.candidates)}")
    if report.rejected_count:
        write_line(f"  not counted, rejected by the checker: {report.rejected_count}")
    if report.idle_count:
        write_line(f"  not counted, without any effect: {report.idle_count}")
    rows = [
        (name, str(tried), str(killed))
        for name, (tried, killed) in report.counts_by_operator.items()
    ]
    if report.percent is None:
        write_line("  no change was tried")
        return
    rows.append(("all", str(tried), f"{killed} ({report.percent:.1f} %)"))
    write_table(rows, headings=HEADS, indent=2, right_aligned=(1, 2))
    for mutant, judgement in report.survivors:
        row = report.survivor_document(mutant, judgement)
        place = f"{row['file']}:{row['line']}"
        write_line(
            f"\n{place}: {row['why']}, ran {row['times']} times: {row['change']}"
        )
        write_lines(row["amendment"].rstrip())
