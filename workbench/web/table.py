"""Table: a game, its players and their decisions, independent of browsers.

Everything is stored before anybody is notified. Each decision names the last journal
line that its page showed, and is rejected if the table has changed since then.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import rulebook as rb
from interpreter import Game, IllegalAction, UsageError
from workbench.defaults import GREEDY
from workbench.errors import RequestError
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
from workbench.web.store import StoredTable, TableStore, current_time
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
        self._bot_players = BotPlayers(stored.settings["bot_seed"])
        super().__init__(store, stored, max_lines)

    def _load(self, stored: StoredTable) -> None:
        """Rebuild the game and the state from the stored journal."""
        super()._load(stored)
        self.game = Game.replay(self.record_text(self.state.events), self.book)
        self._undoable: list[UndoableDecision] = find_undoable(
            self.game, self.state.events, self.state.rules_line
        )
        self._early_games_cache: tuple[int, dict[str, Game]] = (-1, {})
        self._halted_version = -1

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
        """Return the game in which a seat decides: its trial game, or the real one.

        A trial game is a copy in which a seat decides in advance. Its log contains
        arbitrary actions of other seats; use `log` instead.
        """
        if seat is None or self.game.to_act == seat:
            return self.game
        return self._early_games().get(seat, self.game)

    def log(self, seat: str | None) -> list[dict[str, Any]]:
        """Return the events visible to a seat, or to a spectator if *seat* is None."""
        return self.game.log(seat)

    def log_since_decision(self, seat: str) -> list[dict[str, Any]]:
        """Return the events since a seat's last decision that the seat may know."""
        events = self.state.events
        last = next(
            (n for n in range(len(events), 0, -1) if events[n - 1].by == seat), 0
        )
        return self.game.log(seat)[last:]

    def decision_due_line(self, seat: str) -> int:
        """Return the number of the last line that affects a seat's current decision.

        Older pages are stale. In a simultaneous block, other seats' lines never make a
        page stale.
        """
        state = self.state
        last_own_line = state.last_decision_lines.get(seat, 0)
        block_start = line_before_block(self.game, state.events)
        if block_start is None:
            return max(state.last_change_line, last_own_line)
        last = state.events[-1].number if state.events else 0
        return max(
            block_start,
            last_own_line,
            state.last_change_line if state.last_change_line > last else 0,
        )

    def _early_games(self) -> dict[str, Game]:
        """Return the trial games of seats that may decide in advance, by seat."""
        version, later = self._early_games_cache
        if version != self.version:
            later = {}
            for seat, game_copy in simultaneous.later_games(self.game).items():
                if (trial_game := self._advance_game(game_copy, seat)) is not None:
                    later[seat] = trial_game
            self._early_games_cache = self.version, later
        return later

    def _advance_game(self, game_copy: Game, seat: str) -> Game | None:
        """Return a seat's game after its advance decisions, or None if it must wait."""
        decisions = [
            line.content["texts"] for line in self.state.advance_decisions.get(seat, ())
        ]
        try:
            return simultaneous.next_block_game(game_copy, seat, decisions)
        except (IllegalAction, UsageError, TableError):
            return None

    # ------------------------------------------------------------ decisions

    def decide(self, seat: str, texts: str | Sequence[str], page_version: int) -> None:
        """Apply and store one or more actions of a seat, all or none.

        `page_version` is the version of the page. Raises `StalePage`, `NoDecisionDue`,
        `BotPlaysSeat`, `LimitReached` and `RulesFailed`, and `IllegalAction` if the
        rules forbid an action.
        """
        actions = [texts] if isinstance(texts, str) else list(texts)
        seat_state = self.seat_state(seat)
        if seat_state.stand_in is not None:
            raise BotPlaysSeat(seat=seat, bot=seat_state.stand_in)
        self._check_not_stale(self.decision_due_line(seat), page_version)
        if seat_state.bot is not None or seat not in self.waits_for() or not actions:
            raise NoDecisionDue(seat=seat)
        if seat == self.game.to_act:
            self._apply(seat, actions, seat)
        else:
            self._store_advance_decision(seat, actions, seat)

    def _check_not_stale(self, since: int, page_version: int) -> None:
        """Raise `StalePage` if a page's version precedes line *since* or is unknown."""
        if not since <= page_version <= self.version:
            raise StalePage

    def _store_advance_decision(
        self, seat: str, actions: Sequence[str], actor: str
    ) -> None:
        """Store a decision that a seat makes before the game asks for it."""
        try:
            simultaneous.next_block_game(self._early_games()[seat], seat, [actions])
        except rb.RulesError as error:
            raise RulesFailed from error
        self._add(
            journal.new_line(
                self.version + 1, LineKind.HELD, actor, seat=seat, texts=actions
            )
        )

    def _apply(self, seat: str, actions: Sequence[str], actor: str) -> None:
        """Apply and store actions, and the advance decisions that become due."""
        run = DecisionRun.start(self.game, self.state)
        run.apply_actions(seat, actions, actor)
        rejection = run.error
        run.apply_due_decisions()
        self._add(*run.new, is_over=True if run.game.over else None)
        self.game = run.game
        self._undoable = add_undoable(self._undoable, *run.undoable)
        if rejection is not None:
            raise rejection

    # ------------------------------------------------------------ undo

    @property
    def undo(self) -> UndoRequest | None:
        """Pending undo request, or None."""
        return self.state.undo_request

    def seats_to_agree(self) -> tuple[str, ...]:
        """Return the seats whose players must still agree to the undo."""
        request = self.state.undo_request
        if request is None:
            return ()
        agreed = {request.seat, *request.agreed_seats}
        return tuple(seat for seat in self._deciding_people() if seat not in agreed)

    def _deciding_people(self) -> Iterator[str]:
        """Yield the seats in which a person decides."""
        return (each.seat for each in self.seats if each.is_person_deciding)

    def can_undo(self, seat: str) -> bool:
        """Return whether a seat may ask to undo its last decision."""
        done = (
            bool(self._own_advance_decisions(seat))
            or self._last_undoable(seat) is not None
        )
        return done and not self.over

    def must_ask_to_undo(self, seat: str) -> bool:
        """Return whether others must agree before a seat's last decision is undone."""
        if self._own_advance_decisions(seat) or not self.can_undo(seat):
            return False
        return any(other != seat for other in self._deciding_people())

    def undoes_others(self, seat: str) -> bool:
        """Return whether undoing a seat's last decision undoes those of others too."""
        if self._own_advance_decisions(seat) or not self.can_undo(seat):
            return False
        return self._undoable[-1].actor != seat

    def _own_advance_decisions(self, seat: str) -> Sequence[JournalLine]:
        """Return a seat's advance decisions, unless a bot made the last one."""
        held = self.state.advance_decisions.get(seat, ())
        return held if held and held[-1].by == seat else ()

    def _last_undoable(self, seat: str) -> UndoableDecision | None:
        """Return the last undoable decision of a seat's player, or None."""
        own = (done for done in reversed(self._undoable) if done.actor == seat)
        return next(own, None)

    def request_undo(self, seat: str, page_version: int) -> None:
        """Ask to undo the last decision of a seat; all other players must agree.

        An advance decision is undone at once. `page_version` is the version of the
        page. Raises `GameOver`, `StalePage` and `NothingToUndo`.
        """
        if self.over:
            raise GameOver
        self._check_not_stale(self.decision_due_line(seat), page_version)
        if decisions := self._own_advance_decisions(seat):
            number, left = self.version + 1, len(decisions) - 1
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
        """Agree to the pending undo request on behalf of a seat.

        `page_version` is the version of the page. Raises `NoUndoRequest` and
        `StalePage`.
        """
        request = self.state.undo_request
        if request is None or seat not in self.seats_to_agree():
            raise NoUndoRequest
        self._check_not_stale(request.number, page_version)
        self._add(journal.new_line(self.version + 1, LineKind.AGREED, seat, seat=seat))
        self._undo_if_agreed()

    def decline(self, seat: str, page_version: int) -> None:
        """Decline the undo request, or withdraw it if the seat made it.

        Raises `NoUndoRequest` and `StalePage`.
        """
        request = self.state.undo_request
        if request is None or (
            seat != request.seat and seat not in self.seats_to_agree()
        ):
            raise NoUndoRequest
        self._check_not_stale(request.number, page_version)
        self._add(
            journal.new_line(self.version + 1, LineKind.DECLINED, seat, seat=seat)
        )

    def _undo_if_agreed(self) -> None:
        """Carry out the undo once everybody has agreed."""
        request, state = self.state.undo_request, self.state
        if request is None or self.seats_to_agree():
            return
        remaining = [
            done for done in self._undoable if done.number < request.first_line
        ]
        game = self._undoable[len(remaining)].game
        run = DecisionRun.start(game, state)
        run.undo_to(request.seat, request.first_line)
        run.apply_due_decisions()
        self._add(*run.new)
        self.game, self._undoable = run.game, add_undoable(remaining, *run.undoable)
        self._bot_players.discard_plans()

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
        """Let a bot decide for a player until `take_back` is called.

        Raises `UnknownBot`, and `BotPlaysSeat` if another bot already decides.
        """
        seat_state = self.seat_state(seat)
        check_bot_name(bot, self.bots)
        if seat_state.bot is not None or seat_state.stand_in == bot:
            return
        if seat_state.stand_in is not None:
            raise BotPlaysSeat(seat=seat, bot=seat_state.stand_in)
        self._add(
            journal.new_line(self.version + 1, LineKind.BOT, seat, seat=seat, bot=bot)
        )
        self._undo_if_agreed()

    def ask_for_bot(self, seat: str, bot: str, requester: str, seconds: float) -> None:
        """Request that a bot play for another player, who can decline.

        `requester` is the requesting seat, or empty for the owner. If the player is
        away for another `seconds` seconds, `seat_requested_bot` lets the bot play.
        Raises `GameOver`, `UnknownBot`, and `BotPlaysSeat` if another bot plays.
        """
        seat_state = self.seat_state(seat)
        check_bot_name(bot, self.bots)
        if self.over:
            raise GameOver
        if seat_state.stand_in not in {None, bot}:
            raise BotPlaysSeat(seat=seat, bot=seat_state.stand_in)
        if seat_state.is_person_deciding and seat not in self.state.bot_requests:
            content = {"seat": seat, "bot": bot, "asker": requester, "seconds": seconds}
            self._add(
                journal.new_line(
                    self.version + 1, LineKind.WANTED, requester, **content
                )
            )

    def seat_requested_bot(self, request: BotRequest) -> None:
        """Let the requested bot play, unless the seat's player has returned."""
        if request in self.due_bot_requests():
            self.hand_to_bot(request.seat, request.bot)

    def take_back(self, seat: str) -> None:
        """Let the seat's player decide again instead of a bot."""
        if self.seat_state(seat).stand_in is not None:
            self._add(
                journal.new_line(self.version + 1, LineKind.PERSON, seat, seat=seat)
            )

    # ------------------------------------------------------------ bots

    def _due_bot(self) -> tuple[str, str] | None:
        """Return the seat and the bot that must decide now, or None."""
        seat = self.game.to_act
        if seat is None or seat not in self.game.seats or self.undo is not None:
            return None
        seat_state = self.seat_state(seat)
        bot = seat_state.bot or seat_state.stand_in
        is_halted = self._halted_version == self.version
        return None if bot is None or is_halted else (seat, bot)

    def bot_is_due(self) -> bool:
        """Return whether a bot must decide now."""
        return self._due_bot() is not None

    def bot_task(self) -> BotTask | None:
        """Return the task of the bot that must decide, or None.

        Any thread may run the task.
        """
        due = self._due_bot()
        return due and self._bot_players.task(self.game, *due, self.version)

    def apply_bot_choice(self, task: BotTask, action: str | None) -> bool:
        """Apply the action that a bot has chosen, and return whether it was applied.

        If *action* is None, the bots stop until the table changes.
        """
        if self._due_bot() != (task.seat, task.bot):
            return False
        if self.decision_due_line(task.seat) > task.version:
            return False
        if action is None:
            self._halted_version = self.version
            return False
        try:
            self._apply(task.seat, [action], f"{task.seat}/{task.bot}")
        except StalePage:
            return False
        except (RulesFailed, LimitReached):
            self._halted_version = self.version
            return False
        self._note_failure(task)
        return True

    def _note_failure(self, task: BotTask) -> None:
        """Store a notice if a random action replaced the choice of a bot."""
        if task.error:
            content = {"seat": task.seat, "bot": task.bot}
            self._add(
                journal.new_line(
                    self.version + 1, LineKind.FAILED, task.seat, **content
                )
            )

    def play_bot(self) -> bool:
        """Let the bot that is due decide; return whether an action was applied."""
        task = self.bot_task()
        return task is not None and self.apply_bot_choice(task, task.choose_action())

    # ------------------------------------------------------------ turn clock

    def update_clock(self) -> None:
        """Store which clocks run now, if this has changed since the last update.

        The clock of a seat starts when somebody has opened the link of the seat. In a
        simultaneous block, a seat has one clock for all its decisions, because these
        are secret.
        """
        if not self.options.clock:
            return
        people = {each.seat for each in self.seats if each.bot is None}
        block_start = line_before_block(self.game, self.state.events)
        due = {
            seat: self.decision_due_line(seat) if block_start is None else block_start
            for seat in self.waits_for()
            if seat in people and seat in self.state.taken
        }
        decided = {seat: self._last_decision(seat) for seat in self.state.clock.running}
        content = self.state.clock.changes(due, decided, current_time())
        if content is not None:
            self._add(journal.new_line(self.version + 1, LineKind.CLOCK, **content))

    def _last_decision(self, seat: str) -> int:
        """Return the first line of a seat's last decision, or 0."""
        if held := self.state.advance_decisions.get(seat):
            return held[-1].number
        events = reversed(self.state.events)
        own = (event for event in events if event.by.partition("/")[0] == seat)
        return next((event.decision for event in own), 0)

    def late_task(self) -> BotTask | None:
        """Return the task of the bot that decides for a late seat, or None."""
        bot, due = self.options.late_bot, self.waits_for()
        seat = next((seat for seat in self.late_seats() if seat in due), None)
        if not bot or seat is None:
            return None
        game = self.game_for(seat)
        try:
            return self._bot_players.task(game, seat, bot, self.version)
        except RequestError:  # the operator no longer has this bot
            return self._bot_players.task(game, seat, GREEDY, self.version)

    def apply_late_choice(self, task: BotTask, action: str | None) -> None:
        """Apply the action that a bot has chosen for a late seat, and store a notice.

        If there is no action, the bot will not try again.
        """
        seat, bot = task.seat, task.bot
        if seat not in self.late_seats() or self.decision_due_line(seat) > task.version:
            return  # the seat has decided in the meantime
        try:
            if action is None:
                bot = ""
            elif seat == self.game.to_act:
                self._apply(seat, [action], f"{seat}/{bot}")
            else:
                self._store_advance_decision(seat, [action], f"{seat}/{bot}")
        except (RulesFailed, LimitReached):
            bot = ""
        number = self.version + 1
        self._add(journal.new_line(number, LineKind.LATE, seat=seat, bot=bot))
        if bot:
            self._note_failure(task)

    # ------------------------------------------------------------ other tables

    def apply_stored_lines(self, new: Sequence[JournalLine]) -> None:
        """Apply lines that another process has stored."""
        for line in new:
            if line.number > self.version:
                self.state.add(line)

    def add_rematch(self, new: StoredTable) -> None:
        """Store a rematch as a new table, and note its id in the journal."""
        line = journal.new_line(self.version + 1, LineKind.AGAIN, "", table=new.id)
        self._add(line, new_table=new)
