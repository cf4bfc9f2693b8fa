"""Command `rulebook completion`: shell completion of names, options and files."""

import sys
from argparse import Namespace
from pathlib import Path

TEMPLATES = Path(__file__).parents[1] / "templates"


def run(arguments: Namespace) -> int:
    """Run `rulebook completion` and return the exit code."""
    if arguments.line is None:
        script = TEMPLATES / f"completion.{arguments.shell}"
        sys.stdout.write(script.read_text(encoding="utf-8"))
        return 0
    from workbench.cli.frame.command_table import COMMANDS
    from workbench.cli.frame.dispatch import parser_of
    from workbench.cli.shell_completion.words import completions, escaped_for_shell

    names = [command.name for command in COMMANDS]
    words = completions(names, parser_of, arguments.line)
    for word in escaped_for_shell(words, arguments.line, arguments.shell):
        sys.stdout.write(f"{printable_word(word)}\n")
    return 0


def printable_word(word: str) -> str:
    """Return a word without control characters, which file names may contain."""
    if word.isprintable():
        return word
    from rulebook import visible_lines

    return visible_lines(word)
