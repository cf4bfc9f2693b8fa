"""Games played side by side: by the native engine, the interpreter, and the interpreter
with every rewrite off. They are compared at every step.

What an engine shows at a step is one tuple (`Shown`), so that it is one comparison;
what is different is named only where something is.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from random import Random
from typing import Any, NamedTuple

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
from workbench.testing.scenarios.from_records import step_of

KEYS = 100
"""After how many steps keys, and a sample of what a seat knows, are compared."""

READS = 10
"""After how many steps the interpreter goes on from what the native engine has."""

BEYOND = 2
"""Why an engine gives up where the rules have no mistake: there is no room."""

NOTHING: frozenset[str] = frozenset()
NAMES = ("interpreter", "interpreter without rewrites")


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

    def waiting(self) -> Decision:
        assert isinstance(self.current.waiting, Decision)
        return self.current.waiting

    def legal_indices(self) -> list[int]:
        state = self.current
        if state.legal is not None:
            return state.legal
        return self.waiting().legal(state, state.s, state.frames[-1])

    def apply(self, index: int) -> None:
        with Unbroken(self.current):
            self.waiting().decide(self.current, index)


@attrs.define
class Recorder:
    """Writes down what happens, as the record of a game has it."""

    plan: Plan
    events: records.Events = attrs.field(factory=lambda: records.Events(None, None, 0))

    def chance(self, events: list[Any]) -> None:
        for name, outcome, told in events:
            self.events = self.events.after(records.Drawn(name, outcome, told))

    def action(self, seat: int, index: int, given: tuple[int, ...]) -> None:
        """Enter an action before it is done."""
        done = self.plan.actions.action(seat, index, given)
        told = self.plan.everybody
        self.events = self.events.after(records.Done(done.seat, done.text, told))

    def game(self, state: State) -> Game:
        """The game as an engine has it now, with what has happened."""
        game = Game(self.plan, state)
        game.led_here(self.events, None, None)
        return game


# ---------------------------------------------------------------- what is compared


class Shown(NamedTuple):
    """What an engine has when somebody must act, or all is over."""

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
"""For each unit the names of its steps, which are the same in all engines."""


def points_of(plan: Plan) -> Points:
    return [unit.points for unit in plan.units]


def standing(points: Points, frames: list[list[Any]]) -> list[list[Any]]:
    """The control stack with the names of steps."""
    return [
        [unit, points[unit].get(step, step), *values] for unit, step, *values in frames
    ]


def shown_by_interpreter(game: Reference, points: Points) -> Shown:
    mine = game.current
    return Shown(
        mine.over,
        mine.s,
        standing(points, mine.frames),
        mine.triggers,
        mine.counts,
        None if mine.split is None else list(mine.split),
        () if mine.split is None else mine.answered,
        mine.events,
        -1 if mine.over else game.waiting().seat(mine),
        [] if mine.over else game.legal_indices(),
    )


def shown_by_native(game: NativeGame, points: Points) -> Shown:
    states, c = game.engine.states, game.cells
    return Shown(
        game.over,
        states.cells(c),
        standing(points, states.frames(c)),
        c.triggers,
        states.counts(c),
        states.split(c) if c.split else None,
        states.answered(c) if c.split else (),
        game.events,
        -1 if game.over else game.seat,
        [] if game.over else game.legal_indices(),
    )


def difference(mine: Shown, other: Shown) -> str:
    """The first thing that is not the same in two engines; nothing if all is."""
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
    """A game in all engines; the first is the interpreter as players have it."""

    def __init__(self, setting: Setting, *, bare: bool) -> None:
        made = engine(setting.plan())
        assert isinstance(made, Engine), f"{setting}: {made}"
        self.setting = setting
        self.native = made.start(setting.seed)
        self.games = [setting.reference(ALL)] + [setting.reference(NOTHING)] * bare
        self.points = [points_of(game.plan) for game in self.games]
        self.records = Recorder(made.plan), Recorder(made.plan)

    def compare(self, step: int) -> None:
        """See that all show the same."""
        native = self.native
        if native.left is not None:
            kind = GaveUp if native.reason == BEYOND else Different
            raise kind(f"{self.setting}, step {step}, gave up: {native.why}")
        there = shown_by_native(native, self.points[0])
        for name, game, points in zip(NAMES, self.games, self.points, strict=False):
            here = shown_by_interpreter(game, points)
            told = difference(here, there)
            if told:
                raise Different(f"{self.setting}, step {step}, {name}: {told}")
        for recorder, shown in zip(self.records, (here, there), strict=True):
            recorder.chance(shown.events)

    def compare_documents(self, step: int) -> None:
        """See that what is written of the game, and what a seat knows, is the same."""
        states = self.games[0].current, self.native.state()
        states[1].run()
        games = [
            recorder.game(state)
            for recorder, state in zip(self.records, states, strict=True)
        ]
        self.same(step, *[game.key for game in games])
        seat = games[0].seats[step // KEYS % len(games[0].seats)]
        self.same(step, *[game.sample(seat, step).key for game in games])
        if self.native.over:
            self.same(step, *[game.record for game in games])

    def apply(self, step: int, index: int) -> bool:
        """Do an action in all engines; whether the game goes on after it.

        Now and then the interpreter does it too from the state of the native engine.
        """
        waiting, games = self.games[0].waiting(), self.games
        if waiting.gives or step % READS == 0:
            games = [*games, self.read(step)]
        for recorder, game in zip(self.records, (games[0], games[-1]), strict=True):
            given = game.waiting().given(game.current, index)
            recorder.action(self.native.seat, index, given)
        told = [*(mistake(game, index) for game in games), mistake(self.native, index)]
        for words in told:
            self.same(step, told[0], words)
        if len(games) > len(self.games) and not told[0] and self.native.left is None:
            here = shown_by_interpreter(games[-1], self.points[0])
            there = shown_by_native(self.native, self.points[0])
            self.same(step, "", difference(here, there))
        return not told[0]

    def read(self, step: int) -> Reference:
        """The game in the interpreter, from the state that the native engine has."""
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
    """Play one game in all engines; the steps that were compared.

    `bare`: with the interpreter that has every rewrite off, too. A difference has the
    scenario of the step as a note, where lines can say it.
    """
    match = Match(setting, bare=bare)
    try:
        return compared(match, Random(setting.seed), most)
    except Different as error:
        recorder, reference = match.records[0], match.games[0]
        scenario = step_of(recorder.game(reference.current))
        if scenario is not None:
            error.add_note(scenario)
        raise


def compared(match: Match, numbers: Random, most: int) -> int:
    """Play a match to its end or so many steps; the steps."""
    for step in range(most + 1):
        match.compare(step)
        over = match.native.over or step == most
        if over or step % KEYS == 0:
            match.compare_documents(step)
        if over:
            return step
        index = numbers.choice(match.native.legal_indices())
        if not match.apply(step, index):
            return step
    raise AssertionError


def mistake(game: Reference | NativeGame, index: int) -> str:
    """What the rules have done wrong when an action is done; nothing if all is well."""
    try:
        game.apply(index)
    except rb.RulesError as error:
        return str(error)
    return ""


def begun(start: Callable[[Any], object], given: Any) -> str:
    """What the rules do wrong before anybody is asked; nothing if all is well."""
    try:
        start(given)
    except rb.RulesError as error:
        return str(error)
    return ""


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
