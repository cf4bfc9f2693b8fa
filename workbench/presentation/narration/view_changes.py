"""Effects of events on each seat, limited to what a reader may know.

They are derived from two views of the reader.
"""

from collections.abc import Collection, Iterator, Mapping
from typing import Any

from rulebook.model import Bag, DomainSort, Stack
from rulebook.tooling import counted_limit
from workbench.presentation.localization.localizer import Localizer
from workbench.presentation.narration.changes import (
    CardMove,
    Change,
    Sentences,
    ValueChange,
)
from workbench.presentation.narration.momentary_fields import (
    hidden_fields,
    name_only_bags,
)
from workbench.presentation.narration.table_changes import (
    emptied_fields,
    lost_pieces,
    table_changes,
)

View = Mapping[str, Any]
AT_LEAST = "≥ "
"""Mark of points that may be more, because the reader does not see everything."""


def view_changes(
    before: View,
    after: View,
    localizer: Localizer,
    acting_seat: str | None = None,
    described: Collection[str] = (),
) -> Iterator[Change]:
    """Yield sentences about what each seat has gained and lost between two views.

    For the seat `acting_seat` and for those `described` already, only points and awards
    are reported. Bags that merely name cards, such as an offer, are ignored.
    """
    for seat in after.get("points", {}):
        sentences = Sentences(localizer, seat)
        texts = [
            sentences.fill("award", award=award)
            for award in gained_awards(seat, before, after, localizer)
        ]
        points = before["points"].get(seat, 0), after["points"][seat]
        if len({*points}) > 1:
            old, new = (
                f"{AT_LEAST * (seat in view.get('at_least', ()))}{number}"
                for view, number in zip((before, after), points, strict=True)
            )
            texts.append(sentences.fill("points", before=old, after=new))
        changes: list[CardMove | ValueChange] = []
        if seat not in (acting_seat, *described):
            changes += holding_changes(before, after, localizer, seat)
        if acting_seat is None:
            changes += emptied_fields(before, after, localizer, seat)
        if seat != acting_seat:
            changes += table_changes(before, after, localizer, seat)
            texts += lost_pieces(before, after, localizer, seat)
        others = [
            change
            for change in changes
            if isinstance(change, CardMove)
            or change.owner
            or (change.before, change.after) != points  # the points by another name
        ]
        for text in dict.fromkeys((*texts, *sentences.describe(others))):
            yield Change(seat, text)
    if acting_seat is None:
        changes = list(table_changes(before, after, localizer, None))
        texts = list(lost_pieces(before, after, localizer, None))
        for text in (*texts, *Sentences(localizer, None).describe(changes)):
            yield Change(None, text)


def gained_awards(
    seat: str, before: View, after: View, localizer: Localizer
) -> Iterator[str]:
    """Yield the titles of the awards that a seat has won."""
    for award, holder in after.get("awards", {}).items():
        if holder == seat and before.get("awards", {}).get(award) != seat:
            yield localizer.title(award)


def holding_changes(
    before: View, after: View, localizer: Localizer, seat: str
) -> Iterator[CardMove | ValueChange]:
    """Yield the changes of the numbers and cards in a seat's fields."""
    book, hidden, kinds = localizer.book, frozenset[str](), dict[str, str]()
    if book is not None:
        hidden = hidden_fields(book, after) | name_only_bags(book)
        kinds = {
            field.name: field.type.domain
            for field in book.model.fields.values()
            if field.owner == DomainSort.PLAYER and isinstance(field.type, Bag | Stack)
        }
    had, has = (view.get("player", {}).get(seat, {}) for view in (before, after))
    for name, value in has.items():
        if had.get(name) == value or name in hidden or counted_limit(name) is not None:
            continue
        title = localizer.field(DomainSort.PLAYER, name)
        yield from field_changes(
            title, kinds.get(name), had.get(name), value, localizer
        )


def field_changes(
    title: str, kind: str | None, before: Any, after: Any, localizer: Localizer
) -> Iterator[CardMove | ValueChange]:
    """Yield the changes of a field: a number or several, or cards of a *kind*."""
    match before, after:
        case {"count": int(few)}, {"count": int(many)} if localizer.is_hidden(after):
            yield CardMove(kind or title, "", many - few)
        case Mapping(), Mapping() if localizer.is_hidden(before):
            yield CardMove(kind or title, "", -before["count"])
            for name, many in after.items():
                yield CardMove(kind or title, name, many)
        case Mapping(), Mapping() if localizer.is_hidden(after):
            yield CardMove(kind or title, "", after["count"])
            for name, few in before.items():
                yield CardMove(kind or title, name, -few)
        case Mapping(), Mapping():
            for name, many in after.items():
                few = before.get(name, 0)
                if kind is not None and isinstance(many, int):
                    yield CardMove(kind, name, many - few)
                elif many != few and isinstance(many, int):
                    yield ValueChange(f"{title} ({localizer.value(name)})", few, many)
        case bool(), bool():
            return
        case int(), int() if after != before:
            yield ValueChange(title, before, after)
