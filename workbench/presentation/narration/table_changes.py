"""Changes on the table: fields of spaces and cards, and removed pieces.

Cards and pieces on a seat's own spaces belong to that seat. All others are common.
"""

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

import attrs

from rulebook import Rulebook
from rulebook.model import Domain, DomainSort, Field, Member, Type, Whole
from workbench.presentation.localization.localizer import Localizer
from workbench.presentation.narration.changes import CardMove, Sentences, ValueChange
from workbench.presentation.narration.momentary_fields import hidden_fields
from workbench.presentation.narration.piece_counts import piece_counts

View = Mapping[str, Any]
COUNTABLE = frozenset({DomainSort.CARDS, DomainSort.KIND})
"""Sorts of domains whose removed members are counted, such as `1 coin`."""


def table_changes(
    before: View, after: View, localizer: Localizer, seat: str | None
) -> Iterator[CardMove | ValueChange]:
    """Yield the changes of fields on a seat's board, or on the common one (None).

    The fields of the seats themselves are left out.
    """
    if localizer.book is None:
        return
    hidden = hidden_fields(localizer.book, after)
    for domain in localizer.book.model.domains.values():
        if domain.sort is DomainSort.PLAYER:
            continue
        fields = [
            field
            for field in localizer.book.model.fields.values()
            if field.owner == domain.name and field.name not in hidden
        ]
        if not fields:
            continue
        had, has = (_members(view, domain, localizer.book) for view in (before, after))
        for name, values in has.items():
            if (
                name not in had
                or _owner_of(name, domain, after, localizer.book) != seat
            ):
                continue
            for field in fields:
                old, new = had[name].get(field.name), values.get(field.name)
                change = _field_change(field, old, new, localizer)
                if isinstance(change, CardMove) and seat is None:
                    title = localizer.field(domain.name, field.name)
                    change = ValueChange(title, old, new)
                if isinstance(change, ValueChange):
                    change = attrs.evolve(change, owner=name)
                if change is not None:
                    yield change


def emptied_fields(
    before: View, after: View, localizer: Localizer, seat: str
) -> Iterator[CardMove | ValueChange]:
    """Yield the changes of a seat's fields that no longer have a member."""
    if localizer.book is None:
        return
    hidden = hidden_fields(localizer.book, after)
    had, has = (view.get("player", {}).get(seat, {}) for view in (before, after))
    for field in localizer.book.model.fields.values():
        if field.owner != DomainSort.PLAYER or field.name in hidden:
            continue
        if isinstance(field.type, Member) and field.name in has:
            old, new = had.get(field.name), has.get(field.name)
            change = _field_change(field, old, new, localizer)
            if change is not None:
                yield change


def _field_change(
    field: Field, old: Any, new: Any, localizer: Localizer
) -> CardMove | ValueChange | None:
    """Return the change of a number, or that a member is gone."""
    assert localizer.book is not None
    match old, new:
        case int(), int() if isinstance(field.type, Whole) and old != new:
            pass
        case str(), None if isinstance(field.type, Member):
            if _is_countable(field.type, localizer.book):
                return CardMove(field.type.domain, old, -1)
        case _:
            return None
    return ValueChange(localizer.field(field.owner, field.name), old, new)


def _is_countable(kind: Type, book: Rulebook) -> bool:
    """Return whether a type has cards or members of a kind as values."""
    return (
        isinstance(kind, Member) and book.model.domains[kind.domain].sort in COUNTABLE
    )


def _members(
    view: View, domain: Domain, book: Rulebook
) -> Mapping[str, Mapping[str, Any]]:
    """Return the field values of a domain's members, or the values dealt to them."""
    fields = book.model.fields.values()
    if any(field.home == domain.name and not field.dealt for field in fields):
        members: Mapping[str, Mapping[str, Any]] = view.get(domain.name, {})
        return members
    board = view.get("board", {})
    return {member: board[member] for member in domain.members if member in board}


def lost_pieces(
    before: View, after: View, localizer: Localizer, seat: str | None
) -> Iterator[str]:
    """Yield sentences about the pieces that a seat has fewer of on the board.

    With *seat* None, yield sentences about the pieces that belong to no seat.
    """
    if localizer.book is None:
        return
    for piece, places in after.get("pieces", {}).items():
        was = before.get("pieces", {}).get(piece, {})
        if was == places:
            continue
        had, has = (_counts_by_owner(where, after) for where in (was, places))
        kind = localizer.book.model.pieces[piece]
        for owner, count in had.items():
            if (owner if kind.each_player or not kind.owner else None) != seat:
                continue
            if has[owner] < count:
                things = localizer.count_text(str(count - has[owner]), piece)
                pattern = "pieces" if owner else "common_pieces"
                yield Sentences(localizer, owner).fill(pattern, things=things)


def _counts_by_owner(places: View, view: View) -> Counter[str | None]:
    """Return the number of pieces on the board by owner, None for common pieces."""
    counts: Counter[str | None] = Counter()
    for space, owner, number in piece_counts(places):
        counts[owner or _seat_of(space, view)] += number
    return counts


def _seat_of(space: str, view: View) -> str | None:
    """Return the seat that owns a space, or None."""
    seats = (seat for seat in view["points"] if space.startswith(f"{seat}_"))
    return next(seats, None)


def _owner_of(name: str, domain: Domain, view: View, book: Rulebook) -> str | None:
    """Return the seat that owns a member's space, or None."""
    if domain.each_player:
        return _seat_of(name, view)
    place_fields = [
        (field.owner, field.name)
        for field in book.model.fields.values()
        if isinstance(field.type, Member) and field.type.domain == domain.name
    ]
    for owner, field in place_fields:
        if owner is None or owner not in book.model.domains:
            continue
        if not book.model.domains[owner].each_player:
            continue
        for space, values in view.get(owner, {}).items():
            if values.get(field) == name:
                return _seat_of(space, view)
    return None
