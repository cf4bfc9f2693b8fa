"""First form of the digest, which is found in records of version 0.1.0.

It names Python classes and contains every field. It serves only to recognize old
records; new records never use it.
"""

from __future__ import annotations

import hashlib
import json
from typing import Any

import attrs

from rulebook.digests.canonical import TAGS, is_meaningful
from rulebook.model import Model

LANGUAGE = 1

OMITTED_FIELDS = frozenset({"span", "cites", "reason", "help", "plural", "sentence"})

NON_RULE_FIELDS = frozenset(
    {"scenarios", "invariants", "hints", "drawings", "values", "measures"}
)

FIELDS_ADDED_LATER: frozenset[tuple[str, str]] = frozenset(
    {
        ("whole", "optional"),
        ("clockwise", "after"),
        ("clockwise", "turning"),
        ("wins", "ranking"),
        ("model", "rounds"),
        ("model", "phases_each_round"),
        ("point_line", "condition"),
        ("longest_trail", "also"),
        ("longest_trail", "weight"),
        ("longest_trail", "joint"),
        ("each", "still"),
        ("reach", "links"),
        ("relation", "rows"),
        ("reach", "through"),
        ("reach", "within"),
        ("reach", "step"),
        ("repeat", "until"),
        ("choose", "if_several"),
        ("call", "player"),
        ("carry_out", "player"),
        ("define", "action"),
        ("define", "within"),
        ("field", "bookkeeping"),
        ("field", "piece"),
        ("piece", "room"),
        ("piece", "fields"),
        ("piece", "each_member"),
        ("piece_count", "another"),
        ("place_piece", "count"),
        ("place_piece", "instead"),
        ("place_piece", "carried"),
        ("remove_piece", "count"),
        ("remove_piece", "carried"),
        ("top_of", "place"),
        ("top_of", "from_bottom"),
    }
)
"""Pairs (tag, field) added after version 0.1.0, which the first form omits."""

LEADING_FIELDS: dict[str, tuple[str, ...]] = {
    "choose": ("player", "choice"),
    "gather": ("player", "choice", "low", "high"),
}
"""Fields, by tag, that the first form puts before the fields of the base class."""


def first_digest(model: Model, players: tuple[int, int], seats: tuple[str, ...]) -> str:
    """Return the digest of checked rules as version 0.1.0 computed it."""
    parts = [LANGUAGE, list(players), list(seats), first_form(model)]
    text = json.dumps(parts, ensure_ascii=False, separators=(",", ":"))
    return f"sha256:{hashlib.sha256(text.encode()).hexdigest()}"


def first_form(node: Any) -> Any:
    """Return a part of the model in the first form, as plain data."""
    if isinstance(node, tuple | list):
        return [first_form(part) for part in node]
    if isinstance(node, dict):
        return [
            [key, first_form(part)] for key, part in node.items() if is_meaningful(part)
        ]
    if not attrs.has(type(node)):
        return node
    tag = TAGS[type(node)]
    values = (
        first_form(getattr(node, name))
        for name in field_order(type(node))
        if (tag, name) not in FIELDS_ADDED_LATER
    )
    return [tag.title().replace("_", ""), *values]


def field_order(kind: type) -> tuple[str, ...]:
    """Return the names of a class's fields in the first form, in order."""
    tag = TAGS[kind]
    left_out = OMITTED_FIELDS | NON_RULE_FIELDS if tag == "model" else OMITTED_FIELDS
    names = (field.name for field in attrs.fields(kind))
    ordered = dict.fromkeys((*LEADING_FIELDS.get(tag, ()), *names))
    return tuple(name for name in ordered if name not in left_out)
