"""Messages of commands that exceeded `--time`; imports no game code."""

from workbench.budget import TimeUp
from workbench.cli.frame.error_messages import write_error


def time_up_text(stopped: TimeUp, done: str) -> str:
    """Return a sentence: the time was up, and how much work was done."""
    return f"{stopped}: {done}"


def report_time_up(stopped: TimeUp | None, done: str) -> None:
    """Write how much work was done before the time was up, if it was."""
    if stopped is not None:
        write_error(time_up_text(stopped, done))
