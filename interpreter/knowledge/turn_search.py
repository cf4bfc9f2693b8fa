"""What a seat had best do, as far as it can foresee: to the end of its own turn.

What `native/bots/greedy.h` does in C, step by step: the same numbers choose the same.
An action is tried in a few games that agree with what the seat knows. What may fall
next is weighed, as long as that is not too much. What the action makes possible is
looked at too; where others are asked before it is over, each is thought to answer as is
best for it. All of it is bounded by the numbers below.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import attrs

from interpreter.core.chance import Stream
from interpreter.core.layout import ENDED, RANKS, STATUS, TURN
from interpreter.core.ranks import first_of
from interpreter.knowledge.lookahead import Trial, is_certain
from interpreter.knowledge.views import acting_seat
from interpreter.plan.plan import Plan
from interpreter.state.state import State
from interpreter.state.wait_points import PASS, AskStep, ChanceStep, Decision

SAMPLES = 3
"""In so many games an action is tried, unless it comes to the same in all of them."""

OUTCOMES = 36
"""So many ways to fall are weighed, all events together; of more ways one is drawn."""

NEXT = 12
"""So many actions are looked at that another makes possible, or that answer."""

OPENERS, THROUGH = 2, 24
"""Of actions that make others possible so many are also done second, after so many."""

TRIES = 6
"""So often it is tried what others may be asked."""

STEPS = 40
"""After so many decisions a try ends."""

PLANS = 31
"""What is meant to follow is remembered of so many actions."""

SCALE = 4096
"""Parts of a point that are told apart where what may fall is weighed."""

MOST, WON = 1 << 30, 1 << 31
"""What a position is worth at most, and what a game is that is won or lost."""

Value = int
LAST: Value = -(1 << 60)
"""What has this is done only where there is nothing else."""

Choose = Callable[[State, Sequence[int]], int]


@attrs.frozen
class Thought:
    """What a seat may do with equal reason: indices, and what is meant to follow each.

    That is the decisions of the seat itself that come next with nothing in between.
    """

    best: tuple[int, ...]
    then: tuple[tuple[int, ...], ...]


@attrs.frozen
class Look:
    """What comes of an action: its value, and the game if no chance has fallen."""

    value: Value
    certain: bool
    after: State | None


def has_values(plan: Plan) -> bool:
    """Whether rules say what a position is worth, by points or by hints."""
    return bool(plan.model.points.lines or plan.model.values.lines)


def thought(legal: Sequence[int], world: Callable[[int], State], key: int) -> Thought:
    """Think of what the seat that must decide may do.

    `world` gives games that agree with what it knows, by their number. What is left to
    chance in thinking comes from a key.
    """
    return Thinking(legal, world, key).thought()


class Thinking:
    """One decision that is thought over."""

    def __init__(
        self, legal: Sequence[int], world: Callable[[int], State], key: int
    ) -> None:
        self.legal, self.world = legal, world
        self.numbers = Stream(key, "thoughts")
        g = world(0)
        seat = acting_seat(g)
        assert seat is not None
        self.seat, self.turn, self.plan = seat, g.s[TURN], g.plan
        self.units = {action.unit for action in g.plan.actions.listed}
        here = [i for i, frame in enumerate(g.frames) if frame[0] in self.units]
        self.at_menu = not here
        self.floor = here[0] if here else len(g.frames)
        self.owner = g.frames[here[0]][2] if here else seat
        self.asks = bool(self.numbers.below(2)) or not self.at_menu
        self.then: dict[int, tuple[int, ...]] = {}
        self.gains: dict[int, Value] = {}
        self.opened: list[tuple[int, list[int]]] = []

    def thought(self) -> Thought:
        """Return what comes to most, all samples together."""
        values = self.values()
        most = max(values)
        best = [x for x, value in zip(self.legal, values, strict=True) if value == most]
        then = [self.then.get(index, ()) for index in best]
        return Thought(tuple(best), tuple(then))

    def values(self) -> list[Value]:
        """Return what each action comes to, as long as there are some."""
        values = [self.worth(index) for index in self.legal]
        self.opened.sort(key=lambda opener: -len(opener[1]))
        if self.opened:
            places = {index: place for place, index in enumerate(self.legal)}
            for index in few(list(self.gains), THROUGH):
                more = self.gain_through(index) - self.gains[index]
                values[places[index]] += SAMPLES * max(0, more)
        return values

    # ------------------------------------------------------------ an action

    def worth(self, index: int) -> Value:
        """Return what an action comes to, all samples together."""
        total, first = 0, None
        for number in range(SAMPLES):
            look = self.look(self.world(number), index)
            first = first or look
            if self.owner != self.seat and look.after and not self.settled(look.after):
                total += self.played_on(look.after.copy(), self.seat)
                continue
            if look.certain:
                total = look.value * SAMPLES
                break
            total += look.value
        assert first is not None
        if self.owner != self.seat or first.after is None or first.after.split:
            return total
        if self.settled(first.after):
            gain = self.gain_next(index, first) if self.at_menu else 0
            return total + SAMPLES * gain
        return self.gone_on(index, first, total)

    def look(self, world: State, index: int) -> Look:
        """Do an action and see what it brings, up to the next decision."""
        trial, waiting = Trial(world, self.seat), world.waiting
        assert isinstance(waiting, Decision)
        if isinstance(waiting, AskStep) and index != PASS:
            action, _ = self.plan.actions.decoded(index)
            trial.note(action.unit, self.seat)
        trial.given = trial.split is None
        waiting.decide(trial, index)
        if isinstance(trial.waiting, ChanceStep) and trial.s[TURN] == self.turn:
            return Look(self.expected(trial, 1), certain=False, after=None)
        fell = bool(trial.events)
        trial.given = False
        certain = is_certain(trial) and not fell
        return Look(self.value(trial), certain, None if fell else trial)

    def expected(self, g: State, ways: int) -> Value:
        """Return the mean of what a game comes to, by all that may fall next.

        Not by what falls in somebody else's turn: there it ends.
        """
        while isinstance(event := g.waiting, ChanceStep) and g.s[TURN] == self.turn:
            given = event.outcomes(g, g.s, g.frames[-1])
            assert not isinstance(given, int)
            likely = [(outcome, weight) for outcome, weight in given if weight]
            ways *= len(likely)
            if ways > OUTCOMES:
                g.given = False
                g.resume(event.pc)
                continue
            if len(likely) > 1:
                total = 0
                for outcome, weight in likely:
                    after = g.copy()
                    fall(after, event, outcome)
                    total += weight * self.expected(after, ways)
                return total // sum([weight for _, weight in likely])
            fall(g, event, likely[0][0])
        return self.value(g)

    def value(self, g: State, seat: int | None = None) -> Value:
        """Return what a seat has, the one that thinks where none is said."""
        return has_in(g, self.seat if seat is None else seat) * SCALE

    def settled(self, g: State) -> bool:
        """Whether an action is over, with all that it asks for."""
        return (
            g.over
            or g.s[TURN] != self.turn
            or len(g.frames) <= self.floor
            or not isinstance(g.waiting, Decision)
        )

    # ------------------------------------------------------------ what comes after

    def gain_next(self, index: int, look: Look) -> Value:
        """Return what the seat gains by what it could not do before an action."""
        g = look.after
        if g is None or not self.goes_on(g):
            return 0
        before, best = set(self.legal), look.value
        opened = [x for x in legal_in(g) if x not in before]
        if opened:
            self.opened.append((index, opened))
        for more in few(opened):
            after = g.copy()
            decide(after, more)
            best = max(best, self.value(after))
        self.gains[index] = best - look.value
        return best - look.value

    def gain_through(self, index: int) -> Value:
        """Return what the seat gains by an action and what lets it do more."""
        after = self.world(0).copy()
        decide(after, index)
        now, best = self.value(after), 0
        for opener, opened in self.opened[:OPENERS]:
            if opener == index or opener not in legal_in(after):
                continue
            beyond = after.copy()
            decide(beyond, opener)
            if beyond.events or not self.goes_on(beyond):
                continue
            before = {*self.legal, *opened, *legal_in(after)}
            for more in few([x for x in legal_in(beyond) if x not in before]):
                last = beyond.copy()
                decide(last, more)
                best = max(best, self.value(last) - now)
        return best

    def goes_on(self, g: State) -> bool:
        """Whether the seat is to decide again, in the same turn."""
        return g.s[TURN] == self.turn and acting_seat(g) == self.seat

    def gone_on(self, index: int, look: Look, total: Value) -> Value:
        """Return what an action comes to that asks for more, by trying how it goes on.

        One that asks others is thought of only now and then: it may be in vain, and
        nobody remembers that here. Else it comes last, as what leads to nothing does.
        """
        assert look.after is not None
        value, asked, then = self.tried(look.after.copy(), self.at_once)
        if not asked:
            return total + SAMPLES * (value - look.value)
        best, most = None, self.value(self.world(0))
        for _ in range(TRIES if self.asks else 0):
            value, _, then = self.tried(look.after.copy(), self.any)
            if value > most:
                best, most = then, value
        if best is None:
            return total + LAST
        games = [self.world(number) for number in range(SAMPLES)]
        more = sum([self.answered(g.copy(), index, best) for g in games])
        if more <= sum([self.value(g) for g in games]):
            return total + LAST
        if len(self.then) < PLANS:
            self.then[index] = best
        return more

    def tried(self, g: State, choose: Choose) -> tuple[Value, bool, tuple[int, ...]]:
        """Try how an action may go on; whether others were asked, and what came first.

        Others choose at random; once they have been asked the seat does what is best.
        """
        asked = fell = False
        picks: list[int] = []
        for _ in range(STEPS):
            legal = [] if self.settled(g) else legal_in(g)
            if not legal:
                break
            mine = acting_seat(g) == self.seat
            if asked and mine:
                index = self.at_once(g, legal)
            else:
                asked = asked or not mine
                index = choose(g, legal) if mine else self.any(g, legal)
            if not asked and not fell:
                picks.append(index)
            decide(g, index)
            fell = fell or bool(g.events)
        return self.value(g), asked, tuple(picks)

    def answered(self, g: State, index: int, picks: Sequence[int]) -> Value:
        """Return what an action comes to if the others answer as is best for them."""
        decide(g, index)
        for pick in picks:
            if self.settled(g) or acting_seat(g) != self.seat:
                break
            if pick not in legal_in(g):
                break
            decide(g, pick)
        asked = None
        for _ in range(STEPS):
            legal = [] if self.settled(g) else legal_in(g)
            if not legal:
                break
            seat = acting_seat(g)
            if seat == self.seat:
                index = self.any(g, legal) if asked is None else self.at_once(g, legal)
            elif seat == asked:
                index = self.any(g, legal)
            else:
                asked = seat
                index = self.answer(g, legal)
            decide(g, index)
        return self.value(g)

    def answer(self, g: State, legal: Sequence[int]) -> int:
        """Return what is best for another seat, once the action is over."""
        seat = acting_seat(g)
        assert seat is not None
        if len(legal) == 1:
            return legal[0]
        among, values = few(legal), []
        for index in among:
            after = g.copy()
            decide(after, index)
            values.append(self.played_on(after, seat))
        return self.one_of_best(among, values)

    def played_on(self, g: State, seat: int) -> Value:
        """Play until an action is over; return what a seat has then.

        Whose action it is does what is best at once; the others choose at random.
        """
        for _ in range(STEPS):
            legal = [] if self.settled(g) else legal_in(g)
            if not legal:
                break
            mine = acting_seat(g) == self.owner
            decide(g, self.at_once(g, legal) if mine else self.any(g, legal))
        return self.value(g, seat)

    def at_once(self, g: State, legal: Sequence[int]) -> int:
        """Return the action after which the seat that must decide has most."""
        if len(legal) == 1:
            return legal[0]
        seat, among, values = acting_seat(g), few(legal), []
        for index in among:
            after = g.copy()
            decide(after, index)
            values.append(self.value(after, seat))
        return self.one_of_best(among, values)

    def any(self, _g: State, legal: Sequence[int]) -> int:
        """Return an action at random."""
        return legal[self.numbers.below(len(legal)) if len(legal) > 1 else 0]

    def one_of_best(self, legal: Sequence[int], values: Sequence[Value]) -> int:
        """Return one of the actions of most value."""
        most = max(values)
        among = [x for x, value in zip(legal, values, strict=True) if value == most]
        return among[self.numbers.below(len(among)) if len(among) > 1 else 0]


def has_in(g: State, seat: int) -> Value:
    """Return what a seat has: points and hints, far more or less at a game's end."""
    has = g.plan.points(g.s, seat) + g.plan.worth(g.s, seat)
    has = max(-MOST, min(MOST, has))
    if g.s[STATUS] == ENDED:
        first = first_of(g.s[RANKS])
        if 0 < len(first) < g.plan.players:
            has += WON if seat in first else -WON
    return has


def few(indices: Sequence[int], most: int = NEXT) -> list[int]:
    """Return some of so many indices, from the first on as far apart as can be."""
    size = min(most, len(indices))
    return [indices[place * len(indices) // size] for place in range(size)]


def legal_in(g: State) -> list[int]:
    """Return what the seat may do that must decide."""
    if g.legal is None:
        assert isinstance(g.waiting, Decision)
        g.legal = g.waiting.legal(g, g.s, g.frames[-1])
    return g.legal


def decide(g: State, index: int) -> None:
    """Do a legal action of the seat that must decide; chance falls as it is drawn."""
    assert isinstance(g.waiting, Decision)
    g.events = []
    g.waiting.decide(g, index)


def fall(g: State, event: ChanceStep, outcome: Any) -> None:
    """Let an outcome of the chance event that is due happen."""
    g.resume(event.accept(g, g.s, g.frames[-1], outcome))
