"""A command that is written from its arguments does what these asked for.

Broken by hand, each seen to fail: what is always said, what is left out, an option that
is given several times, one without a value.
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
def test_what_is_typed_says_the_same(words: tuple[str, ...]) -> None:
    command, *rest = words
    arguments = parsed(command, *rest)
    program, again, *others = command_words(command, arguments)

    assert (program, again) == ("rulebook", command)
    assert sorted(others) == sorted(rest)
    assert parsed(command, *others) == arguments


def test_what_is_usual_is_said_where_it_always_is() -> None:
    arguments = parsed("compare", "a", "b", "--jobs", "2", "--json")

    assert command_words("compare", arguments, exclude=("jobs", "json")) == [
        *("rulebook", "compare", "a", "b")
    ]
    said = command_words(
        "compare", arguments, always_include=("seed", "players"), exclude=("jobs",)
    )
    assert said == ["rulebook", "compare", "a", "b", "--seed", "1", "--json"]


def test_another_command_gets_what_both_know() -> None:
    arguments = parsed("simulate", "a", "b", "--games", "9", "--detail", "--seed", "4")

    assert command_words("compare", arguments)[2:] == [
        *("a", "b", "--games", "9", "--bots", "random", "--seed", "4")
    ]
