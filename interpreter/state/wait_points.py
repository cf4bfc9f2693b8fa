"""Wait points: the steps at which a game waits for a decision or a chance event.

Each wait point is an object that a plan creates once. `reach` is called when control
enters it; it waits, continues, or draws an outcome. `accept` receives the decision or
outcome and returns the next step.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import attrs

from interpreter.state.simultaneous import Answer, ChanceAnswer, to_hashable
from interpreter.state.state import SWITCH, Cells, Frame, State, WaitPoint
from rulebook import model as m

Reader = Callable[[Cells, Frame], Any]
PASS = 0


# ---------------------------------------------------------------- decisions


@attrs.define(eq=False)
class Decision(WaitPoint):
    """Step at which a seat must decide.

    `player` returns the seat. `observers` returns the seats that may know the decision;
    None means all. `has_fixed_values` is true if some offer fixes values that are not
    part of the index.
    """

    player: Reader
    observers: Reader | None = attrs.field(default=None, kw_only=True)
    has_fixed_values: bool = attrs.field(default=False, kw_only=True)

    def seat(self, g: State) -> int:
        """Return the number of the seat that decides."""
        seat: int = self.player(g.s, g.frames[-1])
        return seat

    def decide(self, g: State, index: int) -> None:
        """Apply a legal action of the seat, and run until the game waits again."""
        if g.split is not None:
            g.answered = (*g.answered, Answer(self.seat(g), index))
        self.start_run(g)
        g.resume(self.accept(g, g.s, g.frames[-1], index))

    def audience(self, g: State, index: int) -> int:
        """Return the seats that may know a choice, as bits."""
        del index
        if self.observers is None:
            return g.plan.all_seats
        known: int = self.observers(g.s, g.frames[-1])
        return known | 1 << self.seat(g)

    def fixed_values(self, g: State, index: int) -> tuple[int, ...]:
        """Return the values that the offer of a legal action fixes."""
        del g, index
        return ()

    def legal(self, g: State, s: Cells, f: Frame) -> list[int]:
        """Return the indices of the legal actions, ascending."""
        raise NotImplementedError

    def accept(self, g: State, s: Cells, f: Frame, index: int) -> int:
        """Apply a legal action; return the number of the next step."""
        raise NotImplementedError


@attrs.define(eq=False)
class AskStep(Decision):
    """Step of an `Ask`, which offers actions.

    `menu` appends the legal indices to a list; `offers` contains the offers by action
    name. If `private` is true, secrets of the seat determine whether it has anything to
    choose.
    """

    menu: Callable[[Cells, Frame, list[int]], None]
    offers: dict[str, tuple[PlannedOffer, ...]]
    node: m.Ask
    until: int | None
    after: int
    ended: int
    passed: int
    done: int
    in_order: bool
    private: bool

    def reach(self, g: State, s: Cells, f: Frame) -> int:
        """Wait, unless there is nothing to choose and everybody knows that."""
        if g.triggers and g.settle(f, self.pc):
            return SWITCH
        if self.player(s, f) < 0:
            return self.done
        if self.until is None:
            if self.private:
                g.note_secret_read(self.player(s, f))
            legal = self.legal(g, s, f)
            if not legal:
                return self.done
            if self.node.optional and self.node.skips and len(legal) == 1:
                return self.passed
            g.legal = legal
        return self.wait(g, f)

    def legal(self, g: State, s: Cells, f: Frame) -> list[int]:
        """Return the indices of the legal actions of all offers, ascending."""
        del g
        out: list[int] = [PASS] if self.node.optional else []
        self.menu(s, f, out)
        return out if self.in_order else sorted(dict.fromkeys(out))

    def audience(self, g: State, index: int) -> int:
        """Return the seats that may know an action with its arguments, as bits."""
        if index == PASS:
            return g.plan.all_seats
        action, _ = g.plan.actions.decode(index)
        if action.observers is None:
            return g.plan.all_seats
        frame = self.action_frame(g, index)
        known: int = action.observers(g.s, frame)
        return known | 1 << self.seat(g)

    def action_frame(self, g: State, index: int) -> Frame:
        """Return the frame of a legal action, from the first offer that allows it."""
        action, values = g.plan.actions.decode(index)
        frames = self.frames(g, action.name, values)
        if len(frames) == 1:
            return frames[0]
        for frame in frames:
            if action.failing_requirement(g.s, frame) is None:
                return frame
        raise AssertionError(action.name)

    def fixed_values(self, g: State, index: int) -> tuple[int, ...]:
        """Return the values that the offer of a legal action fixes."""
        if not self.has_fixed_values or index == PASS:
            return ()
        action, _ = g.plan.actions.decode(index)
        frame = self.action_frame(g, index)
        return tuple([frame[place.slot + 2] for place in action.fixed_parameters])

    def frames(self, g: State, name: str, values: tuple[Any, ...]) -> list[Frame]:
        """Return a frame for each offer of an action that has these arguments."""
        f = g.frames[-1]
        seat = self.player(g.s, f)
        frames = [offer.frame(g, f, seat, values) for offer in self.offers[name]]
        return [frame for frame in frames if frame is not None]

    def accept(self, g: State, s: Cells, f: Frame, index: int) -> int:
        """Apply the chosen action; return the number of the next step."""
        if index == PASS:
            return self.passed
        action, _ = g.plan.actions.decode(index)
        g.ran.append(action.action)
        target = self.ended if index == self.until else self.after
        frame = self.action_frame(g, index)
        if action.compiled_body is not None:
            action.compiled_body(g, s, frame)
            return target
        f[1] = target
        g.frames.append(frame)
        return SWITCH


@attrs.define(eq=False)
class PlannedOffer:
    """Offer of an action: the values it fixes, by slot, and whether it is free."""

    unit: int
    is_free: bool
    fixed_values: dict[int, Reader]
    slots: tuple[int, ...]

    def frame(
        self, g: State, f: Frame, seat: int, values: tuple[Any, ...]
    ) -> Frame | None:
        """Return a frame in which the action can be tested and taken.

        Return None if the offer fixes other values.
        """
        frame: Frame = g.plan.units[self.unit].frame(seat, self.is_free)
        for slot, value in zip(self.slots, values, strict=True):
            frame[slot + 2] = value
        for slot, read in self.fixed_values.items():
            value = read(g.s, f)
            if frame[slot + 2] is not None and frame[slot + 2] != value:
                return None
            frame[slot + 2] = value
        return frame


@attrs.define(eq=False)
class ChooseStep(Decision):
    """Step of a `Choose`, at which a seat chooses a member of a set."""

    candidates: Reader
    node: m.Choose
    base: int
    slot: int
    chosen: int
    passed: int
    empty: int

    def reach(self, g: State, s: Cells, f: Frame) -> int:
        """Wait, unless there is no candidate, or one that is chosen automatically."""
        if g.triggers and g.settle(f, self.pc):
            return SWITCH
        candidates = [] if self.player(s, f) < 0 else self.candidates(s, f)
        if not candidates:
            return self.passed if self.node.optional else self.empty
        if self.node.if_several and len(candidates) == 1:
            f[self.slot] = candidates[0]
            return self.chosen
        g.legal = self.indices(candidates)
        return self.wait(g, f)

    def legal(self, g: State, s: Cells, f: Frame) -> list[int]:
        """Return the indices of the candidates, and of `pass` if passing is allowed."""
        del g
        return self.indices(self.candidates(s, f))

    def indices(self, members: list[int]) -> list[int]:
        """Return the indices of members, and of `pass` if passing is allowed."""
        base = self.base
        indices = sorted([base + member for member in members])
        return [PASS, *indices] if self.node.optional else indices

    def accept(self, g: State, s: Cells, f: Frame, index: int) -> int:
        """Bind the chosen member; return the number of the next step."""
        del g, s
        if index == PASS:
            return self.passed
        f[self.slot] = index - self.base
        return self.chosen


@attrs.define(eq=False)
class GatherStep(Decision):
    """Step of a `Gather`, at which a seat picks cards one by one, in order.

    If `private` is true, some seats do not know which further picks are possible.
    """

    candidates: Reader
    hand: Reader | None
    low: Reader
    high: Reader
    node: m.Gather
    base: int
    size: int
    bag: int
    done: int
    private: bool

    def reveals_more(self, s: Cells, f: Frame) -> bool:
        """Return whether the next pick shows whether more cards can be picked."""
        number = sum(f[self.bag]) + 1
        held = number + 1 if self.hand is None else sum(self.hand(s, f))
        may_end = min(self.low(s, f), held) <= number < min(self.high(s, f), held)
        return self.private and may_end

    def reach(self, g: State, s: Cells, f: Frame) -> int:
        """Wait while more cards can be picked."""
        if g.triggers and g.settle(f, self.pc):
            return SWITCH
        if self.player(s, f) < 0:
            return self.done
        legal = self.legal(g, s, f)
        if not any(legal):
            return self.done
        g.legal = legal
        return self.wait(g, f)

    def legal(self, g: State, s: Cells, f: Frame) -> list[int]:
        """Return the indices of the cards that can be picked, and of `pass`.

        After each of these picks, enough cards remain for the minimum.
        """
        del g
        picked = f[self.bag]
        number = sum(picked)
        held, need, high = self.bounds(s, f)
        out = []
        if number < high:
            last = max([m for m, n in enumerate(picked) if n]) if number else 0
            base, more = self.base, number
            for member in sorted(held, reverse=True):
                left = held[member] - picked[member]
                more += left
                if left > 0 and member >= last and more >= need:
                    out.append(base + member)
        if number >= need:
            out.append(PASS)
        return out[::-1]

    def bounds(self, s: Cells, f: Frame) -> tuple[dict[int, int], int, int]:
        """Return the available count of each card, and the range of picks.

        The range is the minimum and maximum number of all picks of the gather.
        """
        high = self.high(s, f)
        held = self.hand(s, f) if self.hand is not None else (high,) * self.size
        available = {member: held[member] for member in self.candidates(s, f)}
        return available, min(self.low(s, f), sum(available.values())), high

    def accept(self, g: State, s: Cells, f: Frame, index: int) -> int:
        """Add a card to the picks, or end the gather; return the next step."""
        del g, s
        if index == PASS:
            return self.done
        counts = list(f[self.bag])
        counts[index - self.base] += 1
        f[self.bag] = tuple(counts)
        return self.pc


# ---------------------------------------------------------------- chance

Outcomes = list[tuple[Any, int]] | int


@attrs.define(eq=False)
class ChanceStep(WaitPoint):
    """Step of a chance event.

    `outcomes` returns the raw outcomes with their weights, or a single card if nothing
    is random. Without outcomes, the step `empty` is next. `types` is the type of the
    outcome, or a tuple with the type of each part of a list outcome. `observers`
    returns the seats that may know the outcome; None means all.
    """

    event: str
    outcomes: Callable[[State, Cells, Frame], Outcomes]
    accepted: Callable[[State, Cells, Frame, Any], int]
    empty: int
    types: m.Type | tuple[m.Type, ...]
    observers: Reader | None

    def reach(self, g: State, s: Cells, f: Frame) -> int:
        """Draw an outcome, or wait until it is given."""
        if g.triggers and g.settle(f, self.pc):
            return SWITCH
        outcomes = self.outcomes(g, s, f)
        if isinstance(outcomes, int):
            return self.accepted(g, s, f, outcomes)
        if not outcomes:
            return self.empty
        if g.given:
            return self.wait(g, f)
        return self.accept(g, s, f, g.draw(self.event, outcomes))

    def accept(self, g: State, s: Cells, f: Frame, outcome: Any) -> int:
        """Apply an outcome; return the next step."""
        if g.given:
            self.start_run(g)
        observers = g.plan.all_seats if self.observers is None else self.observers(s, f)
        plain = self.plain(g, outcome)
        g.events.append((self.event, plain, observers))
        seat = g.answering_seat
        if seat is not None:
            answer = ChanceAnswer(seat, self.event, to_hashable(plain), observers)
            g.answered = (*g.answered, answer)
        return self.accepted(g, s, f, outcome)

    def plain(self, g: State, outcome: Any) -> Any:
        """Return an outcome as plain data."""
        to_plain = g.plan.values.to_plain
        if isinstance(self.types, tuple):
            pairs = zip(self.types, outcome, strict=True)
            return [to_plain(kind, value) for kind, value in pairs]
        return to_plain(self.types, outcome)
