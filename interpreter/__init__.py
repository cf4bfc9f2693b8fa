"""Public interface of the interpreter: start, play and replay games of a rulebook.

`interpreter.c_engine` runs games in C, and `interpreter.search` searches for the best
action.
"""

from typing import TYPE_CHECKING

from interpreter.algorithms.budget import BUDGET_FORMS, Budget, parse_budget
from interpreter.core.action_index import Action
from interpreter.core.chance import Stream
from interpreter.documents.json_text import InvalidDocument, read_document
from interpreter.documents.record_lines import read_events, read_header
from interpreter.documents.supplies import Supply
from interpreter.errors import (
    Bug,
    IllegalAction,
    PositionError,
    RecordError,
    SampleError,
    UsageError,
)
from interpreter.explain.gathering import Gathering
from interpreter.explanation import Explanation
from interpreter.foresight import evaluate_turn
from interpreter.game import Game
from interpreter.knowledge.lookahead import Outlook
from interpreter.knowledge.turn_search import BestActions
from interpreter.measure.counting.counts import Counts, Tally
from interpreter.measure.counting.sites import BRANCH, EFFECT, REQUIREMENT, SORTS, Site
from interpreter.outcome import Chance, Outcome
from interpreter.phrases import PHRASES, Message
from interpreter.plan.observation_layout import HIDDEN
from interpreter.planning import counted_copy
from interpreter.play.start import options_of
from interpreter.python_listing import kernel_program, python_program
from interpreter.rule_tests.legality_questions import (
    LegalityQuestion,
    legality_expectations,
    legality_question,
)
from interpreter.rule_tests.run import (
    blank_position,
    check_invariant,
    run_scenario,
    run_scenario_with_game,
    violated_invariants,
)
from interpreter.rule_tests.verdict import Verdict, VerdictStatus
from rulebook.deprecated_names import deprecated_names

__all__ = [
    "BRANCH",
    "BUDGET_FORMS",
    "EFFECT",
    "HIDDEN",
    "PHRASES",
    "REQUIREMENT",
    "SORTS",
    "Action",
    "BestActions",
    "Budget",
    "Bug",
    "Chance",
    "Counts",
    "Explanation",
    "Game",
    "Gathering",
    "IllegalAction",
    "InvalidDocument",
    "LegalityQuestion",
    "Message",
    "Outcome",
    "Outlook",
    "PositionError",
    "RecordError",
    "SampleError",
    "Site",
    "Stream",
    "Supply",
    "Tally",
    "UsageError",
    "Verdict",
    "VerdictStatus",
    "blank_position",
    "check_invariant",
    "counted_copy",
    "evaluate_turn",
    "kernel_program",
    "legality_expectations",
    "legality_question",
    "options_of",
    "parse_budget",
    "python_program",
    "read_document",
    "read_events",
    "read_header",
    "run_scenario",
    "run_scenario_with_game",
    "violated_invariants",
]

if not TYPE_CHECKING:
    __getattr__ = deprecated_names(
        __name__,
        {
            "NoDocument": "InvalidDocument",
            "Said": "Message",
            "Thought": "BestActions",
            "broken": "violated_invariants",
            "play_scenario": "run_scenario_with_game",
            "budget_of": "parse_budget",
            "counted": "counted_copy",
            "foreseen": "evaluate_turn",
        },
    )
