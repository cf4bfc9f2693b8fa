"""Secrecy of fields, variables and choices: which seats know their values."""

from rulebook.secrecy.audience import decided_notes, slot_moves
from rulebook.secrecy.hidden_reads import HiddenReadFinder
from rulebook.secrecy.notes import notes_written
from rulebook.secrecy.variables import (
    HIDDEN_FROM_ACTOR,
    KNOWN_TO_ACTOR,
    PUBLIC,
    VariableSecrecy,
)

__all__ = [
    "HIDDEN_FROM_ACTOR",
    "KNOWN_TO_ACTOR",
    "PUBLIC",
    "HiddenReadFinder",
    "VariableSecrecy",
    "decided_notes",
    "notes_written",
    "slot_moves",
]
