"""`rulebook completion`: names, options and files at the Tab key of a shell."""

from argparse import ArgumentParser, Namespace
from collections.abc import Mapping
from importlib.resources import files

from workbench.cli.command import Command, put

SHELLS = ("bash", "zsh", "fish")


def _arguments(parser: ArgumentParser) -> None:
    parser.add_argument("shell", choices=SHELLS, help="the shell to be taught")
    parser.add_argument(
        "--line",
        metavar="TEXT",
        help="what is typed so far: print the words that may come next",
    )


def completion(parsers: Mapping[str, ArgumentParser]) -> Command:
    """The command, which reads off the parsers of all commands what may come next."""

    def run(arguments: Namespace) -> int:
        from workbench.completion import candidates, shown

        if arguments.line is None:
            script = files("workbench").joinpath(
                f"templates/completion.{arguments.shell}"
            )
            put(script.read_text(encoding="utf-8").rstrip())
            return 0
        found = candidates(parsers, arguments.line)
        for word in shown(found, arguments.line, arguments.shell):
            put(word)
        return 0

    text = "print the script that completes words in a shell"
    return Command("completion", text, _arguments, run)
