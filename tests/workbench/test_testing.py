"""Generated games of any rule file, and the state machine that finds and shrinks
faults.

The house rules are faults added to a shipped game; each breaks one invariant.
"""

import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis.stateful import run_state_machine_as_test

from interpreter import Game
from rulebook import Rulebook
from workbench import load
from workbench.testing import GameMachine, InvariantBroken, games, machine_for

HOUSES = Path(__file__).parent / "houses"
QUICK = "vanishing_discards"
FOUND = {
    "doubling_steal": ("no resource card is lost or made", 9),
    "vanishing_discards": ("no resource card is lost or made", 25),
    "bare_reward": (
        "a town hall stands in the outer area exactly where the landmark is built",
        47,
    ),
}
"""Invariant that each fault breaks, and the maximum length of the shrunk game."""

DEALT = {"variable_setup": False}
"""Options with which a game may begin with few events, so that a short one fails."""


def run(machine: type[GameMachine]) -> None:
    run_state_machine_as_test(machine, settings=machine.TestCase.settings)


@pytest.fixture(scope="module")
def made_up(tiny: Rulebook) -> list[Game]:
    played: list[Game] = []

    @settings(max_examples=30, deadline=None, derandomize=True, database=None)
    @given(games(tiny, events=40))
    def collect(game: Game) -> None:
        played.append(game)

    collect()
    return played


def test_games_are_legal_and_replay(tiny: Rulebook, made_up: list[Game]) -> None:
    assert all(Game.replay(game.record, tiny) == game for game in made_up)


def test_games_differ_in_length_and_players(made_up: list[Game]) -> None:
    assert len({game.steps for game in made_up}) > 3
    assert len({len(game.seats) for game in made_up}) > 1


def test_state_machine_finds_nothing_in_valid_rules(tiny: Rulebook) -> None:
    run(machine_for(tiny, events=10, max_examples=5, derandomize=True, database=None))


@pytest.mark.parametrize("house", FOUND)
def test_state_machine_finds_and_shrinks_a_fault(house: str, *, deep: bool) -> None:
    if house != QUICK and not deep:
        pytest.skip("a minute each: run with --deep")
    book = load(str(HOUSES / f"{house}.rules"))
    title, most = FOUND[house]
    hypothesis: dict[str, Any] = {"derandomize": True, "database": None}
    machine = machine_for(book, options=DEALT, events=20, max_examples=60, **hypothesis)

    with pytest.raises(InvariantBroken) as caught:
        run(machine)

    broken = caught.value
    assert broken.title == title
    assert broken.events <= most
    record = re.split(r"read by `rulebook replay`:\n", str(broken))[1]
    assert Game.replay(record, book).steps == broken.events
