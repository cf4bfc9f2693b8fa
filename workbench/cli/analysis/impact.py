"""Command `rulebook impact`: the effect of changed rules on recorded games."""

from argparse import Namespace
from collections.abc import Iterable, Sequence
from functools import partial

from workbench.analysis.impact.corpus import find_records
from workbench.analysis.impact.game_impact import (
    GameImpact,
    ImpactJudge,
    OmittedRecord,
    load_judge,
)
from workbench.analysis.impact.impact_summary import (
    HEADS,
    Impact,
    example_lines,
    remark_lines,
    row_cells,
    summary_lines,
)
from workbench.analysis.simulation.processes import map_in_processes
from workbench.budget import STOPPED_BY_TIME, TimedBlock, TimeUp
from workbench.cli.frame.arguments import JSON, TIME_LIMIT, fail_under, jobs
from workbench.cli.frame.declarations import command, option, positional
from workbench.cli.frame.output import write_json, write_line, write_note, write_table
from workbench.cli.frame.time_up import report_time_up
from workbench.errors import RequestError
from workbench.files.library.loading import load
from workbench.presentation.console.progress_bar import with_progress


@command(
    "impact",
    positional(
        "before",
        "BEFORE",
        "rules that the games were recorded with: name of a shipped game, path of a"
        " rule file, or several joined with +",
    ),
    positional("after", "AFTER", "rules to replay the games with"),
    option(
        "--corpus DIR",
        "folder with records; subfolders are searched and other files ignored",
        required=True,
    ),
    jobs("replay records"),
    fail_under("fewer than PERCENT of the games remain valid"),
    TIME_LIMIT,
    JSON,
)
def run(arguments: Namespace) -> int:
    """Report how a change of the rules affects recorded games."""
    judge = ImpactJudge(load(arguments.before), load(arguments.after))
    corpus = find_records(arguments.corpus)
    judgements, stopped = _judge_records(judge, corpus.records, arguments)
    games = [game for game in judgements if isinstance(game, GameImpact)]
    omitted = [out for out in judgements if isinstance(out, OmittedRecord)]
    impact = Impact(judge.changes, games, omitted, corpus.other_count)
    if stopped is not None and not games:
        raise stopped
    if arguments.json:
        write_json({**impact.to_json(), "stopped": stopped and STOPPED_BY_TIME})
    for remark in remark_lines(impact):
        write_note(remark)
    if not games:
        name = judge.before.name
        raise RequestError(
            f"{arguments.corpus} contains no record of {name}", exit_code=1
        )
    if not arguments.json:
        _write_report(impact, arguments)
    total = len(corpus.records)
    report_time_up(stopped, f"{len(judgements):,} of {total:,} records replayed")
    required = arguments.fail_under
    if required is None:
        return 0
    unknown_count = total - len(judgements)  # their effect is unknown
    return 1 if impact.min_percent_valid(unknown_count) < required else 0


def _judge_records(
    judge: ImpactJudge, records: Sequence[str], arguments: Namespace
) -> tuple[list[GameImpact | OmittedRecord], TimeUp | None]:
    """Return the effects in order of *records*, and the timeout, if any."""
    jobs = min(arguments.jobs, len(records))
    judgements: Iterable[GameImpact | OmittedRecord] = map(judge, records)
    if jobs > 1:
        prepare = partial(load_judge, arguments.before, arguments.after)
        judgements = map_in_processes(prepare, records, jobs)
    label = f"records under the rules of {judge.after.name}"
    by_record: dict[str, GameImpact | OmittedRecord] = {}
    with TimedBlock() as timed:
        for judgement in with_progress(judgements, len(records), label):
            by_record[judgement.record] = judgement
    in_order = [by_record[record] for record in records if record in by_record]
    return in_order, timed.stopped


def _write_report(impact: Impact, arguments: Namespace) -> None:
    """Write the effects on the games as text."""
    for line in summary_lines(impact, arguments.before, arguments.after):
        write_line(line)
    rows = impact.rows
    if not rows:
        return
    write_line("")
    write_table(
        map(row_cells, rows),
        headings=HEADS,
        indent=2,
        right_aligned=(2, 3),
        wrapping=[1],
    )
    write_line("")
    for line in example_lines(impact, arguments.after):
        write_line(line)
    required = arguments.fail_under
    if required is not None and impact.percent_valid < required:
        write_line(f"{impact.percent_valid:.1f} % is below the required {required:g} %")
