"""`--help` explains every argument of every command and states its default."""

from argparse import Action, ArgumentParser
from collections.abc import Iterator

from workbench.cli.frame.arguments import parser_actions
from workbench.cli.frame.command_table import COMMANDS


def arguments() -> Iterator[tuple[str, Action]]:
    for command in COMMANDS:
        parser = ArgumentParser(add_help=False)
        command.arguments(parser)
        for argument in parser_actions(parser):
            yield command.name, argument


def test_every_argument_is_explained() -> None:
    """Each argument has a help text, which states the default if there is one."""
    listed = list(arguments())
    problems = []
    for name, argument in listed:
        if not argument.help:
            problems.append(f"{name} {argument.dest}: no help")
        elif argument.default and f"(default: {argument.default})" not in argument.help:
            problems.append(f"{name} {argument.dest}: no default in: {argument.help}")

    assert len(listed) > 200
    assert not problems, "\n".join(problems)
