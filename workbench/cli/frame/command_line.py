"""Command line that corresponds to parsed arguments."""

from argparse import Action, Namespace
from collections.abc import Collection, Iterator

from workbench.cli.frame.command_table import parser_actions, parser_of


def command_words(
    command: str,
    arguments: Namespace,
    *,
    always_include: Collection[str] = (),
    exclude: Collection[str] = (),
) -> list[str]:
    """Return the words of a command line with these arguments.

    The arguments may come from another command; unknown ones are ignored. Defaults are
    omitted, except for those in `always_include`.
    """
    parser = parser_of(command)
    assert parser is not None
    words = ["rulebook", command]
    for argument in parser_actions(parser):
        value = getattr(arguments, argument.dest, argument.default)
        is_default = value == argument.default and argument.dest not in always_include
        if value is None or is_default or argument.dest in exclude:
            continue
        words += _words(argument, value)
    return words


def _words(argument: Action, value: object) -> Iterator[str]:
    """Yield the words for one argument: its values, each after the option if any."""
    for item in value if isinstance(value, list) else [value]:
        if argument.option_strings:
            yield argument.option_strings[0]
        if item is not True:
            yield str(item)
