"""Redraw of the local variables that depend on hidden information.

A variable that depends on real hidden information would reveal it. A sample therefore
executes the assignments of each frame again with the redrawn information, evaluates the
arguments of each call again, and draws the members of loops and hidden selections.
Pending picks and the answers of simultaneous blocks are redrawn elsewhere.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import prod
from typing import Any, TypeVar

from interpreter.core.chance import Stream
from interpreter.core.layout import ACTIVE
from interpreter.core.slots import FIRST_LOCAL
from interpreter.errors import SampleError
from interpreter.explain.evaluator import ExpressionEvaluator
from interpreter.knowledge.pending_picks import PendingPick
from interpreter.knowledge.random_values import random_value
from interpreter.knowledge.visibility import sees
from interpreter.plan.units import (
    Assignments,
    FrameStart,
    HiddenLoop,
    HiddenRepeat,
    Scope,
    Selection,
    SimultaneousBlock,
    Unit,
)
from interpreter.state.state import Frame, State
from interpreter.state.wait_points import AskStep, ChooseStep, GatherStep
from rulebook import model as m
from rulebook.secrecy import KNOWN_TO_ACTOR, PUBLIC
from rulebook.signatures import VariablePlace, Write, effects_of, effects_within

Slots = set[int]
T = TypeVar("T")


def redraw_variables(
    g: State,
    seat: int,
    picks: Sequence[PendingPick],
    chance: Stream,
    acting: int | None,
) -> bool:
    """Redraw the variables hidden from a seat, except pending picks.

    `acting` is the seat that must decide. Return False if the variables contradict what
    the seat sees: that seat, or the seats of the frames. Raise `SampleError` if nothing
    determines a variable.
    """
    redraw = VariableRedraw(g, seat, picks, chance, acting)
    heights = range(len(g.frames))
    return all(map(redraw.redraw_frame, heights)) and all(
        map(redraw.is_consistent, heights)
    )


def knows(seat: int, frame: Frame, grade: int) -> bool:
    """Return whether a seat knows values of a grade in a frame."""
    return grade == PUBLIC or (grade == KNOWN_TO_ACTOR and frame[2] == seat)


class VariableRedraw:
    """Redraw of the variables hidden from a seat, frame by frame from the bottom."""

    def __init__(
        self,
        g: State,
        seat: int,
        picks: Sequence[PendingPick],
        chance: Stream,
        acting: int | None,
    ) -> None:
        self.g = g
        self.seat = seat
        self.chance = chance
        self.acting = acting
        self.redrawn = {(id(pick.frame), pick.place - FIRST_LOCAL) for pick in picks}

    # ------------------------------------------------------------ frames

    def redraw_frame(self, height: int) -> bool:
        """Redraw the hidden variables of a frame, in the order of its statements.

        Variables that have no value at its step are cleared. Return False if the frame
        is impossible in the redrawn state.
        """
        frame = self.g.frames[height]
        unit, scope = self.g.plan.units[frame[0]], self.scope(height)
        left: Slots = set()
        for slot in self.hidden_slots(frame, unit):
            if slot in scope.slots:
                left.add(slot)
            else:
                frame[slot + FIRST_LOCAL] = None
        left -= self.redraw_parameters(height, left, scope)
        for binding in unit.history:
            match binding:
                case Assignments() if is_done(binding, frame, scope):
                    left -= self.execute(binding.node, frame, unit, scope)
                case Selection(slot, selecting) if slot in left:
                    if self.saw_selection(frame, unit, slot, selecting):
                        left.discard(slot)
                    else:
                        left -= self.redraw_selection(frame, unit, slot)
                case HiddenLoop(grade=grade, rest=rest) if rest in scope.slots:
                    if knows(self.seat, frame, grade):
                        continue
                    if not self.redraw_loop(height, binding):
                        return False
                    left.discard(binding.slot)
                case HiddenRepeat(grade=grade, left=slot) if slot in scope.slots:
                    if not knows(self.seat, frame, grade):
                        self.redraw_repeat(frame, binding)
                case _:
                    pass
        if left:
            raise SampleError(0, unit.slots[min(left)], unit.name)
        return True

    def hidden_slots(self, frame: Frame, unit: Unit) -> Slots:
        """Return the slots with values that the seat does not know."""
        return {
            slot
            for slot, grade in unit.grades.items()
            if not knows(self.seat, frame, grade)
            and frame[slot + FIRST_LOCAL] is not None
            and (id(frame), slot) not in self.redrawn
        }

    def start(self, height: int) -> FrameStart | None:
        """Return the statement of a frame that started the frame above, or None."""
        if height < 0 or height + 1 >= len(self.g.frames):
            return None
        frame, above = self.g.frames[height : height + 2]
        start = self.g.plan.units[frame[0]].starts.get(frame[1])
        return start if start and above[0] in start.arguments else None

    def scope(self, height: int) -> Scope:
        """Return the scope of the statement at which a frame waits."""
        frame, start = self.g.frames[height], self.start(height)
        if start is not None:
            return start.scope
        unit = self.g.plan.units[frame[0]]
        at_start = {place.slot for place in unit.code.parameters} if unit.code else ()
        return unit.scopes.get(frame[1]) or Scope(frozenset(at_start), ())

    def player_after(self, height: int) -> tuple[m.Expr | None, int | None]:
        """Return who acts after a frame: an expression in the frame, and its value."""
        start = self.start(height)
        if start is not None:
            return start.player, self.g.frames[height + 1][2]
        waiting = self.g.waiting
        if self.acting is not None and height + 1 == len(self.g.frames):
            assert isinstance(waiting, AskStep | ChooseStep | GatherStep)
            return effects_of(waiting.node).asks, self.acting
        return None, None

    def is_consistent(self, height: int) -> bool:
        """Return whether the frame above has the seat that the statement gives it."""
        start = self.start(height)
        if start is None or not start.has_hidden_player or start.player is None:
            return True
        seat = self.reader(self.g.frames[height]).value(start.player)
        return bool(seat == self.g.frames[height + 1][2])

    def reader(self, frame: Frame) -> ExpressionEvaluator:
        """Return the evaluator of expressions in a frame."""
        return ExpressionEvaluator(self.g.plan, self.g.s, frame)

    # ------------------------------------------------------------ parameters

    def redraw_parameters(self, height: int, hidden: Slots, scope: Scope) -> Slots:
        """Redraw the hidden parameters of a frame; return their slots."""
        frame = self.g.frames[height]
        unit, below = self.g.plan.units[frame[0]], self.start(height - 1)
        parameters = () if unit.code is None else unit.code.parameters
        done: Slots = set()
        if hidden.isdisjoint(place.slot for place in parameters):
            return done
        if below is not None:
            reader = self.reader(self.g.frames[height - 1])
            arguments = self.arguments(reader, unit, below, frame, hidden)
            for place, argument in zip(parameters, arguments, strict=False):
                if place.slot in hidden:
                    frame[place.slot + FIRST_LOCAL] = reader.value(argument)
                    done.add(place.slot)
            self.replace_none(frame, unit, done & scope.present)
        if isinstance(unit.code, m.Action):
            for place in parameters:
                if place.slot not in hidden - done:
                    continue
                if self.saw_selection(frame, unit, place.slot, m.you()):
                    done.add(place.slot)
                else:
                    done |= self.redraw_selection(frame, unit, place.slot, place.type)
        return done

    def arguments(
        self,
        reader: ExpressionEvaluator,
        unit: Unit,
        start: FrameStart,
        frame: Frame,
        hidden: Slots,
    ) -> tuple[m.Expr, ...]:
        """Return the arguments of the statement that started a frame.

        Of several offers, it is a random one that agrees with the known arguments.
        """
        lists = start.arguments[unit.number]
        if len(lists) > 1:
            assert unit.code is not None
            slots = [place.slot for place in unit.code.parameters]
            agreeing = [
                given
                for given in lists
                if all(
                    slot in hidden or reader.value(x) == frame[slot + FIRST_LOCAL]
                    for slot, x in zip(slots, given, strict=False)
                )
            ]
            lists = agreeing or lists
        return self.pick(lists)

    def pick(self, items: Sequence[T]) -> T:
        """Return a random item; a single item needs no random number."""
        return items[self.chance.next_below(len(items)) if len(items) > 1 else 0]

    def replace_none(self, frame: Frame, unit: Unit, present: Slots) -> None:
        """Give variables that must not be none a random member if they are none."""
        for slot in sorted(present):
            match unit.types[slot], frame[slot + FIRST_LOCAL]:
                case m.Member(domain=domain), m.NONE:
                    member = random_value(self.g.plan, m.Member(domain), self.chance)
                    frame[slot + FIRST_LOCAL] = member

    # ------------------------------------------------------------ assignments

    def execute(self, node: Any, frame: Frame, unit: Unit, scope: Scope) -> Slots:
        """Execute a statement that only assigns variables; return the hidden slots.

        Other variables keep their values.
        """
        hidden, before = self.hidden_slots(frame, unit), frame.copy()
        self.run_statement(node, frame, unit)
        for place in range(FIRST_LOCAL, len(frame)):
            if place - FIRST_LOCAL not in hidden:
                frame[place] = before[place]
        written = {slot for effects in effects_within(node) for slot in effects.slots}
        self.replace_none(frame, unit, hidden & written & scope.present)
        return hidden & written

    def run_statement(self, node: Any, frame: Frame, unit: Unit) -> None:
        """Run a statement that only assigns variables."""
        effects, reader = effects_of(node), self.reader(frame)
        for write in effects.writes:
            self.write(write, frame, unit)
        for block in effects.blocks:
            if not all(map(reader.value, block.holds)):
                continue
            if any(map(reader.value, block.fails)):
                continue
            for _ in self.rounds(block.binder if block.loop else None, frame):
                for inner in block.body:
                    self.run_statement(inner, frame, unit)
            if block.holds:
                break

    def rounds(self, binder: m.Binder | None, frame: Frame) -> Iterator[None]:
        """Bind each member of a loop in turn; without a binder there is one round."""
        if binder is None:
            yield
            return
        reader = self.reader(frame)
        for member in reader.value(binder.set):
            frame[binder.slot + FIRST_LOCAL] = member
            if binder.where is None or reader.value(binder.where):
                yield

    def write(self, write: Write, frame: Frame, unit: Unit) -> None:
        """Assign a value to a variable, or to one number of a tally."""
        assert isinstance(write.place, VariablePlace)
        place, reader = write.place.slot + FIRST_LOCAL, self.reader(frame)
        domains = unit.tallies.get(write.place.slot)
        if domains is None:
            assert write.value is not None
            frame[place] = reader.value(write.value)
            return
        sizes = [self.g.plan.facts.sizes[domain] for domain in domains]
        if write.value is None:
            frame[place] = (0,) * prod(sizes)
            return
        indices, at = [reader.value(index) for index in write.place.indices], 0
        for size, index in zip(sizes, indices, strict=True):
            at = at * size + index
        if min(indices) >= 0:
            numbers = list(frame[place])
            numbers[at] = reader.value(write.value)
            frame[place] = tuple(numbers)

    # ------------------------------------------------------------ selections

    def saw_selection(
        self, frame: Frame, unit: Unit, slot: int, selecting: m.Expr | None
    ) -> bool:
        """Return whether the seat selected a value, or sees where its cards move."""
        plan, reader = self.g.plan, self.reader(frame)
        selector = None
        if selecting is not None and reader.is_bound(selecting):
            selector = reader.value(selecting)
        if selector == self.seat:
            return True
        _, cards = unit.moves.get(slot, (0, None))
        for holder in () if cards is None else cards.holders:
            if not m.is_field(holder) or not reader.is_bound(holder.owner):
                continue
            owner = 0 if holder.owner is None else reader.value(holder.owner)
            block = plan.layout.fields[holder.field]
            if owner >= 0 and sees(plan, self.g.s, block, owner, self.seat):
                return True
        return False

    def redraw_selection(
        self, frame: Frame, unit: Unit, slot: int, kind: m.Type | None = None
    ) -> Slots:
        """Redraw a value that a seat or chance selected; return its slot.

        Cards come from the holder that contains them. Return no slot if the possible
        values are unknown.
        """
        place = slot + FIRST_LOCAL
        kind = kind or unit.types[slot]
        counts = self.cards_of_selection(frame, unit, slot)
        match frame[place], kind:
            case tuple() as taken, m.Bag(domain=domain):
                number = sum(taken)
                if not counts or sum(counts) < number:  # the holder is unknown
                    counts = [number] * self.g.plan.facts.sizes[domain]
                frame[place] = tuple(self.chance.draw(counts, number))
            case -1, m.Member(optional=True):
                pass
            case _, m.Member() if any(counts):
                frame[place] = self.chance.draw(counts, 1).index(1)
            case _, m.Member(domain=domain):
                frame[place] = random_value(self.g.plan, m.Member(domain), self.chance)
            case _, m.Truth():
                frame[place] = random_value(self.g.plan, kind, self.chance)
            case _, m.Whole(low=low, high=high) if slot_is_parameter(unit, slot):
                frame[place] = low + self.chance.next_below(high - low + 1)
            case _:
                return set()
        return {slot}

    def cards_of_selection(self, frame: Frame, unit: Unit, slot: int) -> list[int]:
        """Return the cards of the holder that contains a selection, by kind.

        That is its source before the move, and its destination afterwards.
        """
        step, cards = unit.moves.get(slot, (0, None))
        if cards is None:
            return []
        holder = cards.source if frame[1] <= step else cards.destination
        reader = self.reader(frame)
        if not m.is_field(holder) or not reader.is_bound(holder.owner):
            return []
        if holder.owner is not None and reader.value(holder.owner) < 0:
            return []
        match holder.type:
            case m.Bag():
                return list(reader.value(holder))
            case m.Stack(domain=domain):
                names = self.g.plan.values.names[domain]
                held = reader.cards(holder)
                return [held.get(name, 0) for name in names]
            case _:
                return []

    # ------------------------------------------------------------ loops

    def redraw_loop(self, height: int, loop: HiddenLoop) -> bool:
        """Redraw the current member of a loop, and the remaining members after it.

        The seat that acts is known, even if it is the current member. Return False if
        the loop has no member.
        """
        frame = self.g.frames[height]
        reader, place = self.reader(frame), loop.slot + FIRST_LOCAL
        members = reader.value(loop.members)
        order_expression = iteration_order(loop.members)
        order = members if order_expression is None else reader.value(order_expression)
        player, seat = self.player_after(height)
        if seat is not None and m.is_variable(player, loop.slot):
            current = seat
        else:
            possible = []
            for member in members:
                frame[place] = member
                if loop.where is None or reader.value(loop.where):
                    possible.append(member)
            if not possible and not order:
                return False
            current = self.pick(possible or order)
        frame[place] = current
        later = order[order.index(current) + 1 :] if current in order else order
        frame[loop.rest + FIRST_LOCAL] = tuple(
            [member for member in later if member in members and member != current]
        )
        return True

    def redraw_repeat(self, frame: Frame, repeat: HiddenRepeat) -> None:
        """Redraw the number of rounds left."""
        times = self.reader(frame).value(repeat.times)
        rounds = self.chance.next_below(times) if times > 1 else 0
        frame[repeat.left + FIRST_LOCAL] = rounds

    def members_of_block(
        self, frame: Frame, block: SimultaneousBlock, asked: set[int]
    ) -> list[int]:
        """Return the players who answer in a simultaneous block, in order.

        The players in `asked` are among them, because everybody saw that they answered.
        """
        reader, members = self.reader(frame), asked.copy()
        before = frame[block.member]
        for member in reader.value(block.set):
            frame[block.member] = member
            if block.where is None or reader.value(block.where):
                members.add(member)
        frame[block.member] = before
        first = max(self.g.s[ACTIVE], 0)
        return sorted(members, key=lambda seat: (seat - first) % self.g.plan.players)


def is_done(binding: Assignments, frame: Frame, scope: Scope) -> bool:
    """Return whether a frame has executed a statement of the blocks around its step."""
    around = scope.path[: len(binding.path)]
    return binding.step < frame[1] and binding.path == around


def slot_is_parameter(unit: Unit, slot: int) -> bool:
    """Return whether a slot stores a parameter, whose type has bounds."""
    assert unit.code is not None
    return any(place.slot == slot for place in unit.code.parameters)


def iteration_order(members: m.Expr) -> m.Expr | None:
    """Return the set that gives the order of *members*, or None if it is unknown."""
    match members:
        case m.SortedMembers():
            return None
        case m.Binder(set=inner):
            return iteration_order(inner)
        case m.KindsIn(type=m.SetOf(domain=str(domain))):
            return m.all_of(domain)
    return members
