"""The digest of what rules mean.

Made of the model in a canonical form: each part as its class's name and its fields,
without places, citations, reasons, help texts, hints and tests.
"""

from __future__ import annotations

import hashlib
import json
from typing import Any

import attrs

from rulebook.model import Model

LANGUAGE = 1

#: Fields that change no rule: places, texts for people, hints and tests.
LEFT_OUT = frozenset(
    {
        "span",
        "cites",
        "reason",
        "help",
        "plural",
        "sentence",
    }
)

#: The parts of a whole model that change no rule.
NO_RULES = frozenset({"scenarios", "invariants", "hints", "values"})


def digest(model: Model, players: tuple[int, int], seats: tuple[str, ...]) -> str:
    """Return `sha256:` and the hexadecimal digest of checked rules."""
    parts = [LANGUAGE, list(players), list(seats), canonical(model)]
    text = json.dumps(parts, ensure_ascii=False, separators=(",", ":"))
    return f"sha256:{hashlib.sha256(text.encode()).hexdigest()}"


def canonical(node: Any) -> Any:
    """Return a part of the model as plain data that two equal rules share."""
    if isinstance(node, tuple | list):
        return [canonical(one) for one in node]
    if isinstance(node, dict):
        return [[key, canonical(one)] for key, one in node.items()]
    if not attrs.has(type(node)):
        return node
    left_out = LEFT_OUT | NO_RULES if isinstance(node, Model) else LEFT_OUT
    values = (
        canonical(getattr(node, field.name))
        for field in attrs.fields(type(node))
        if field.name not in left_out
    )
    return [type(node).__name__, *values]
