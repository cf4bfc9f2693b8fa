"""A game of C as the state that the interpreter has."""

from __future__ import annotations

import ctypes
from typing import Any

import attrs

from interpreter.native.program import DEPTH, Translated
from interpreter.plan.plan import Plan
from interpreter.state.answers import Answer, Answers, Fallen, hashable
from interpreter.state.state import Event, State
from interpreter.tables.layout import BACKWARDS, RANKS, REASON, StackValue
from rulebook import model as m

UNSET = -(1 << 63)
WIDE: dict[str, Any] = {
    "int8_t": ctypes.c_int8,
    "int16_t": ctypes.c_int16,
    "int32_t": ctypes.c_int32,
    "int64_t": ctypes.c_int64,
}


def fields_of(plan: Plan, c: Translated) -> dict[str, Any]:
    """Return the structures of C for a game: `Game`, `Event`, `Stack`."""
    int32, int64, uint64 = ctypes.c_int32, ctypes.c_int64, ctypes.c_uint64
    cell, size = WIDE[c.cells.type], len(plan.start)
    stacks = max(1, len(c.cells.stacks))
    frame = max(places.size for places in c.places.values())
    stack = structure(
        "Stack",
        size=int32,
        card=ctypes.c_int16 * c.cells.cards,
        known=uint64 * c.cells.cards,
        pool=int32 * c.cells.kinds,
    )
    event = structure(
        "Event",
        what=int32,
        size=int32,
        seat=int32,
        pad=int32,
        value=int64 * c.outcome,
        told=uint64,
    )
    game = structure(
        "Game",
        s=cell * size,
        stack=stack * stacks,
        frame=(int64 * frame) * DEPTH,
        ranks=int64 * plan.players,
        counts=ctypes.c_uint32 * max(1, len(c.events)),
        triggers=uint64,
        seed=uint64,
        executed=int64,
        ran=int64,
        turns=int64,
        why=int64,
        depth=int32,
        ranked=int32,
        reason=int32,
        split=int32,
        answers=int32,
        who=int32,
        legals=int32,
        answering=int32,
        chosen=int32,
        pad=int32,
        split_s=cell * (size if c.split else 1),
        split_stack=stack * (stacks if c.split else 1),
        answer=event * c.answers,
        out=ctypes.c_void_p,
        log=ctypes.c_void_p,
        legal=int32 * c.legal,
    )
    return {"Game": game, "Event": event, "Stack": stack}


def structure(name: str, **fields: Any) -> Any:
    """Return the structure of C with these fields."""
    return type(name, (ctypes.Structure,), {"_fields_": list(fields.items())})


@attrs.define
class States:
    """Conversions for one plan; `endless` are the cells of bags that never run out.

    `others` are the cells that hold no number and no stack, which are never written.
    """

    plan: Plan
    c: Translated
    endless: list[tuple[int, int]] = attrs.field(init=False)
    others: list[tuple[int, Any]] = attrs.field(init=False)

    def __attrs_post_init__(self) -> None:
        self.endless = [
            (block.base, block.base + block.count * block.stride)
            for block in self.plan.layout.fields.values()
            if block.field.endless
        ]
        self.others = [
            (place, value)
            for place, value in enumerate(self.plan.layout.empty)
            if isinstance(value, tuple) and place not in self.c.cells.stacks
        ]

    # ------------------------------------------------------------ to the interpreter

    def state(self, game: Any, seed: int) -> State:
        """Return a game of C as a state that the interpreter goes on from.

        The seed is said: in C it has 64 bits and no sign.
        """
        state = State(self.plan, seed, given=False)
        state.turns = int(game.turns)
        state.s = self.cells(game)
        state.frames = self.frames(game)
        state.triggers = int(game.triggers)
        state.counts = self.counts(game)
        if game.split:
            state.split = tuple(self.split(game))
            state.answered = self.answered(game)
        return state

    def cells(self, game: Any) -> list[Any]:
        """Return the cells."""
        s = self.filled(game.s, game.stack)
        s[RANKS] = tuple(game.ranks[: game.ranked])
        s[REASON] = None if game.reason < 0 else self.c.reasons[game.reason]
        return s

    def split(self, game: Any) -> list[Any]:
        """Return the cells as they were at the beginning of a block."""
        s = self.filled(game.split_s, game.split_stack)
        s[RANKS], s[REASON] = (), None
        return s

    def filled(self, cells: Any, stacks: Any) -> list[Any]:
        """Return cells with the stacks and endless bags in their places."""
        s: list[Any] = cells[:]
        for place, number in self.c.cells.stacks.items():
            kinds = len(self.plan.start[place][1])
            s[place] = stack_value(stacks[number], kinds)
        for place, value in self.others:
            s[place] = value
        s[BACKWARDS] = bool(s[BACKWARDS])
        for low, end in self.endless:
            s[low:end] = self.plan.start[low:end]
        return s

    def frames(self, game: Any) -> list[list[Any]]:
        """Return the control stack."""
        return [self.frame(game.frame[n]) for n in range(game.depth)]

    def frame(self, f: Any) -> list[Any]:
        """Return one frame."""
        unit, slots = self.plan.units[f[0]], self.c.places[f[0]].slots
        values = [
            self.local(f, slots[slot], kind) for slot, kind in enumerate(unit.types)
        ]
        return [int(f[0]), int(f[1]), *values]

    def local(self, f: Any, place: int, kind: m.Type | None) -> Any:
        """Return the value of a local; None where it has none."""
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

    def counts(self, game: Any) -> dict[str, int]:
        """Return how often each chance event has happened."""
        return {
            name: number
            for name, number in zip(self.c.events, game.counts, strict=False)
            if number
        }

    def answered(self, game: Any) -> Answers:
        """Return what has happened in a simultaneous block."""
        answers: list[Answer | Fallen] = []
        for event in game.answer[: game.answers]:
            if event.what < 0:
                answers.append(Answer(int(event.seat), int(event.value[0])))
                continue
            name, outcome, told = self.event(event)
            answers.append(Fallen(int(event.seat), name, hashable(outcome), told))
        return tuple(answers)

    # ------------------------------------------------------------ chance events

    def event(self, event: Any) -> Event:
        """Return a chance event: name, outcome as plain data, who may know."""
        name, kinds = self.c.falls[event.what]
        raw = tuple(event.value[: event.size])
        to_plain = self.plan.values.to_plain
        if isinstance(kinds, tuple):
            pairs = zip(kinds, raw, strict=True)
            return (
                name,
                [to_plain(kind, value) for kind, value in pairs],
                int(event.told),
            )
        return name, to_plain(kinds, raw[0]), int(event.told)


def stack_value(stack: Any, kinds: int) -> StackValue:
    """Return a stack as the interpreter has it."""
    size = stack.size
    entries = tuple(zip(stack.card[:size], stack.known[:size], strict=True))
    return entries, tuple(stack.pool[:kinds])
