"""Effects of events on each seat, limited to what a reader may know.

They are derived from two views of the reader.
"""

from collections.abc import Collection, Iterator, Mapping
from typing import Any

from rulebook.model import DomainSort
from rulebook.tooling import counted_limit
from workbench.presentation.localization.localizer import Localizer
from workbench.presentation.narration.momentary_fields import (
    hidden_fields,
    name_only_bags,
)
from workbench.presentation.narration.table_changes import lost_members, table_changes

View = Mapping[str, Any]


def view_changes(
    before: View,
    after: View,
    localizer: Localizer,
    acting_seat: str | None = None,
    described: Collection[str] = (),
) -> Iterator[str]:
    """Yield a text for each seat with its gains and losses between two views.

    For the seat `acting_seat` and for those `described` already, only points and awards
    are reported. Bags that merely name cards, such as an offer, are ignored.
    """
    hidden = (
        hidden_fields(localizer.book, after) | name_only_bags(localizer.book)
        if localizer.book
        else ()
    )
    for seat, points in after.get("points", {}).items():
        parts = [
            f"★ {award}" for award in gained_awards(seat, before, after, localizer)
        ]
        more = points - before["points"].get(seat, 0)
        if more:
            parts.append(localizer.points_text(f"{more:+d}"))
        holdings = after.get("player", {}).get(seat, {})
        had = before.get("player", {}).get(seat, {})
        for name, value in holdings.items():
            if (
                seat not in (acting_seat, *described)
                and name not in hidden
                and counted_limit(name) is None
            ):
                parts += field_changes(name, had.get(name), value, localizer)
        if acting_seat is None:
            parts += lost_members(before, after, localizer, seat)
        if seat != acting_seat:
            parts += table_changes(before, after, localizer, seat)
        if parts:
            yield f"{localizer.title(seat)} {', '.join(parts)}"
    if acting_seat is None:
        parts = list(table_changes(before, after, localizer, None))
        if parts:
            yield ", ".join(parts)


def gained_awards(
    seat: str, before: View, after: View, localizer: Localizer
) -> Iterator[str]:
    """Yield the titles of the awards that a seat has won."""
    for award, holder in after.get("awards", {}).items():
        if holder == seat and before.get("awards", {}).get(award) != seat:
            yield localizer.title(award)


def field_changes(
    name: str, before: Any, after: Any, localizer: Localizer
) -> Iterator[str]:
    """Yield the changes of a seat's field as texts, such as `+2 wood`."""
    title = localizer.field(DomainSort.PLAYER, name)
    match before, after:
        case {"count": int(few)}, {"count": int(many)}:
            if many != few:
                yield f"{title} {many - few:+d}"
        case Mapping(), Mapping():
            for kind, many in after.items():
                more = many - before.get(kind, 0) if isinstance(many, int) else 0
                if more:
                    yield localizer.count_text(f"{more:+d}", kind)
        case bool(), bool():
            return
        case int(), int() if after != before:
            yield f"{title} {after - before:+d}"
