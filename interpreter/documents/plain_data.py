"""Type of plain data in a position, and access to its optional parts."""

from __future__ import annotations

from typing import Any

from interpreter.errors import PositionError
from rulebook import model as m

Plain = dict[str, Any]
PLAYER = m.Member("player", optional=True)


def get_object(position: Plain, key: str, path: str = "") -> Plain:
    """Return the object under *key*, or an empty object if it is missing.

    Raise `PositionError` if the value is not an object.
    """
    inner = position.get(key, {})
    if not isinstance(inner, dict):
        raise PositionError(f"{path}{key}", "expected an object")
    return inner
