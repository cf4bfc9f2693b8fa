"""Search for the best action of a seat, evaluated up to the end of its turn.

This is the Python version of `native/bots/greedy.h`, and makes the same choices with
the same random numbers. It tries each action in a few samples of the game. Chance
outcomes are weighted by probability, unless there are too many. Actions that become
possible after an action are evaluated too. If other seats must answer, each is assumed
to give the best answer for itself.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import attrs

from interpreter.core.chance import Stream
from interpreter.core.layout import ENDED, RANKS, STATUS, TURN
from interpreter.core.ranks import winners_of
from interpreter.knowledge.lookahead import Trial, is_certain
from interpreter.knowledge.views import acting_seat
from interpreter.plan.plan import Plan
from interpreter.state.state import State
from interpreter.state.wait_points import PASS, AskStep, ChanceStep, Decision

SAMPLES = 3
"""Number of samples in which an action is tried, unless its result is certain."""

OUTCOMES = 36
"""Maximum number of combined chance outcomes that are weighted.

If there are more, outcomes are drawn.
"""

MAX_FOLLOW_UPS = 12
"""Maximum number of follow-up actions or answers that are evaluated."""

MAX_OPENERS, MAX_SECOND_STEPS = 2, 24
"""Maximum number of enabling actions tried after an action, and of such actions."""

ATTEMPTS = 6
"""Number of random attempts to find what other seats can be asked for."""

MAX_DECISIONS = 40
"""Maximum number of decisions when an action is played to its end."""

PLANS = 31
"""Maximum number of actions whose planned continuation is stored."""

SCALE = 4096
"""Number of units per point in values, so that weighted averages are precise."""

MAX_VALUE, WON = 1 << 30, 1 << 31
"""Maximum value of a position, and the value of a game that is won or lost."""

Value = int
LAST_RESORT: Value = -(1 << 60)
"""Value added for actions that are only taken as a last resort."""

Chooser = Callable[[State, Sequence[int]], int]


@attrs.frozen
class BestActions:
    """Equally good actions of a seat: their indices, each with a continuation.

    A continuation consists of the next planned decisions of the seat, up to the first
    chance outcome or decision of another seat.
    """

    best: tuple[int, ...]
    continuations: tuple[tuple[int, ...], ...]


@attrs.frozen
class ActionResult:
    """Result of trying an action.

    `next_state` is the state after the action, or None if chance intervened.
    """

    value: Value
    is_certain: bool
    next_state: State | None


def has_values(plan: Plan) -> bool:
    """Return whether the rules value positions, by points or by hints."""
    return bool(plan.model.points.lines or plan.model.values.lines)


def best_actions(
    legal: Sequence[int], sample: Callable[[int], State], key: int
) -> BestActions:
    """Return the best actions of the seat that must decide.

    `sample` returns samples that agree with what the seat knows, by number. *key*
    determines the random choices of the search.
    """
    return TurnSearch(legal, sample, key).best_actions()


class TurnSearch:
    """Evaluation of the possible actions of one decision."""

    def __init__(
        self, legal: Sequence[int], sample: Callable[[int], State], key: int
    ) -> None:
        self.legal, self.world = legal, sample
        self.numbers = Stream(key, "thoughts")
        g = sample(0)
        seat = acting_seat(g)
        assert seat is not None
        self.seat, self.turn, self.plan = seat, g.s[TURN], g.plan
        self.units = {action.unit for action in g.plan.actions.listed}
        here = [i for i, frame in enumerate(g.frames) if frame[0] in self.units]
        self.at_menu = not here
        self.floor = here[0] if here else len(g.frames)
        self.owner = g.frames[here[0]][2] if here else seat
        self.asks = bool(self.numbers.next_below(2)) or not self.at_menu
        self.continuations: dict[int, tuple[int, ...]] = {}
        self.gains: dict[int, Value] = {}
        self.opened: list[tuple[int, list[int]]] = []

    def best_actions(self) -> BestActions:
        """Return the best actions over all samples."""
        values = self.values()
        most = max(values)
        best = [x for x, value in zip(self.legal, values, strict=True) if value == most]
        continuations = [self.continuations.get(index, ()) for index in best]
        return BestActions(tuple(best), tuple(continuations))

    def values(self) -> list[Value]:
        """Return the total value of each action over all samples."""
        values = [self.total_value(index) for index in self.legal]
        self.opened.sort(key=lambda opener: -len(opener[1]))
        if self.opened:
            places = {index: place for place, index in enumerate(self.legal)}
            for index in sample_evenly(list(self.gains), MAX_SECOND_STEPS):
                more = self.second_step_gain(index) - self.gains[index]
                values[places[index]] += SAMPLES * max(0, more)
        return values

    # ------------------------------------------------------- evaluation of one action

    def total_value(self, index: int) -> Value:
        """Return the total value of an action over all samples."""
        total, first = 0, None
        for number in range(SAMPLES):
            result = self.try_action(self.world(number), index)
            first = first or result
            if (
                self.owner != self.seat
                and result.next_state
                and not self.is_action_over(result.next_state)
            ):
                total += self.value_when_over(result.next_state.copy(), self.seat)
                continue
            if result.is_certain:
                total = result.value * SAMPLES
                break
            total += result.value
        assert first is not None
        if (
            self.owner != self.seat
            or first.next_state is None
            or first.next_state.split
        ):
            return total
        if self.is_action_over(first.next_state):
            gain = self.follow_up_gain(index, first) if self.at_menu else 0
            return total + SAMPLES * gain
        return self.multi_step_value(index, first, total)

    def try_action(self, state: State, index: int) -> ActionResult:
        """Try an action and evaluate the game at the next decision."""
        trial, waiting = Trial(state, self.seat), state.waiting
        assert isinstance(waiting, Decision)
        if isinstance(waiting, AskStep) and index != PASS:
            action, _ = self.plan.actions.decode(index)
            trial.note(action.unit, self.seat)
        trial.given = trial.split is None
        waiting.decide(trial, index)
        if isinstance(trial.waiting, ChanceStep) and trial.s[TURN] == self.turn:
            return ActionResult(
                self.expected_value(trial, 1), is_certain=False, next_state=None
            )
        had_chance = bool(trial.events)
        trial.given = False
        certain = is_certain(trial) and not had_chance
        return ActionResult(self.value(trial), certain, None if had_chance else trial)

    def expected_value(self, g: State, branches: int) -> Value:
        """Return the expected value of a game over its next chance outcomes.

        The evaluation ends when another seat's turn begins. `branches` is the number of
        outcomes combined so far.
        """
        while isinstance(event := g.waiting, ChanceStep) and g.s[TURN] == self.turn:
            given = event.outcomes(g, g.s, g.frames[-1])
            assert not isinstance(given, int)
            likely = [(outcome, weight) for outcome, weight in given if weight]
            branches *= len(likely)
            if branches > OUTCOMES:
                g.given = False
                g.resume(event.pc)
                continue
            if len(likely) > 1:
                total = 0
                for outcome, weight in likely:
                    after = g.copy()
                    apply_outcome(after, event, outcome)
                    total += weight * self.expected_value(after, branches)
                return total // sum([weight for _, weight in likely])
            apply_outcome(g, event, likely[0][0])
        return self.value(g)

    def value(self, g: State, seat: int | None = None) -> Value:
        """Return the value of a game for a seat, by default the seat that searches."""
        return position_value(g, self.seat if seat is None else seat) * SCALE

    def is_action_over(self, g: State) -> bool:
        """Return whether the action and all decisions it asks for are over."""
        return (
            g.is_over
            or g.s[TURN] != self.turn
            or len(g.frames) <= self.floor
            or not isinstance(g.waiting, Decision)
        )

    # --------------------------------------------------------------- continuations

    def follow_up_gain(self, index: int, result: ActionResult) -> Value:
        """Return the gain from the best action that was impossible before this one."""
        g = result.next_state
        if g is None or not self.continues_turn(g):
            return 0
        before, best = set(self.legal), result.value
        opened = [x for x in legal_indices(g) if x not in before]
        if opened:
            self.opened.append((index, opened))
        for more in sample_evenly(opened):
            after = g.copy()
            decide(after, more)
            best = max(best, self.value(after))
        self.gains[index] = best - result.value
        return best - result.value

    def second_step_gain(self, index: int) -> Value:
        """Return the gain from two more actions: an opener, then one it enables."""
        after = self.world(0).copy()
        decide(after, index)
        now, best = self.value(after), 0
        for opener, opened in self.opened[:MAX_OPENERS]:
            if opener == index or opener not in legal_indices(after):
                continue
            beyond = after.copy()
            decide(beyond, opener)
            if beyond.events or not self.continues_turn(beyond):
                continue
            before = {*self.legal, *opened, *legal_indices(after)}
            for more in sample_evenly(
                [x for x in legal_indices(beyond) if x not in before]
            ):
                last = beyond.copy()
                decide(last, more)
                best = max(best, self.value(last) - now)
        return best

    def continues_turn(self, g: State) -> bool:
        """Return whether the same seat decides again in the same turn."""
        return g.s[TURN] == self.turn and acting_seat(g) == self.seat

    def multi_step_value(self, index: int, result: ActionResult, total: Value) -> Value:
        """Return the value of an action that asks for more decisions, by trying them.

        Actions that ask other seats are only considered occasionally, at random,
        because failed attempts are not remembered. Otherwise they rank last, like
        actions without a gain.
        """
        assert result.next_state is not None
        value, others_decided, then = self.try_continuation(
            result.next_state.copy(), self.best_immediate_action
        )
        if not others_decided:
            return total + SAMPLES * (value - result.value)
        best, most = None, self.value(self.world(0))
        for _ in range(ATTEMPTS if self.asks else 0):
            value, _, then = self.try_continuation(
                result.next_state.copy(), self.random_action
            )
            if value > most:
                best, most = then, value
        if best is None:
            return total + LAST_RESORT
        games = [self.world(number) for number in range(SAMPLES)]
        more = sum([self.value_with_answers(g.copy(), index, best) for g in games])
        if more <= sum([self.value(g) for g in games]):
            return total + LAST_RESORT
        if len(self.continuations) < PLANS:
            self.continuations[index] = best
        return more

    def try_continuation(
        self, g: State, chooser: Chooser
    ) -> tuple[Value, bool, tuple[int, ...]]:
        """Try a continuation; return (value, others were asked, first picks).

        Other seats choose at random. Once they have answered, the seat takes its best
        immediate action.
        """
        others_decided = had_chance = False
        picks: list[int] = []
        for _ in range(MAX_DECISIONS):
            legal = [] if self.is_action_over(g) else legal_indices(g)
            if not legal:
                break
            is_own = acting_seat(g) == self.seat
            if others_decided and is_own:
                index = self.best_immediate_action(g, legal)
            else:
                others_decided = others_decided or not is_own
                index = chooser(g, legal) if is_own else self.random_action(g, legal)
            if not others_decided and not had_chance:
                picks.append(index)
            decide(g, index)
            had_chance = had_chance or bool(g.events)
        return self.value(g), others_decided, tuple(picks)

    def value_with_answers(self, g: State, index: int, picks: Sequence[int]) -> Value:
        """Return the value of an action followed by *picks* if others answer best."""
        decide(g, index)
        for pick in picks:
            if self.is_action_over(g) or acting_seat(g) != self.seat:
                break
            if pick not in legal_indices(g):
                break
            decide(g, pick)
        answering_seat = None
        for _ in range(MAX_DECISIONS):
            legal = [] if self.is_action_over(g) else legal_indices(g)
            if not legal:
                break
            seat = acting_seat(g)
            if seat == self.seat:
                index = (
                    self.random_action(g, legal)
                    if answering_seat is None
                    else self.best_immediate_action(g, legal)
                )
            elif seat == answering_seat:
                index = self.random_action(g, legal)
            else:
                answering_seat = seat
                index = self.best_answer(g, legal)
            decide(g, index)
        return self.value(g)

    def best_answer(self, g: State, legal: Sequence[int]) -> int:
        """Return the best answer of another seat, measured when the action is over."""
        seat = acting_seat(g)
        assert seat is not None
        if len(legal) == 1:
            return legal[0]
        among, values = sample_evenly(legal), []
        for index in among:
            after = g.copy()
            decide(after, index)
            values.append(self.value_when_over(after, seat))
        return self.random_best_action(among, values)

    def value_when_over(self, g: State, seat: int) -> Value:
        """Play until the action is over; return the value for *seat*.

        The seat whose action it is takes the best immediate actions; others choose at
        random.
        """
        for _ in range(MAX_DECISIONS):
            legal = [] if self.is_action_over(g) else legal_indices(g)
            if not legal:
                break
            is_own = acting_seat(g) == self.owner
            decide(
                g,
                self.best_immediate_action(g, legal)
                if is_own
                else self.random_action(g, legal),
            )
        return self.value(g, seat)

    def best_immediate_action(self, g: State, legal: Sequence[int]) -> int:
        """Return the action of the deciding seat with the best immediate value."""
        if len(legal) == 1:
            return legal[0]
        seat, among, values = acting_seat(g), sample_evenly(legal), []
        for index in among:
            after = g.copy()
            decide(after, index)
            values.append(self.value(after, seat))
        return self.random_best_action(among, values)

    def random_action(self, _g: State, legal: Sequence[int]) -> int:
        """Return a random action."""
        return legal[self.numbers.next_below(len(legal)) if len(legal) > 1 else 0]

    def random_best_action(self, legal: Sequence[int], values: Sequence[Value]) -> int:
        """Return a random one of the actions with the greatest value."""
        most = max(values)
        among = [x for x, value in zip(legal, values, strict=True) if value == most]
        return among[self.numbers.next_below(len(among)) if len(among) > 1 else 0]


def position_value(g: State, seat: int) -> Value:
    """Return the sum of a seat's points and hinted value; a win adds `WON`.

    A defeat subtracts it.
    """
    value = g.plan.points(g.s, seat) + g.plan.position_value(g.s, seat)
    value = max(-MAX_VALUE, min(MAX_VALUE, value))
    if g.s[STATUS] == ENDED:
        first = winners_of(g.s[RANKS])
        if 0 < len(first) < g.plan.players:
            value += WON if seat in first else -WON
    return value


def sample_evenly(indices: Sequence[int], max_count: int = MAX_FOLLOW_UPS) -> list[int]:
    """Return at most *max_count* indices, evenly spaced, beginning with the first."""
    size = min(max_count, len(indices))
    return [indices[place * len(indices) // size] for place in range(size)]


def legal_indices(g: State) -> list[int]:
    """Return the legal actions of the seat that must decide."""
    if g.legal is None:
        assert isinstance(g.waiting, Decision)
        g.legal = g.waiting.legal(g, g.s, g.frames[-1])
    return g.legal


def decide(g: State, index: int) -> None:
    """Apply a legal action of the seat that must decide; chance outcomes are drawn."""
    assert isinstance(g.waiting, Decision)
    g.clear_events()
    g.waiting.decide(g, index)


def apply_outcome(g: State, event: ChanceStep, outcome: Any) -> None:
    """Apply an outcome of the pending chance event."""
    g.resume(event.accept(g, g.s, g.frames[-1], outcome))
