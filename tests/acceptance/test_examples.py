"""Every example comes to its end, with bots that choose anything and with greedy ones.

Quick: a game or two of each; `--deep`: fifty, with each number of players in turn.
"""

from pathlib import Path

import pytest

import workbench
from workbench.settings import Settings
from workbench.simulation import Task, bots_by_seat, playout

EXAMPLES = sorted(Path("examples").glob("*/*.rules"))


@pytest.mark.parametrize("bot", ["random", "greedy"])
@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: str(path.stem))
def test_an_example_comes_to_its_end(path: Path, bot: str, deep: bool) -> None:
    book = workbench.load(str(path))
    fewest, most = book.players
    for number in range(50 if deep else 2 if bot == "random" else 1):
        players = most - number % (most - fewest + 1)
        settings = Settings(players=players, seed=1)
        task = Task(bots_by_seat([bot], book.seats[:players]), settings)

        assert playout(book, task, number).finished
