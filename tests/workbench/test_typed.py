"""Command lines written from arguments have the same meaning when parsed.

Verified by manual mutations: words that are always written, omitted words, a repeated
option, an option without a value.
"""

from argparse import Namespace

import pytest

from workbench.cli.frame.command_line import command_words
from workbench.cli.frame.command_table import parser_of


def parsed(command: str, *words: str) -> Namespace:
    parser = parser_of(command)
    assert parser is not None
    return parser.parse_args(words)


@pytest.mark.parametrize(
    "words",
    [
        ("simulate", "a.rules"),
        ("simulate", "a.rules", "--games", "7", "--measures", "--seed", "-3"),
        ("simulate", "a b.rules", "--option", "x=1", "--option", "y=2", "--resume"),
        ("compare", "a.rules", "b.rules", "--bots", "mcts(2, 3)", "--by-seat"),
        ("ladder", "a.rules", "--bots", "random,greedy", "--out", "a.svg", "--json"),
        ("sweep", "a.rules", "--vary", "cost x.y = 1..2", "--vary", "z = 1"),
    ],
)
def test_written_command_line_parses_to_the_same_arguments(
    words: tuple[str, ...],
) -> None:
    command, *rest = words
    arguments = parsed(command, *rest)
    program, again, *others = command_words(command, arguments)

    assert (program, again) == ("rulebook", command)
    assert sorted(others) == sorted(rest)
    assert parsed(command, *others) == arguments


def test_defaults_are_written_only_if_required() -> None:
    arguments = parsed("compare", "a", "b", "--jobs", "2", "--json")

    assert command_words("compare", arguments, exclude=("jobs", "json")) == [
        *("rulebook", "compare", "a", "b")
    ]
    said = command_words(
        "compare", arguments, always_include=("seed", "players"), exclude=("jobs",)
    )
    assert said == ["rulebook", "compare", "a", "b", "--seed", "1", "--json"]


def test_another_command_gets_the_shared_arguments() -> None:
    arguments = parsed("simulate", "a", "b", "--games", "9", "--detail", "--seed", "4")

    assert command_words("compare", arguments)[2:] == [
        *("a", "b", "--games", "9", "--bots", "random", "--seed", "4")
    ]
