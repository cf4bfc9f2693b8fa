"""Digest of the meaning of rules, and digests of their parts.

The digest covers the canonical form. The digests of the parts show how two rulebooks
differ.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping

import attrs

from rulebook.addresses import Address
from rulebook.digests.canonical import (
    FORM_NUMBER,
    canonical_form,
    canonical_hash,
    default_of,
    is_meaningful,
    rule_fields,
)
from rulebook.model import Model

LANGUAGE = 1

PART_DIGITS = 8
"""Number of hexadecimal digits in the digest of a part."""


def digest(model: Model, players: tuple[int, int], seats: tuple[str, ...]) -> str:
    """Return `sha256:` and the hex digest of rules for *players* (minimum, maximum)."""
    text = canonical_document(model, players, seats)
    return f"sha256:{hashlib.sha256(text.encode('ascii')).hexdigest()}"


def canonical_document(
    model: Model, players: tuple[int, int], seats: tuple[str, ...]
) -> str:
    """Return the text that the digest hashes: canonical JSON in ASCII."""
    document = {
        "form": FORM_NUMBER,
        "language": LANGUAGE,
        "players": list(players),
        "seats": list(seats),
        "rules": canonical_form(model),
    }
    return json.dumps(
        document, ensure_ascii=True, sort_keys=True, separators=(",", ":")
    )


def part_digests(
    model: Model, players: tuple[int, int], seats: tuple[str, ...]
) -> dict[str, str]:
    """Return short digests of the parts of the rules, by names like `actions.build`.

    The digest of a list, such as `actions`, covers only its names and their order.
    """
    digests = {"players": canonical_hash(players), "seats": canonical_hash(seats)}
    for field in rule_fields(Model):
        value = getattr(model, field.name)
        if isinstance(value, dict):
            parts = {key: part for key, part in value.items() if is_meaningful(part)}
            digests[field.name] = canonical_hash(tuple(parts))
            digests |= {
                f"{field.name}.{key}": canonical_hash(part)
                for key, part in parts.items()
            }
        else:
            digests[field.name] = canonical_hash(value)
    return {name: full[:PART_DIGITS] for name, full in digests.items()}


def default_parts() -> dict[str, str]:
    """Return short digests of the parts that have a default value, by name."""
    defaults = {field.name: default_of(field) for field in rule_fields(Model)}
    return {
        name: canonical_hash(value)[:PART_DIGITS]
        for name, value in defaults.items()
        if value is not attrs.NOTHING and not isinstance(value, dict)
    }


def differing_parts(
    left: Mapping[str, str], right: Mapping[str, str]
) -> tuple[str, ...]:
    """Return the names of the parts that differ between two rulebooks, in order.

    A list is included only if none of its parts differs. A missing part has its default
    value, as in parts that an earlier version wrote.
    """
    defaults = default_parts()
    names = [
        name
        for name in {**left, **right}
        if left.get(name, defaults.get(name)) != right.get(name, defaults.get(name))
    ]
    parts_of_lists = filter(lambda part: part.without_sort, map(Address.parse, names))
    lists = {part.sort for part in parts_of_lists}
    return tuple(name for name in names if name not in lists)
