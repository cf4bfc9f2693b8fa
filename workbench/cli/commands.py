"""The table of sub-commands, and the parser made from it."""

from argparse import ArgumentParser
from importlib import metadata

from workbench.cli.board import BOARD
from workbench.cli.check import CHECK
from workbench.cli.command import Command
from workbench.cli.completion import completion
from workbench.cli.explain import EXPLAIN
from workbench.cli.format import FORMAT
from workbench.cli.new import NEW
from workbench.cli.options import OPTIONS
from workbench.cli.perft import PERFT
from workbench.cli.play import PLAY
from workbench.cli.replay import REPLAY
from workbench.cli.show import SHOW
from workbench.cli.simulate import SIMULATE
from workbench.cli.test import TEST
from workbench.cli.variants import VARIANTS
from workbench.cli.why import WHY

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
    WHY,
    PERFT,
    BOARD,
)


def run(arguments: list[str]) -> int:
    """The exit code of the sub-command that the arguments name."""
    chosen = _parser().parse_args(arguments)
    command: Command = chosen.command
    return command.run(chosen)


def _parser() -> ArgumentParser:
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
    return parser


def _version() -> str:
    try:
        return f"rulebook {metadata.version('rulebook-lang')}"
    except metadata.PackageNotFoundError:
        return "rulebook (not installed)"
