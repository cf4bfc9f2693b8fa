"""Replay of a simultaneous block up to its current point, for a search by one seat.

The seat knows how often each seat has answered, its own answers, and the chance
outcomes that it saw. In the replay, other seats give random legal answers, and other
chance outcomes are redrawn.
"""

from __future__ import annotations

from typing import Any

import attrs

from interpreter.core.chance import Stream
from interpreter.knowledge.views import acting_seat, visible_frames
from interpreter.knowledge.visibility import own_rows
from interpreter.state.simultaneous import Answer, ChanceAnswer, to_hashable
from interpreter.state.state import State
from interpreter.state.wait_points import ChanceStep, Decision

ANSWERS_TRIED = 12
"""Maximum number of answers tried for each answer in the real game."""


@attrs.define(eq=False)
class DueDecision:
    """State in which a decision is due, with its number and the answers left to try."""

    state: State
    number: int
    untried_answers: list[int]


class BlockReplay:
    """Search for a replay of a simultaneous block that fits what a seat knows."""

    def __init__(self, g: State, seat: int, chance: Stream) -> None:
        self.g = g
        self.seat = seat
        self.chance = chance
        self.acting = acting_seat(g)
        self.script = [
            answer
            for answer in g.answered
            if isinstance(answer, Answer) or answer.seat == seat
        ]

    def replay(self, start: State) -> State | None:
        """Return the block replayed to its current point, or None if impossible.

        At most `ANSWERS_TRIED` answers are tried for each answer in the real game.
        """
        start.run()
        due: list[DueDecision] = []
        state, number = start, 0
        for _ in range(ANSWERS_TRIED * (len(self.script) + 1)):
            place = self.advance_to_decision(state, number)
            if place is not None and place < len(self.script):
                due.append(DueDecision(state, place, self.answers(state, place)))
            elif place is not None and self.is_consistent(state):
                return state
            while due and not due[-1].untried_answers:
                due.pop()
            if not due:
                return None
            state, number = due[-1].state.copy(), due[-1].number + 1
            assert isinstance(state.waiting, Decision)
            state.waiting.decide(state, due[-1].untried_answers.pop())
        return None

    def advance_to_decision(self, g: State, number: int) -> int | None:
        """Resolve chance events until a decision is due, and return its number.

        Return None if the block has ended, or if the seat would have noticed a
        difference.
        """
        block = g.split
        while isinstance(g.waiting, ChanceStep):
            is_own = g.answering_seat == self.seat
            if number == len(self.script) and self.acting is None:
                return number
            outcome = self.outcome(g, g.waiting, number if is_own else None)
            if outcome is None:
                return None
            number += is_own
            g.resume(g.waiting.accept(g, g.s, g.frames[-1], outcome))
        ended = g.split is None or g.split is not block
        return None if ended else number

    def outcome(self, g: State, step: ChanceStep, number: int | None) -> Any:
        """Return the outcome that the seat saw as event *number*, or a random one.

        Return None if the event is not the one that the seat saw.
        """
        outcomes = step.outcomes(g, g.s, g.frames[-1])
        assert not isinstance(outcomes, int)
        if number is not None:
            if number == len(self.script):
                return None
            recorded = self.script[number]
            if not isinstance(recorded, ChanceAnswer) or recorded.event != step.event:
                return None
            if recorded.observers >> self.seat & 1:
                matching = (
                    x
                    for x, _ in outcomes
                    if to_hashable(step.plain(g, x)) == recorded.outcome
                )
                return next(matching, None)
        rest = self.chance.next_below(sum(weight for _, weight in outcomes))
        for raw, weight in outcomes:
            if rest < weight:
                return raw
            rest -= weight
        raise AssertionError(step.event)

    def answers(self, g: State, number: int) -> list[int]:
        """Return the answers to try for a decision; the last one is tried first."""
        given, waiting = self.script[number], g.waiting
        if not isinstance(given, Answer) or not isinstance(waiting, Decision):
            return []
        if waiting.seat(g) != given.seat:
            return []
        legal = waiting.legal(g, g.s, g.frames[-1])
        if given.seat == self.seat:
            return [given.index] if given.index in legal else []
        self.chance.shuffle(legal)
        return legal

    def is_consistent(self, new: State) -> bool:
        """Return whether a state agrees with what the seat knows about the game."""
        g, seat = self.g, self.seat
        if type(new.waiting) is not type(g.waiting) or acting_seat(new) != self.acting:
            return False
        same = all(new.s[row] == g.s[row] for row in own_rows(g.plan, seat))
        if not same or visible_frames(g.plan, new, seat) != visible_frames(
            g.plan, g, seat
        ):
            return False
        if not isinstance(new.waiting, Decision):
            return True
        assert isinstance(g.waiting, Decision)
        legal = new.waiting.legal(new, new.s, new.frames[-1])
        if self.acting != seat:
            return bool(legal)
        return legal == g.waiting.legal(g, g.s, g.frames[-1])

    def without_other_answers(self, start: State) -> State | None:
        """Return the block replayed without the earlier answers of other seats.

        Return None if no replay is found.
        """
        open_block = self.g.current_block()
        assert open_block is not None
        height, split = open_block
        answering = self.g.frames[height][split.member]
        members = start.frames[height][split.all_members]
        if answering not in members:
            return None
        parts = list(members[members.index(answering) :])
        if self.seat in members and self.seat not in parts:
            parts.insert(0, self.seat)
        start.frames[height][split.rest] = tuple(parts)
        self.script = [answer for answer in self.script if answer.seat == self.seat]
        return self.replay(start)
