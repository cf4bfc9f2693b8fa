"""The digest of what rules mean, and of each of their parts.

The digest is of the canonical form; the parts tell what differs between two rulebooks.
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
"""How many digits stand for a part: enough to tell two of one name apart."""


def digest(model: Model, players: tuple[int, int], seats: tuple[str, ...]) -> str:
    """Return `sha256:` and the hexadecimal digest of checked rules."""
    text = document(model, players, seats)
    return f"sha256:{hashlib.sha256(text.encode('ascii')).hexdigest()}"


def document(model: Model, players: tuple[int, int], seats: tuple[str, ...]) -> str:
    """Return the text that the digest is of: canonical JSON in ASCII."""
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
    """Return the short digest of each part of the rules, `actions.build` and so on.

    A part whose name ends in a list (`actions`) holds the names in order.
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
    """Return the names of the parts that two rulebooks do not share, in order.

    A list of names is one of them only if nothing that it names is.
    """
    names = [name for name in {**mine, **theirs} if mine.get(name) != theirs.get(name)]
    parts_of_lists = filter(lambda part: part.called, map(Address.parse, names))
    lists = {part.sort for part in parts_of_lists}
    return tuple(name for name in names if name not in lists)
