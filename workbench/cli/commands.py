"""The table of sub-commands, and the parser made from it."""

import sys
from argparse import ArgumentParser
from collections.abc import Iterable, Mapping
from importlib import metadata

from rulebook import nearest
from workbench.cli.board import BOARD
from workbench.cli.build import BUILD
from workbench.cli.check import CHECK
from workbench.cli.command import Command
from workbench.cli.completion import completion
from workbench.cli.explain import EXPLAIN
from workbench.cli.format import FORMAT
from workbench.cli.new import NEW
from workbench.cli.options import OPTIONS
from workbench.cli.perft import PERFT
from workbench.cli.play import PLAY
from workbench.cli.repair import REPAIR
from workbench.cli.replay import REPLAY
from workbench.cli.show import SHOW
from workbench.cli.simulate import SIMULATE
from workbench.cli.test import TEST
from workbench.cli.variants import VARIANTS
from workbench.cli.why import WHY
from workbench.errors import Refused

USAGE = 2

COMMANDS: tuple[Command, ...] = (
    VARIANTS,
    CHECK,
    EXPLAIN,
    OPTIONS,
    SHOW,
    FORMAT,
    NEW,
    TEST,
    PLAY,
    SIMULATE,
    REPLAY,
    REPAIR,
    WHY,
    PERFT,
    BOARD,
    BUILD,
)


def run(arguments: list[str]) -> int:
    """The exit code of the sub-command that the arguments name.

    Raises `Refused`, with what was probably meant, for a name that is none.
    """
    parser, parsers = _parser()
    if not arguments:
        parser.print_help(sys.stderr)
        return USAGE
    first = arguments[0]
    if not first.startswith("-") and first not in parsers:
        raise Refused(f"there is no command `{first}`", meant(first, parsers))
    chosen, rest = parser.parse_known_args(arguments)
    if rest:
        known = parsers[first]._actions  # noqa: SLF001
        flags = [flag for one in known for flag in one.option_strings]
        raise Refused(
            f"`rulebook {first}` does not know `{rest[0]}`",
            meant(rest[0], flags) or f"see `rulebook {first} --help`",
        )
    command: Command = chosen.command
    return command.run(chosen)


def meant(name: str, names: Iterable[str]) -> str | None:
    """What to say of a name that is near another one."""
    near = nearest(name, names)
    return f"did you mean `{near}`?" if near else None


def _parser() -> tuple[ArgumentParser, Mapping[str, ArgumentParser]]:
    """The parser, and those of the commands by name."""
    parser = ArgumentParser(
        prog="rulebook",
        description="Check, play and simulate board games written as rule files.",
    )
    parser.add_argument("--version", action="version", version=_version())
    table = parser.add_subparsers(title="commands", metavar="COMMAND", required=True)
    for command in (*COMMANDS, completion(table.choices)):
        sub = table.add_parser(command.name, help=command.help, allow_abbrev=False)
        command.arguments(sub)
        sub.set_defaults(command=command)
    return parser, table.choices


def _version() -> str:
    try:
        return f"rulebook {metadata.version('rulebook-lang')}"
    except metadata.PackageNotFoundError:
        return "rulebook (not installed)"
