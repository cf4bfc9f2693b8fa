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
    from workbench.cli.shell_completion.words import candidates, shell_words

    names = [command.name for command in COMMANDS]
    words = candidates(names, parser_of, arguments.line)
    for word in shell_words(words, arguments.line, arguments.shell):
        sys.stdout.write(f"{shown_safely(word)}\n")
    return 0


def shown_safely(word: str) -> str:
    """Return a word without control characters, which file names may contain."""
    if word.isprintable():
        return word
    from rulebook import visible_lines

    return visible_lines(word)
