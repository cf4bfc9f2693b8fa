"""Changes on the table: fields of spaces and cards, and removed pieces.

Cards and pieces on a seat's own spaces belong to that seat. All others are common.
"""

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

from rulebook import Rulebook
from rulebook.model import Domain, DomainSort, Member, Type, Whole
from workbench.presentation.localization.localizer import NO_VALUE, Localizer
from workbench.presentation.narration.momentary_fields import hidden_fields
from workbench.presentation.narration.piece_counts import piece_counts

View = Mapping[str, Any]
COUNTABLE = frozenset({DomainSort.CARDS, DomainSort.KIND})
"""Sorts of domains whose removed members are counted, such as `-1 coin`."""


def table_changes(
    before: View, after: View, localizer: Localizer, seat: str | None
) -> Iterator[str]:
    """Yield texts about the changes to a seat's board, or to the common one (None).

    The fields of the seats themselves are left out.
    """
    if localizer.book is None:
        return
    yield from _lost_pieces(before, after, localizer, localizer.book, seat)
    hidden = hidden_fields(localizer.book, after)
    for domain in localizer.book.model.domains.values():
        if domain.sort is DomainSort.PLAYER:
            continue
        fields = {
            field.name: field.type
            for field in localizer.book.model.fields.values()
            if field.owner == domain.name and field.name not in hidden
        }
        if not fields:
            continue
        had, has = (_members(view, domain, localizer.book) for view in (before, after))
        for name, values in has.items():
            if (
                name not in had
                or _owner_of(name, domain, after, localizer.book) != seat
            ):
                continue
            for field, kind in fields.items():
                old, new = had[name].get(field), values.get(field)
                title = localizer.field(domain.name, field)
                change = _field_change(kind, old, new, title, localizer)
                is_held = seat is not None and _is_countable(kind, localizer.book)
                if change:
                    yield change if is_held else f"{localizer.value(name)} {change}"


def lost_members(
    before: View, after: View, localizer: Localizer, seat: str
) -> Iterator[str]:
    """Yield texts about the fields of a seat that no longer have a member."""
    if localizer.book is None:
        return
    hidden = hidden_fields(localizer.book, after)
    had, has = (view.get("player", {}).get(seat, {}) for view in (before, after))
    for field in localizer.book.model.fields.values():
        if field.owner != DomainSort.PLAYER or field.name in hidden:
            continue
        old, new = had.get(field.name), has.get(field.name)
        if isinstance(field.type, Member) and field.name in has:
            title = localizer.field(DomainSort.PLAYER, field.name)
            if change := _field_change(field.type, old, new, title, localizer):
                yield change


def _field_change(
    kind: Type, old: Any, new: Any, title: str, localizer: Localizer
) -> str:
    """Return the change of a number or of a removed member as text, or ""."""
    assert localizer.book is not None
    match old, new:
        case int(), int() if isinstance(kind, Whole) and old != new:
            return f"{title} {new - old:+d}"
        case str(), None if isinstance(kind, Member):
            if _is_countable(kind, localizer.book):
                return f"-1 {localizer.value(old)}"
            return f"{title} {NO_VALUE}"
    return ""


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


def _lost_pieces(
    before: View, after: View, localizer: Localizer, book: Rulebook, seat: str | None
) -> Iterator[str]:
    """Yield texts about the pieces that a seat has lost, such as `-2 ships`.

    With *seat* None, yield texts about the pieces that belong to no seat.
    """
    for piece, places in after.get("pieces", {}).items():
        was = before.get("pieces", {}).get(piece, {})
        had, has = (_counts_by_owner(where, after) for where in (was, places))
        kind = book.model.pieces[piece]
        for owner, count in had.items():
            if (owner if kind.each_player or not kind.owner else None) != seat:
                continue
            if has[owner] < count:
                lost = localizer.count_text(f"{has[owner] - count:+d}", piece)
                other = owner if owner != seat else None
                yield f"{localizer.title(other)} {lost}" if other else lost


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
