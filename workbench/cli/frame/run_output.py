"""Output about a long run: its progress, and why it stopped."""

from argparse import Namespace
from collections.abc import Iterator
from shlex import join

from rulebook import Rulebook
from workbench.analysis.runs.interruptions import Why, interruption_text
from workbench.analysis.runs.precision import Narrowing
from workbench.analysis.runs.run import GameRun
from workbench.analysis.simulation.statistics import Result, Tally
from workbench.bots.errors import BotFailed
from workbench.budget import TimeUp
from workbench.cli.frame.command_line import typed
from workbench.cli.frame.failures import complain
from workbench.cli.frame.time_up import up_to
from workbench.presentation.console.progress import Work, progress_of

SEATS_MAX = 4


def with_progress(
    book: Rulebook, portions: Iterator[list[Result]], run: GameRun
) -> Iterator[list[Result]]:
    """Yield the portions, with a bar for the number of finished games."""
    what = f"games of {book.name}"
    work = Work(run.end, what, run.tally.games, rate=True)

    def another(_: list[Result]) -> None:
        work.done = run.tally.games
        work.what = f"{what}, {so_far(run.tally)}"
        if run.narrowing is not None and work.done:
            work.total = run.narrowing.needed(run.games)
            work.what = f"{what}, {interval(run.narrowing)}"

    return progress_of(portions, work, another)


def so_far(tally: Tally) -> str:
    """Return the results so far in a few words, for people.

    Only the first few seats are named.
    """
    wins = [f"{seat} {number:,}" for seat, number in tally.wins.items()]
    return f"wins: {', '.join(wins[:SEATS_MAX])}, draws {tally.draws:,}"


def interval(narrowing: Narrowing) -> str:
    """Return the mean and precision of a measure, for people."""
    name = narrowing.until.column.name
    return f"{name} {narrowing.mean:.4g} ±{narrowing.half:.2g}"


def halted(stopped: Why, done: str) -> str:
    """Return why a command stopped, and how much work it had done."""
    if isinstance(stopped, TimeUp):
        return up_to(stopped, done)
    return f"{interruption_text(stopped)} after {done}"


def say_why_stopped(run: GameRun, command: str, arguments: Namespace) -> None:
    """Write why a run stopped, and the command that continues it."""
    if run.stopped is None:
        return
    how, played = (
        interruption_text(run.stopped),
        f"{run.tally.games:,} of {run.end:,} games",
    )
    if isinstance(run.stopped, BotFailed):
        said = f"{how}; {played} were played"
        complain(f"{said}; {run.stopped.help}" if run.stopped.help else said)
        return
    said = halted(run.stopped, played)
    if run.kept is not None:
        again = join(typed(command, Namespace(**{**vars(arguments), "resume": True})))
        said += f"; to continue: `{again}`"
    complain(said)
