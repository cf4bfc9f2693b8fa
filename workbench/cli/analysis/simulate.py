"""Command `rulebook simulate`: the results of many games between bots."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from shlex import join
from typing import Any

import attrs

from rulebook import Rulebook
from workbench.analysis.measures import counted as counting
from workbench.analysis.measures.measure_rows import all_measures
from workbench.analysis.measures.measure_summaries import (
    Summary,
    shown_summaries,
    summarize,
)
from workbench.analysis.measures.measure_summaries import summary_cells as measure_cells
from workbench.analysis.runs.interruptions import (
    RunStopped,
    is_failure,
    stop_reason_name,
)
from workbench.analysis.runs.outputs import RunFiles, StreamedRows, is_stream, run_files
from workbench.analysis.runs.precision import PrecisionGoal, RunningInterval
from workbench.analysis.runs.run import GameRun, PlayPortions
from workbench.analysis.runs.run_headers import run_header
from workbench.analysis.runs.run_tables import RunTables
from workbench.analysis.simulation import engines
from workbench.analysis.simulation.bot_errors import BotErrors
from workbench.analysis.simulation.bot_gains import BotGains
from workbench.analysis.simulation.cluster import (
    PORTION_FACTOR,
    check_cluster,
    play_on_cluster,
)
from workbench.analysis.simulation.measuring import (
    definitions_of_counts,
    definitions_of_measures,
    rule_part_counter,
    trace_legend,
)
from workbench.analysis.simulation.simulation import (
    GameLimits,
    GameTask,
    bots_by_seat,
    portion_size,
    simulate,
)
from workbench.analysis.simulation.statistics import Result, Tally
from workbench.bots.bot_failures import BotFailed
from workbench.bots.bot_lists import parse_bot_names
from workbench.cli.frame.arguments import (
    AUTO_JOBS,
    BOT_GAME_SETTINGS,
    BY_SEAT,
    GAME_LIMITS,
    JSON,
    LARGE_RUN_ENGINE,
    RESUME,
    TIME_LIMIT,
    VARIANTS,
    bots,
    counted,
)
from workbench.cli.frame.command_line import command_words
from workbench.cli.frame.declarations import command, flag, integer, option
from workbench.cli.frame.error_messages import write_error
from workbench.cli.frame.game_arguments import game_settings
from workbench.cli.frame.output import write_json, write_line, write_note, write_table
from workbench.cli.frame.run_output import (
    finish_outputs,
    interval_text,
    report_stop,
    with_run_progress,
)
from workbench.defaults import GAMES, MAX_PRECISION_GAMES, RANDOM
from workbench.errors import RequestError
from workbench.extras import Extra, import_library
from workbench.files.library.atomic_files import create_text, replace_text
from workbench.files.library.loading import load
from workbench.presentation.console.progress_bar import rate_text, show_phase

LABEL_WIDTH = 10
"""Minimum width of labels in characters, which aligns the tables of a summary."""

SINGLE_VARIANT_OPTIONS = ("out", "records", "until", "cluster")
"""Options that require a single variant."""


@attrs.frozen
class SimulationRun:
    """Results of the games of one variant."""

    document: dict[str, Any]
    run: GameRun
    bots: Mapping[str, str]
    gains: BotGains
    errors: BotErrors

    @property
    def exit_code(self) -> int:
        """Exit code: 0, 1 if `--until` is not reached, or that of an early stop."""
        if isinstance(self.run.stop_reason, RunStopped):
            return self.run.stop_reason.exit_code
        interval = self.run.interval
        unknown = interval is not None and interval.end is None
        return 1 if unknown or is_failure(self.run.stop_reason) else 0


@command(
    "simulate",
    VARIANTS,
    integer(
        "--games N",
        "number of games",
        default_text=f"{GAMES}; with --until at most {MAX_PRECISION_GAMES}",
        minimum=0,
    ),
    bots(RANDOM),
    LARGE_RUN_ENGINE,
    AUTO_JOBS,
    option(
        "--cluster ADDRESS",
        "run the games on the workers of a Dask scheduler, such as tcp://HOST:8786;"
        " results do not depend on it",
    ),
    option(
        "--until MEASURE ±WIDTH",
        "play until the 95 %% confidence interval of a mean is this narrow, such as"
        ' "turns ±0.5"',
    ),
    *GAME_LIMITS,
    flag(
        "--measures",
        "report all measures, also in each row of --out; needs numpy (default: wins,"
        " turns, decisions and actions)",
    ),
    BY_SEAT,
    counted("games"),
    option(
        "--out FILE.ENDING",
        "write one row per game of a single variant to this .jsonl, .csv or .parquet"
        " file",
        default_text="none",
    ),
    flag(
        "--detail",
        "also write one row per turn and one row per event to files next to --out",
    ),
    RESUME,
    option(
        "--records DIR",
        "write the record of each game of a single variant to this folder",
        default_text="none",
    ),
    *BOT_GAME_SETTINGS,
    TIME_LIMIT,
    JSON,
)
def run(arguments: Namespace) -> int:
    """Simulate many games between bots and report statistics."""
    _check_options(arguments)
    variant, *others = arguments.variants
    if others:
        return _run_compare(arguments)
    results = _play(variant, load(variant), arguments)
    if arguments.json:
        write_json(results.document)
    else:
        _write_report(results)
    _report_stop(results, arguments)
    return results.exit_code


def _run_compare(arguments: Namespace) -> int:
    """Run `compare` instead, and write a note that this use is deprecated."""
    from workbench.cli.analysis import compare

    arguments.games *= len(arguments.variants)
    words = command_words("compare", arguments)
    notice = "simulate with several variants is deprecated; use"
    write_note(f"{notice} `{join(words)}`")
    return compare.run(arguments)


def _report_stop(results: SimulationRun, arguments: Namespace) -> None:
    """Write why the run stopped early or missed the requested precision."""
    run = results.run
    report_stop(run, "simulate", arguments)
    if (
        run.stop_reason is None
        and run.interval is not None
        and run.interval.end is None
    ):
        reached = interval_text(run.interval)
        requested = f"±{run.interval.goal.width:g}"
        write_error(f"{reached} after {run.games:,} games, wider than {requested}")


def _play(variant: str, book: Rulebook, arguments: Namespace) -> SimulationRun:
    """Play the games of one variant and return the results."""
    settings = game_settings(arguments)
    seats = settings.start(book, turns=0).seats  # raises if settings are invalid
    task = GameTask(
        bots_by_seat(parse_bot_names(arguments.bots), seats),
        settings,
        GameLimits(arguments.max_turns, arguments.max_decisions),
        keep_record=arguments.records is not None,
        with_measures=arguments.measures,
        with_detail=arguments.detail,
        counted_games=arguments.counted,
        by_seat=arguments.by_seat,
    )
    tables = _tables(book, task, seats)
    interval = None
    if arguments.until is not None:
        columns = (column for column, _ in tables.columns_with_mean.values())
        interval = RunningInterval(PrecisionGoal.parse(arguments.until, columns))
    run = GameRun(arguments.games, 1, tables, Tally(seats), interval)
    gains, errors = BotGains(task.bots), BotErrors(task.bots)
    run.consumers += (gains.add, errors.add)
    measured_results: list[Result] = []
    if task.with_measures:
        run.consumers += (measured_results.append,)
    counted_results: list[Result] = []
    if task.counted_games:
        run.consumers += (partial(_collect_counted_result, counted_results),)
    with ExitStack() as stack:
        outputs = _open_outputs(run, book, task, arguments, stack)
        show_phase("building the native engine")
        engine = engines.choose_engine(
            *(arguments.engine, book, task, arguments.games),
            wait=arguments.cluster is not None,
        )
        note = engine.note
        if note is not None:
            write_note(note)
        play = _prepare_play(run, variant, book, task, engine, arguments)
        run.run(
            partial(_save_records, play, arguments),
            partial(with_run_progress, book),
            partial(finish_outputs, run, outputs),
        )
    if engine.note is not None and note is None:
        write_note(engine.note)
    document = _document(book, run, engine, arguments)
    document["gains"] = [gain.to_json() for gain in gains.gains]
    document["bot_errors"] = errors.to_json()
    if task.with_measures:
        measures = all_measures(trace_legend(book, settings), by_seat=task.by_seat)
        rows = [dict(result.measures or {}) for result in measured_results]
        document["measures"] = [said.to_json() for said in summarize(rows, measures)]
    if task.counted_games:
        rows = [dict(result.counts or {}) for result in counted_results]
        document["counted"] = counting.part_counts(rule_part_counter(book).parts, rows)
    return SimulationRun(document, run, task.bots, gains, errors)


def _tables(book: Rulebook, task: GameTask, seats: Sequence[str]) -> RunTables:
    """Return the tables of a run, with columns for the requested measures."""
    measures: Mapping[str, str] = {}
    if task.with_measures:
        players = tuple(task.bots.values())
        measures = definitions_of_measures(
            book, task.settings, players, by_seat=task.by_seat
        )
    counts = definitions_of_counts(book) if task.counted_games else {}
    return RunTables.of_book(
        book, seats, measures, counts, has_custom_bots=task.has_custom_bots
    )


def _prepare_play(
    run: GameRun,
    variant: str,
    book: Rulebook,
    task: GameTask,
    engine: engines.EngineChoice,
    arguments: Namespace,
) -> PlayPortions:
    """Set the portion size of a run; return the function that plays portions."""
    run.max_portion = portion_size(task, engine.native)
    if arguments.cluster is None:
        jobs = arguments.jobs or engines.default_jobs(task, arguments.games)
        native = engine.native
        return partial(simulate, variant, book, task, jobs=jobs, native=native)
    run.max_portion *= PORTION_FACTOR
    run.min_games = run.max_portion
    in_c = engine.native is not None
    return partial(play_on_cluster, arguments.cluster, book, task, native=in_c)


def _collect_counted_result(counted_results: list[Result], result: Result) -> None:
    """Add the result of a game if it was replayed for counting."""
    if result.counts is not None:
        counted_results.append(result)


def _document(
    book: Rulebook, run: GameRun, engine: engines.EngineChoice, arguments: Namespace
) -> dict[str, Any]:
    """Return the results of a variant's games as plain data."""
    return {
        "variant": book.name,
        "digest": book.digest,
        "players": len(run.tables.seats),
        "games": run.tally.games,
        "seed": arguments.seed,
        "bot_seed": arguments.bot_seed,
        "engine": engine.name,
        **run.tally.summary(run.seconds, run.played_games),
        "stopped": stop_reason_name(run.stop_reason),
        "until": None if run.interval is None else run.interval.to_json(),
    }


def _check_options(arguments: Namespace) -> None:
    """Raise `RequestError` if the options cannot be used together."""
    arguments.variants = list(dict.fromkeys(arguments.variants))
    if arguments.games is None:
        arguments.games = GAMES if arguments.until is None else MAX_PRECISION_GAMES
    several = len(arguments.variants) > 1
    if several and any(
        getattr(arguments, name) is not None for name in SINGLE_VARIANT_OPTIONS
    ):
        every = ", ".join(f"--{name}" for name in SINGLE_VARIANT_OPTIONS)
        raise RequestError(
            f"{every} can only be used with a single variant",
            "simulate each variant separately",
        )
    for name in ("detail", "resume"):
        if getattr(arguments, name) and not arguments.out:
            raise RequestError(f"--{name} requires --out FILE")
    if arguments.by_seat and not (arguments.measures or several):
        raise RequestError("--by-seat requires --measures")
    if several and arguments.games < 2:
        raise RequestError(f"--games must be at least 2, not {arguments.games}")
    if arguments.measures:
        import_library("numpy", Extra.BATCH, "--measures")
    if arguments.cluster is not None:
        if arguments.jobs is not None:
            raise RequestError(
                "--jobs cannot be combined with --cluster",
                "the cluster has its own workers",
            )
        check_cluster(arguments.cluster)


# ---------------------------------------------------------------- output files


def _open_outputs(
    run: GameRun, book: Rulebook, task: GameTask, arguments: Namespace, stack: ExitStack
) -> RunFiles | None:
    """Prepare the output files of a run, and open its partial run."""
    seeds = range(arguments.seed, arguments.seed + arguments.games)
    outputs = None
    if arguments.out is not None and is_stream(arguments.out):
        if arguments.detail or arguments.resume:
            message = f"{arguments.out} is not a regular file"
            raise RequestError(message, "choose a file name")
        streamed = StreamedRows(arguments.out, run.tables)
        run.consumers += (stack.enter_context(streamed).add,)
    elif arguments.out is not None:
        outputs = run_files(arguments.out, run.tables, seeds, detail=task.with_detail)
        head = run_header(book, task, outputs.schemas)
        opened = outputs.open_partial_run(head, run.tables, resume=arguments.resume)
        run.partial_run = stack.enter_context(opened)
    if arguments.records is not None:
        _check_record_files(arguments, seeds)
    return outputs


def _check_record_files(arguments: Namespace, seeds: range) -> None:
    """Raise `RequestError` if a record file exists, unless the run is resumed."""
    Path(arguments.records).mkdir(parents=True, exist_ok=True)
    if arguments.resume:
        return
    for seed in seeds:
        if (path := _record_path(arguments.records, seed)).exists():
            raise RequestError(f"{path} already exists", "choose another folder")


def _save_records(
    play: PlayPortions, arguments: Namespace, portions: Iterator[range]
) -> Iterator[list[Result]]:
    """Yield the results of portions, and write the records of their games."""
    try:
        for results in play(portions):
            for result in results:
                if result.record is not None:
                    _save_record(
                        _record_path(arguments.records, result.seed), result.record
                    )
            yield results
    except BotFailed as failure:
        if arguments.records and failure.error and failure.record:
            path = _record_path(arguments.records, f"{failure.error.seed}.stopped")
            replace_text(path, failure.record)
            notice = f"the unfinished game was saved to {path}"
            help = f"{failure.help}; {notice}" if failure.help else notice
            raise attrs.evolve(failure, help=help) from failure.__cause__
        raise


def _save_record(path: Path, record: str) -> None:
    """Write a record, unless an interrupted run has written the same one."""
    try:
        create_text(path, record)
    except FileExistsError:
        if path.read_text(encoding="utf-8") != record:
            raise RequestError(
                f"{path} already exists and is another game", "choose another folder"
            ) from None


def _record_path(folder: str, seed: int | str) -> Path:
    """Return the path for the record of the game with this seed."""
    return Path(folder) / f"{seed}.jsonl"


# ---------------------------------------------------------------- text output


def _write_report(results: SimulationRun) -> None:
    document = results.document
    counts_text = f"{document['players']} players, {document['games']} games"
    write_line(f"{document['variant']}, {counts_text}")
    write_table(
        _summary_rows(results), indent=2, min_widths=[LABEL_WIDTH], wrapping=[1]
    )
    rows = actions_per_game(document["actions"], document["games"])
    write_table(rows, indent=2, min_widths=[LABEL_WIDTH], right_aligned=[2])
    games, decisions = document["games_per_second"], document["decisions_per_second"]
    speed = f"{rate_text(games)} games and {rate_text(decisions)} decisions a second"
    write_table([("speed", speed)], indent=2, min_widths=[LABEL_WIDTH], wrapping=[1])
    if "measures" in document:
        values = [Summary(**measure) for measure in document["measures"]]
        cells = [measure_cells(x, document["games"]) for x in shown_summaries(values)]
        write_table(cells, indent=2, min_widths=[LABEL_WIDTH], right_aligned=[1])
    _write_rule_counts(document)
    if results.run.interval is not None:
        interval = f"{interval_text(results.run.interval)} at 95 %"
        write_table(
            [("known", interval)], indent=2, min_widths=[LABEL_WIDTH], wrapping=[1]
        )


def _write_rule_counts(document: Mapping[str, Any]) -> None:
    """Write how often parts of the rules were used in replayed games."""
    counted = document.get("counted", {"games": 0})
    if not counted["games"]:
        return
    write_line("")
    number = counted["games"]
    write_line(f"use of the rules in {number} replayed games")
    for group, heads in counting.COLUMN_HEADINGS.items():
        rows = list(counting.table_rows(counted[group]))
        if rows:
            write_line("")
            all_heads = (*heads, "clause", "source")
            write_table(rows, headings=all_heads, indent=2, right_aligned=(1, 2))


def _summary_rows(results: SimulationRun) -> Iterator[tuple[str, str]]:
    """Yield (label, result as text) for each line of a variant's summary."""
    document = results.document
    yield "finished", f"{document['finished']}, unfinished {document['unfinished']}"
    if results.run.tally.seeds is not None:
        first, last = results.run.tally.seeds
        yield "seeds", f"{first} to {last}, bots {document['bot_seed']}"
    for seat, wins in document["wins"].items():
        yield "wins", f"{seat} ({results.bots[seat]}): {wins}"
    for gain in results.gains.nonnegative_gains:
        yield "gain", str(gain)
    yield "draws", str(document["draws"])
    for line in results.errors.lines:
        yield "bot errors", line
    for name in ("turns", "decisions"):
        values = document[name]
        middle = f"mean {values['mean']}, median {values['median']}"
        yield name, f"{middle}, 95th percentile {values['p95']}"


def actions_per_game(
    actions: Mapping[str, int], games: int
) -> Iterator[tuple[str, str, str]]:
    """Yield a table row with the mean count per game of each action, highest first."""
    for name in sorted(actions, key=lambda name: (-actions[name], name)):
        yield "per game", name, f"{actions[name] / games:.2f} times"
