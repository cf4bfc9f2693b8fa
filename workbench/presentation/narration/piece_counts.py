"""What a view says of pieces: how many of whose stand on which space."""

from collections.abc import Iterator, Mapping
from typing import Any


def piece_counts(places: Mapping[str, Any]) -> Iterator[tuple[str, str | None, int]]:
    """Yield space, owner (None: nobody's) and number, for each owner on a space."""
    for space, there in places.items():
        if isinstance(there, Mapping):
            for owner, count in there.items():
                yield space, owner, count
        elif isinstance(there, str):
            yield space, there, 1
        else:
            yield space, None, int(there)


def times(count: int) -> str:
    """Return how many stand there, behind a name: nothing for one."""
    return f" ({count})" if count > 1 else ""
