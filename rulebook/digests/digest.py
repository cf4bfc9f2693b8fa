"""Digest of the meaning of rules, and of each part of them.

The digest covers the canonical form. The digests of the parts show how two rulebooks
differ.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping

from rulebook.addresses import Address
from rulebook.digests.canonical import FORM, canonical, fields_of, hashed, says
from rulebook.model import Model

LANGUAGE = 1

SHORT = 8
"""Number of hexadecimal digits in the digest of a part."""


def digest(model: Model, players: tuple[int, int], seats: tuple[str, ...]) -> str:
    """Return `sha256:` and the hexadecimal digest of the checked rules."""
    text = document(model, players, seats)
    return f"sha256:{hashlib.sha256(text.encode('ascii')).hexdigest()}"


def document(model: Model, players: tuple[int, int], seats: tuple[str, ...]) -> str:
    """Return the text that the digest hashes: canonical JSON in ASCII."""
    whole = {
        "form": FORM,
        "language": LANGUAGE,
        "players": list(players),
        "seats": list(seats),
        "rules": canonical(model),
    }
    return json.dumps(whole, ensure_ascii=True, sort_keys=True, separators=(",", ":"))


def parts(
    model: Model, players: tuple[int, int], seats: tuple[str, ...]
) -> dict[str, str]:
    """Return short digests of the parts of the rules, by names like `actions.build`.

    The entry of a whole list, such as `actions`, covers the names in order.
    """
    digests = {"players": hashed(players), "seats": hashed(seats)}
    for field in fields_of(Model):
        value = getattr(model, field.name)
        if isinstance(value, dict):
            said = {key: part for key, part in value.items() if says(part)}
            digests[field.name] = hashed(tuple(said))
            digests |= {
                f"{field.name}.{key}": hashed(part) for key, part in said.items()
            }
        else:
            digests[field.name] = hashed(value)
    return {name: whole[:SHORT] for name, whole in digests.items()}


def differing(mine: Mapping[str, str], theirs: Mapping[str, str]) -> tuple[str, ...]:
    """Return the names of the parts that differ between two rulebooks, in order.

    A list is included only if none of its parts differs.
    """
    names = [name for name in {**mine, **theirs} if mine.get(name) != theirs.get(name)]
    parts_of_lists = filter(lambda part: part.called, map(Address.parse, names))
    lists = {part.sort for part in parts_of_lists}
    return tuple(name for name in names if name not in lists)
