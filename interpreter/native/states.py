"""Conversion between native games and states of the interpreter."""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from typing import Any

import attrs

from interpreter.core.announcement import Announcement
from interpreter.core.layout import BACKWARDS, RANKS, REASON, StackValue
from interpreter.native.c_layout import structure_type
from interpreter.native.c_program import MAX_FRAMES, Translation
from interpreter.plan.plan import Plan
from interpreter.state.simultaneous import Answer, Answers, ChanceAnswer, to_hashable
from interpreter.state.state import Event, State
from rulebook import model as m

UNSET = -(1 << 63)
MAX_FRAME_NUMBER = 1 << 40
NO_CELL = (tuple, str, type(None))
TRAIL_CACHE_SIZE = 2 + 64
"""Number of 64-bit integers in the cache entry of a longest trail."""

WIDE: dict[str, Any] = {
    "int8_t": ctypes.c_int8,
    "int16_t": ctypes.c_int16,
    "int32_t": ctypes.c_int32,
    "int64_t": ctypes.c_int64,
}


class CapacityError(Exception):
    """Raised for a state that does not fit into a native game."""


def structures(plan: Plan, c: Translation) -> dict[str, Any]:
    """Return the C structures of a game by name: `Game`, `Event` and `Stack`."""
    int32, int64, uint64 = ctypes.c_int32, ctypes.c_int64, ctypes.c_uint64
    cell, size = WIDE[c.cells.type], len(plan.start_cells)
    stacks = max(1, len(c.cells.stacks))
    frame = max(places.size for places in c.places.values())
    stack = structure_type(
        "Stack",
        size=int32,
        card=ctypes.c_int16 * c.cells.stack_cards,
        known=uint64 * c.cells.stack_cards,
        pool=int32 * c.cells.stack_kinds,
    )
    event = structure_type(
        "Event",
        what=int32,
        size=int32,
        seat=int32,
        pad=int32,
        value=int64 * c.outcome,
        told=uint64,
    )
    game = structure_type(
        "Game",
        s=cell * size,
        stack=stack * stacks,
        frame=(int64 * frame) * MAX_FRAMES,
        ranks=int64 * plan.players,
        counts=ctypes.c_uint32 * max(1, len(c.events)),
        triggers=uint64,
        seed=uint64,
        executed=int64,
        ran=int64,
        turns=int64,
        why=int64,
        weight=int64,
        depth=int32,
        ranked=int32,
        reason=int32,
        split=int32,
        answers=int32,
        who=int32,
        legals=int32,
        answering=int32,
        chosen=int32,
        given=int32,
        watch=int32,
        valid=uint64 * c.kept[0],
        places=uint64 * c.kept[1],
        number=ctypes.c_int16 * c.kept[2],
        held=uint64 * c.kept[3],
        held_count=ctypes.c_int16 * c.kept[4],
        split_s=cell * (size if c.split else 1),
        split_stack=stack * (stacks if c.split else 1),
        answer=event * c.answers,
        kept=(uint64 * TRAIL_CACHE_SIZE) * c.trails,
        out=ctypes.c_void_p,
        log=ctypes.c_void_p,
        trace=ctypes.c_void_p,
        legal=int32 * c.legal,
    )
    return {"Game": game, "Event": event, "Stack": stack}


@attrs.define
class StateConverter:
    """Converter between native games of a plan and states of the interpreter.

    `endless` are the ranges of cells of bags that never run out. `other_cells` are the
    cells that hold neither a number nor a stack, with the values to restore.
    """

    plan: Plan
    translation: Translation
    endless: list[tuple[int, int]] = attrs.field(init=False)
    other_cells: list[tuple[int, Any]] = attrs.field(init=False)

    def __attrs_post_init__(self) -> None:
        self.endless = [
            (block.base, block.base + block.count * block.stride)
            for block in self.plan.layout.fields.values()
            if block.field.endless
        ]
        self.other_cells = [
            (place, value)
            for place, value in enumerate(self.plan.layout.empty_cells)
            if isinstance(value, tuple) and place not in self.translation.cells.stacks
        ]

    # ------------------------------------------------------------ native game to state

    def state(self, game: Any, seed: int, *, chance_given: bool = False) -> State:
        """Return a native game as a state that the interpreter can continue.

        The caller passes the seed, because C stores it as an unsigned 64-bit number.
        """
        state = State(self.plan, seed, chance_given=chance_given)
        state.turns = int(game.turns)
        state.s = self.cells(game)
        state.frames = self.frames(game)
        state.triggers = int(game.triggers)
        state.counts = self.event_counts(game)
        if game.split:
            state.split = tuple(self.block_start_cells(game))
            state.answered = self.read_answers(game)
        return state

    def cells(self, game: Any) -> list[Any]:
        """Return the cells of a native game."""
        s = self.fill_cells(game.s, game.stack)
        s[RANKS] = tuple(game.ranks[: game.ranked])
        s[REASON] = None if game.reason < 0 else self.translation.reasons[game.reason]
        return s

    def block_start_cells(self, game: Any) -> list[Any]:
        """Return the cells as they were at the start of a simultaneous block."""
        s = self.fill_cells(game.split_s, game.split_stack)
        s[RANKS], s[REASON] = (), None
        return s

    def fill_cells(self, cells: Any, stacks: Any) -> list[Any]:
        """Return cells with the stacks and endless bags filled in."""
        s: list[Any] = cells[:]
        for place, number in self.translation.cells.stacks.items():
            kinds = len(self.plan.start_cells[place][1])
            s[place] = stack_value(stacks[number], kinds)
        for place, value in self.other_cells:
            s[place] = value
        s[BACKWARDS] = bool(s[BACKWARDS])
        for low, end in self.endless:
            s[low:end] = self.plan.start_cells[low:end]
        return s

    def frames(self, game: Any) -> list[list[Any]]:
        """Return all frames of a native game's control stack."""
        return [self.frame(game.frame[n]) for n in range(game.depth)]

    def frame(self, f: Any) -> list[Any]:
        """Return a frame as the interpreter stores it: unit, step, local variables."""
        unit, slots = self.plan.units[f[0]], self.translation.places[f[0]].slots
        values = [
            self.local(f, slots[slot], kind) for slot, kind in enumerate(unit.types)
        ]
        return [int(f[0]), int(f[1]), *values]

    def local(self, f: Any, place: int, kind: m.Type | None) -> Any:
        """Return the value of a local variable, or None if it has no value."""
        if f[place] == UNSET:
            return None
        match kind:
            case m.Bag(domain=domain):
                return tuple(f[place : place + self.plan.facts.sizes[domain]])
            case m.SetOf():
                return tuple(f[place + 1 : place + 1 + f[place]])
            case m.Tally(domains=domains):
                size = 1
                for domain in domains:
                    size *= self.plan.facts.sizes[domain]
                return tuple(f[place : place + size])
            case m.Truth():
                return bool(f[place])
            case _:
                return int(f[place])

    def event_counts(self, game: Any) -> dict[str, int]:
        """Return how often each chance event has occurred, by name."""
        return {
            name: number
            for name, number in zip(self.translation.events, game.counts, strict=False)
            if number
        }

    def read_answers(self, game: Any) -> Answers:
        """Return the answers given so far in a simultaneous block."""
        answers: list[Answer | ChanceAnswer] = []
        for event in game.answer[: game.answers]:
            if event.what < 0:
                answers.append(Answer(int(event.seat), int(event.value[0])))
                continue
            name, outcome, observers = self.event(event)
            assert isinstance(name, str)
            answers.append(
                ChanceAnswer(int(event.seat), name, to_hashable(outcome), observers)
            )
        return tuple(answers)

    # ------------------------------------------------------------ state to native game

    def write(self, state: State, game: Any) -> None:
        """Write a waiting state to a native game; `rb_run` then reaches its wait point.

        Raise `CapacityError` if C has no room for the state, or the state is
        impossible.
        """
        game.turns, game.triggers = state.turns, state.triggers
        game.seed, game.given = state.seed & (1 << 64) - 1, int(state.given)
        self.write_cells(state.s, game.s, game.stack)
        ranks, reason = state.s[RANKS], state.s[REASON]
        game.ranked = len(ranks)
        game.ranks[: len(ranks)] = ranks
        game.reason = (
            -1 if reason is None else name_index(reason, self.translation.reasons)
        )
        self.write_frames(state.frames, game)
        for number in range(len(game.counts)):
            game.counts[number] = 0
        for name, count in state.counts.items():
            check_range(count, 1, (1 << 31) - 1)
            game.counts[name_index(name, self.translation.events)] = count
        game.split = int(state.split is not None)
        game.answers = 0
        if state.split is not None:
            self.write_cells(state.split, game.split_s, game.split_stack)
            self.write_answers(state.answered, game)

    def write_cells(self, s: Sequence[Any], cells: Any, stacks: Any) -> None:
        """Write numbers and stacks to C; cells of other kinds become 0."""
        numbers = [0 if isinstance(n, NO_CELL) else int(n) for n in s]
        for low, end in self.endless:
            numbers[low:end] = [0] * (end - low)
        most = self.translation.cells.max_value
        check_range(min(numbers), -most - 1, most)
        check_range(max(numbers), -most - 1, most)
        cells[:] = numbers
        for place, number in self.translation.cells.stacks.items():
            write_stack(s[place], stacks[number], self.translation.cells.stack_cards)

    def write_frames(self, frames: Sequence[Sequence[Any]], game: Any) -> None:
        """Write the frames of a control stack to a native game."""
        check_range(len(frames), 0, MAX_FRAMES)
        game.depth = len(frames)
        for number, (unit, step, *values) in enumerate(frames):
            f, places = game.frame[number], self.translation.places[unit]
            f[: places.size] = [unit, step] + [UNSET] * (places.size - 2)
            for slot, kind in enumerate(self.plan.units[unit].types):
                low, end = places.slots[slot], places.slots.get(slot + 1, places.size)
                row = self.row(kind, values[slot], end - low)
                f[low : low + len(row)] = row

    def row(self, kind: m.Type | None, value: Any, size: int) -> list[int]:
        """Return a local variable as the *size* numbers that it takes in a frame."""
        if value is None:
            return [UNSET]
        match kind:
            case m.Bag() | m.Tally():
                row = list(value)
                check_range(len(row), size, size)
            case m.SetOf():
                row = [len(value), *value]
                check_range(len(row), 1, size)
            case _:
                row = [value]
        for number in row:
            check_range(number, -MAX_FRAME_NUMBER, MAX_FRAME_NUMBER)
        return [int(number) for number in row]

    def write_answers(self, answers: Answers, game: Any) -> None:
        """Write the answers given so far in a simultaneous block."""
        check_range(len(answers), 0, self.translation.answers)
        game.answers = len(answers)
        for answer, event in zip(answers, game.answer, strict=False):
            event.seat, event.told = answer.seat, 0
            event.value[:] = [0] * self.translation.outcome
            if isinstance(answer, Answer):
                event.what, event.size, event.value[0] = -1, 1, answer.index
            else:
                event.what, raw = self.raw_event(answer)
                event.size, event.told = len(raw), answer.observers
                event.value[: len(raw)] = raw

    def raw_event(self, answer: ChanceAnswer) -> tuple[int, list[int]]:
        """Return the number of a chance event, and its outcome as C stores it."""
        for number, (name, kinds) in enumerate(self.translation.outcome_events):
            several = isinstance(kinds, tuple)
            if name != answer.event or several != isinstance(answer.outcome, tuple):
                continue
            plain = answer.outcome if isinstance(kinds, tuple) else (answer.outcome,)
            types = kinds if isinstance(kinds, tuple) else (kinds,)
            if len(plain) == len(types):
                pairs = zip(types, plain, strict=True)
                return number, [self.raw_value(kind, value) for kind, value in pairs]
        raise CapacityError(answer.event)

    def raw_value(self, kind: m.Type, plain: Any) -> int:
        """Return a plain value of an outcome as the number that C stores."""
        if isinstance(kind, m.Member):
            return (
                m.NONE if plain is None else name_index(plain, self.names(kind.domain))
            )
        check_range(plain, -MAX_FRAME_NUMBER, MAX_FRAME_NUMBER)
        return int(plain)

    def names(self, domain: str) -> tuple[str, ...]:
        """Return the names of the members of a domain."""
        return self.plan.values.names[domain]

    # ------------------------------------------------------------ chance events

    def event(self, event: Any) -> Event:
        """Return a chance event: name, outcome as plain data, and observers as bits.

        An announcement is its own name, and its values are its outcome.
        """
        name, outcome = self.outcome(event.what, event.value[: event.size])
        return name, outcome, int(event.told)

    def outcome(
        self, number: int, raw: Sequence[int]
    ) -> tuple[str | Announcement, Any]:
        """Return the name of an event, and its outcome as plain data."""
        name, kinds = self.translation.outcome_events[number]
        to_plain = self.plan.values.to_plain
        if isinstance(kinds, tuple):
            pairs = zip(kinds, raw, strict=True)
            return name, [to_plain(kind, value) for kind, value in pairs]
        return name, to_plain(kinds, raw[0])


def stack_value(stack: Any, kinds: int) -> StackValue:
    """Return a stack as the interpreter stores it."""
    size = stack.size
    entries = tuple(zip(stack.card[:size], stack.known[:size], strict=True))
    return entries, tuple(stack.pool[:kinds])


def write_stack(value: StackValue, stack: Any, max_cards: int) -> None:
    """Write a stack as C stores it; raise `CapacityError` if it is too large."""
    entries, pool = value
    check_range(len(entries), 0, max_cards)
    stack.size = len(entries)
    stack.card[: len(entries)] = [card for card, _ in entries]
    stack.known[: len(entries)] = [known for _, known in entries]
    stack.pool[: len(pool)] = pool


def name_index(name: Any, names: Sequence[str]) -> int:
    """Return the index of a name in a list; raise `CapacityError` if it is missing."""
    if name not in names:
        raise CapacityError(name)
    return names.index(name)


def check_range(number: Any, low: int, high: int) -> None:
    """Raise `CapacityError` unless a value is a number from *low* to *high*."""
    if not isinstance(number, int) or not low <= number <= high:
        raise CapacityError(number)
