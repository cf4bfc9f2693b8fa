"""Games played side by side: by the native engine, the interpreter, and the interpreter
with every rewrite off. They are compared at every step."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

import attrs

import rulebook as rb
from interpreter import Game
from interpreter.documents import records
from interpreter.native.engine import Engine, NativeGame, engine
from interpreter.plan.plan import Plan
from interpreter.plan.specialise.rewrites import ALL
from interpreter.planning import plan_for
from interpreter.state.state import State, Unbroken
from interpreter.state.wait_points import Decision
from rulebook import model as m

KEYS = 100
BEYOND = 2
"""Why an engine gives up where the rules have no mistake: there is no room."""

NOTHING: frozenset[str] = frozenset()


class Different(AssertionError):
    """Two engines do not agree."""


class GaveUp(Different):
    """There was no room in the native engine: the interpreter goes on alone."""


@attrs.frozen
class Setting:
    """A game that is set up: its rules, who plays, its options, its seed."""

    book: rb.Rulebook
    players: int
    seed: int
    options: dict[str, Any]

    def __str__(self) -> str:
        return f"{self.book.name}, {self.players} players, {self.seed}, {self.options}"

    def plan(self, rewrites: frozenset[str] = ALL) -> Plan:
        return plan_for(self.book, self.players, self.options, rewrites)

    def reference(self, rewrites: frozenset[str]) -> Reference:
        """The game in the interpreter, with some of its rewrites."""
        plan = self.plan(rewrites)
        state = State(plan, self.seed, given=False)
        state.s, state.triggers = list(plan.start), plan.all_triggers
        state.frames.append(plan.units[0].frame(0))
        state.run()
        return Reference(plan, state)


@attrs.define
class Reference:
    """A game in the interpreter, as plain state."""

    plan: Plan
    current: State

    @property
    def events(self) -> list[Any]:
        """The chance events of the last step."""
        return list(self.current.events)

    @property
    def seat(self) -> int:
        return self.waiting().seat(self.current)

    @property
    def over(self) -> bool:
        return self.current.over

    def state(self) -> State:
        return self.current

    def waiting(self) -> Decision:
        assert isinstance(self.current.waiting, Decision)
        return self.current.waiting

    def legal_indices(self) -> list[int]:
        state = self.current
        return self.waiting().legal(state, state.s, state.frames[-1])

    def apply(self, index: int) -> None:
        with Unbroken(self.current):
            self.waiting().decide(self.current, index)


@attrs.define
class Recorder:
    """Writes down what an engine does, as the record of a game has it."""

    plan: Plan
    played: Reference | NativeGame
    events: records.Events = attrs.field(factory=lambda: records.Events(None, None, 0))

    def chance(self) -> None:
        for name, outcome, told in self.played.events:
            self.events = self.events.after(records.Drawn(name, outcome, told))

    def action(self, index: int) -> None:
        """Enter an action before it is done."""
        state = self.played.state()
        if state.waiting is None:
            state.run()
        assert isinstance(state.waiting, Decision)
        given = state.waiting.given(state, index)
        done = self.plan.actions.action(self.played.seat, index, given)
        told = self.plan.everybody
        self.events = self.events.after(records.Done(done.seat, done.text, told))

    def game(self) -> Game:
        """The game as the engine has it now, with what has happened."""
        game = Game(self.plan, self.played.state())
        game.led_here(self.events, None, None)
        return game


def play(setting: Setting, most: int, *, bare: bool = True) -> int:
    """Play one game in all engines; the steps that were compared.

    `bare`: with the interpreter that has every rewrite off, too.
    """
    made = engine(setting.plan())
    assert isinstance(made, Engine), f"{setting}: {made}"
    games = [setting.reference(ALL)] + [setting.reference(NOTHING)] * bare
    native, numbers = made.start(setting.seed), Random(setting.seed)
    mine, other = Recorder(games[0].plan, games[0]), Recorder(made.plan, native)
    for recorder in (mine, other):
        recorder.chance()
    for step in range(most + 1):
        if native.left is not None and native.reason == BEYOND:
            raise GaveUp(f"{setting}, step {step}: {native.why}")
        for place, game in enumerate(games):
            differences = list(compared(game, native))
            if differences:
                which = ("interpreter", "interpreter without rewrites")[place]
                raise Different(f"{setting}, step {step}, {which}: {differences[0]}")
        over = native.over or step == most
        if over or step % KEYS == 0:
            same(setting, step, mine.game().key, other.game().key)
        if over:
            same(setting, step, mine.game().record, other.game().record)
            return step
        index = numbers.choice(native.legal_indices())
        for recorder in (mine, other):
            recorder.action(index)
        mistakes = [mistake(game, index) for game in (*games, native)]
        for told in mistakes[1:]:
            same(setting, step, mistakes[0], told)
        if mistakes[0]:
            return step
        for game in games:
            same(setting, step, game.events, native.events)
        for recorder in (mine, other):
            recorder.chance()
    raise AssertionError


def mistake(game: Any, index: int) -> str:
    """What the rules have done wrong when an action is done; nothing if all is well."""
    try:
        game.apply(index)
    except rb.RulesError as error:
        return str(error)
    return ""


def same(setting: Setting, step: int, here: Any, there: Any) -> None:
    if here != there:
        raise Different(f"{setting}, step {step}: {here} and {there}")


def standing(plan: Plan, frames: list[list[Any]]) -> list[list[Any]]:
    """The control stack with the names of steps, which are the same in all engines."""
    return [
        [unit, plan.units[unit].points.get(step, step), *values]
        for unit, step, *values in frames
    ]


def compared(game: Reference, native: NativeGame) -> Iterator[str]:
    """What is not the same in two engines that wait, or are over."""
    mine, states, c = game.current, native.engine.states, native.cells
    plan = native.engine.plan
    if native.left is not None:
        yield f"the native engine gave up: {native.why}"
        return
    if game.over != native.over:
        yield f"over: {game.over} and {native.over}"
        return
    for place, (here, there) in enumerate(zip(mine.s, states.cells(c), strict=True)):
        if here != there:
            yield f"cell {place}: {here} and {there}"
    here, there = standing(game.plan, mine.frames), standing(plan, states.frames(c))
    if here != there:
        yield f"frames: {here} and {there}"
    if (mine.triggers, mine.counts) != (c.triggers, states.counts(c)):
        yield f"triggers, counts: {mine.counts} and {states.counts(c)}"
    if (mine.split is not None) != bool(c.split):
        yield f"in a block: {mine.split is not None} and {bool(c.split)}"
    elif mine.split is not None:
        if list(mine.split) != states.split(c):
            yield "the cells at the beginning of a block"
        if mine.answered != states.answered(c):
            yield f"answers: {mine.answered} and {states.answered(c)}"
    if isinstance(mine.waiting, Decision):
        if mine.waiting.seat(mine) != native.seat:
            yield f"seat: {mine.waiting.seat(mine)} and {native.seat}"
        if game.legal_indices() != native.legal_indices():
            yield f"legal: {game.legal_indices()} and {native.legal_indices()}"


def ends(book: rb.Rulebook) -> Iterator[dict[str, Any]]:
    """The options as they are by themselves, then each of them at either end."""
    yield {}
    for name, option in book.model.options.items():
        kind = option.type
        values: tuple[Any, ...] = (False, True)
        if isinstance(kind, m.Whole):
            values = (kind.low, kind.high)
        for value in values:
            yield {name: value}
