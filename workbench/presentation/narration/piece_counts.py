"""Pieces in a view: their spaces, owners, numbers and field values."""

from collections.abc import Iterator, Mapping
from typing import Any

from rulebook.model import Field, Model


def piece_counts(
    pieces_by_space: Mapping[str, Any],
) -> Iterator[tuple[str, str | None, int]]:
    """Yield the space, owner (None if unowned) and number of pieces of each group."""
    for space, group in pieces_by_space.items():
        if isinstance(group, Mapping):
            for owner, count in group.items():
                yield space, owner, count
        elif isinstance(group, str):
            yield space, group, 1
        else:
            yield space, None, int(group)


def piece_fields(
    model: Model, view: Mapping[str, Any], piece: str, space: str, owner: str | None
) -> Iterator[tuple[Field, Any]]:
    """Yield the fields of a piece on a space, with their values in a view."""
    for key in model.pieces[piece].fields:
        field = model.fields[key]
        member = owner if field.is_pair else space
        value = view.get(str(field.home), {}).get(member, {}).get(field.name)
        value = value.get(space) if field.is_pair and value else value
        if value is not None and not field.bookkeeping:
            yield field, value


def count_suffix(count: int) -> str:
    """Return the suffix ` (COUNT)`, or "" for a single piece."""
    return f" ({count})" if count > 1 else ""
