"""Table: a game, its players and their decisions. It is independent of browsers.

Everything is stored before anybody is notified. Each decision states the last line that
its page had seen. If something has happened since, the decision is rejected.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import rulebook as rb
from interpreter import Game, IllegalAction, UsageError
from workbench.web.storage import journal, simultaneous, table_seats
from workbench.web.storage.bot_players import BotPlayers, BotTask, check_bot_name
from workbench.web.storage.decisions import DecisionRun, line_before_block
from workbench.web.storage.journal import JournalLine, LineKind
from workbench.web.storage.table_errors import (
    BotPlaysSeat,
    GameOver,
    InvalidName,
    LimitReached,
    NoDecisionDue,
    NothingToUndo,
    NoUndoRequest,
    RulesFailed,
    StalePage,
    TableError,
    UnknownTable,
)
from workbench.web.storage.table_seats import PERSON, SeatState
from workbench.web.storage.table_state import BotRequest, UndoRequest
from workbench.web.storage.undo import UndoableDecision, add_undoable, find_undoable
from workbench.web.store import StoredTable, TableStore
from workbench.web.worker_pool.base_table import MAX_LINES, BaseTable

__all__ = [
    "PERSON",
    "BotPlaysSeat",
    "GameOver",
    "InvalidName",
    "LimitReached",
    "NoDecisionDue",
    "NoUndoRequest",
    "NothingToUndo",
    "RulesFailed",
    "SeatState",
    "StalePage",
    "Table",
    "TableError",
    "UnknownTable",
]


class Table(BaseTable):
    """Table whose game runs in this process."""

    def __init__(
        self,
        store: TableStore,
        stored: StoredTable,
        book: rb.Rulebook,
        *,
        max_lines: int = MAX_LINES,
        bots: tuple[str, ...] = (),
    ) -> None:
        self.book = book
        self.bots = bots
        self._minds = BotPlayers(stored.settings["bot_seed"])
        super().__init__(store, stored, max_lines)

    def _load(self, stored: StoredTable) -> None:
        """Rebuild the game and the state from the stored journal."""
        super()._load(stored)
        self.game = Game.replay(self.record_text(self.state.events), self.book)
        self._lately: list[UndoableDecision] = find_undoable(
            self.game, self.state.events, self.state.rules_line
        )
        self._asked: tuple[int, dict[str, Game]] = (-1, {})
        self._halted_at = -1

    # ------------------------------------------------------------ properties

    @property
    def title(self) -> str:
        """Title of the game's rules."""
        return self.book.title

    @property
    def over(self) -> bool:
        """True if the game has ended."""
        return self.game.over

    @property
    def record(self) -> str:
        """Complete record, with the seed and hidden information: not for players."""
        return self.game.record

    # ------------------------------------------------------------ views of a seat

    def waits_for(self) -> tuple[str, ...]:
        """Return the seats that must decide now, in seating order."""
        first = self.game.to_act
        if first is None or first not in self.game.seats:
            return ()
        due = {first, *self._early_games()}
        return tuple(seat for seat in self.game.seats if seat in due)

    def game_for(self, seat: str | None) -> Game:
        """Return the game in which a seat decides: a trial game, or else the real one.

        The log of a trial game contains arbitrary actions; use `log` instead.
        """
        if seat is None or self.game.to_act == seat:
            return self.game
        return self._early_games().get(seat, self.game)

    def log(self, seat: str | None) -> list[dict[str, Any]]:
        """Return the events that a seat (None: a spectator) may know."""
        return self.game.log(seat)

    def log_since_decision(self, seat: str) -> list[dict[str, Any]]:
        """Return the events that a seat may know since its last decision."""
        events = self.state.events
        last = next(
            (n for n in range(len(events), 0, -1) if events[n - 1].by == seat), 0
        )
        return self.game.log(seat)[last:]

    def decision_due_line(self, seat: str) -> int:
        """Return the number of the line since which a seat has had a decision to make.

        Older pages are stale. In a simultaneous block, other seats' lines never make a
        page stale.
        """
        state = self.state
        own = state.last_decision_lines.get(seat, 0)
        begun = line_before_block(self.game, state.events)
        if begun is None:
            return max(state.last_change_line, own)
        last = state.events[-1].number if state.events else 0
        return max(
            begun, own, state.last_change_line if state.last_change_line > last else 0
        )

    def _early_games(self) -> dict[str, Game]:
        """Return a trial game for each further seat that may decide in the open
        block.
        """
        version, later = self._asked
        if version != self.version:
            later = {}
            for seat, world in simultaneous.later_games(self.game).items():
                if (own := self._advance_game(world, seat)) is not None:
                    later[seat] = own
            self._asked = self.version, later
        return later

    def _advance_game(self, game_copy: Game, seat: str) -> Game | None:
        """Return the game of a seat after its advance decisions, or None."""
        held = [
            each.content["texts"] for each in self.state.advance_decisions.get(seat, ())
        ]
        try:
            return simultaneous.next_block_game(game_copy, seat, held)
        except (IllegalAction, UsageError, TableError):
            return None

    # ------------------------------------------------------------ decisions

    def decide(self, seat: str, texts: str | Sequence[str], page_version: int) -> None:
        """Apply and store one or more actions of a seat, all or none.

        `page_version` is the version of the page. Raises `StalePage`, `NoDecisionDue`,
        `BotPlaysSeat`, `LimitReached` and `RulesFailed`, and `IllegalAction` if the
        rules forbid an action.
        """
        wanted = [texts] if isinstance(texts, str) else list(texts)
        place = self.seat_state(seat)
        if place.stands_in is not None:
            raise BotPlaysSeat(seat=seat, bot=place.stands_in)
        self._check_not_stale(self.decision_due_line(seat), page_version)
        if place.bot is not None or seat not in self.waits_for() or not wanted:
            raise NoDecisionDue(seat=seat)
        if seat == self.game.to_act:
            self._apply(seat, wanted, seat)
        else:
            self._store_advance_decision(seat, wanted)

    def _check_not_stale(self, since: int, page_version: int) -> None:
        """Raise `StalePage` if a page of version *page_version* is older than line
        *since*.
        """
        if not since <= page_version <= self.version:
            raise StalePage

    def _store_advance_decision(self, seat: str, actions: Sequence[str]) -> None:
        """Store an advance decision of a seat."""
        try:
            simultaneous.next_block_game(self._early_games()[seat], seat, [actions])
        except rb.RulesError as error:
            raise RulesFailed from error
        self._add(
            journal.new_line(
                self.version + 1, LineKind.HELD, seat, seat=seat, texts=actions
            )
        )

    def _apply(self, seat: str, actions: Sequence[str], actor: str) -> None:
        """Apply actions, and the advance decisions that are due after them."""
        beside = DecisionRun.start(self.game, self.state)
        beside.apply_actions(seat, actions, actor)
        refused = beside.error
        beside.apply_due_decisions()
        self._add(*beside.new, is_over=True if beside.game.over else None)
        self.game = beside.game
        self._lately = add_undoable(self._lately, *beside.undoable)
        if refused is not None:
            raise refused

    # ------------------------------------------------------------ undo

    @property
    def undo(self) -> UndoRequest | None:
        """Pending undo request, or None."""
        return self.state.undo_request

    def seats_to_agree(self) -> tuple[str, ...]:
        """Return the seats whose players must still agree to the undo."""
        asked = self.state.undo_request
        if asked is None:
            return ()
        return tuple(
            place.seat
            for place in self.seats
            if place.is_person_deciding
            and place.seat not in {asked.seat, *asked.agreed_seats}
        )

    def can_undo(self, seat: str) -> bool:
        """Return whether a seat may ask to undo its last decision."""
        done = (
            bool(self.state.advance_decisions.get(seat))
            or self._last_undoable(seat) is not None
        )
        return done and not self.over

    def _last_undoable(self, seat: str) -> UndoableDecision | None:
        """Return the last decision of a seat's player if it revealed nothing to
        anyone.
        """
        own = (done for done in reversed(self._lately) if done.actor == seat)
        return next(own, None)

    def request_undo(self, seat: str, page_version: int) -> None:
        """Ask to undo the last decision of a seat; all other players must agree.

        An advance decision is undone at once. `page_version` is the version of the
        page. Raises `GameOver`, `StalePage` and `NothingToUndo`.
        """
        if self.over:
            raise GameOver
        self._check_not_stale(self.decision_due_line(seat), page_version)
        if held := self.state.advance_decisions.get(seat):
            number, left = self.version + 1, len(held) - 1
            self._add(
                journal.new_line(number, LineKind.DROPPED, seat, seat=seat, left=left)
            )
            return
        last = self._last_undoable(seat)
        if (
            last is None
            or self.state.undo_request is not None
            or not self.seat_state(seat).is_person_deciding
        ):
            raise NothingToUndo
        self._add(
            journal.new_line(
                self.version + 1, LineKind.ASKED, seat, seat=seat, to=last.number
            )
        )
        self._undo_if_agreed()

    def agree(self, seat: str, page_version: int) -> None:
        """Agree to the undo request on a page of version `page_version`.

        May raise `NoUndoRequest` or `StalePage`.
        """
        asked = self.state.undo_request
        if asked is None or seat not in self.seats_to_agree():
            raise NoUndoRequest
        self._check_not_stale(asked.number, page_version)
        self._add(journal.new_line(self.version + 1, LineKind.AGREED, seat, seat=seat))
        self._undo_if_agreed()

    def decline(self, seat: str, page_version: int) -> None:
        """Decline the undo request, or withdraw it if the seat made it.

        May raise `NoUndoRequest` or `StalePage`.
        """
        asked = self.state.undo_request
        if asked is None or (seat != asked.seat and seat not in self.seats_to_agree()):
            raise NoUndoRequest
        self._check_not_stale(asked.number, page_version)
        self._add(
            journal.new_line(self.version + 1, LineKind.DECLINED, seat, seat=seat)
        )

    def _undo_if_agreed(self) -> None:
        """Carry out the undo once everybody has agreed."""
        asked, state = self.state.undo_request, self.state
        if asked is None or self.seats_to_agree():
            return
        kept = [done for done in self._lately if done.number < asked.first_line]
        game = self._lately[len(kept)].game
        beside = DecisionRun.start(game, state)
        beside.undo_to(asked.seat, asked.first_line)
        beside.apply_due_decisions()
        self._add(*beside.new)
        self.game, self._lately = beside.game, add_undoable(kept, *beside.undoable)
        self._minds.discard_plans()

    # ------------------------------------------------------------ players

    def rename(self, seat: str, name: str) -> None:
        """Set the name of a seat's player. Raise `InvalidName` if it is invalid."""
        self.seat_state(seat)
        name = table_seats.clean_name(name)
        if name != self.state.names.get(seat, ""):
            number = self.version + 1
            self._add(
                journal.new_line(number, LineKind.NAMED, seat, seat=seat, name=name)
            )

    def hand_to_bot(self, seat: str, bot: str) -> None:
        """Let a bot decide for a player, until `take_back`.

        Raises `UnknownBot`, and `BotPlaysSeat` if another bot already decides.
        """
        place = self.seat_state(seat)
        check_bot_name(bot, self.bots)
        if place.bot is not None or place.stands_in == bot:
            return
        if place.stands_in is not None:
            raise BotPlaysSeat(seat=seat, bot=place.stands_in)
        self._add(
            journal.new_line(self.version + 1, LineKind.BOT, seat, seat=seat, bot=bot)
        )
        self._undo_if_agreed()

    def ask_for_bot(self, seat: str, bot: str, requester: str, seconds: float) -> None:
        """Request that a bot plays for another player, who can decline.

        `requester` is the requesting seat, or empty for the owner. If the player stays
        away for `seconds` more, `seat_requested_bot` lets the bot play. Raises
        `GameOver`, `UnknownBot`, and `BotPlaysSeat` if another bot already plays.
        """
        place = self.seat_state(seat)
        check_bot_name(bot, self.bots)
        if self.over:
            raise GameOver
        if place.stands_in not in {None, bot}:
            raise BotPlaysSeat(seat=seat, bot=place.stands_in)
        if place.is_person_deciding and seat not in self.state.bot_requests:
            said = {"seat": seat, "bot": bot, "asker": requester, "seconds": seconds}
            self._add(
                journal.new_line(self.version + 1, LineKind.WANTED, requester, **said)
            )

    def seat_requested_bot(self, request: BotRequest) -> None:
        """Let the requested bot play, unless the seat's player has returned."""
        if request in self.due_bot_requests():
            self.hand_to_bot(request.seat, request.bot)

    def take_back(self, seat: str) -> None:
        """Let the seat's player decide again instead of a bot."""
        if self.seat_state(seat).stands_in is not None:
            self._add(
                journal.new_line(self.version + 1, LineKind.PERSON, seat, seat=seat)
            )

    # ------------------------------------------------------------ bots

    def _due_bot(self) -> tuple[str, str] | None:
        """Return the seat and bot that must decide; None while an undo is pending."""
        seat = self.game.to_act
        if seat is None or seat not in self.game.seats or self.undo is not None:
            return None
        place = self.seat_state(seat)
        bot = place.bot or place.stands_in
        halted = self._halted_at == self.version
        return None if bot is None or halted else (seat, bot)

    def bot_is_due(self) -> bool:
        """Return whether a bot must decide now."""
        return self._due_bot() is not None

    def bot_task(self) -> BotTask | None:
        """Return the task of the bot that must decide, or None.

        Any thread may run it.
        """
        due = self._due_bot()
        return due and self._minds.task(self.game, *due, self.version)

    def apply_bot_choice(self, task: BotTask, action: str | None) -> bool:
        """Apply the choice of a bot; return false if the table has changed since.

        Without an action, the bots stop until something changes.
        """
        if self._due_bot() != (task.seat, task.bot):
            return False
        if self.decision_due_line(task.seat) > task.at:
            return False
        if action is None:
            self._halted_at = self.version
            return False
        try:
            self._apply(task.seat, [action], f"{task.seat}/{task.bot}")
        except StalePage:
            return False
        except (RulesFailed, LimitReached):
            self._halted_at = self.version
            return False
        if task.error:
            said = {"seat": task.seat, "bot": task.bot}
            self._add(
                journal.new_line(self.version + 1, LineKind.FAILED, task.seat, **said)
            )
        return True

    def play_bot(self) -> bool:
        """Let the bot that is due decide; return false if none is due."""
        task = self.bot_task()
        return task is not None and self.apply_bot_choice(task, task.choose_action())

    # ------------------------------------------------------------ other tables

    def apply_stored_lines(self, new: Sequence[JournalLine]) -> None:
        """Apply lines that another process has stored."""
        for each in new:
            if each.number > self.version:
                self.state.add(each)

    def add_rematch(self, new: StoredTable) -> None:
        """Store a rematch as a new table, and note its id in the journal."""
        line = journal.new_line(self.version + 1, LineKind.AGAIN, "", table=new.id)
        self._add(line, new_table=new)
