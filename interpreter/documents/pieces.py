"""Conversion of the positions of pieces to plain data and back."""

from __future__ import annotations

from typing import Any

from interpreter.documents.plain_data import Plain
from interpreter.errors import PositionError
from interpreter.plan.plan import Plan


def owner_names(plan: Plan, name: str) -> tuple[str, ...]:
    """Return the names of all owners of a piece, or () if it has none."""
    owner = plan.model.pieces[name].owner
    return () if owner is None else plan.values.names[owner]


def write_piece(plan: Plan, s: list[Any], name: str) -> Plain:
    """Return the positions of the pieces named *name*: {space: owner or true}.

    If several may share a space, see `write_piece_counts` for the format.
    """
    pieces_by_space: Plain = {}
    owners = owner_names(plan, name)
    if plan.layout.pieces[name].owners:
        return write_piece_counts(plan, s, name)
    for domain, base in plan.layout.pieces[name].bases.items():
        for index, space in enumerate(plan.values.names[domain]):
            owner = s[base + index]
            if owner >= 0:
                pieces_by_space[space] = owners[owner] if owners else True
    return pieces_by_space


def write_piece_counts(plan: Plan, s: list[Any], name: str) -> Plain:
    """Return the number of pieces on each space: {space: {owner: count} or count}."""
    pieces_by_space: Plain = {}
    cells, owners = plan.layout.pieces[name], owner_names(plan, name)
    for domain, base in cells.bases.items():
        for index, space in enumerate(plan.values.names[domain]):
            row = base + index * cells.owners
            counts = s[row : row + cells.owners]
            if not any(counts):
                continue
            pieces_by_space[space] = counts[0]
            if owners:
                pairs = zip(owners, counts, strict=True)
                pieces_by_space[space] = {
                    owner: count for owner, count in pairs if count
                }
    return pieces_by_space


def read_piece(plan: Plan, s: list[Any], name: str, positions: Any) -> None:
    """Read the positions of the pieces named *name* into the state.

    Raise `PositionError` if the game has fewer of these pieces.
    """
    if name not in plan.layout.pieces:
        raise PositionError(f"pieces.{name}", f"there is no piece `{name}`")
    cells = plan.layout.pieces[name]
    if not isinstance(positions, dict):
        raise PositionError(f"pieces.{name}", "expected {space: owner}")
    owner_kind = plan.model.pieces[name].owner
    if cells.owners:
        read_piece_counts(plan, s, name, positions)
        return
    for space, owner in positions.items():
        path = f"pieces.{name}.{space}"
        cell = space_cell(plan, cells.bases, space)
        if cell is None:
            raise PositionError(path, f"a {name} cannot be placed there")
        if owner_kind is not None:
            s[cell] = plan.values.member_index(owner_kind, owner, path)
        elif owner is True:
            s[cell] = 0
        else:
            raise PositionError(path, "expected true, because this piece has no owner")
    for owner in range(len(owner_names(plan, name)) or 1):
        if s[cells.low : cells.high].count(owner) > cells.count:
            raise PositionError(f"pieces.{name}", f"the game has only {cells.count}")


def read_piece_counts(plan: Plan, s: list[Any], name: str, positions: Plain) -> None:
    """Read the number of pieces on each space, for pieces that may share a space."""
    cells, piece = plan.layout.pieces[name], plan.model.pieces[name]
    for space, plain in positions.items():
        path = f"pieces.{name}.{space}"
        first = space_cell(plan, cells.bases, space, cells.owners)
        if first is None:
            raise PositionError(path, f"a {name} cannot be placed there")
        if piece.owner is None:
            s[first] = parse_piece_count(plain, path)
        elif isinstance(plain, dict):
            for whose, count in plain.items():
                owner = plan.values.member_index(piece.owner, whose, path)
                s[first + owner] = parse_piece_count(count, f"{path}.{whose}")
        else:
            word = "seat" if piece.each_player else piece.owner
            raise PositionError(path, f"expected {{{word}: count}}")
        counts = s[first : first + cells.owners]
        each = piece.room is not None and piece.room.each_owner
        most = max(counts) if each else sum(counts)
        if cells.max_per_space is not None and most > cells.max_per_space:
            raise PositionError(
                path, f"this space has room for only {cells.max_per_space}"
            )
    for owner in range(cells.owners):
        if sum(s[cells.low + owner : cells.high : cells.owners]) > cells.count:
            raise PositionError(f"pieces.{name}", f"the game has only {cells.count}")


def parse_piece_count(plain: Any, path: str) -> int:
    """Return the number of pieces on a space, or raise `PositionError`."""
    if isinstance(plain, bool) or not isinstance(plain, int) or plain < 0:
        raise PositionError(path, f"{plain!r} is not a count")
    return plain


def space_cell(
    plan: Plan, bases: dict[str, int], space: str, width: int = 1
) -> int | None:
    """Return a piece's first cell on a space, or None if it cannot be placed there."""
    for domain, base in bases.items():
        index = plan.values.member(domain, space)
        if index is not None:
            return base + index * width
    return None
