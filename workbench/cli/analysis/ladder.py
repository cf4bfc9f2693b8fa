"""Command `rulebook ladder`: ratings of bots from games in all seats."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Sequence
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from typing import Any

import attrs

from rulebook import Rulebook
from workbench.analysis.ladder import ladder_games as playing
from workbench.analysis.ladder import ladder_text
from workbench.analysis.ladder.ladder_games import LadderResults
from workbench.analysis.ladder.ladder_text import Ladder
from workbench.analysis.ladder.lineups import LineupSchedule
from workbench.analysis.ladder.rating_model import import_minimize, import_numpy
from workbench.analysis.report.charts import ENDING, check_picture
from workbench.analysis.runs.interruptions import (
    RunStopped,
    is_failure,
    stop_reason_name,
)
from workbench.analysis.runs.outputs import RunFiles, is_stream, run_files
from workbench.analysis.runs.run import GameRun
from workbench.analysis.runs.run_headers import run_header
from workbench.analysis.runs.run_tables import RunTables
from workbench.analysis.simulation.bot_errors import BotErrors
from workbench.analysis.simulation.simulation import GameLimits, GameTask, simulate
from workbench.analysis.simulation.statistics import Tally
from workbench.bots.bot_lists import parse_bot_names
from workbench.cli.frame.arguments import (
    AUTO_JOBS,
    BOT_GAME_SETTINGS,
    GAME_LIMITS,
    JSON,
    RESUME,
    TIME_LIMIT,
    VARIANT,
    engine,
)
from workbench.cli.frame.declarations import command, integer, option
from workbench.cli.frame.error_messages import write_error
from workbench.cli.frame.game_arguments import game_settings
from workbench.cli.frame.output import (
    write_json,
    write_line,
    write_note,
    write_sentence,
    write_table,
)
from workbench.cli.frame.run_output import (
    finish_outputs,
    report_stop,
    with_run_progress,
)
from workbench.defaults import BOT_NAMES, LADDER_GAMES
from workbench.errors import RequestError
from workbench.files.library.atomic_files import replace_text
from workbench.files.library.loading import load
from workbench.presentation.console.progress_bar import show_phase

ROWS_EXTENSION = ".jsonl"
"""Extension of the file with a row for each game, next to the picture."""
PICTURE_KIND = "a ladder"


@attrs.frozen
class LadderRun:
    """Results of a ladder; `extra_games` counts requested games beyond full cycles."""

    book: Rulebook
    lineups: LineupSchedule
    run: GameRun
    ladder: Ladder
    engine: str
    extra_games: int
    errors: BotErrors

    @property
    def exit_code(self) -> int:
        """Exit code: 0, 1 without ratings, or the code for an early stop."""
        stopped = self.run.stop_reason
        if isinstance(stopped, RunStopped):
            return stopped.exit_code
        return 1 if is_failure(stopped) or not self.ladder.has_ratings else 0


@command(
    "ladder",
    VARIANT,
    option(
        "--bots NAME[,NAME...]",
        f"two or more bots to rate: {BOT_NAMES}, names from `rulebook bots`, or your"
        " own as FILE.py:NAME or MODULE:NAME",
        required=True,
    ),
    integer(
        "--games N",
        "maximum number of games, rounded down to whole cycles in which each bot has"
        " each seat equally often",
        LADDER_GAMES,
        minimum=1,
    ),
    engine("auto uses native for bots that support it; results do not depend on it"),
    AUTO_JOBS,
    *GAME_LIMITS,
    option(
        "--out FILE.svg",
        "write a chart of the ratings, and one row per game to FILE.jsonl next to it;"
        " with a .jsonl, .csv or .parquet suffix only the rows",
        default_text="neither",
    ),
    RESUME,
    *BOT_GAME_SETTINGS,
    TIME_LIMIT,
    JSON,
)
def run(arguments: Namespace) -> int:
    """Rate bots by games against one another."""
    bots = _checked_bots(arguments)
    rows_file = _rows_file(arguments.out)
    picture_file = None if rows_file == arguments.out else arguments.out
    check_picture(picture_file, PICTURE_KIND)
    results = _play(arguments, bots, rows_file)
    if picture_file is not None and results.ladder.has_ratings:
        from workbench.analysis.ladder.chart import ladder_chart

        replace_text(Path(picture_file), ladder_chart(results.ladder, _title(results)))
    if arguments.json:
        write_json(_document(results, arguments))
    else:
        _write_report(results, arguments, picture_file)
    report_stop(results.run, "ladder", arguments)
    if not results.ladder.has_ratings:
        reason = "too few finished games to compare all bots"
        write_error(f"no ratings: {reason}")
    return results.exit_code


def _rows_file(out: str | None) -> str | None:
    """Return the file for rows of games: *out*, or next to it if it is a picture."""
    if out is None or Path(out).suffix.lower() != ENDING:
        return out
    return str(Path(out).with_suffix(ROWS_EXTENSION))


def _play(
    arguments: Namespace, bots: Sequence[str], rows_file: str | None
) -> LadderRun:
    """Play the games and return the results of the ladder."""
    book, settings = load(arguments.variant), game_settings(arguments)
    seats = settings.start(book, turns=0).seats  # raises if settings are invalid
    lineups = LineupSchedule(bots, len(seats))
    if len(seats) < 2:
        raise RequestError(f"{book.name} with one player cannot be used for a ladder")
    games = playing.whole_cycles(lineups, arguments.games)
    task = GameTask(
        dict(zip(seats, lineups.seating(0), strict=True)),
        settings,
        GameLimits(arguments.max_turns, arguments.max_decisions),
        seatings=lineups,
    )
    tables = RunTables.of_book(book, seats, {}, has_custom_bots=task.has_custom_bots)
    tables = attrs.evolve(tables, seatings=lineups)
    run, table = GameRun(games, 1, tables, Tally(seats)), LadderResults(lineups, seats)
    errors = BotErrors(task.bots, lineups)
    run.consumers += (table.add, errors.add)
    with ExitStack() as stack:
        files = None
        if rows_file is not None:
            files = _run_files(rows_file, tables, arguments)
            head = run_header(book, task, files.schemas)
            opened = files.open_partial_run(head, tables, resume=arguments.resume)
            run.partial_run = stack.enter_context(opened)
        show_phase("building the native engine")
        engine, run.max_portion = playing.choose_engine(
            arguments.engine, book, task, games
        )
        if engine.note is not None:
            write_note(engine.note)
        jobs = arguments.jobs or playing.default_ladder_jobs(task, games)
        play = partial(
            simulate, arguments.variant, book, task, jobs=jobs, native=engine.native
        )
        run.run(
            play, partial(with_run_progress, book), partial(finish_outputs, run, files)
        )
    extra = arguments.games - games
    return LadderRun(
        book, lineups, run, Ladder.from_results(table), engine.name, extra, errors
    )


def _run_files(rows_file: str, tables: RunTables, arguments: Namespace) -> RunFiles:
    """Return the output files for the rows of games."""
    if is_stream(rows_file):
        raise RequestError(f"{rows_file} is not a regular file", "choose a file name")
    seeds = range(arguments.seed, arguments.seed + arguments.games)
    return run_files(rows_file, tables, seeds, detail=False)


def _checked_bots(arguments: Namespace) -> Sequence[str]:
    """Return the bots to rate.

    Raise `RequestError` for invalid bots or options, before any game is played.
    """
    bots = parse_bot_names(arguments.bots)
    playing.check_bots(bots)
    if arguments.resume and arguments.out is None:
        raise RequestError("--resume requires --out FILE")
    import_numpy()
    import_minimize()
    return bots


# ---------------------------------------------------------------- messages


def _document(results: LadderRun, arguments: Namespace) -> dict[str, Any]:
    """Return the results of a ladder as plain data."""
    run = results.run
    summary = run.tally.summary(run.seconds, run.played_games)
    names = ("finished", "unfinished", "draws", "seconds", "games_per_second")
    return {
        "variant": results.book.name,
        "digest": results.book.digest,
        "players": results.lineups.seats,
        "games": run.tally.games,
        "cycle": results.lineups.games_per_cycle,
        "left_over": results.extra_games,
        "seed": arguments.seed,
        "bot_seed": arguments.bot_seed,
        "engine": results.engine,
        **{name: summary[name] for name in names},
        "stopped": stop_reason_name(run.stop_reason),
        "bot_errors": results.errors.to_json(),
        **results.ladder.to_json(),
    }


def _title(results: LadderRun) -> str:
    """Return the title of the picture."""
    games = f"{results.ladder.results.finished_games:,} games"
    return f"{results.book.name}, {results.lineups.seats} players, {games}"


def _write_report(
    results: LadderRun, arguments: Namespace, picture_file: str | None
) -> None:
    """Write the ladder, the best bot first."""
    run, lineups, ladder = results.run, results.lineups, results.ladder
    sizes = f"{lineups.seats} players, {run.tally.games:,} games"
    write_line(f"{results.book.name}, {sizes}")
    balance = "each bot has each seat, and plays each other bot, equally often"
    write_sentence(f"In each cycle of {lineups.games_per_cycle} games, {balance}.")
    if results.extra_games:
        games = f"{results.extra_games:,} of the {arguments.games:,} games"
        write_sentence(f"Not played, to keep whole cycles: {games}.")
    if unfinished := run.tally.games - run.tally.finished:
        write_sentence(f"{unfinished:,} unfinished games are not counted.")
    for line in results.errors.lines:
        write_sentence(f"{line}.")
    write_line("")
    rungs = map(ladder_text.rung_cells, ladder.rungs)
    write_table(
        rungs, headings=ladder_text.RUNG_HEADS, indent=2, right_aligned=(1, 3, 4, 5)
    )
    if ladder.steps:
        write_line("")
        steps = map(ladder_text.step_cells, ladder.steps)
        write_table(
            steps, headings=ladder_text.STEP_HEADS, indent=2, right_aligned=(1, 3)
        )
    write_line("")
    write_sentence(f"{ladder_text.step_explanation(lineups.seats)}.")
    write_sentence(
        f"Games won out of 100, by seat: {ladder_text.seat_wins_text(ladder)}."
    )
    if ladder.largest_deviation is not None:
        write_sentence(
            f"Result that contradicts the ratings: {ladder.largest_deviation}."
        )
    if picture_file is not None and ladder.has_ratings:
        write_line(f"{picture_file}: the picture")
