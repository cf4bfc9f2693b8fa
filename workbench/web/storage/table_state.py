"""State of a table, folded from its journal line by line.

A restarted server reaches the same state as one that has run all the time.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import attrs

from workbench.web.storage.journal import (
    FOLLOW_UP_KINDS,
    MAX_MESSAGES,
    NOTICE_KINDS,
    REPEATABLE_KINDS,
    JournalLine,
    LineKind,
    TableNotice,
)
from workbench.web.storage.turn_clock import TurnClock

MAX_NOTICES = 30
SHARE_DIVISOR = 20
"""Denominator of the share of lines that a seat may fill with each repeatable kind."""


@attrs.frozen
class UndoRequest:
    """Request of a seat to undo all events from journal line `first_line` on.

    It was made in line `number`. `agreed_seats` are the seats that have agreed so far.
    """

    number: int
    seat: str
    first_line: int
    agreed_seats: frozenset[str] = frozenset()


@attrs.frozen
class BotRequest:
    """Request, made in journal line `number`, that a bot play for a seat.

    `requester` is the requesting seat, or empty for the owner of the table. The bot
    takes over after the seat has been away for another `seconds` seconds.
    """

    number: int
    seat: str
    bot: str
    requester: str
    seconds: float


@attrs.define
class TableState:
    """State that results from the journal lines so far.

    `events` are the valid lines of the record. `advance_decisions` are decisions that
    seats made before the game asked. `last_change_line` is the last line that changed
    the game for everybody, and `last_decision_lines` is the last line with a decision
    of each seat. `repeatable_counts` counts repeatable lines by kind and seat.
    `rules_line` is the last line that changed the rules; `header` is the record's
    header since then. It contains the seed, so no page shows it. `bot_requests` are
    requested bots by seat. `key_pairs` are pairs of seats whose keys one browser has;
    an empty first seat means the owner's key. `taken` are seats whose links have been
    opened. `seat_keys` are the digests of the keys of people who joined with a code.
    `messages` are the latest lines of the chat, and `line_count` counts all
    other lines.
    """

    version: int = 0
    line_count: int = 0
    last_change_line: int = 0
    rules_line: int = 0
    events: list[JournalLine] = attrs.field(factory=list)
    advance_decisions: dict[str, list[JournalLine]] = attrs.field(factory=dict)
    last_decision_lines: dict[str, int] = attrs.field(factory=dict)
    repeatable_counts: Counter[tuple[LineKind, str]] = attrs.field(factory=Counter)
    names: dict[str, str] = attrs.field(factory=dict)
    stand_ins: dict[str, str] = attrs.field(factory=dict)
    away: set[str] = attrs.field(factory=set)
    bot_requests: dict[str, BotRequest] = attrs.field(factory=dict)
    key_pairs: set[tuple[str, str]] = attrs.field(factory=set)
    seat_keys: dict[str, str] = attrs.field(factory=dict)
    taken: set[str] = attrs.field(factory=set)
    clock: TurnClock = attrs.field(factory=TurnClock)
    undo_request: UndoRequest | None = None
    rules: str | None = None
    header: Mapping[str, Any] | None = None
    rematch_id: str | None = None
    messages: deque[JournalLine] = attrs.field(
        factory=lambda: deque(maxlen=MAX_MESSAGES)
    )
    notices: deque[TableNotice] = attrs.field(factory=lambda: deque(maxlen=MAX_NOTICES))

    @classmethod
    def from_lines(cls, lines: Iterable[JournalLine]) -> TableState:
        """Return the state that results from these journal lines."""
        state = cls()
        for line in lines:
            state.add(line)
        return state

    def has_room(self, new: Sequence[JournalLine], max_lines: int) -> bool:
        """Return whether lines may be added to a journal of at most *max_lines* lines.

        Each seat has a separate share for repeatable lines, so that it cannot use up
        the space of others. Follow-up lines and messages are always accepted.
        """
        kind, by = new[0].sort, new[0].by
        if (
            kind in REPEATABLE_KINDS
            and self.repeatable_counts[kind, by] * SHARE_DIVISOR >= max_lines
        ):
            return False
        if kind in FOLLOW_UP_KINDS or kind is LineKind.CHAT:
            return True
        return self.line_count + len(new) <= max_lines

    def add(self, line: JournalLine) -> None:
        """Apply the next line to the state."""
        self.version = line.number
        self.line_count += line.sort is not LineKind.CHAT
        if line.sort in REPEATABLE_KINDS:
            self.repeatable_counts[line.sort, line.by] += 1
        if line.sort is not LineKind.LEFT:  # a seat that acts is present
            self.bot_requests.pop(line.by, None)
        if line.sort is LineKind.EVENT:
            self._apply_event(line)
            return
        content = line.content
        seat = str(content.get("seat", ""))
        match line.sort:
            case LineKind.HELD:
                self.advance_decisions.setdefault(seat, []).append(line)
                self.last_decision_lines[seat] = line.number
            case LineKind.DROPPED:
                held, left = self.advance_decisions.get(seat, []), content["left"]
                self.advance_decisions[seat] = held[:left]
                self.clock = self.clock.withdraw({each.number for each in held[left:]})
                self.last_decision_lines[seat] = line.number
            case LineKind.UNDONE:
                events = [
                    event for event in self.events if event.number < content["to"]
                ]
                undone = {event.decision for event in self.events[len(events) :]}
                self.clock = self.clock.withdraw(undone)
                self.events, self.undo_request = events, None
                self.last_change_line = line.number
            case LineKind.RULES:
                self.rules, self.header = content["rules"], content.pop("header")
                self.undo_request = None
                self.last_change_line = self.rules_line = line.number
                self.advance_decisions.clear()
            case LineKind.CLOCK:
                self.clock = self.clock.update(content)
            case LineKind.REMINDED:
                self.clock = self.clock.mark(seat, is_reminded=True)
            case LineKind.LATE if not content["bot"]:
                self.clock = self.clock.mark(seat, is_late=True)
            case _:
                self._apply_player_line(line, seat)
        if line.sort in NOTICE_KINDS:
            gaps = {**content.pop("gaps", {}), **content}
            self.notices.append(TableNotice(line.number, str(line.sort), gaps))

    def _apply_event(self, line: JournalLine) -> None:
        """Apply an event, and remove the advance decision that it carries out."""
        self.events.append(line)
        self.last_change_line, self.undo_request = line.number, None
        if line.by:
            seat = line.by.partition("/")[0]
            self.last_decision_lines[seat] = line.number
            if line.number == line.decision and self.advance_decisions.get(seat):
                held = self.advance_decisions[seat].pop(0)
                self.clock = self.clock.move(held.number, line.number)

    def _apply_player_line(self, line: JournalLine, seat: str) -> None:
        """Apply a line about players: who plays a seat, and their requests."""
        content = line.content
        match line.sort:
            case LineKind.ASKED:
                self.undo_request = UndoRequest(line.number, seat, content["to"])
            case LineKind.AGREED if self.undo_request is not None:
                agreed = self.undo_request.agreed_seats | {seat}
                self.undo_request = attrs.evolve(self.undo_request, agreed_seats=agreed)
            case LineKind.DECLINED:
                self.undo_request = None
            case LineKind.WANTED:
                details = content["bot"], content["asker"], content["seconds"]
                self.bot_requests[seat] = BotRequest(line.number, seat, *details)
            case LineKind.OPENED:
                self.key_pairs.add((content["other"], seat))
            case LineKind.BOT:
                self.stand_ins[seat] = content["bot"]
            case LineKind.PERSON:
                self.stand_ins.pop(seat, None)
            case LineKind.NAMED:
                self.names[seat] = content["name"]
            case LineKind.LEFT:
                self.away.add(seat)
            case LineKind.CAME:
                self.away.discard(seat)
            case LineKind.TAKEN:
                self.taken.add(seat)
            case LineKind.KEY:
                self.seat_keys[seat] = content["key"]
            case LineKind.CHAT:
                self.messages.append(line)
            case LineKind.AGAIN:
                self.rematch_id = content["table"]
            case _:
                pass
