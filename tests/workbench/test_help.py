"""`--help` explains every argument of every command and states its default."""

from argparse import Action
from collections.abc import Iterator

from workbench.cli.frame.command_table import COMMANDS, parser_actions, parser_of


def arguments() -> Iterator[tuple[str, Action]]:
    for name in COMMANDS:
        parser = parser_of(name)
        assert parser is not None
        for argument in parser_actions(parser)[1:]:  # skips --help
            yield name, argument


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
