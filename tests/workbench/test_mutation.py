"""Scenarios that detect a mutant."""

from pathlib import Path

import pytest

from rulebook import Rulebook, load
from rulebook.tooling import Mutant, mutants
from workbench.testing.rule_tests import mutation

PATH = Path(__file__).parents[1] / "support" / "mutants.rules"
HOP, THREE = "a hop costs its price and is a point", "there are three seats"
DONE, STILL = "a turn lasts until its player is done", "who has hopped is still to act"


@pytest.fixture(scope="module")
def pond() -> Rulebook:
    return load(PATH)


def named(book: Rulebook, address: str, change: str) -> Mutant:
    return next(mutant for mutant in mutants(book, address) if mutant.change == change)


@pytest.mark.parametrize(
    ("address", "change", "titles"),
    [
        ("action.hop", "dropped: pays hop → (nothing)", [HOP]),
        ("action.hop", "dropped: increase your score by 1 → (nothing)", [HOP]),
        (
            "action.hop",
            "number: needs room: your score < 38 → needs room: your score < 39",
            [],
        ),
        ("to.catch", "dropped: shuffle pile → (nothing)", []),
        # Only the scenario fails the check, or it needs a missing part.
        ("header", "number: players 2 to 3 → players 2 to 2", [THREE]),
        # One scenario needs a missing part, and another scenario fails.
        (
            "phase.play",
            "once: you may, until done: … → you may do hop, steal",
            [DONE, STILL],
        ),
        # The rules fail the check, so no scenario detects anything.
        ("action.hop", "dropped: needs room: your score < 38 → (nothing)", []),
    ],
)
def test_scenario_detects_a_mutant_of_its_rule(
    pond: Rulebook, address: str, change: str, titles: list[str]
) -> None:
    mutant = named(pond, address, change)
    scenarios = mutation.noticing_scenarios(pond, mutant, pond.model.scenarios)

    assert [scenario.title for scenario in scenarios] == titles
    for scenario in pond.model.scenarios:
        assert mutation.notices_mutant(pond, mutant, scenario) is (
            scenario.title in titles
        )
