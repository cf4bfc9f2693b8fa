"""Dispatch of the arguments of `rulebook` to a sub-command."""

import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Iterable
from contextlib import nullcontext
from importlib import import_module

from workbench.cli.frame.arguments import parser_actions
from workbench.cli.frame.command_table import COMMANDS

WRONG, USAGE = 1, 2


def run(arguments: list[str]) -> int:
    """Run the sub-command in the arguments and return its exit code.

    Raise `Refused` for an unknown name, with a suggestion.
    """
    first = arguments[0] if arguments else ""
    parser, chosen = _parsers(first)
    if not arguments:
        parser.print_help(sys.stderr)
        return USAGE
    if not first.startswith("-") and chosen is None:
        names = [command.name for command in COMMANDS]
        raise _refused(f"unknown command `{first}`", suggestion(first, names))
    given, rest = parser.parse_known_args(arguments)
    if rest:
        known = parser_actions(chosen) if chosen else []
        flags = [flag for argument in known for flag in argument.option_strings]
        raise _refused(
            f"`rulebook {first}` has no argument `{rest[0]}`",
            suggestion(rest[0], flags) or f"see `rulebook {first} --help`",
        )
    if hasattr(given, "time"):
        return _run_long(first, given)
    return _run(first, given)


def _run(name: str, given: Namespace) -> int:
    """Run a sub-command; return its exit code."""
    status = import_module(f"workbench.cli.{name.replace('-', '_')}").run(given)
    assert isinstance(status, int)
    return status


def _run_long(name: str, given: Namespace) -> int:
    """Run a sub-command with progress, within `--time`; return its exit code."""
    from workbench.budget import Budget, TimeUp
    from workbench.cli.frame.failures import write_error
    from workbench.presentation.console.progress import Work, working

    limit = nullcontext() if given.time is None else Budget(given.time.seconds)
    try:
        with limit, working(Work(None, "reading the rules")):
            return _run(name, given)
    except TimeUp as up:
        write_error(f"{up}, before there was any result")
        return WRONG


def suggestion(name: str, names: Iterable[str]) -> str | None:
    """Return a suggestion for a misspelt name, or None."""
    from rulebook.tooling import nearest

    near = nearest(name, names)
    return f"did you mean `{near}`?" if near else None


def parser_of(name: str) -> ArgumentParser | None:
    """Return the parser of a sub-command, or None if there is none."""
    return _parsers(name)[1]


def _parsers(wanted: str) -> tuple[ArgumentParser, ArgumentParser | None]:
    """Return the parser of the command line, and that of one sub-command or None.

    All other sub-commands are added without arguments.
    """
    parser = ArgumentParser(
        prog="rulebook",
        description="Check, play and simulate board games written as rule files.",
    )
    version = _version() if wanted.startswith("--v") else ""
    parser.add_argument("--version", action="version", version=version)
    table = parser.add_subparsers(title="commands", metavar="COMMAND", required=True)
    chosen = None
    for command in COMMANDS:
        sub = table.add_parser(command.name, help=command.help, allow_abbrev=False)
        if command.name == wanted:
            command.arguments(sub)
            chosen = sub
    return parser, chosen


def _version() -> str:
    from workbench.files.library.versions import version

    return f"rulebook {version() or '(not installed)'}"


def _refused(message: str, help: str | None) -> Exception:
    from workbench.errors import Refused

    return Refused(message, help)
