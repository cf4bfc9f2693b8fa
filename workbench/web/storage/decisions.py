"""Application of decisions to a copy of the game, with the journal lines they add.

Decisions that other seats made in advance are applied when they are due, and dropped
when they can no longer become due.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import attrs

from interpreter import Game, IllegalAction, UsageError
from rulebook import RulesError
from workbench.web.storage import journal as lines
from workbench.web.storage.journal import JournalLine, LineKind
from workbench.web.storage.simultaneous import block_answers
from workbench.web.storage.table_errors import (
    NoDecisionDue,
    RulesFailed,
    StalePage,
    TableError,
)
from workbench.web.storage.table_state import TableState
from workbench.web.storage.undo import (
    UndoableDecision,
    actions_of,
    reveals_anything,
    seat_learns_something,
)


@attrs.define
class DecisionRun:
    """Decisions in progress: a copy of the game, and the journal lines to add.

    `error` is the error that rejected the remaining actions, if only some were
    applied.
    """

    game: Game
    version: int
    events: Sequence[JournalLine]
    advance_decisions: Mapping[str, Sequence[JournalLine]]
    new: list[JournalLine] = attrs.field(factory=list)
    undoable: list[UndoableDecision] = attrs.field(factory=list)
    error: Exception | None = None

    @classmethod
    def start(cls, game: Game, state: TableState) -> DecisionRun:
        """Return a run that starts from a copy of a game at the end of its journal."""
        return cls(game.copy(), state.version, state.events, state.advance_decisions)

    @property
    def next_number(self) -> int:
        """Number of the next journal line."""
        return self.version + len(self.new) + 1

    def apply_actions(self, seat: str, texts: Sequence[str], actor: str) -> None:
        """Apply actions of a seat, all or none.

        Players cannot probe for hidden information. If one action reveals something and
        a later one is illegal, the actions up to the revealing one are applied. `error`
        then explains why the others were rejected.
        """
        game, before = self.game.copy(), self.game
        revealed: Game | None = None
        try:
            for number, text in enumerate(texts, 1):
                if game.to_act != seat:
                    raise StalePage if number > 1 else NoDecisionDue(seat=seat)
                before_action = game.copy()
                game.apply(text)
                if number < len(texts) and seat_learns_something(
                    before_action, seat, text, game
                ):
                    revealed = game.copy()
        except (IllegalAction, UsageError, RulesError, TableError) as error:
            rejection = RulesFailed() if isinstance(error, RulesError) else error
            if revealed is None:
                raise rejection from error
            game, self.error = revealed, rejection
        first, events = self.next_number, game.events[before.steps :]
        self.new += lines.event_lines(events, first - 1, actor)
        self.undoable.append(
            UndoableDecision(
                first, actor, before, is_revealing=reveals_anything(before, events)
            )
        )
        self.game = game

    def undo_to(self, seat: str, first_line: int) -> None:
        """Add a journal line that undoes all events from line *first_line* on.

        The game must already be the one before that line. Later simultaneous answers
        of other seats become advance decisions, because these seats requested no undo.
        """
        undone = [event for event in self.events if event.number >= first_line]
        self.events = [event for event in self.events if event.number < first_line]
        self.new.append(
            lines.new_line(
                self.next_number, LineKind.UNDONE, seat, seat=seat, to=first_line
            )
        )
        if block_answers(self.game) is None:
            return
        decisions = {
            name: list(seat_lines)
            for name, seat_lines in self.advance_decisions.items()
        }
        for decision in dict.fromkeys(event.decision for event in undone):
            decision_events = [event for event in undone if event.decision == decision]
            name, texts = (
                decision_events[0].by,
                [*actions_of(event.content for event in decision_events)],
            )
            if name != seat and "/" not in name:
                line = lines.new_line(
                    self.next_number, LineKind.HELD, name, seat=name, texts=texts
                )
                self.new.append(line)
                decisions.setdefault(name, []).append(line)
        self.advance_decisions = decisions

    def apply_due_decisions(self) -> None:
        """Apply advance decisions that are due, and drop obsolete ones."""
        remaining = {
            seat: list(held) for seat, held in self.advance_decisions.items() if held
        }
        while remaining:
            block_start = line_before_block(self.game, [*self.events, *self.new])
            for seat in list(remaining):
                if block_start is None or remaining[seat][0].number < block_start:
                    self.drop_advance_decisions(seat, remaining)
            due = self.game.to_act
            if due is None or due not in remaining:
                return
            held = remaining[due].pop(0)
            try:
                self.apply_actions(due, held.content["texts"], held.by)
            except (IllegalAction, UsageError, TableError):
                self.drop_advance_decisions(due, remaining)
                continue
            if self.error is not None and remaining[due]:
                self.drop_advance_decisions(due, remaining)
            elif not remaining[due]:
                del remaining[due]
            self.error = None

    def drop_advance_decisions(
        self, seat: str, lines_by_seat: dict[str, list[JournalLine]]
    ) -> None:
        """Drop a seat's advance decisions from *lines_by_seat*; add a journal line."""
        del lines_by_seat[seat]
        line = lines.new_line(
            self.next_number, LineKind.DROPPED, seat, seat=seat, left=0
        )
        self.new.append(line)


def line_before_block(game: Game, journal: Sequence[JournalLine]) -> int | None:
    """Return the number of the event line before the open block; None without one."""
    answers = block_answers(game)
    if answers is None:
        return None
    events = [line.number for line in journal if line.sort is LineKind.EVENT]
    count = len(events) - len(answers)
    return events[count - 1] if count > 0 else 0
