"""Piece counts of a view, by space and owner."""

from collections.abc import Iterator, Mapping
from typing import Any


def piece_counts(places: Mapping[str, Any]) -> Iterator[tuple[str, str | None, int]]:
    """Yield the space, owner (None if unowned) and number of pieces of each group."""
    for space, there in places.items():
        if isinstance(there, Mapping):
            for owner, count in there.items():
                yield space, owner, count
        elif isinstance(there, str):
            yield space, there, 1
        else:
            yield space, None, int(there)


def count_suffix(count: int) -> str:
    """Return the suffix ` × COUNT`, or nothing for a single piece."""
    return f" ({count})" if count > 1 else ""
