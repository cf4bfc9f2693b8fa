"""Conversion of the positions of pieces to plain data and back."""

from __future__ import annotations

from typing import Any

from interpreter.documents.plain_data import Plain
from interpreter.errors import PositionError
from interpreter.plan.plan import Plan


def write_piece(plan: Plan, s: list[Any], name: str) -> Plain:
    """Return the spaces with pieces of this name: {space: owner or true}.

    If several may share a space, each space has the count of each owner, or one count.
    """
    pieces_by_space: Plain = {}
    seats = plan.values.names["player"]
    owned = plan.model.pieces[name].each_player
    if plan.layout.pieces[name].owners:
        return write_piece_counts(plan, s, name)
    for domain, base in plan.layout.pieces[name].bases.items():
        for index, space in enumerate(plan.values.names[domain]):
            owner = s[base + index]
            if owner >= 0:
                pieces_by_space[space] = seats[owner] if owned else True
    return pieces_by_space


def write_piece_counts(plan: Plan, s: list[Any], name: str) -> Plain:
    """Return the number of pieces on each space: {space: {owner: count} or count}."""
    pieces_by_space: Plain = {}
    cells, seats = plan.layout.pieces[name], plan.values.names["player"]
    for domain, base in cells.bases.items():
        for index, space in enumerate(plan.values.names[domain]):
            row = base + index * cells.owners
            counts = s[row : row + cells.owners]
            if not any(counts):
                continue
            pieces_by_space[space] = counts[0]
            if plan.model.pieces[name].each_player:
                pairs = zip(seats, counts, strict=True)
                pieces_by_space[space] = {seat: count for seat, count in pairs if count}
    return pieces_by_space


def read_piece(plan: Plan, s: list[Any], name: str, positions: Any) -> None:
    """Read the positions of the pieces of this name, and check that enough exist."""
    if name not in plan.layout.pieces:
        raise PositionError(f"pieces.{name}", f"there is no piece `{name}`")
    cells = plan.layout.pieces[name]
    if not isinstance(positions, dict):
        raise PositionError(f"pieces.{name}", "expected {space: owner}")
    owned = plan.model.pieces[name].each_player
    if cells.owners:
        read_piece_counts(plan, s, name, positions)
        return
    for space, owner in positions.items():
        path = f"pieces.{name}.{space}"
        cell = space_cell(plan, cells.bases, space)
        if cell is None:
            raise PositionError(path, f"a {name} cannot be placed there")
        if owned:
            s[cell] = plan.values.member_index("player", owner, path)
        elif owner is True:
            s[cell] = 0
        else:
            raise PositionError(path, "expected true, because this piece has no owner")
    for owner in range(plan.players if owned else 1):
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
        if piece.each_player and not isinstance(plain, dict):
            raise PositionError(path, "expected {seat: count}")
        for seat, count in plain.items() if piece.each_player else (("", plain),):
            owner = plan.values.member_index("player", seat, path) if seat else 0
            s[first + owner] = parse_piece_count(
                count, f"{path}.{seat}" if seat else path
            )
        counts = s[first : first + cells.owners]
        each = piece.room is not None and piece.room.each_player
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
    """Return the first cell of a piece on a space, or None if it may not
    stand there.
    """
    for domain, base in bases.items():
        index = plan.values.member(domain, space)
        if index is not None:
            return base + index * width
    return None
