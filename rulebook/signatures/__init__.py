"""Effect signatures: declarations of what each class of statements may do.

Checks, analyses and tools call `effects_of` instead of matching classes of statements.
A new class of statements therefore needs one signature and one lowering.
"""

from rulebook.signatures.effect_values import (
    AwardPlace,
    Binding,
    Block,
    CardTransfer,
    Effects,
    Ending,
    Failure,
    FieldPlace,
    Inputs,
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
from rulebook.signatures.expression_signatures import (
    callees_of,
    derived_range,
    inputs_of,
)
from rulebook.signatures.statement_signatures import (
    direct_parts,
    effects_of,
    effects_within,
    is_statement,
    statements_in,
)

__all__ = [
    "AwardPlace",
    "Binding",
    "Block",
    "CardTransfer",
    "Effects",
    "Ending",
    "Failure",
    "FieldPlace",
    "Inputs",
    "Pause",
    "PiecePlace",
    "PieceTransfer",
    "Place",
    "Reveal",
    "Run",
    "TurnState",
    "VariablePlace",
    "Write",
    "callees_of",
    "derived_range",
    "direct_parts",
    "effects_of",
    "effects_within",
    "inputs_of",
    "is_statement",
    "statements_in",
]
