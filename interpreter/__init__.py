"""Playing: a rulebook becomes games. The front door of this floor."""

from interpreter.documents.json_text import NoDocument, read_document
from interpreter.documents.record_lines import read_header
from interpreter.emitting import c_program, python_program
from interpreter.errors import (
    Bug,
    IllegalAction,
    PositionError,
    RecordError,
    UsageError,
)
from interpreter.explain.gathering import Gathering
from interpreter.explanation import Explanation
from interpreter.game import Game
from interpreter.knowledge.lookahead import Outlook
from interpreter.native.build.cache import user_cache
from interpreter.native.build.compilers import Compiler, c_compiler
from interpreter.native.build.refusal import NotBuilt
from interpreter.native.engine import NotNative
from interpreter.outcome import Chance, Outcome
from interpreter.phrases import PHRASES, Said
from interpreter.tables.action_index import Action
from interpreter.tables.chance import Stream
from interpreter.testing.run import Verdict, check_invariant, run_scenario
from interpreter.whole_games import Playout, Playouts, playouts

__all__ = [
    "PHRASES",
    "Action",
    "Bug",
    "Chance",
    "Compiler",
    "Explanation",
    "Game",
    "Gathering",
    "IllegalAction",
    "NoDocument",
    "NotBuilt",
    "NotNative",
    "Outcome",
    "Outlook",
    "Playout",
    "Playouts",
    "PositionError",
    "RecordError",
    "Said",
    "Stream",
    "UsageError",
    "Verdict",
    "c_compiler",
    "c_program",
    "check_invariant",
    "playouts",
    "python_program",
    "read_document",
    "read_header",
    "run_scenario",
    "user_cache",
]
