"""Games of every example end, and its scenarios detect broken rules. The quick form
plays two games of each with random bots; `--deep` plays fifty with random and fifty
with greedy bots, with every number of players.
"""

from pathlib import Path

import pytest

import workbench
from rulebook.tooling import mutants
from workbench.analysis.simulation.settings import Settings
from workbench.analysis.simulation.simulation import GameTask, bots_by_seat, play_game
from workbench.testing.rule_tests.mutation import noticing_scenarios

EXAMPLES = sorted(Path("examples").glob("*/*.rules"))
FOLDER = Path("examples") / "games"
GAMES = sorted(FOLDER.glob("*.rules"))


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: str(path.stem))
def test_games_of_an_example_end(path: Path, deep: bool) -> None:
    book = workbench.load(str(path))
    fewest, most = book.players
    for bot in ("random", "greedy") if deep else ("random",):
        for number in range(50 if deep else 2):
            players = most - number % (most - fewest + 1)
            settings = Settings(players=players, seed=1)
            task = GameTask(bots_by_seat([bot], book.seats[:players]), settings)

            assert play_game(book, task, number).finished


@pytest.mark.parametrize("path", GAMES, ids=lambda path: str(path.stem))
def test_every_scenario_detects_a_broken_rule(path: Path, deep: bool) -> None:
    """The quick form tests only the last scenario, which is the most specific."""
    book = workbench.load(str(path))
    own = [
        scenario
        for scenario in book.model.scenarios
        if scenario.span.file.endswith(path.name)
    ]
    unproven = {scenario.title: scenario for scenario in (own if deep else own[-1:])}
    for mutant in mutants(book):
        if not unproven:
            break
        if mutant.span.file.endswith(path.name):
            for scenario in list(noticing_scenarios(book, mutant, unproven.values())):
                unproven.pop(scenario.title, None)

    assert own
    assert list(unproven) == []
