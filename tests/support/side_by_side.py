"""Games played in parallel by the native engine and the interpreter.

A second interpreter may play with every rewrite off. All are compared at every step.
The visible state of an engine is one tuple (`Shown`), so that one comparison suffices.
Only if it fails are the differences named.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from random import Random
from typing import Any, NamedTuple

import attrs

import rulebook as rb
from interpreter import Game
from interpreter.documents import records
from interpreter.kernel.passes.pipeline import EVERY_PASS
from interpreter.native.engine import Engine, NativeGame, engine_for
from interpreter.plan.plan import Plan
from interpreter.planning import plan_for
from interpreter.state.state import RestoreOnError, State
from interpreter.state.wait_points import Decision
from rulebook import model as m
from workbench.testing.scenarios.from_records import scenario_of_step

KEYS = 100
"""Number of steps between comparisons of keys and of samples for a seat."""

READS = 10
"""Number of steps after which the interpreter continues from the native engine's state.
"""

BEYOND = 2
"""Reason of the native engine for lack of room, which is no mistake of the rules."""

NOTHING: frozenset[str] = frozenset()
NAMES = ("interpreter", "interpreter without rewrites")


class Different(AssertionError):
    """Raised if two engines disagree."""


class GaveUp(Different):
    """Raised if the native engine has no room, so the interpreter continues alone."""


@attrs.frozen
class Setting:
    """Settings of a game: its rules, number of players, seed and options."""

    book: rb.Rulebook
    players: int
    seed: int
    options: dict[str, Any]

    def __str__(self) -> str:
        return f"{self.book.name}, {self.players} players, {self.seed}, {self.options}"

    def plan(self, rewrites: frozenset[str] = EVERY_PASS) -> Plan:
        return plan_for(self.book, self.players, self.options, rewrites)

    def reference(self, rewrites: frozenset[str]) -> Reference:
        """Start the game in the interpreter, with some of its rewrites."""
        plan = self.plan(rewrites)
        state = State(plan, self.seed, chance_given=False)
        state.s, state.triggers = list(plan.start_cells), plan.all_triggers
        state.frames.append(plan.units[0].frame(0))
        state.run()
        return Reference(plan, state)


@attrs.define
class Reference:
    """Game in the interpreter, as plain state."""

    plan: Plan
    current: State

    def waiting(self) -> Decision:
        assert isinstance(self.current.waiting, Decision)
        return self.current.waiting

    def legal_indices(self) -> list[int]:
        state = self.current
        if state.legal is not None:
            return state.legal
        return self.waiting().legal(state, state.s, state.frames[-1])

    def apply(self, index: int) -> None:
        with RestoreOnError(self.current):
            self.waiting().decide(self.current, index)


@attrs.define
class Recorder:
    """Recorder of events, in the form of a game's record."""

    plan: Plan
    events: records.Events = attrs.field(factory=lambda: records.Events(None, None, 0))

    def chance(self, events: list[Any]) -> None:
        for name, outcome, told in events:
            self.events = self.events.after(records.make_event(name, outcome, told))

    def action(self, seat: int, index: int, given: tuple[int, ...]) -> None:
        """Record an action before it is applied."""
        done = self.plan.actions.action(seat, index, given)
        told = self.plan.all_seats
        self.events = self.events.after(records.ActionEvent(done.seat, done.text, told))

    def game(self, state: State) -> Game:
        """Return the game with an engine's current state and the recorded events."""
        game = Game(self.plan, state)
        game.set_history(self.events, None, None)
        return game


# ---------------------------------------------------------------- comparison


class Shown(NamedTuple):
    """Visible state of an engine at a decision, or at the end."""

    over: bool
    cells: list[Any]
    frames: list[list[Any]]
    triggers: int
    counts: dict[str, int]
    split: list[Any] | None
    answers: Any
    events: list[Any]
    seat: int
    legal: list[int]


Points = list[Mapping[int, str]]
"""Names of the steps of each unit, which are the same in all engines."""


def points_of(plan: Plan) -> Points:
    return [unit.step_names for unit in plan.units]


def standing(points: Points, frames: list[list[Any]]) -> list[list[Any]]:
    """Return the control stack with names of steps."""
    return [
        [unit, points[unit].get(step, step), *values] for unit, step, *values in frames
    ]


def shown_by_interpreter(game: Reference, points: Points) -> Shown:
    mine = game.current
    return Shown(
        mine.is_over,
        mine.s,
        standing(points, mine.frames),
        mine.triggers,
        mine.counts,
        None if mine.split is None else list(mine.split),
        () if mine.split is None else mine.answered,
        mine.happened,
        -1 if mine.is_over else game.waiting().seat(mine),
        [] if mine.is_over else game.legal_indices(),
    )


def shown_by_native(game: NativeGame, points: Points) -> Shown:
    states, c = game.engine.states, game.cells
    return Shown(
        game.is_over,
        states.cells(c),
        standing(points, states.frames(c)),
        c.triggers,
        states.event_counts(c),
        states.block_start_cells(c) if c.split else None,
        states.read_answers(c) if c.split else (),
        game.events,
        -1 if game.is_over else game.seat,
        [] if game.is_over else game.legal_indices(),
    )


def difference(mine: Shown, other: Shown) -> str:
    """Describe the first difference between two engines; empty if there is none."""
    if mine == other:
        return ""
    for name, here, there in zip(Shown._fields, mine, other, strict=True):
        if name == "cells":
            for place, (value, another) in enumerate(zip(here, there, strict=True)):
                if value != another:
                    return f"cell {place}: {value} and {another}"
        if here != there:
            return f"{name}: {here} and {there}"
    raise AssertionError


# ---------------------------------------------------------------- one game


class Match:
    """Game in all engines; the first is the interpreter in its normal configuration."""

    def __init__(self, setting: Setting, *, bare: bool) -> None:
        made = engine_for(setting.plan())
        assert isinstance(made, Engine), f"{setting}: {made}"
        self.setting = setting
        self.native = made.start(setting.seed)
        self.games = [setting.reference(EVERY_PASS)] + [
            setting.reference(NOTHING)
        ] * bare
        self.points = [points_of(game.plan) for game in self.games]
        self.records = Recorder(made.plan), Recorder(made.plan)

    def compare(self, step: int) -> None:
        """Assert that all engines show the same."""
        native = self.native
        if native.interpreter_state is not None:
            kind = GaveUp if native.reason == BEYOND else Different
            raise kind(
                f"{self.setting}, step {step}, gave up: {native.takeover_reason}"
            )
        there = shown_by_native(native, self.points[0])
        for name, game, points in zip(NAMES, self.games, self.points, strict=False):
            here = shown_by_interpreter(game, points)
            told = difference(here, there)
            if told:
                raise Different(f"{self.setting}, step {step}, {name}: {told}")
        for recorder, shown in zip(self.records, (here, there), strict=True):
            recorder.chance(shown.events)

    def compare_documents(self, step: int) -> None:
        """Assert that records and samples of the game are the same."""
        states = self.games[0].current, self.native.state()
        states[1].run()
        games = [
            recorder.game(state)
            for recorder, state in zip(self.records, states, strict=True)
        ]
        self.same(step, *[game.key for game in games])
        seat = games[0].seats[step // KEYS % len(games[0].seats)]
        self.same(step, *[game.sample(seat, step).key for game in games])
        if self.native.is_over:
            self.same(step, *[game.record for game in games])

    def apply(self, step: int, index: int) -> bool:
        """Apply an action in all engines; return whether the game goes on.

        At intervals, the interpreter also applies it to the native engine's state.
        """
        waiting, games = self.games[0].waiting(), self.games
        if waiting.has_fixed_values or step % READS == 0:
            games = [*games, self.read(step)]
        for recorder, game in zip(self.records, (games[0], games[-1]), strict=True):
            given = game.waiting().fixed_values(game.current, index)
            recorder.action(self.native.seat, index, given)
        told = [*(mistake(game, index) for game in games), mistake(self.native, index)]
        for words in told:
            self.same(step, told[0], words)
        if (
            len(games) > len(self.games)
            and not told[0]
            and self.native.interpreter_state is None
        ):
            here = shown_by_interpreter(games[-1], self.points[0])
            there = shown_by_native(self.native, self.points[0])
            self.same(step, "", difference(here, there))
        return not told[0]

    def read(self, step: int) -> Reference:
        """Return the game in the interpreter, from the native engine's state."""
        game = Reference(self.games[0].plan, self.native.state())
        game.current.run()
        shown = shown_by_interpreter(game, self.points[0])._replace(events=[])
        mine = shown_by_interpreter(self.games[0], self.points[0])._replace(events=[])
        self.same(step, "", difference(mine, shown))
        return game

    def same(self, step: int, here: Any, there: Any) -> None:
        if here != there:
            raise Different(f"{self.setting}, step {step}: {here} and {there}")


def play(setting: Setting, most: int, *, bare: bool = True) -> int:
    """Play one game in all engines; return the number of compared steps.

    `bare` adds the interpreter with every rewrite off. A difference carries the
    scenario of its step as a note, if it can be written.
    """
    match = Match(setting, bare=bare)
    try:
        return compared(match, Random(setting.seed), most)
    except Different as error:
        recorder, reference = match.records[0], match.games[0]
        scenario = scenario_of_step(recorder.game(reference.current))
        if scenario is not None:
            error.add_note(scenario)
        raise


def compared(match: Match, numbers: Random, most: int) -> int:
    """Play a match to its end or for *most* steps; return the number of steps."""
    for step in range(most + 1):
        match.compare(step)
        over = match.native.is_over or step == most
        if over or step % KEYS == 0:
            match.compare_documents(step)
        if over:
            return step
        index = numbers.choice(match.native.legal_indices())
        if not match.apply(step, index):
            return step
    raise AssertionError


def mistake(game: Reference | NativeGame, index: int) -> str:
    """Apply an action; return the error of the rules, or an empty string."""
    try:
        game.apply(index)
    except rb.RulesError as error:
        return str(error)
    return ""


def begun(start: Callable[[Any], object], given: Any) -> str:
    """Start a game; return the error of the rules, or an empty string."""
    try:
        start(given)
    except rb.RulesError as error:
        return str(error)
    return ""


def ends(book: rb.Rulebook) -> Iterator[dict[str, Any]]:
    """Yield the default options, then each option at either end of its range."""
    yield {}
    for name, option in book.model.options.items():
        kind = option.type
        values: tuple[Any, ...] = (False, True)
        if isinstance(kind, m.Whole):
            values = (kind.low, kind.high)
        for value in values:
            yield {name: value}
