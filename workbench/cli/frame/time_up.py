"""Message of a command that exceeded `--time`; it imports no game code."""

from workbench.budget import TimeUp
from workbench.cli.frame.failures import complain


def up_to(stopped: TimeUp, done: str) -> str:
    """Return that the time was up, and how much of the work was done."""
    return f"{stopped}: {done}"


def say_stopped(stopped: TimeUp | None, done: str) -> None:
    """Write that the time was up, if it was, and how much of the work was done."""
    if stopped is not None:
        complain(up_to(stopped, done))
