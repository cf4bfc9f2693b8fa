"""Message of a command that exceeded `--time`; it imports no game code."""

from workbench.budget import TimeUp
from workbench.cli.frame.failures import write_error


def time_up_text(stopped: TimeUp, done: str) -> str:
    """Return that the time was up, and how much of the work was done."""
    return f"{stopped}: {done}"


def report_time_up(stopped: TimeUp | None, done: str) -> None:
    """Write that the time was up, if it was, and how much of the work was done."""
    if stopped is not None:
        write_error(time_up_text(stopped, done))
