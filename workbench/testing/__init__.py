"""Tests of rule files: scenarios, coverage, mutants, and Hypothesis strategies.

The names in this module are the public interface for tests in Python. They are imported
on first use, because they need Hypothesis, which `rulebook-lang[test]` installs.

Strategies draw indices into lists of possible values, and seeds for random play. A
failing case therefore shrinks to the fewest players, default options and the shortest
game.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from workbench.analysis.simulation.settings import Settings
    from workbench.testing.strategies.amendments import Amendment, amendments
    from workbench.testing.strategies.file_properties import RuleFileProperties
    from workbench.testing.strategies.game_strategy import games
    from workbench.testing.strategies.positions import positions
    from workbench.testing.strategies.starts import boards, starts
    from workbench.testing.strategies.state_machine import (
        GameMachine,
        InvariantBroken,
        machine_for,
    )

MODULES_BY_NAME = {
    "Amendment": "workbench.testing.strategies.amendments",
    "GameMachine": "workbench.testing.strategies.state_machine",
    "InvariantBroken": "workbench.testing.strategies.state_machine",
    "RuleFileProperties": "workbench.testing.strategies.file_properties",
    "Settings": "workbench.analysis.simulation.settings",
    "amendments": "workbench.testing.strategies.amendments",
    "boards": "workbench.testing.strategies.starts",
    "games": "workbench.testing.strategies.game_strategy",
    "machine_for": "workbench.testing.strategies.state_machine",
    "positions": "workbench.testing.strategies.positions",
    "starts": "workbench.testing.strategies.starts",
}
"""Module that defines each public name."""

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


def __getattr__(name: str) -> Any:
    """Import a public name. Raise `AttributeError` for other names."""
    if name not in MODULES_BY_NAME:
        raise AttributeError(f"module `workbench.testing` has no attribute `{name}`")
    return getattr(import_module(MODULES_BY_NAME[name]), name)
