"""Changes since a reader last looked: events and their effects on each seat.

Effects are limited to what the reader may know: they are derived from views and from
the log of a seat.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import attrs

from interpreter import Game
from rulebook.model import DomainSort
from rulebook.tooling import counted_limit
from workbench.presentation.localization.localizer import Localizer
from workbench.presentation.narration.momentary_fields import (
    game_before_first_turn,
    hidden_fields,
    name_only_bags,
)
from workbench.presentation.narration.table_changes import lost_members, table_changes
from workbench.presentation.narration.view_text import event_lines

View = Mapping[str, Any]
Reader = str | None


@attrs.define
class PendingChanges:
    """Changes that readers have not seen yet, by step and reader."""

    localizer: Localizer
    readers: Sequence[Reader]
    _views: dict[Reader, View] = attrs.field(factory=dict, init=False)
    _changes: dict[int, dict[Reader, str]] = attrs.field(factory=dict, init=False)

    def start(self, game: Game) -> None:
        """Store the current views; earlier changes are not reported.

        The first turn of a new game may have begun automatically. Changes caused by its
        chance events are reported.
        """
        self._changes = {
            step: texts for step, texts in self._changes.items() if step <= game.steps
        }
        first = game_before_first_turn(game)
        self._views = {reader: first.view(reader) for reader in self.readers}
        if first is not game:
            self.add_changes(game, first.steps, None)

    def add_changes(self, game: Game, since: int, seat: str | None) -> None:
        """Add the changes since a step, caused by an action of *seat*.

        Payments for the action are omitted unless a chance event has occurred since.
        """
        chance = any("chance" in event for event in game.events[since:])
        before = self._views
        self._views = {reader: game.view(reader) for reader in self.readers}
        aside = None if chance else seat
        self._changes[game.steps] = {
            reader: " · ".join(
                view_changes(before[reader], self._views[reader], self.localizer, aside)
            )
            for reader in self.readers
        }

    def lines(self, game: Game, since: int, reader: Reader) -> Iterator[str]:
        """Yield the events since a step, with the effects that a reader may know."""
        log = game.log(reader)
        noted = sorted({step for step in self._changes if step > since} | {len(log)})
        for step in noted:
            if step <= since:
                continue
            yield from event_lines(log[since:step], self.localizer)
            since = step
            changed = self._changes.get(step, {}).get(reader)
            if changed:
                yield f"    {changed}"


def view_changes(
    before: View, after: View, localizer: Localizer, acting_seat: str | None = None
) -> Iterator[str]:
    """Yield a text for each seat with its gains and losses between two views.

    For the seat `acting_seat`, only points and awards are reported. Bags that merely
    name cards, such as an offer, are ignored.
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
                seat != acting_seat
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
