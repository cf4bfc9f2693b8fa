"""Bottom unit of the control stack: set-up, then turn after turn."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from interpreter.core.layout import (
    ACTIVE,
    HAD_TURN,
    NEXT,
    PLACE,
    ROUND,
    STARTER,
    TURN,
    Layout,
)
from interpreter.core.order import AFTER, BEFORE, next_seat
from interpreter.plan.units import Unit
from interpreter.state.state import SWITCH, Frame, State
from rulebook import model as m
from rulebook import tooling
from rulebook.model import Model

GAME = "game"
SETUP = "setup"
BEFORE_SETUP = "before set-up"
NEXT_TURN = "the next turn"
END = "end"
THE_END = "the end of the game"


def phase_procedure(procedures: Mapping[str, m.Procedure], phase: str) -> str:
    """Return the name of the procedure that a turn calls for a phase."""
    players = tooling.phase_players_unit(phase)
    return players if players in procedures else tooling.phase_unit(phase)


class TurnLoopBuilder:
    """Builder of the bottom unit's steps; they return the next step, SWITCH or WAIT."""

    def __init__(
        self,
        model: Model,
        players: int,
        layout: Layout,
        units: dict[str, int],
        masks: dict[tooling.StatePart, int],
    ) -> None:
        self.players = players
        self.limit = model.turns
        self.rounds = model.rounds
        self.units = units
        self.procedures = model.procedures
        self.layout = layout
        self.woken = masks.get(
            tooling.StatePart(tooling.PartSort.ACTIVE), 0
        ) | masks.get(tooling.StatePart(tooling.PartSort.TURN), 0)
        self.resets = {
            m.Period.TURN: [key for key, field in model.fields.items() if field.resets],
            m.Period.ROUND: [
                key for key, field in model.fields.items() if field.resets_round
            ],
        }
        self.mask = dict.fromkeys(self.resets, 0)
        for period, keys in self.resets.items():
            for key in keys:
                self.mask[period] |= masks.get(tooling.StatePart.field(key), 0)
        self.phases = model.phases
        self.phases_each_round = model.phases_each_round
        self.empty: list[Any] = []

    def unit(self) -> Unit:
        """Return the bottom unit."""
        unit = Unit(GAME, ("you",), (None,), 1)
        unit.empty = [None]
        unit.steps = [self.set_up, self.next_turn]
        unit.step_names = {0: BEFORE_SETUP, 1: NEXT_TURN}
        for number, phase in enumerate(self.phases, 2):
            unit.steps.append(self.phase_step(number, phase))
            unit.step_names[number] = phase
        unit.steps.append(self.end_turn)
        unit.step_names[len(unit.steps) - 1] = "the end of the turn"
        unit.steps += [self.decide_winner, self.end_without_winner]
        unit.step_names |= {
            self.closing_step: THE_END,
            self.closing_step + 1: "after the end",
        }
        unit.steps += [self.after_round, self.before_turns]
        unit.step_names |= {self.after_round_step: "after the round"}
        unit.step_names |= {self.after_round_step + 1: "before the round"}
        return unit

    @property
    def closing_step(self) -> int:
        """Number of the step that determines the winner."""
        return len(self.phases) + 3

    @property
    def after_round_step(self) -> int:
        """Number of the step after the procedures that follow a round."""
        return len(self.phases) + 5

    def decide_winner(self, g: State, s: list[Any], f: Frame) -> int:
        """Call the clause that decides who wins, once the awards are settled."""
        if g.triggers and g.settle(f, self.closing_step):
            return SWITCH
        f[1] = self.closing_step + 1
        g.start_clause(self.procedures[END])
        g.frames.append(g.plan.units[self.units[END]].frame(max(s[ACTIVE], 0)))
        return SWITCH

    def end_without_winner(self, g: State, s: list[Any], f: Frame) -> int:
        """End the game without a winner if no clause has named one."""
        del s, f
        return g.finish((), END)

    def set_up(self, g: State, s: list[Any], f: Frame) -> int:
        """Call set-up, if the rules have one."""
        del s
        f[1] = 1
        if SETUP in self.units:
            g.start_clause(self.procedures[SETUP])
            g.frames.append(g.plan.units[self.units[SETUP]].frame(0))
        return SWITCH

    def end_turn(self, g: State, s: list[Any], f: Frame) -> int:
        """Evaluate awards and rules at the end of a turn."""
        del s
        if g.triggers and g.settle(f, len(self.phases) + 2):
            return SWITCH
        return 1

    def next_turn(self, g: State, s: list[Any], f: Frame) -> int:
        """Check the limits of turns, then continue the round."""
        if g.triggers and g.settle(f, 1):
            return SWITCH
        if s[TURN] >= self.limit:
            return self.stop(g)
        if s[TURN] >= g.turns:
            return g.stop_unfinished()
        return self.continue_round(g, s, f)

    def stop(self, g: State) -> int:
        """Determine the winner; if no clause determines one, the game is unfinished."""
        return g.end_game() if END in self.units else g.stop_unfinished()

    def continue_round(self, g: State, s: list[Any], f: Frame) -> int:
        """Start the next turn of the round, or the next round."""
        if s[ROUND] and s[HAD_TURN] != g.plan.all_seats:
            return self.begin_turn(g, s, f)
        if s[ROUND] and self.call_clause(g, s, f, AFTER, self.after_round_step):
            return SWITCH
        return self.next_round(g, s, f)

    def after_round(self, g: State, s: list[Any], f: Frame) -> int:
        """Continue after the procedures that follow a round."""
        if g.triggers and g.settle(f, self.after_round_step):
            return SWITCH
        return self.next_round(g, s, f)

    def next_round(self, g: State, s: list[Any], f: Frame) -> int:
        """Start the next round, or stop after the last one."""
        if self.rounds is not None and s[ROUND] >= self.rounds:
            return self.stop(g)
        s[ROUND] += 1
        s[HAD_TURN] = 0
        self.reset(g, m.Period.ROUND)
        if self.call_clause(g, s, f, BEFORE, self.after_round_step + 1):
            return SWITCH
        return self.begin_turn(g, s, f)

    def before_turns(self, g: State, s: list[Any], f: Frame) -> int:
        """Continue after the procedures that precede a round."""
        if g.triggers and g.settle(f, self.after_round_step + 1):
            return SWITCH
        return self.begin_turn(g, s, f)

    def call_clause(
        self, g: State, s: list[Any], f: Frame, name: str, next_step: int
    ) -> bool:
        """Call a clause before or after a round; return whether it exists."""
        if name not in self.units:
            return False
        f[1] = next_step
        g.triggers |= self.woken
        g.start_clause(self.procedures[name])
        you = max(s[ACTIVE], s[STARTER], 0) if s[ACTIVE] < 0 else s[ACTIVE]
        g.frames.append(g.plan.units[self.units[name]].frame(you))
        return True

    def begin_turn(self, g: State, s: list[Any], f: Frame) -> int:
        """Start the turn of the next seat in the order."""
        seat = next_seat(s, self.players, g.plan.misses_turn)
        if seat is None:
            return self.continue_round(g, s, f)
        if seat < 0:
            return self.stop(g)
        s[ACTIVE] = s[PLACE] = seat
        s[STARTER] = max(s[STARTER], 0) if s[TURN] else seat
        s[NEXT] = m.NONE
        s[HAD_TURN] |= g.plan.all_seats if self.phases_each_round else 1 << seat
        s[TURN] += 1
        g.triggers |= self.woken
        self.reset(g, m.Period.TURN)
        return 2

    def reset(self, g: State, period: m.Period) -> None:
        """Reset fields to their start values at the start of a turn or round."""
        g.triggers |= self.mask[period]
        start = g.plan.start_cells
        for key in self.resets[period]:
            block = self.layout.fields[key]
            end = block.base + block.count * block.stride
            g.s[block.base : end] = start[block.base : end]

    def phase_step(self, number: int, name: str) -> Callable[..., int]:
        """Return the step that calls a phase."""
        called = phase_procedure(self.procedures, name)
        unit, procedure = self.units[called], self.procedures[called]

        def step(g: State, s: list[Any], f: Frame) -> int:
            f[1] = number + 1
            g.start_clause(procedure)
            g.frames.append(g.plan.units[unit].frame(s[ACTIVE]))
            return SWITCH

        return step
