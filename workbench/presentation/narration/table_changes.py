"""Changes on the table: fields of spaces and cards, and removed pieces.

Cards and pieces on a seat's own spaces belong to that seat. All others are common.
"""

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

from rulebook import Rulebook
from rulebook.model import Domain, Member, Type, Whole
from workbench.presentation.localization.localizer import Localizer
from workbench.presentation.narration.momentary_fields import hidden_fields
from workbench.presentation.narration.piece_counts import piece_counts

View = Mapping[str, Any]


def table_changes(
    before: View, after: View, localizer: Localizer, seat: str | None
) -> Iterator[str]:
    """Yield texts about the changes to a seat's board, or to the common one (None)."""
    if localizer.book is None:
        return
    yield from _lost_pieces(before, after, localizer, localizer.book, seat)
    hidden = hidden_fields(localizer.book, after)
    for domain in localizer.book.model.domains.values():
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
                change = _field_change(kind, had[name].get(field), values.get(field))
                if change is not None and isinstance(kind, Whole):
                    title = localizer.field(domain.name, field)
                    yield f"{localizer.value(name)} {title} {change}"
                elif change is not None:
                    yield f"-1 {localizer.value(change)}"


def _field_change(kind: Type, old: Any, new: Any) -> str | None:
    """Return the signed change of a number, the name of a removed card, or None."""
    match old, new:
        case int(), int() if isinstance(kind, Whole) and old != new:
            return f"{new - old:+d}"
        case str(), None if isinstance(kind, Member):
            return old
    return None


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
