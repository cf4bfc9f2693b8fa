"""For Python tests: strategies and properties of any rule file, with Hypothesis.

What is drawn are places in lists of what is possible, and seeds of stretches played at
random, so that whatever fails shrinks to the fewest players, the options that the rules
have by themselves, and the shortest game. The only room that imports Hypothesis, which
`rulebook-lang[test]` brings along.
"""

from workbench.analysis.simulation.settings import Settings
from workbench.testing.strategies.amendments import Amendment, amendments
from workbench.testing.strategies.file_properties import RuleFileProperties
from workbench.testing.strategies.games import games
from workbench.testing.strategies.positions import positions
from workbench.testing.strategies.starts import boards, starts
from workbench.testing.strategies.state_machine import (
    GameMachine,
    InvariantBroken,
    machine_for,
)

__all__ = [
    "Amendment",
    "GameMachine",
    "InvariantBroken",
    "RuleFileProperties",
    "Settings",
    "amendments",
    "boards",
    "games",
    "machine_for",
    "positions",
    "starts",
]
