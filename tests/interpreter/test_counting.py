"""Counted games equal ordinary games, and their counts are correct. Failures seen after
breaking: constant conditions stay folded; requirements sorted by cost; one place for
all functions of definitions; cards counted in every holder.
"""

from collections.abc import Iterator
from itertools import islice
from pathlib import Path

import pytest

import workbench
from interpreter import Game, Tally, counted_copy, python_program, run_scenario
from rulebook import Rulebook, load, loads
from workbench.analysis.simulation.settings import Settings
from workbench.testing.rule_tests.generated_games import comparison_games

LAMP = Path(__file__).parents[1] / "workbench" / "coverage" / "lamp.rules"
ASKED = """
rules language 1
rulebook asked "What is asked, and in which order"
  players 2
  seats north, south

option open: yes  "whether anybody may"

game has
  stone: 0 to 9, seen by all

define dear: yes/no
  some player where player's points > 5 and stone > 5

define cheap: yes/no
  stone > 5

turn
  phase only
    you may, until done:
      lift

action lift
  needs first: cheap or open       "never"
  needs heavy: dear or stone < 0   "dear"
  needs light: cheap               "cheap"
  set stone to 1

points of player
  none: 0

rule full
  whenever stone >= 3: nobody wins
"""


def counted_in(tally: Tally, book: Rulebook, sort: str) -> dict[str, tuple[int, int]]:
    """Return the counts of the sites of a sort, by the text of each site."""
    _, counts = counted_copy(book)
    return {
        site.name or book.text_at(site.span): pair
        for site, pair in zip(counts.sites.in_order, tally, strict=True)
        if site.sort == sort
    }


@pytest.fixture(scope="module")
def lamp() -> Rulebook:
    return load(LAMP)


@pytest.fixture(scope="module")
def of_scenario(lamp: Rulebook) -> Tally:
    same, counts = counted_copy(lamp)
    [scenario] = same.model.scenarios
    assert run_scenario(same, scenario).status == "passed"
    return counts.take()


def test_a_requirement_is_counted_for_each_candidate(
    lamp: Rulebook, of_scenario: Tally
) -> None:
    """Requirements about the colour are tested for both colours at both decisions; the
    others once at each decision.
    """
    assert counted_in(of_scenario, lamp, "requirement") == {
        "low": (2, 0),
        "able": (1, 1),
        "left": (3, 1),
    }


def test_a_branch_decided_by_an_option_is_counted(
    lamp: Rulebook, of_scenario: Tally
) -> None:
    branches = counted_in(of_scenario, lamp, "branch")

    assert list(branches.values()) == [(0, 1)]


def test_a_moved_card_is_counted_once(lamp: Rulebook, of_scenario: Tally) -> None:
    """Cards placed by the scenario are not moved by the rules."""
    assert counted_in(of_scenario, lamp, "card") == {"spark": (1, 0), "ash": (0, 0)}


def test_evaluations_by_tests_are_not_counted(
    lamp: Rulebook, of_scenario: Tally
) -> None:
    """The scenario evaluates points, and the reason why an action is illegal."""
    assert counted_in(of_scenario, lamp, "line") == {
        "dark": (0, 0),
        "twice": (0, 0),
        "otherwise number of token in player's hand": (0, 0),
        "number of token in player's hand >= 2": (1, 1),
        "glow": (0, 0),
    }


def test_counts_rows_and_truth_values_under_another_option(lamp: Rulebook) -> None:
    same, counts = counted_copy(lamp)
    game = Game.start(same, players=2, seed=1, options={"bright": True})
    counts.take()
    for action in ("take(spark)", "take(ash)", "shine(blue)"):
        game.apply(action)
    tally = counts.take()

    assert counted_in(tally, lamp, "row") == {
        "white": (0, 0),
        "red": (0, 0),
        "blue": (1, 0),
    }
    assert list(counted_in(tally, lamp, "branch").values()) == [(1, 0)]


def test_requirements_are_counted_in_file_order_even_if_a_later_one_is_cheaper() -> (
    None
):
    """The second requirement is cheaper, but is never evaluated because the first is
    not met.
    """
    book = loads(ASKED)
    same, counts = counted_copy(book)
    Game.start(same, seed=1).legal_actions()
    requirements = counted_in(counts.take(), book, "requirement")

    assert requirements == {"first": (1, 0), "heavy": (0, 1), "light": (0, 0)}


def test_a_condition_whose_end_an_option_decides_is_evaluated_from_its_beginning() -> (
    None
):
    book = loads(ASKED)
    same, counts = counted_copy(book)
    Game.start(same, seed=1).legal_actions()

    assert counted_in(counts.take(), book, "line")["stone > 5"] == (0, 1)


def played(book: Rulebook, of: Rulebook, games: int) -> Iterator[tuple[object, object]]:
    for made in comparison_games(of, Settings(), games):
        *_, last = islice(made.play(book), 150)
        yield last.events, last.position


@pytest.mark.parametrize("name", ["lamp", "tiny", "classic", "cardgame", "base"])
def test_counted_games_equal_ordinary_games(name: str, tiny_path: Path) -> None:
    """Compare every rule file with several settings."""
    paths = {"lamp": str(LAMP), "tiny": str(tiny_path)}
    book = workbench.load(paths.get(name, name))
    same, counts = counted_copy(book)

    assert list(played(same, book, 6)) == list(played(book, book, 6))
    assert any(held for held, _ in counts.take())


def test_the_program_of_an_uncounted_game_has_no_counters(
    lamp: Rulebook,
) -> None:
    before = python_program(lamp)
    counted_copy(lamp)

    assert python_program(lamp) == before
    assert not any(word in before for word in ("counted_", "asked(", "held["))
