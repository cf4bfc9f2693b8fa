"""Base class of tables, without the game: journal, seats and keys.

`Table` adds the game. For a table with untrusted rules, the server has no game.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

import attrs

from workbench.web.keys import SEAT
from workbench.web.storage import journal
from workbench.web.storage import table_seats as seating
from workbench.web.storage.journal import JournalLine, LineKind, TableNotice, line_json
from workbench.web.storage.table_errors import (
    ChatClosed,
    GameOver,
    LimitReached,
    SeatTaken,
    StalePage,
    UnknownTable,
    WriteConflict,
)
from workbench.web.storage.table_options import (
    CHAT_ALL,
    CHAT_PLAYERS,
    TableOptions,
)
from workbench.web.storage.table_seats import SeatState
from workbench.web.storage.table_state import BotRequest, TableState
from workbench.web.store import (
    OVER,
    StoredKey,
    StoredTable,
    TableStore,
    current_time,
    texts_digest,
)

MAX_LINES = 50_000


class BaseTable:
    """Journal, seats and keys of a table, without its game."""

    def __init__(
        self, store: TableStore, stored: StoredTable, max_lines: int = MAX_LINES
    ) -> None:
        self.store = store
        self.stored = attrs.evolve(stored, lines=())
        self.options = TableOptions.from_settings(stored.settings)
        self._max_lines = max_lines
        self._load(stored)

    def _load(self, stored: StoredTable) -> None:
        """Read the state from the stored journal."""
        self.state = TableState.from_lines(stored.lines)
        self._is_over = stored.state == OVER

    # ------------------------------------------------------------ properties

    @property
    def id(self) -> str:
        """Id of the table in addresses."""
        return self.stored.id

    @property
    def variant(self) -> str:
        """Variant of the game, as it was requested."""
        return self.stored.variant

    @property
    def version(self) -> int:
        """Number of the last journal line; it grows with every change."""
        return self.state.version

    @property
    def over(self) -> bool:
        """True if the game has ended."""
        return self._is_over

    @property
    def seats(self) -> tuple[SeatState, ...]:
        """Seats and their players, in seating order."""
        names = [key.seat for key in self.stored.keys if key.sort == SEAT]
        return seating.seat_states(names, self.stored.keys, self.state)

    def seat_state(self, seat: str) -> SeatState:
        """Return a seat with its player. Raise `UnknownTable` if it does not exist."""
        for place in self.seats:
            if place.seat == seat:
                return place
        raise UnknownTable(seat=seat)

    def key_target(self, key: str) -> tuple[str, str] | None:
        """Return the kind and seat that a key opens, or None if it opens nothing.

        The kind is `seat`, `watch` or `owner`; the seat of the last two is empty.
        """
        seat_keys = self.state.seat_keys.items()
        joined = (StoredKey(SEAT, seat, digest) for seat, digest in seat_keys)
        return seating.key_target((*self.stored.keys, *joined), key)

    @property
    def rematch(self) -> str | None:
        """Id of the rematch table, or None if there is none."""
        return self.state.rematch_id

    @property
    def notices(self) -> tuple[TableNotice, ...]:
        """Latest notices for the log."""
        return tuple(self.state.notices)

    @property
    def texts(self) -> Mapping[str, str]:
        """Texts of the current rules, by name; the game itself is first."""
        if self.state.rules is None:
            return self.stored.texts
        return self.store.texts(self.state.rules)

    @property
    def header(self) -> Mapping[str, Any]:
        """Header of the game's record under the current rules."""
        header: Mapping[str, Any] = self.state.header or self.stored.settings["header"]
        return header

    def record_text(
        self, events: Sequence[JournalLine], header: Mapping[str, Any] | None = None
    ) -> str:
        """Return the given events as a record of this table, which reveals the seed."""
        head = line_json(self.header if header is None else header)
        return "".join(f"{text}\n" for text in (head, *(line.text for line in events)))

    @property
    def record(self) -> str:
        """Complete record, with the seed and hidden information: not for players."""
        return self.record_text(self.state.events)

    # ------------------------------------------------------------ changes

    def append(self, new: Sequence[JournalLine], **changes: Any) -> None:
        """Store lines, then apply them; *changes* are as in `Store.append`.

        May raise `WriteConflict` or `LimitReached`.
        """
        if not self.state.has_room(new, self._max_lines):
            raise LimitReached
        self.store.append(self.id, new, **changes)
        for line in new:
            self.state.add(line)
        if changes.get("is_over") is not None:
            self._is_over = changes["is_over"]

    def _add(self, *new: JournalLine, **changes: Any) -> None:
        """Append lines; after a conflict, reload the table and raise `StalePage`.

        Also raises `LimitReached`.
        """
        try:
            self.append(new, **changes)
        except WriteConflict:
            self.reload()
            raise StalePage from None

    def reload(self) -> None:
        """Reload the table from the store. Raise `UnknownTable` if it was deleted."""
        stored = self.store.read(self.id)
        if stored is None:
            raise UnknownTable(table=self.id)
        self._load(stored)

    def set_away(self, seat: str, *, away: bool) -> None:
        """Store whether a seat is away, if this has changed."""
        state = self.seat_state(seat)
        if state.bot is None and state.away != away:
            kind = LineKind.LEFT if away else LineKind.CAME
            self._add(journal.new_line(self.version + 1, kind, seat, seat=seat))

    # ------------------------------------------------------------ chat

    @property
    def message_max(self) -> int:
        """Maximum number of characters of a message."""
        return seating.MESSAGE_MAX

    def has_chat(self) -> bool:
        """Return whether the table has a chat: at least two people can write."""
        people = sum(state.bot is None for state in self.seats)
        chat = self.options.chat
        return chat == CHAT_ALL or (chat == CHAT_PLAYERS and people > 1)

    def can_write(self, seat: str | None) -> bool:
        """Return whether a seat, or a spectator if *seat* is None, can write."""
        return self.has_chat() and (seat is not None or self.options.chat == CHAT_ALL)

    def add_message(self, seat: str | None, text: str) -> None:
        """Store a message of a seat, or of a spectator if *seat* is None.

        Raises `ChatClosed` and `InvalidMessage`.
        """
        if not self.can_write(seat):
            raise ChatClosed
        content = {"seat": seat or "", "text": seating.clean_message(text)}
        number = self.version + 1
        self._add(journal.new_line(number, LineKind.CHAT, seat or "", **content))

    # ------------------------------------------------------------ seats

    def mark_taken(self, seats: Sequence[str]) -> None:
        """Store that the links of seats have been opened, if this is new."""
        new = [
            journal.new_line(number, LineKind.TAKEN, seat=seat)
            for number, seat in enumerate(self.untaken(seats), self.version + 1)
        ]
        if new:
            self._add(*new)

    def untaken(self, seats: Sequence[str]) -> tuple[str, ...]:
        """Return those of *seats* whose links have not been opened."""
        return tuple(seat for seat in seats if seat not in self.state.taken)

    def free_seats(self) -> tuple[str, ...]:
        """Return the seats of people whose links nobody has opened."""
        if self.over:
            return ()
        return self.untaken([state.seat for state in self.seats if state.bot is None])

    def take_seat(self, seat: str, name: str, digest: str) -> None:
        """Give a free seat to a person with a new key, of which *digest* is the digest.

        Raises `SeatTaken` and `InvalidName`.
        """
        if seat not in self.free_seats():
            raise SeatTaken
        number, name = self.version + 1, seating.clean_name(name)
        new = [
            journal.new_line(number, LineKind.KEY, seat=seat, key=digest),
            journal.new_line(number + 1, LineKind.TAKEN, seat=seat),
        ]
        if name:
            kind = LineKind.NAMED
            new.append(journal.new_line(number + 2, kind, seat, seat=seat, name=name))
        self._add(*new)

    def keep_seat(self, seat: str) -> None:
        """Decline the bot that others request for a seat."""
        if seat in self.state.bot_requests:
            self._add(
                journal.new_line(self.version + 1, LineKind.KEPT, seat, seat=seat)
            )

    def due_bot_requests(self) -> tuple[BotRequest, ...]:
        """Return the bot requests whose seats are away now."""
        if self.over:
            return ()
        requests, away = self.state.bot_requests, self.state.away
        return tuple(requests[seat] for seat in requests if seat in away)

    # ------------------------------------------------------------ turn clock

    def next_clock_time(self) -> float | None:
        """Return the time of the next reminder or end of a clock, or None."""
        limit = self.options.clock
        return self.state.clock.next_time(limit) if limit and not self.over else None

    def late_seats(self) -> tuple[str, ...]:
        """Return the seats whose time has ended without any consequence yet."""
        if not self.options.clock or self.over:
            return ()
        clock = self.state.clock
        late = clock.seats_after(self.options.clock, current_time())
        return tuple(seat for seat in late if not clock.running[seat].is_late)

    def add_clock_notices(self) -> None:
        """Store notices for seats that have used half of their time, or all of it."""
        clock, half = self.state.clock, self.options.clock / 2
        if not half or self.over:
            return
        late, new = self.late_seats(), list[JournalLine]()
        for seat in clock.seats_after(half, current_time()):
            number, running = self.version + 1 + len(new), clock.running[seat]
            if seat in late:
                kind = LineKind.LATE
                new.append(journal.new_line(number, kind, seat=seat, bot=""))
            elif not running.is_reminded and not running.is_late:
                new.append(journal.new_line(number, LineKind.REMINDED, seat=seat))
        if new:
            self._add(*new)

    # ------------------------------------------------------------ keys

    def unannounced_keys(
        self, seats: Sequence[str], *, has_owner_key: bool
    ) -> tuple[tuple[str, str], ...]:
        """Return pairs of seats whose keys one browser has, if not announced yet.

        `seats` are the seats whose keys the browser has. `has_owner_key` is true if it
        has the owner's key, for which the first seat of a pair is empty. The result is
        empty if only one person plays.
        """
        people = [state.seat for state in self.seats if state.bot is None]
        own = [seat for seat in people if seat in seats]
        if len(people) < 2 or not own:
            return ()
        first, others = ("", own) if has_owner_key else (own[0], own[1:])
        pairs = ((first, seat) for seat in others)
        return tuple(pair for pair in pairs if pair not in self.state.key_pairs)

    def announce_keys(self, seats: Sequence[str], *, has_owner_key: bool) -> None:
        """Announce to all players which keys one browser has."""
        pairs = self.unannounced_keys(seats, has_owner_key=has_owner_key)
        new = [
            journal.new_line(number, LineKind.OPENED, seat=seat, other=other)
            for number, (other, seat) in enumerate(pairs, self.version + 1)
        ]
        if new:
            self._add(*new)

    def continue_under(
        self,
        texts: Mapping[str, str],
        record: str,
        author: str,
        *,
        is_over: bool,
        **gaps: Any,
    ) -> None:
        """Store that the game continues under other rules; then reload the table.

        `record` is the game under these rules, as replayed by a worker. `author` is the
        seat that edited the rules, or empty; `gaps` are values for the notice. Raises
        `GameOver`, and `StalePage` if the game has advanced since.
        """
        if self.over:
            raise GameOver
        header, *events = map(json.loads, record.splitlines())
        header.pop("sources", None)
        own_events = [event.content for event in self.state.events]
        if events[: len(own_events)] != own_events:
            raise StalePage
        number = self.version + 1
        content = {
            "gaps": gaps,
            "seat": author,
            "rules": texts_digest(texts),
            "header": header,
        }
        new = JournalLine(number, LineKind.RULES, line_json(content), author)
        new_events = journal.event_lines(events[len(own_events) :], number, "")
        self._add(new, *new_events, texts=texts, is_over=is_over)


class RemoteTable(BaseTable):
    """Table with untrusted rules, whose game runs in a worker process.

    `charged_client` is the client whose budget pays for the bots: the one that acted
    last. `unsent_lines` are lines that the server has added and the worker has not read
    yet.
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.charged_client = ""
        self.unsent_lines: list[JournalLine] = []
        self._bot_due = False
        self._halted_version = -1

    def _add(self, *new: JournalLine, **changes: Any) -> None:
        super()._add(*new, **changes)
        self.unsent_lines += new

    def bot_is_due(self) -> bool:
        """Return whether a bot is due, according to the worker's last answer."""
        return self._bot_due and self._halted_version != self.version

    def set_bot_due(self, *, due: bool) -> None:
        """Set whether a bot is due, as reported by the worker."""
        self._bot_due = due

    def halt_bots(self) -> None:
        """Stop the bots until something changes, because the worker was stopped."""
        self._halted_version = self.version
