"""Messages of commands that exceeded `--time`; imports no game code."""

from workbench.budget import TimeUp
from workbench.cli.frame.error_messages import write_error


def time_up_text(time_up: TimeUp, progress: str) -> str:
    """Return a sentence saying that the time is up and how much work was done."""
    return f"{time_up}: {progress}"


def report_time_up(time_up: TimeUp | None, progress: str) -> None:
    """Write how much work was done if the time is up; otherwise write nothing."""
    if time_up is not None:
        write_error(time_up_text(time_up, progress))
