"""The first form of the digest, as records of version 0.1.0 have it.

It named the classes of Python and wrote every field, so that it is kept here only to
know such records again. Nothing new is written in it.
"""

from __future__ import annotations

import hashlib
import json
from typing import Any

import attrs

from rulebook.digests.canonical import TAGS, says
from rulebook.model import Model

LANGUAGE = 1

LEFT_OUT = frozenset({"span", "cites", "reason", "help", "plural", "sentence"})

NO_RULES = frozenset(
    {"scenarios", "invariants", "hints", "drawings", "values", "measures"}
)

SINCE: frozenset[tuple[str, str]] = frozenset(
    {
        ("whole", "optional"),
        ("clockwise", "after"),
        ("clockwise", "turning"),
        ("wins", "ranking"),
        ("model", "rounds"),
        ("point_line", "condition"),
        ("longest_trail", "also"),
        ("longest_trail", "weight"),
        ("longest_trail", "joint"),
        ("each", "still"),
        ("reach", "links"),
        ("reach", "through"),
        ("reach", "within"),
        ("repeat", "until"),
        ("choose", "if_several"),
        ("carry_out", "who"),
        ("define", "action"),
        ("piece", "room"),
        ("piece_count", "another"),
        ("place_piece", "count"),
        ("place_piece", "instead"),
        ("remove_piece", "count"),
    }
)
"""Fields by tag that the classes have got since; the form does not know them."""

FIRST_OF: dict[str, tuple[str, ...]] = {
    "choose": ("who", "choice"),
    "gather": ("who", "choice", "low", "high"),
}
"""Fields by tag that the form has before those that all binders have."""


def first_digest(model: Model, players: tuple[int, int], seats: tuple[str, ...]) -> str:
    """Return the digest of checked rules as version 0.1.0 wrote it."""
    parts = [LANGUAGE, list(players), list(seats), first_form(model)]
    text = json.dumps(parts, ensure_ascii=False, separators=(",", ":"))
    return f"sha256:{hashlib.sha256(text.encode()).hexdigest()}"


def first_form(node: Any) -> Any:
    """Return a part of the model as the first form had it."""
    if isinstance(node, tuple | list):
        return [first_form(part) for part in node]
    if isinstance(node, dict):
        return [[key, first_form(part)] for key, part in node.items() if says(part)]
    if not attrs.has(type(node)):
        return node
    tag = TAGS[type(node)]
    values = (
        first_form(getattr(node, name))
        for name in named(type(node))
        if (tag, name) not in SINCE
    )
    return [tag.title().replace("_", ""), *values]


def named(kind: type) -> tuple[str, ...]:
    """Return the fields of a class that say something, in the order of the form."""
    tag = TAGS[kind]
    left_out = LEFT_OUT | NO_RULES if tag == "model" else LEFT_OUT
    names = (field.name for field in attrs.fields(kind))
    ordered = dict.fromkeys((*FIRST_OF.get(tag, ()), *names))
    return tuple(name for name in ordered if name not in left_out)
