"""Apply decisions to a copy of the game, and collect the journal lines that they add.

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
        """Start from a copy of a game that matches the end of its journal."""
        return cls(game.copy(), state.version, state.events, state.advance_decisions)

    @property
    def next_number(self) -> int:
        """Number of the next journal line."""
        return self.version + len(self.new) + 1

    def apply_actions(self, seat: str, texts: Sequence[str], actor: str) -> None:
        """Apply actions of a seat, all or none.

        Players cannot probe for hidden information. If one action reveals
        something and a later one is illegal, the actions up to the reveal stay applied,
        and `error` explains why the others were rejected.
        """
        game, before = self.game.copy(), self.game
        shown: Game | None = None
        try:
            for number, text in enumerate(texts, 1):
                if game.to_act != seat:
                    raise StalePage if number > 1 else NoDecisionDue(seat=seat)
                here = game.copy()
                game.apply(text)
                if number < len(texts) and seat_learns_something(
                    here, seat, text, game
                ):
                    shown = game.copy()
        except (IllegalAction, UsageError, RulesError, TableError) as error:
            refused = RulesFailed() if isinstance(error, RulesError) else error
            if shown is None:
                raise refused from error
            game, self.error = shown, refused
        first, events = self.next_number, game.events[before.steps :]
        self.new += lines.event_lines(events, first - 1, actor)
        self.undoable.append(
            UndoableDecision(
                first, actor, before, is_revealing=reveals_anything(before, events)
            )
        )
        self.game = game

    def undo_to(self, seat: str, first_line: int) -> None:
        """Undo everything from line *first_line* on, and return to the game before that
        line.

        Later simultaneous answers of other seats become advance decisions, because
        those seats did not ask for an undo.
        """
        gone = [event for event in self.events if event.number >= first_line]
        self.events = [event for event in self.events if event.number < first_line]
        self.new.append(
            lines.new_line(
                self.next_number, LineKind.UNDONE, seat, seat=seat, to=first_line
            )
        )
        if block_answers(self.game) is None:
            return
        held = {name: list(each) for name, each in self.advance_decisions.items()}
        for decision in dict.fromkeys(event.decision for event in gone):
            own = [event for event in gone if event.decision == decision]
            name, texts = own[0].by, [*actions_of(each.content for each in own)]
            if name != seat and "/" not in name:
                line = lines.new_line(
                    self.next_number, LineKind.HELD, name, seat=name, texts=texts
                )
                self.new.append(line)
                held.setdefault(name, []).append(line)
        self.advance_decisions = held

    def apply_due_decisions(self) -> None:
        """Apply advance decisions that are due; drop those that no longer apply."""
        left = {
            seat: list(held) for seat, held in self.advance_decisions.items() if held
        }
        while left:
            begun = line_before_block(self.game, [*self.events, *self.new])
            for seat in list(left):
                if begun is None or left[seat][0].number < begun:
                    self.drop_advance_decisions(seat, left)
            due = self.game.to_act
            if due is None or due not in left:
                return
            try:
                self.apply_actions(due, left[due].pop(0).content["texts"], due)
            except (IllegalAction, UsageError, TableError):
                self.drop_advance_decisions(due, left)
                continue
            if self.error is not None and left[due]:
                self.drop_advance_decisions(due, left)
            elif not left[due]:
                del left[due]
            self.error = None

    def drop_advance_decisions(
        self, seat: str, lines_by_seat: dict[str, list[JournalLine]]
    ) -> None:
        """Drop all advance decisions of a seat."""
        del lines_by_seat[seat]
        line = lines.new_line(
            self.next_number, LineKind.DROPPED, seat, seat=seat, left=0
        )
        self.new.append(line)


def line_before_block(game: Game, journal: Sequence[JournalLine]) -> int | None:
    """Return the last line number before the open simultaneous block, or None."""
    answers = block_answers(game)
    if answers is None:
        return None
    events = [line.number for line in journal if line.sort is LineKind.EVENT]
    begun = len(events) - len(answers)
    return events[begun - 1] if begun > 0 else 0
