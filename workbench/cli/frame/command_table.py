"""Table of all sub-commands, and their parsers.

The table comes from a generated file, so this module imports no command.
"""

import json
from argparse import Action, ArgumentParser, ArgumentTypeError
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from workbench.cli.frame.declarations import Argument, Command
from workbench.defaults import RANDOM

TABLE = Path(__file__).parents[1] / "commands.json"


def _read_table() -> dict[str, Command]:
    """Return the commands by name, in the order of `--help`."""
    rows = json.loads(TABLE.read_text(encoding="utf-8"))
    for row in rows:
        row["arguments"] = [Argument(**argument) for argument in row["arguments"]]
    return {row["name"]: Command(**row) for row in rows}


COMMANDS: Mapping[str, Command] = _read_table()


def parser_of(name: str) -> ArgumentParser | None:
    """Return the parser of a sub-command, or None if there is none."""
    return parsers(name)[1]


def parsers(command_name: str) -> tuple[ArgumentParser, ArgumentParser | None]:
    """Return the parser of `rulebook`, and that of a sub-command (None if unknown).

    All other sub-commands are added without arguments.
    """
    parser = ArgumentParser(
        prog="rulebook",
        description="Check, play and simulate board games written as rule files.",
    )
    version = _version() if command_name.startswith("--v") else ""
    parser.add_argument("--version", action="version", version=version)
    table = parser.add_subparsers(title="commands", metavar="COMMAND", required=True)
    chosen = None
    for command in COMMANDS.values():
        sub = table.add_parser(command.name, help=command.help, allow_abbrev=False)
        if command.name == command_name:
            _add_arguments(sub, command)
            chosen = sub
    return parser, chosen


def _add_arguments(parser: ArgumentParser, command: Command) -> None:
    groups: dict[str, Any] = {}
    for argument in command.arguments:
        owner: Any = parser
        if argument.group is not None:
            if argument.group not in groups:
                groups[argument.group] = parser.add_mutually_exclusive_group()
            owner = groups[argument.group]
        settings = dict(argument.settings)
        if "type" in settings:
            settings["type"] = TYPES[settings["type"]]
        owner.add_argument(*argument.names, **settings)


def parser_actions(parser: ArgumentParser) -> list[Action]:
    """Return the arguments of a parser; argparse has no public way to list them."""
    return parser._actions  # noqa: SLF001


def _version() -> str:
    from workbench.files.library.versions import version

    return f"rulebook {version() or '(not installed)'}"


# ---------------------------------------------------------------- types of values


def _duration(text: str) -> Any:
    """Parse a duration; import the parser only when it is needed."""
    from workbench.budget import parse_duration

    try:
        return parse_duration(text)
    except ValueError as error:
        raise ArgumentTypeError(str(error)) from None


def _bot_seed(text: str) -> int:
    """Parse a seed for bots; `random` yields an unpredictable seed."""
    if text == RANDOM:
        from workbench.bots.randomness import random_seed

        return random_seed()
    try:
        return int(text)
    except ValueError:
        raise ArgumentTypeError(
            f"`{text}` is neither a whole number nor `{RANDOM}`"
        ) from None


TYPES: Mapping[str, Callable[[str], Any]] = {
    "int": int,
    "float": float,
    "duration": _duration,
    "bot_seed": _bot_seed,
}
"""Converters of values from text, by the type names used in declarations."""
