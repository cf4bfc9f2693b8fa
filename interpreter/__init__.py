"""Playing: a rulebook becomes games. The front door of this floor."""

from interpreter.actions import Action
from interpreter.errors import (
    Bug,
    IllegalAction,
    PositionError,
    RecordError,
    UsageError,
)
from interpreter.explanation import Explanation
from interpreter.game import Game
from interpreter.outcome import Chance, Outcome
from interpreter.outlook import Outlook
from interpreter.phrases import PHRASES, Said
from interpreter.testing import Verdict, check_invariant, run_scenario

__all__ = [
    "PHRASES",
    "Action",
    "Bug",
    "Chance",
    "Explanation",
    "Game",
    "IllegalAction",
    "Outcome",
    "Outlook",
    "PositionError",
    "RecordError",
    "Said",
    "UsageError",
    "Verdict",
    "check_invariant",
    "run_scenario",
]
