"""`--help` says of every argument what it is for, and what holds without it."""

from argparse import Action, ArgumentParser
from collections.abc import Iterator

import pytest

from workbench.cli.frame.arguments import known_to
from workbench.cli.frame.command_table import COMMANDS


def arguments() -> Iterator[tuple[str, Action]]:
    for command in COMMANDS:
        parser = ArgumentParser(add_help=False)
        command.arguments(parser)
        for argument in known_to(parser):
            yield command.name, argument


ARGUMENTS = list(arguments())
IDS = [f"{name} {argument.dest}" for name, argument in ARGUMENTS]


@pytest.mark.parametrize(("name", "argument"), ARGUMENTS, ids=IDS)
def test_every_argument_is_explained(name: str, argument: Action) -> None:
    assert argument.help
    if argument.default:
        assert f"(default: {argument.default})" in argument.help
