"""The unit at the bottom of the control stack: set-up, then turn after turn."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from interpreter.flow import Unit
from interpreter.layout import ACTIVE, STARTER, TURN, Layout
from interpreter.state import SWITCH, Frame, State
from rulebook import Model

GAME = "game"
SETUP = "setup"
BEFORE_SETUP = "before set-up"
NEXT_TURN = "the next turn"
END = "end"
THE_END = "the end of the game"


class Turns:
    """Makes the steps of the bottom unit."""

    def __init__(
        self,
        model: Model,
        players: int,
        layout: Layout,
        units: dict[str, int],
        masks: dict[str, int],
    ) -> None:
        self.players = players
        self.limit = model.turns
        self.last = model.turns if model.rounds is None else model.rounds * players
        self.units = units
        self.procedures = model.procedures
        self.layout = layout
        self.woken = masks.get("active", 0) | masks.get("turn", 0)
        self.resets = {
            "turn": [key for key, field in model.fields.items() if field.resets],
            "round": [key for key, field in model.fields.items() if field.resets_round],
        }
        self.mask = dict.fromkeys(self.resets, 0)
        for period, keys in self.resets.items():
            for key in keys:
                self.mask[period] |= masks.get(f"field {key}", 0)
        self.phases = model.phases
        self.empty: list[Any] = []

    def unit(self) -> Unit:
        """Return the bottom unit."""
        unit = Unit(GAME, ("you",), (None,), 1)
        unit.empty = [None]
        unit.steps = [self.set_up, self.next_turn]
        unit.points = {0: BEFORE_SETUP, 1: NEXT_TURN}
        for number, phase in enumerate(self.phases, 2):
            unit.steps.append(self.phase(number, phase))
            unit.points[number] = phase.removeprefix("turn.")
        unit.steps.append(self.again)
        unit.points[len(unit.steps) - 1] = "the end of the turn"
        unit.steps += [self.see_who_wins, self.nobody_wins]
        unit.points |= {self.closing: THE_END, self.closing + 1: "after the end"}
        return unit

    @property
    def closing(self) -> int:
        """The step at which it is seen who wins."""
        return len(self.phases) + 3

    def see_who_wins(self, g: State, s: list[Any], f: Frame) -> int:
        """Call what decides who wins, when the awards are settled."""
        if g.triggers and g.settle(f, self.closing):
            return SWITCH
        f[1] = self.closing + 1
        g.begins(self.procedures[END])
        g.frames.append(g.plan.units[self.units[END]].frame(max(s[ACTIVE], 0)))
        return SWITCH

    def nobody_wins(self, g: State, s: list[Any], f: Frame) -> int:
        """End the game without a winner, where nothing has named one."""
        del s, f
        return g.finish((), END)

    def set_up(self, g: State, s: list[Any], f: Frame) -> int:
        """Call the set-up, if there is one."""
        del s
        f[1] = 1
        if SETUP in self.units:
            g.begins(self.procedures[SETUP])
            g.frames.append(g.plan.units[self.units[SETUP]].frame(0))
        return SWITCH

    def again(self, g: State, s: list[Any], f: Frame) -> int:
        """Settle at the end of a turn."""
        del s
        if g.triggers and g.settle(f, len(self.phases) + 2):
            return SWITCH
        return 1

    def next_turn(self, g: State, s: list[Any], f: Frame) -> int:
        """Begin the next player's turn."""
        if g.triggers and g.settle(f, 1):
            return SWITCH
        if s[TURN] >= min(self.limit, self.last) and END in self.units:
            return g.ends()
        if s[TURN] >= g.turns:
            return g.give_up()
        first = s[TURN] == 0
        s[ACTIVE] = max(s[STARTER], 0) if first else (s[ACTIVE] + 1) % self.players
        s[STARTER] = max(s[STARTER], 0)
        s[TURN] += 1
        g.triggers |= self.woken
        self.reset(g, "turn")
        if s[TURN] % self.players == 1 % self.players:
            self.reset(g, "round")
        return 2

    def reset(self, g: State, period: str) -> None:
        """Give fields their start values again."""
        g.triggers |= self.mask[period]
        start = g.plan.start
        for key in self.resets[period]:
            block = self.layout.fields[key]
            end = block.base + block.count * block.stride
            g.s[block.base : end] = start[block.base : end]

    def phase(self, number: int, name: str) -> Callable[..., int]:
        """Return the step that calls a phase."""
        called = f"turn.{name.removeprefix('turn.')}"
        unit, procedure = self.units[called], self.procedures[called]

        def step(g: State, s: list[Any], f: Frame) -> int:
            f[1] = number + 1
            g.begins(procedure)
            g.frames.append(g.plan.units[unit].frame(s[ACTIVE]))
            return SWITCH

        return step
