"""Command `rulebook completion`: shell completion of names, options and files."""

import sys
from argparse import Namespace
from pathlib import Path

from workbench.cli.frame.declarations import command, option, positional

TEMPLATES = Path(__file__).parents[1] / "templates"


@command(
    "completion",
    positional(
        "shell", None, "shell to print the script for", choices=("bash", "zsh", "fish")
    ),
    option(
        "--line TEXT",
        "print the possible next words of this unfinished command line instead",
    ),
)
def run(arguments: Namespace) -> int:
    """Print a shell completion script."""
    if arguments.line is None:
        script = TEMPLATES / f"completion.{arguments.shell}"
        sys.stdout.write(script.read_text(encoding="utf-8"))
        return 0
    from workbench.cli.frame.command_table import COMMANDS, parser_of
    from workbench.cli.shell_completion.completer import completions, escape_for_shell

    words = completions(COMMANDS, parser_of, arguments.line)
    for word in escape_for_shell(words, arguments.line, arguments.shell):
        sys.stdout.write(f"{printable_word(word)}\n")
    return 0


def printable_word(word: str) -> str:
    """Return a word with each unprintable character replaced by U+FFFD."""
    if word.isprintable():
        return word
    from rulebook import printable_lines

    return printable_lines(word)
