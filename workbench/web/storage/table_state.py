"""The journal read line by line: what holds now, the same for who was there all along
and for a server that has just been started."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import attrs

from workbench.web.storage.journal import (
    AT_WILL,
    FOLLOWING,
    TOLD,
    JournalLine,
    LineKind,
    TableNotice,
)

NOTICES_MAX = 30
SHARES = 20
"""Of each thing that a seat does at will it has room for such a part of all lines."""


@attrs.frozen
class UndoRequest:
    """A seat has asked, with line `number`, to take back what was done from `to` on."""

    number: int
    seat: str
    to: int
    agreed: frozenset[str] = frozenset()


@attrs.frozen
class BotRequest:
    """A request, made with line `number`, that a bot plays for a seat.

    `asker` is the seat that asks, or empty for the owner of the table. The bot takes
    the seat after it has been away for `seconds` more.
    """

    number: int
    seat: str
    bot: str
    asker: str
    seconds: float


@attrs.define
class TableState:
    """What the lines so far come to.

    `events` are those of the record that hold, `held` what seats have decided before
    the game asks them, `moved` the last line that changed the game for everybody, `own`
    the last with which each seat decided, `at_will` how often it did what it may do as
    often as it likes, `ruled` the last with which the rules became others,
    and `header` that of the record since then: it has the seed, no page is told of it.
    `wanted` are the bots that others want for a seat, `opened` the pairs of keys that
    one browser is known to have (the first empty: the owner's).
    """

    version: int = 0
    moved: int = 0
    ruled: int = 0
    events: list[JournalLine] = attrs.field(factory=list)
    held: dict[str, list[JournalLine]] = attrs.field(factory=dict)
    own: dict[str, int] = attrs.field(factory=dict)
    at_will: Counter[tuple[LineKind, str]] = attrs.field(factory=Counter)
    names: dict[str, str] = attrs.field(factory=dict)
    stand_ins: dict[str, str] = attrs.field(factory=dict)
    away: set[str] = attrs.field(factory=set)
    wanted: dict[str, BotRequest] = attrs.field(factory=dict)
    opened: set[tuple[str, str]] = attrs.field(factory=set)
    asked: UndoRequest | None = None
    rules: str | None = None
    header: Mapping[str, Any] | None = None
    again: str | None = None
    notices: deque[TableNotice] = attrs.field(factory=lambda: deque(maxlen=NOTICES_MAX))

    @classmethod
    def of(cls, lines: Iterable[JournalLine]) -> TableState:
        """What some lines come to."""
        story = cls()
        for line in lines:
            story.add(line)
        return story

    def has_room(self, new: Sequence[JournalLine], most: int) -> bool:
        """Whether lines may be added where there are so many at most.

        Nobody takes the room of others: what a seat does as often as it likes it may do
        so often, and what follows on something that was done is never refused.
        """
        sort, by = new[0].sort, new[0].by
        if sort in AT_WILL and self.at_will[sort, by] * SHARES >= most:
            return False
        return sort in FOLLOWING or self.version + len(new) <= most

    def add(self, line: JournalLine) -> None:
        """Read the next line."""
        self.version = line.number
        if line.sort in AT_WILL:
            self.at_will[line.sort, line.by] += 1
        if line.sort is not LineKind.LEFT:  # whoever does anything is there
            self.wanted.pop(line.by, None)
        if line.sort is LineKind.EVENT:
            self._event(line)
            return
        said = line.said
        seat = str(said.get("seat", ""))
        match line.sort:
            case LineKind.HELD:
                self.held.setdefault(seat, []).append(line)
                self.own[seat] = line.number
            case LineKind.DROPPED:
                self.held[seat] = self.held.get(seat, [])[: said["left"]]
                self.own[seat] = line.number
            case LineKind.UNDONE:
                kept = [event for event in self.events if event.number < said["to"]]
                self.events, self.asked = kept, None
                self.moved = line.number
            case LineKind.RULES:
                self.rules, self.header = said["rules"], said.pop("header")
                self.asked = None
                self.moved = self.ruled = line.number
                self.held.clear()
            case _:
                self._people(line, seat)
        if line.sort in TOLD:
            gaps = {**said.pop("gaps", {}), **said}
            self.notices.append(TableNotice(line.number, str(line.sort), gaps))

    def _event(self, line: JournalLine) -> None:
        """An event: what is done of what was held is held no more."""
        self.events.append(line)
        self.moved, self.asked = line.number, None
        if line.by:
            seat = line.by.partition("/")[0]
            self.own[seat] = line.number
            if line.number == line.decision and self.held.get(seat):
                del self.held[seat][0]

    def _people(self, line: JournalLine, seat: str) -> None:
        """Who sits where, and what they ask of each other."""
        said = line.said
        match line.sort:
            case LineKind.ASKED:
                self.asked = UndoRequest(line.number, seat, said["to"])
            case LineKind.AGREED if self.asked is not None:
                agreed = self.asked.agreed | {seat}
                self.asked = attrs.evolve(self.asked, agreed=agreed)
            case LineKind.DECLINED:
                self.asked = None
            case LineKind.WANTED:
                asked = said["bot"], said["asker"], said["seconds"]
                self.wanted[seat] = BotRequest(line.number, seat, *asked)
            case LineKind.OPENED:
                self.opened.add((said["other"], seat))
            case LineKind.BOT:
                self.stand_ins[seat] = said["bot"]
            case LineKind.PERSON:
                self.stand_ins.pop(seat, None)
            case LineKind.NAMED:
                self.names[seat] = said["name"]
            case LineKind.LEFT:
                self.away.add(seat)
            case LineKind.CAME:
                self.away.discard(seat)
            case LineKind.AGAIN:
                self.again = said["table"]
            case _:
                pass
