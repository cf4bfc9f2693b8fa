"""A command as it would be typed, by the arguments that it was given."""

from argparse import Action, Namespace
from collections.abc import Collection, Iterator

from workbench.cli.frame.arguments import known_to
from workbench.cli.frame.dispatch import parser_of


def typed(
    command: str,
    arguments: Namespace,
    *,
    always: Collection[str] = (),
    without: Collection[str] = (),
) -> list[str]:
    """The words of a command that does what these arguments ask for.

    They may be those of another command, as far as both know an argument. What holds
    where nobody says it is left out, but for what is `always` said.
    """
    parser = parser_of(command)
    assert parser is not None
    words = ["rulebook", command]
    for argument in known_to(parser):
        value = getattr(arguments, argument.dest, argument.default)
        usual = value == argument.default and argument.dest not in always
        if value is None or usual or argument.dest in without:
            continue
        words += _words(argument, value)
    return words


def _words(argument: Action, value: object) -> Iterator[str]:
    """The words of one argument: each value, behind its option where it has one."""
    for each in value if isinstance(value, list) else [value]:
        if argument.option_strings:
            yield argument.option_strings[0]
        if each is not True:
            yield str(each)
