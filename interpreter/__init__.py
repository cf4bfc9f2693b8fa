"""Playing: a rulebook becomes games. The front door of this floor."""

from interpreter.actions import Action
from interpreter.chance import Stream
from interpreter.documents import NoDocument, read_document
from interpreter.emitting import python_program
from interpreter.errors import (
    Bug,
    IllegalAction,
    PositionError,
    RecordError,
    UsageError,
)
from interpreter.explanation import Explanation
from interpreter.game import Game
from interpreter.gathering import Gathering
from interpreter.lines import read_header
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
    "Gathering",
    "IllegalAction",
    "NoDocument",
    "Outcome",
    "Outlook",
    "PositionError",
    "RecordError",
    "Said",
    "Stream",
    "UsageError",
    "Verdict",
    "check_invariant",
    "python_program",
    "read_document",
    "read_header",
    "run_scenario",
]
