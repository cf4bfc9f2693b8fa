"""Output of a long run: its progress, its files, and why it stopped."""

from argparse import Namespace
from collections.abc import Iterator
from shlex import join

from rulebook import Rulebook
from workbench.analysis.runs.interruptions import StopReason, interruption_text
from workbench.analysis.runs.outputs import RunFiles
from workbench.analysis.runs.precision import RunningInterval
from workbench.analysis.runs.run import GameRun
from workbench.analysis.simulation.statistics import Result, Tally
from workbench.bots.bot_failures import BotFailed
from workbench.budget import TimeUp
from workbench.cli.frame.command_line import command_words
from workbench.cli.frame.error_messages import write_error
from workbench.cli.frame.time_up import time_up_text
from workbench.presentation.console.progress_bar import Work, with_progress_bar

MAX_NAMED_SEATS = 4


def with_run_progress(
    book: Rulebook, portions: Iterator[list[Result]], run: GameRun
) -> Iterator[list[Result]]:
    """Yield each portion of results, updating a progress bar of finished games."""
    label = f"games of {book.name}"
    work = Work(run.max_games, label, run.tally.games, shows_rate=True)

    def count_portion(_: list[Result]) -> None:
        work.done = run.tally.games
        work.description = f"{label}, {results_so_far(run.tally)}"
        if run.interval is not None and work.done:
            work.total = run.interval.estimated_games(run.games)
            work.description = f"{label}, {interval_text(run.interval)}"

    return with_progress_bar(portions, work, count_portion)


def finish_outputs(run: GameRun, outputs: RunFiles | None) -> None:
    """Create a run's output files from its partial run, the file with its games."""
    if outputs is not None and run.partial_run is not None:
        outputs.finish(run.partial_run, run.max_games, complete=run.is_complete)


def results_so_far(tally: Tally) -> str:
    """Return the wins of the first four seats and the draws so far, as text."""
    wins = [f"{seat} {number:,}" for seat, number in tally.wins.items()]
    return f"wins: {', '.join(wins[:MAX_NAMED_SEATS])}, draws {tally.draws:,}"


def interval_text(interval: RunningInterval) -> str:
    """Return a measure's name, mean and half the width of its interval, as text."""
    name = interval.goal.column.name
    return f"{name} {interval.mean:.4g} ±{interval.half_width:.2g}"


def stop_text(reason: StopReason, progress: str) -> str:
    """Return a sentence: why a command stopped, and how much work was done."""
    if isinstance(reason, TimeUp):
        return time_up_text(reason, progress)
    return f"{interruption_text(reason)} after {progress}"


def report_stop(run: GameRun, command: str, arguments: Namespace) -> None:
    """Write why a run stopped early, if it did, and the command that continues it."""
    if run.stop_reason is None:
        return
    reason, progress = (
        interruption_text(run.stop_reason),
        f"{run.tally.games:,} of {run.max_games:,} games",
    )
    if isinstance(run.stop_reason, BotFailed):
        text = f"{reason}; {progress} were played"
        write_error(f"{text}; {run.stop_reason.help}" if run.stop_reason.help else text)
        return
    text = stop_text(run.stop_reason, progress)
    if run.partial_run is not None:
        resume_command = join(
            command_words(command, Namespace(**{**vars(arguments), "resume": True}))
        )
        text += f"; to continue: `{resume_command}`"
    write_error(text)
