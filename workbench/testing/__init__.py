"""For Python tests: strategies and properties of any rule file, with Hypothesis.

What is drawn are places in lists of what is possible, and seeds of stretches played at
random, so that whatever fails shrinks to the fewest players, the options that the rules
have by themselves, and the shortest game. The only room that imports Hypothesis, which
`rulebook-lang[test]` brings along.
"""

from workbench.simulation.settings import Settings
from workbench.testing.beginnings import boards, starts
from workbench.testing.changed_positions import positions
from workbench.testing.changed_rules import Amendment, amendments
from workbench.testing.machine import GameMachine, InvariantBroken, machine_for
from workbench.testing.played import games
from workbench.testing.properties import RuleFileProperties

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
