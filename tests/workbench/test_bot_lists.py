"""Parser for lists of bots, used by every command that takes one.

Verified by manual mutations of the comma in parentheses and the unmatched parenthesis.
"""

import pytest

from workbench.bots.bot_lists import parse_bot_names
from workbench.cli import main
from workbench.errors import RequestError

FIRST = "examples/first/first.rules"


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("random", ["random"]),
        ("random,greedy", ["random", "greedy"]),
        (" random , greedy ", ["random", "greedy"]),
        ("mcts(200),mcts(0.5 s)", ["mcts(200)", "mcts(0.5 s)"]),
        ("a(1,2),b((3,4),5),c", ["a(1,2)", "b((3,4),5)", "c"]),
        ("my.py:bot,other.module:Bot", ["my.py:bot", "other.module:Bot"]),
        ("C:\\my files\\my(1).py:bot", ["C:\\my files\\my(1).py:bot"]),
    ],
)
def test_commas_in_parentheses_do_not_separate_bots(
    text: str, names: list[str]
) -> None:
    assert parse_bot_names(text) == names


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "an empty name"),
        ("random,", "an empty name"),
        (",random", "an empty name"),
        ("random,,greedy", "an empty name"),
        ("random, ,greedy", "an empty name"),
        ("mcts(200,greedy", "unbalanced parentheses"),
        ("mcts200),greedy", "unbalanced parentheses"),
        (")(,random", "unbalanced parentheses"),
    ],
)
def test_rejects_an_invalid_list(text: str, said: str) -> None:
    with pytest.raises(RequestError, match=said):
        parse_bot_names(text)


@pytest.mark.parametrize(
    "words",
    [
        ("simulate", FIRST, "--games", "2"),
        ("compare", FIRST, "examples/tiny/dare.rules", "--games", "4"),
        ("sweep", FIRST, "--vary", "cost hut.reed = 1", "--games", "1"),
        ("ladder", FIRST, "--games", "4"),
    ],
)
def test_all_commands_parse_lists_of_bots_alike(
    words: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([*words, "--players", "2", "--bots", "mcts(2,greedy"]) == 2

    assert "has unbalanced parentheses" in capsys.readouterr().err
