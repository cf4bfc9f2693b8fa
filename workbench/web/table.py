"""A table: a game, who sits at it, and what they do; stored before anybody is told.

It knows nothing of browsers. A decision says which line was the last that its page had
seen; where something else has happened since, it is refused and nothing changes.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import rulebook as rb
from interpreter import Game, IllegalAction, UsageError
from workbench.web.storage import journal, seats, simultaneous
from workbench.web.storage.bot_players import BotPlayers, BotTask, check_name
from workbench.web.storage.decisions import Deciding, block_since
from workbench.web.storage.errors import (
    BotSits,
    Full,
    GameOver,
    Halted,
    NoName,
    NotAsked,
    NotUndone,
    NotYours,
    Stale,
    TableError,
    Unknown,
)
from workbench.web.storage.journal import JournalLine, LineKind
from workbench.web.storage.seats import PERSON, SeatState
from workbench.web.storage.table_state import BotRequest, UndoRequest
from workbench.web.storage.undo import Done, after, lately
from workbench.web.store import StoredTable, Storing
from workbench.web.worker_pool.ledger import LINES_MAX, Ledger

__all__ = [
    "PERSON",
    "BotSits",
    "Full",
    "GameOver",
    "Halted",
    "NoName",
    "NotAsked",
    "NotUndone",
    "NotYours",
    "SeatState",
    "Stale",
    "Table",
    "TableError",
    "Unknown",
]


class Table(Ledger):
    """One table with its game."""

    def __init__(
        self,
        store: Storing,
        kept: StoredTable,
        book: rb.Rulebook,
        *,
        lines_max: int = LINES_MAX,
        bots: tuple[str, ...] = (),
    ) -> None:
        self.book = book
        self.bots = bots
        self._minds = BotPlayers(kept.settings["bot_seed"])
        super().__init__(store, kept, lines_max)

    def _read(self, kept: StoredTable) -> None:
        """Play what is kept once more."""
        super()._read(kept)
        self.game = Game.replay(self.record_of(self.story.events), self.book)
        self._lately: list[Done] = lately(
            self.game, self.story.events, self.story.ruled
        )
        self._asked: tuple[int, dict[str, Game]] = (-1, {})
        self._halted_at = -1

    # ------------------------------------------------------------ what it is

    @property
    def title(self) -> str:
        """What the rules call themselves."""
        return self.book.title

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return self.game.over

    @property
    def record(self) -> str:
        """The whole record. It has the seed and all that is hidden: not for players."""
        return self.game.record

    # ------------------------------------------------------------ what a seat sees

    def waits_for(self) -> tuple[str, ...]:
        """The seats that must decide now, in seating order."""
        first = self.game.to_act
        if first is None or first not in self.game.seats:
            return ()
        due = {first, *self._asked_now()}
        return tuple(seat for seat in self.game.seats if seat in due)

    def game_for(self, seat: str | None) -> Game:
        """The game in which a seat decides, if it may; else the game as it is.

        Of another than `game` the log tells what nobody did: see `log`.
        """
        if seat is None or self.game.to_act == seat:
            return self.game
        return self._asked_now().get(seat, self.game)

    def log(self, seat: str | None) -> list[dict[str, Any]]:
        """What has happened, as a seat (None: who looks on) may know it."""
        return self.game.log(seat)

    def since(self, seat: str) -> list[dict[str, Any]]:
        """What a seat may know of all that has happened since it last decided."""
        events = self.story.events
        last = next(
            (n for n in range(len(events), 0, -1) if events[n - 1].by == seat), 0
        )
        return self.game.log(seat)[last:]

    def due_since(self, seat: str) -> int:
        """The line since which a seat has had its decision: older pages are stale.

        While several decide at the same time, what the others do makes none so.
        """
        story = self.story
        own = story.own.get(seat, 0)
        begun = block_since(self.game, story.events)
        if begun is None:
            return max(story.moved, own)
        last = story.events[-1].number if story.events else 0
        return max(begun, own, story.moved if story.moved > last else 0)

    def _asked_now(self) -> dict[str, Game]:
        """The seats besides the first that may decide now, with the games they see."""
        version, later = self._asked
        if version != self.version:
            later = {}
            for seat, world in simultaneous.asked_later(self.game).items():
                if (own := self._held_world(world, seat)) is not None:
                    later[seat] = own
            self._asked = self.version, later
        return later

    def _held_world(self, world: Game, seat: str) -> Game | None:
        """The game that a seat sees which has decided before it was asked."""
        held = [each.said["texts"] for each in self.story.held.get(seat, ())]
        try:
            return simultaneous.going_on(world, seat, held)
        except (IllegalAction, UsageError, TableError):
            return None

    # ------------------------------------------------------------ deciding

    def decide(self, seat: str, texts: str | Sequence[str], at: int) -> None:
        """Do an action of a seat, or several: all or none. It is stored when this ends.

        `at` is the version of the page. Raises `Stale`, `NotYours`, `BotSits`, `Full`,
        `Halted`, and `IllegalAction` where the rules forbid it.
        """
        wanted = [texts] if isinstance(texts, str) else list(texts)
        place = self.place(seat)
        if place.stands_in is not None:
            raise BotSits(seat=seat, bot=place.stands_in)
        self._see_not_stale(self.due_since(seat), at)
        if place.bot is not None or seat not in self.waits_for() or not wanted:
            raise NotYours(seat=seat)
        if seat == self.game.to_act:
            self._do(seat, wanted, seat)
        else:
            self._hold(seat, wanted)

    def _see_not_stale(self, since: int, at: int) -> None:
        """Refuse what was done on a page of before a line. Raises `Stale`."""
        if not since <= at <= self.version:
            raise Stale

    def _hold(self, seat: str, wanted: Sequence[str]) -> None:
        """Keep what a seat decides before the game has come to it."""
        try:
            simultaneous.going_on(self._asked_now()[seat], seat, [wanted])
        except rb.RulesError as error:
            raise Halted from error
        self._add(
            journal.line(self.version + 1, LineKind.HELD, seat, seat=seat, texts=wanted)
        )

    def _do(self, seat: str, wanted: Sequence[str], by: str) -> None:
        """Do actions in the game, and what others hold that is due after them."""
        beside = Deciding.on(self.game, self.story)
        beside.do(seat, wanted, by)
        refused = beside.refused
        beside.settle()
        self._add(*beside.new, over=True if beside.game.over else None)
        self.game = beside.game
        self._lately = after(self._lately, *beside.done)
        if refused is not None:
            raise refused

    # ------------------------------------------------------------ taking back

    @property
    def undo(self) -> UndoRequest | None:
        """What somebody has asked to be taken back."""
        return self.story.asked

    def agreeing(self) -> tuple[str, ...]:
        """The seats whose people must still agree."""
        asked = self.story.asked
        if asked is None:
            return ()
        return tuple(
            place.seat
            for place in self.seats
            if place.decides and place.seat not in {asked.seat, *asked.agreed}
        )

    def can_undo(self, seat: str) -> bool:
        """Whether a seat may ask to take back what it did last."""
        done = bool(self.story.held.get(seat)) or self._last(seat) is not None
        return done and not self.over

    def _last(self, seat: str) -> Done | None:
        """The last decision of a seat's person, if nobody has learnt anything since."""
        own = (done for done in reversed(self._lately) if done.by == seat)
        return next(own, None)

    def ask_undo(self, seat: str, at: int) -> None:
        """Ask to take back what a seat did last; done when all other people agree.

        What it has decided before the game asked it is taken back at once. `at` is the
        version of the page. Raises `Ended`, `Stale` and `NotUndone`.
        """
        if self.over:
            raise GameOver
        self._see_not_stale(self.due_since(seat), at)
        if held := self.story.held.get(seat):
            number, left = self.version + 1, len(held) - 1
            self._add(
                journal.line(number, LineKind.DROPPED, seat, seat=seat, left=left)
            )
            return
        last = self._last(seat)
        if last is None or self.story.asked is not None or not self.place(seat).decides:
            raise NotUndone
        self._add(
            journal.line(
                self.version + 1, LineKind.ASKED, seat, seat=seat, to=last.number
            )
        )
        self._take_back_if_agreed()

    def agree(self, seat: str, at: int) -> None:
        """Agree to take back what was asked for, as the page of version `at` has it.

        Raises `NotAsked` and `Stale`.
        """
        asked = self.story.asked
        if asked is None or seat not in self.agreeing():
            raise NotAsked
        self._see_not_stale(asked.number, at)
        self._add(journal.line(self.version + 1, LineKind.AGREED, seat, seat=seat))
        self._take_back_if_agreed()

    def decline(self, seat: str, at: int) -> None:
        """Have it stay as it is; who has asked takes the asking back so.

        Raises `NotAsked` and `Stale`, as `agree` does.
        """
        asked = self.story.asked
        if asked is None or (seat != asked.seat and seat not in self.agreeing()):
            raise NotAsked
        self._see_not_stale(asked.number, at)
        self._add(journal.line(self.version + 1, LineKind.DECLINED, seat, seat=seat))

    def _take_back_if_agreed(self) -> None:
        """Take back what was asked for, once nobody is left to agree."""
        asked, story = self.story.asked, self.story
        if asked is None or self.agreeing():
            return
        kept = [done for done in self._lately if done.number < asked.to]
        game = self._lately[len(kept)].game
        beside = Deciding.on(game, story)
        beside.take_back(asked.seat, asked.to)
        beside.settle()
        self._add(*beside.new)
        self.game, self._lately = beside.game, after(kept, *beside.done)
        self._minds.forget()

    # ------------------------------------------------------------ who sits where

    def rename(self, seat: str, name: str) -> None:
        """Have a person called so. Raises `NoName` where that is no name."""
        self.place(seat)
        name = seats.name_of(name)
        if name != self.story.names.get(seat, ""):
            number = self.version + 1
            self._add(journal.line(number, LineKind.NAMED, seat, seat=seat, name=name))

    def hand_to_bot(self, seat: str, bot: str) -> None:
        """Let a bot decide for a person, until `take_back`.

        Raises `NoBot`, and `BotSits` where another one does already.
        """
        place = self.place(seat)
        check_name(bot, self.bots)
        if place.bot is not None or place.stands_in == bot:
            return
        if place.stands_in is not None:
            raise BotSits(seat=seat, bot=place.stands_in)
        self._add(
            journal.line(self.version + 1, LineKind.BOT, seat, seat=seat, bot=bot)
        )
        self._take_back_if_agreed()

    def ask_for_bot(self, seat: str, bot: str, asker: str, seconds: float) -> None:
        """Announce that a bot is to play for a person, who is asked.

        `asker` is the seat that asks, or empty for the owner. The bot takes the seat
        with `bot_takes_over`, if the person is away for `seconds` more and does nothing
        until then. Raises `Ended`, `NoBot`, and `BotSits` where another bot plays.
        """
        place = self.place(seat)
        check_name(bot, self.bots)
        if self.over:
            raise GameOver
        if place.stands_in not in {None, bot}:
            raise BotSits(seat=seat, bot=place.stands_in)
        if place.decides and seat not in self.story.wanted:
            said = {"seat": seat, "bot": bot, "asker": asker, "seconds": seconds}
            self._add(journal.line(self.version + 1, LineKind.WANTED, asker, **said))

    def bot_takes_over(self, wanted: BotRequest) -> None:
        """Let the bot of a request play, unless its person is back."""
        if wanted in self.bots_wanted():
            self.hand_to_bot(wanted.seat, wanted.bot)

    def take_back(self, seat: str) -> None:
        """Let the person decide again."""
        if self.place(seat).stands_in is not None:
            self._add(journal.line(self.version + 1, LineKind.PERSON, seat, seat=seat))

    # ------------------------------------------------------------ bots

    def _due_bot(self) -> tuple[str, str] | None:
        """The seat that is to decide and its bot; None while people are asked."""
        seat = self.game.to_act
        if seat is None or seat not in self.game.seats or self.undo is not None:
            return None
        place = self.place(seat)
        bot = place.bot or place.stands_in
        halted = self._halted_at == self.version
        return None if bot is None or halted else (seat, bot)

    def bot_is_due(self) -> bool:
        """Whether a bot is to decide."""
        return self._due_bot() is not None

    def bot_task(self) -> BotTask | None:
        """The decision of a bot that is due: it may be thought over elsewhere."""
        due = self._due_bot()
        return due and self._minds.task(self.game, *due, self.version)

    def bot_did(self, task: BotTask, action: str | None) -> bool:
        """Do what a bot has chosen; false where the table has changed meanwhile.

        Where there was nothing to choose the table halts until something changes.
        """
        if self._due_bot() != (task.seat, task.bot):
            return False
        if self.due_since(task.seat) > task.at:
            return False
        if action is None:
            self._halted_at = self.version
            return False
        try:
            self._do(task.seat, [action], f"{task.seat}/{task.bot}")
        except Stale:
            return False
        except (Halted, Full):
            self._halted_at = self.version
            return False
        if task.failed:
            said = {"seat": task.seat, "bot": task.bot}
            self._add(
                journal.line(self.version + 1, LineKind.FAILED, task.seat, **said)
            )
        return True

    def bot_step(self) -> bool:
        """Let one bot decide if one is due; whether it did."""
        task = self.bot_task()
        return task is not None and self.bot_did(task, task.chosen())

    # ------------------------------------------------------------ other tables

    def hear(self, new: Sequence[JournalLine]) -> None:
        """Read lines about people that somebody else has stored meanwhile."""
        for each in new:
            if each.number > self.version:
                self.story.add(each)

    def goes_on_at(self, new: StoredTable) -> None:
        """Keep a table, and note that the same is played there once more."""
        line = journal.line(self.version + 1, LineKind.AGAIN, "", table=new.id)
        self._add(line, begins=new)
