"""Playing: a rulebook becomes games. The front door of this floor.

Games in C have a door of their own, `interpreter.compiled`, and so has searching for
what to do, `interpreter.tree_search`.
"""

from interpreter.beginning import options_of
from interpreter.counting.counts import Counts, Tally
from interpreter.counting.sites import BRANCH, EFFECT, REQUIREMENT, SORTS, Site
from interpreter.documents.json_text import NoDocument, read_document
from interpreter.documents.record_lines import read_events, read_header
from interpreter.documents.supplies import Supply
from interpreter.emitting import python_program
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
from interpreter.foresight import foreseen
from interpreter.game import Game
from interpreter.knowledge.lookahead import Outlook
from interpreter.knowledge.one_turn import Thought
from interpreter.outcome import Chance, Outcome
from interpreter.phrases import PHRASES, Said
from interpreter.plan.sights import HIDDEN
from interpreter.planning import counted
from interpreter.searches.budget import BUDGET_FORMS, Budget, budget_of
from interpreter.tables.action_index import Action
from interpreter.tables.chance import Stream
from interpreter.testing.run import (
    blank_position,
    broken,
    check_invariant,
    play_scenario,
    run_scenario,
)
from interpreter.testing.verdict import Verdict, VerdictStatus

__all__ = [
    "BRANCH",
    "BUDGET_FORMS",
    "EFFECT",
    "HIDDEN",
    "PHRASES",
    "REQUIREMENT",
    "SORTS",
    "Action",
    "Budget",
    "Bug",
    "Chance",
    "Counts",
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
    "SampleError",
    "Site",
    "Stream",
    "Supply",
    "Tally",
    "Thought",
    "UsageError",
    "Verdict",
    "VerdictStatus",
    "blank_position",
    "broken",
    "budget_of",
    "check_invariant",
    "counted",
    "foreseen",
    "options_of",
    "play_scenario",
    "python_program",
    "read_document",
    "read_events",
    "read_header",
    "run_scenario",
]
