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
from interpreter.plan.rewrites import ALL
from interpreter.planning import plan_for
from interpreter.state.state import State
from interpreter.state.wait_points import Decision
from rulebook import model as m

KEYS = 100
NOTHING: frozenset[str] = frozenset()


class Different(AssertionError):
    """Two engines do not agree."""


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

    def game(self, rewrites: frozenset[str]) -> Game:
        """The game in the interpreter, with some of its rewrites."""
        plan = self.plan(rewrites)
        state = State(plan, self.seed, given=False)
        state.s, state.triggers = list(plan.start), plan.all_triggers
        state.frames.append(plan.units[0].frame(0))
        game = Game(plan, state)
        state.run()
        game._note_chance()
        return game


@attrs.define
class Recorder:
    """Writes down what a native game does, as the record of a game has it."""

    native: NativeGame
    events: records.Events = attrs.field(factory=lambda: records.Events(None, None, 0))

    def chance(self) -> None:
        for name, outcome, told in self.native.events:
            self.events = self.events.after(records.Drawn(name, outcome, told))

    def action(self, index: int) -> None:
        plan, seat = self.native.engine.plan, self.native.seat
        given: tuple[int, ...] = ()
        state = self.native.state()
        state.run()
        if isinstance(state.waiting, Decision) and state.waiting.gives:
            given = state.waiting.given(state, index)
        done = plan.actions.action(seat, index, given)
        told = plan.everybody
        self.events = self.events.after(records.Done(done.seat, done.text, told))

    def game(self) -> Game:
        """The game in the interpreter, as the native engine has it now."""
        state = self.native.state()
        game = Game(self.native.engine.plan, state)
        game.led_here(self.events, None, None)
        return game


def play(setting: Setting, most: int, *, bare: bool = True) -> int:
    """Play one game in all engines; the steps that were compared.

    `bare`: with the interpreter that has every rewrite off, too.
    """
    made = engine(setting.plan())
    assert isinstance(made, Engine), f"{setting}: {made}"
    games = [setting.game(ALL)] + [setting.game(NOTHING)] * bare
    native = made.start(setting.seed)
    recorder, numbers = Recorder(native), Random(setting.seed)
    recorder.chance()
    for step in range(most + 1):
        for place, game in enumerate(games):
            differences = list(compared(game, native))
            if differences:
                which = ("interpreter", "interpreter without rewrites")[place]
                raise Different(f"{setting}, step {step}, {which}: {differences[0]}")
        over = games[0].over or step == most
        if over or step % KEYS == 0:
            same(setting, step, games[0].key, recorder.game().key)
        if over:
            same(setting, step, games[0].record, recorder.game().record)
            return step
        index = numbers.choice(games[0].legal_indices())
        recorder.action(index)
        befores = [game._events.count for game in games]
        mistakes = [mistake(game, index) for game in (*games, native)]
        for other in mistakes[1:]:
            same(setting, step, mistakes[0], other)
        if mistakes[0]:
            return step
        recorder.chance()
        for game, before in zip(games, befores, strict=True):
            drawn = [
                (event.name, event.outcome, event.told)
                for event in game._events.newest(before)
                if isinstance(event, records.Drawn)
            ]
            same(setting, step, drawn, native.events)
    raise AssertionError


def mistake(game: Any, index: int) -> str:
    """What the rules have done wrong when an action is done; nothing if all is well."""
    try:
        game.apply(index)
    except rb.RulesError as error:
        return str(error)
    return ""


def same(setting: Setting, step: int, one_has: Any, other_has: Any) -> None:
    if one_has != other_has:
        raise Different(f"{setting}, step {step}: {one_has} and {other_has}")


def compared(game: Game, native: NativeGame) -> Iterator[str]:
    """What is not the same in two engines that wait, or are over."""
    mine, states, c = game._state, native.engine.states, native.cells
    if native.left is not None:
        yield f"the native engine gave up: {native.why}"
        return
    if game.over != native.over:
        yield f"over: {game.over} and {native.over}"
        return
    for place, (here, there) in enumerate(zip(mine.s, states.cells(c), strict=True)):
        if here != there:
            yield f"cell {place}: {here} and {there}"
    if mine.frames != states.frames(c):
        yield f"frames: {mine.frames} and {states.frames(c)}"
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
