"""Secrecy of fields, variables and choices: which seats know their values."""

from rulebook.secrecy.audience import notes, slot_moves
from rulebook.secrecy.hidden_reads import HiddenReadFinder
from rulebook.secrecy.notes import notes_written
from rulebook.secrecy.variables import NOTHING, OTHERS, OWN, VariableSecrecy

__all__ = [
    "NOTHING",
    "OTHERS",
    "OWN",
    "HiddenReadFinder",
    "VariableSecrecy",
    "notes",
    "notes_written",
    "slot_moves",
]
