"""Dispatch of the arguments of `rulebook` to a sub-command."""

import os
import sys
from argparse import Namespace
from collections.abc import Iterable
from contextlib import nullcontext
from importlib import import_module
from math import inf

from workbench.cli.frame.command_table import COMMANDS, parser_actions, parsers
from workbench.cli.frame.declarations import Command
from workbench.cli.frame.exit_codes import FAILURE, USAGE

JOBS_PER_CORE = 4
"""Maximum number of worker processes (`--jobs`) per processor core."""


def run(arguments: list[str]) -> int:
    """Run the sub-command named by the first argument; return its exit code.

    Raise `RequestError` for an unknown name, with a suggestion, and for a number that
    is out of range.
    """
    first = arguments[0] if arguments else ""
    parser, chosen = parsers(first)
    if not arguments:
        parser.print_help(sys.stderr)
        return USAGE
    if not first.startswith("-") and chosen is None:
        raise _usage_error(f"unknown command `{first}`", suggestion(first, COMMANDS))
    namespace, unknown = parser.parse_known_args(arguments)
    if unknown:
        known = parser_actions(chosen) if chosen else []
        flags = [flag for argument in known for flag in argument.option_strings]
        raise _usage_error(
            f"`rulebook {first}` has no argument `{unknown[0]}`",
            suggestion(unknown[0], flags) or f"see `rulebook {first} --help`",
        )
    command = COMMANDS[first]
    _check_ranges(command, namespace)
    if hasattr(namespace, "time"):
        return _run_long(command, namespace)
    return _run(command, namespace)


def _run(command: Command, arguments: Namespace) -> int:
    """Run a sub-command; return its exit code."""
    status = getattr(import_module(command.module), command.function)(arguments)
    assert isinstance(status, int)
    return status


def _run_long(command: Command, arguments: Namespace) -> int:
    """Run a sub-command with a progress bar and a time limit; return its exit code."""
    from workbench.budget import TimeBudget, TimeUp
    from workbench.cli.frame.error_messages import write_error
    from workbench.presentation.console.progress_bar import Work, show_progress

    limit = (
        nullcontext() if arguments.time is None else TimeBudget(arguments.time.seconds)
    )
    try:
        with limit, show_progress(Work(None, "reading the rules")):
            return _run(command, arguments)
    except TimeUp as time_up:
        write_error(f"{time_up}, before there was any result")
        return FAILURE


def _check_ranges(command: Command, arguments: Namespace) -> None:
    """Raise `RequestError` for a number that is too small or too large."""
    for argument in command.arguments:
        value = getattr(arguments, argument.dest)
        low, high = argument.minimum, argument.maximum
        if low is None or value is None:
            continue
        if not low <= value <= (inf if high is None else high):
            limits = f"at least {low}" if high is None else f"from {low} to {high}"
            text = f"{value:g}" if isinstance(value, float) else value
            raise _usage_error(f"{argument.names[0]} must be {limits}, not {text}")
    jobs = getattr(arguments, "jobs", None) or 1
    if jobs > (os.cpu_count() or 1) * JOBS_PER_CORE:
        raise _usage_error(
            f"--jobs {jobs} is too many for this machine: the limit is"
            f" {JOBS_PER_CORE} per core"
        )


def suggestion(name: str, names: Iterable[str]) -> str | None:
    """Return the question `did you mean …?` for a misspelt name, or None."""
    from rulebook.tooling import nearest

    near = nearest(name, names)
    return f"did you mean `{near}`?" if near else None


def _usage_error(message: str, help: str | None = None) -> Exception:
    from workbench.errors import RequestError

    return RequestError(message, help)
