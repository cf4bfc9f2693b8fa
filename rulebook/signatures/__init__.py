"""Effect signatures: what each class of statements may do, declared once.

Checks, analyses and tools ask `effects_of` instead of matching classes of statements. A
new class of statements therefore needs one signature and one lowering.
"""

from rulebook.signatures.effect_values import (
    Binding,
    Block,
    CardTransfer,
    Effects,
    Ending,
    Failure,
    FieldPlace,
    Pause,
    PiecePlace,
    PieceTransfer,
    Place,
    Reveal,
    Run,
    TurnState,
    VariablePlace,
    Write,
)
from rulebook.signatures.statement_signatures import effects_of, is_statement

__all__ = [
    "Binding",
    "Block",
    "CardTransfer",
    "Effects",
    "Ending",
    "Failure",
    "FieldPlace",
    "Pause",
    "PiecePlace",
    "PieceTransfer",
    "Place",
    "Reveal",
    "Run",
    "TurnState",
    "VariablePlace",
    "Write",
    "effects_of",
    "is_statement",
]
