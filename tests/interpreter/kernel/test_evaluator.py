"""Rules give the same results in the kernel, before and after the passes, and in
Python.

An evaluator runs the kernel operations directly, which also proves that a back end
needs only the kernel.
"""

from __future__ import annotations

import runpy
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from pathlib import Path
from random import Random
from typing import Any, NamedTuple, TypeVar

import attrs
import pytest

import rulebook as rb
from interpreter.core.layout import ACTIVE
from interpreter.core.slots import FIRST_LOCAL
from interpreter.errors import UsageError
from interpreter.kernel import operations as k
from interpreter.kernel.passes.pipeline import EVERY_PASS, Pass
from interpreter.plan.plan import Plan
from interpreter.plan.units import Unit
from interpreter.state.state import State
from interpreter.state.wait_points import AskStep, ChooseStep, Decision
from rulebook import model as m
from tests.support import every_part, kernel_evaluator
from tests.support.kernel_evaluator import OPERATIONS, Evaluator
from tests.support.lowered_games import SEAT, LoweredGame, passes, unchanged
from tests.support.side_by_side import NOTHING, Reference, Setting
from workbench import load

ROOT = Path(__file__).parents[3]
SHIPPED = ("base", "cardgame", "classic", "germany")
PARTS = ("define", "points", "requirement", "award", "rule", "unit", "menu")
"""Names of the parts of the rules that a comparison counts."""

LARGE = ("tests/faults/sizes", "tests/web/slow")
"""Path prefixes of rule files that take very long or nest very deeply."""

TOGETHER = 60
"""Number of generated actions in one game."""

FRAMES = 3
"""Number of frames with sampled arguments for each clause and moment."""


def rule_files(*folders: str) -> list[str]:
    """Return the rule files in folders that are complete games, not house rules."""
    return [
        str(path.relative_to(ROOT))
        for folder in folders
        for path in sorted((ROOT / folder).rglob("*.rules"))
        if path.name.count(".") == 1
    ]


# ---------------------------------------------------------------- random games


def moments(
    setting: Setting, rewrites: frozenset[str], steps: list[int]
) -> Iterator[State]:
    """Yield the states of a random game after these numbers of decisions."""
    game, numbers = setting.reference(rewrites), Random(setting.seed)
    for step in range(max(steps) + 1):
        if step in steps:
            yield game.current
        if not apply_random_action(game, numbers):
            return


def apply_random_action(game: Reference, numbers: Random) -> bool:
    """Apply a random action; return whether the game continues."""
    if game.current.is_over:
        return False
    try:
        game.apply(numbers.choice(game.legal_indices()))
    except rb.RulesError:
        return False
    return True


def sampled(plan: Plan, kind: m.Type, numbers: Random) -> Any:
    """Return a random value of a type."""
    match kind:
        case m.Truth():
            return numbers.random() < 0.5
        case m.Whole(low=low, high=high):
            return numbers.randint(low, min(high, low + 20))
        case m.Member(domain=domain, optional=optional):
            size = len(plan.facts.names[domain])
            return numbers.randrange(-1 if optional or not size else 0, size)
        case m.Bag(domain=domain):
            kinds = plan.facts.names[domain]
            return tuple([numbers.choice((0, 0, 1, 3)) for _ in kinds])
        case m.SetOf(domain=domain):
            size = 5 if domain is None else len(plan.facts.names[domain])
            return tuple([n for n in range(size) if numbers.random() < 0.5])
        case _:
            raise AssertionError(kind)


# ---------------------------------------------------------------- comparison


class BackEndsDisagree(AssertionError):
    """Raised if two back ends disagree."""


class Failure(NamedTuple):
    """Failure of a function: the name of the error, and its message."""

    error: str
    message: str


def result(run: Callable[[], Any]) -> Any:
    """Return the result of a function, or its failure."""
    try:
        done = run()
    except (rb.RulesError, ArithmeticError, LookupError, ValueError) as error:
        return Failure(type(error).__name__, str(error))
    return tuple(done) if isinstance(done, list | range) else done


def difference(here: Any, there: Any, name: str) -> str:
    """Describe the first difference between two results."""
    if isinstance(here, tuple | list) and type(here) is type(there):
        for place, (mine, other) in enumerate(zip(here, there, strict=False)):
            if mine != other:
                return f"[{place}]{difference(mine, other, name)}"
    return f" {here!r} compiled, {there!r} {name}"


@attrs.define
class Comparison:
    """Comparison of one game in several forms of the kernel, and in Python.

    `compared` counts the comparisons by the part of the rules.
    """

    plan: Plan
    games: dict[str, LoweredGame]
    numbers: Random
    compared: Counter[str] = attrs.field(factory=Counter)

    @classmethod
    def of(cls, plan: Plan, seed: int, *, each_pass: bool) -> Comparison:
        """Return the comparison for a plan, also with each pass alone if `each_pass` is
        true.
        """
        games = {
            "before the passes": LoweredGame(plan, unchanged),
            "after the passes": LoweredGame(plan, passes(plan)),
        }
        for name in Pass if each_pass else ():
            alone = passes(plan, frozenset({name}))
            games[f"after {name}"] = LoweredGame(plan, alone)
        return cls(plan, games, Random(seed))

    def same(
        self,
        part: str,
        compiled: Callable[[], Any],
        evaluated: Callable[..., Any],
    ) -> None:
        """Compare the result of a compiled function with the evaluated results."""
        here = result(compiled)
        self.compared[part.partition(" ")[0]] += 1
        if isinstance(here, tuple) and here and isinstance(here[0], Failure):
            self.compared["failure"] += 1
        for name, game in self.games.items():
            there = result(partial(evaluated, game=game))
            if here != there:
                raise BackEndsDisagree(f"{part}:{difference(here, there, name)}")

    def everything(self, state: State) -> None:
        """Compare all parts of the rules in a state."""
        self.definitions(state.s)
        self.points(state.s)
        self.requirements(state.s)
        self.awards(state.s)
        self.rules(state.s)
        self.units(state)
        if isinstance(state.waiting, Decision):
            self.decision(state)

    # ------------------------------------------------------------ values

    def definitions(self, s: list[Any]) -> None:
        """Compare all definitions, with sampled arguments."""
        for name, define in self.plan.model.defines.items():
            function = self.plan.facts.definition_functions[name]
            kinds = [parameter.type for parameter in define.parameters]
            for _ in range(FRAMES if kinds else 1):
                given = [sampled(self.plan, kind, self.numbers) for kind in kinds]
                compiled = partial(self.plan.source.names[function], s, *given)
                there = partial(called, function, s, given)
                self.same(f"define {name}{given}", compiled, there)

    def points(self, s: list[Any]) -> None:
        """Compare the points of each seat."""
        for name in ("points", "visible_points"):
            for seat in range(-1, self.plan.players):
                compiled = partial(getattr(self.plan, name), s, seat)
                there = partial(called, name, s, [seat])
                self.same(f"points {name} of {seat}", compiled, there)

    def requirements(self, s: list[Any]) -> None:
        """Compare the requirements of sampled instances of all actions."""
        for action in self.plan.actions.listed:
            unit = self.plan.units[action.unit]
            for _ in range(FRAMES if action.tests else 0):
                f = self.frame(unit)
                for number, (_, test) in enumerate(action.tests):
                    part = f"requirement {number} of {action.name} {f}"
                    there = partial(required, action.name, number, s, f)
                    self.same(part, partial(test, s, f), there)

    def frame(self, unit: Unit) -> list[Any]:
        """Return a frame of a unit with sampled arguments."""
        assert unit.code is not None
        frame = unit.frame()
        frame[m.YOU + FIRST_LOCAL] = self.numbers.randrange(self.plan.players)
        if isinstance(unit.code, m.Action):
            frame[m.FREE + FIRST_LOCAL] = self.numbers.random() < 0.2
        for parameter in unit.code.parameters:
            value = sampled(self.plan, parameter.type, self.numbers)
            frame[parameter.slot + FIRST_LOCAL] = value
        return frame

    def awards(self, s: list[Any]) -> None:
        """Compare the measure of each award for each seat."""
        for award in self.plan.awards:
            name = award.award.name
            for seat in range(self.plan.players):
                compiled = partial(award.measure, s, seat)
                there = partial(measured, name, s, seat)
                self.same(f"award {name} of {seat}", compiled, there)

    def rules(self, s: list[Any]) -> None:
        """Compare the test of each rule."""
        f = [0, 0, max(s[ACTIVE], 0)]
        for rule in self.plan.rules:
            if s[ACTIVE] >= 0 or not rule.reads_you:
                name = rule.rule.name
                there = partial(fitting, name, s, f)
                self.same(f"rule {name}", partial(rule.find_member, s, f), there)

    # ------------------------------------------------------------ units

    def units(self, state: State) -> None:
        """Run all units that never wait on copies of a state.

        All cells, locals, triggers and counts of statements are compared.
        """
        for unit in self.plan.units:
            if unit.whole is not None:
                for _ in range(FRAMES):
                    f = self.frame(unit)
                    compiled = partial(run_compiled, unit, state, f)
                    there = partial(run_evaluated, unit, state, f)
                    self.same(f"unit {unit.name} {f}", compiled, there)

    # ------------------------------------------------------------ decisions

    def decision(self, state: State) -> None:
        """Compare the choices of the seat to act in a state."""
        waiting, s, f = state.waiting, state.s, state.frames[-1]
        if isinstance(waiting, ChooseStep):
            choice = waiting_at(self.plan, waiting, k.WaitForMember)
            there = partial(candidates, choice, s, f)
            compiled = partial(waiting.candidates, s, f)
            self.same(f"choice {choice.name}", compiled, there)
        elif isinstance(waiting, AskStep):
            ask = waiting_at(self.plan, waiting, k.WaitForAction)
            there = partial(enumerated, ask, s, f)
            self.same(f"menu {ask.name}", partial(listed, waiting, s, f), there)


D = TypeVar("D", bound=k.Decision)


def waiting_at(plan: Plan, waiting: Decision, kind: type[D]) -> D:
    """Return the operation at which a game waits."""
    lowered = plan.lowered_units[waiting.unit]
    for step in lowered.steps:
        for e in step:
            if isinstance(e, kind) and lowered.places[e.here] == waiting.pc:
                return e
    raise AssertionError(waiting.name)


# ---------------------------------------------------------------- evaluated


def called(function: str, s: list[Any], given: list[Any], game: LoweredGame) -> Any:
    """Return the result of a function of the program."""
    return Evaluator(game.program, s).call(function, *given)


def required(
    action: str, number: int, s: list[Any], f: list[Any], game: LoweredGame
) -> Any:
    """Return whether an action in a frame meets a requirement."""
    return Evaluator(game.program, s, f).evaluate(game.requirements[action][number])


def measured(award: str, s: list[Any], seat: int, game: LoweredGame) -> int | None:
    """Return the measure of an award, or None if a seat does not compete."""
    only_if, number, least = game.awards[award]
    t = Evaluator(game.program, s, bound={SEAT: seat})
    if only_if is not None and not t.evaluate(only_if):
        return None
    result: int = t.evaluate(number)
    return None if least is not None and result < t.evaluate(least) else result


def fitting(rule: str, s: list[Any], f: list[Any], game: LoweredGame) -> Any:
    """Return the first member for which a rule is true, or -1."""
    return Evaluator(game.program, s, f).evaluate(game.rules[rule])


def candidates(
    e: k.WaitForMember, s: list[Any], f: list[Any], game: LoweredGame
) -> Any:
    """Return the members from which a seat can choose."""
    return tuple(Evaluator(game.program, s, f).evaluate(game.change(e.sequence)))


def listed(waiting: AskStep, s: list[Any], f: list[Any]) -> tuple[int, ...]:
    """Return the legal indices of a decision, computed by compiled code."""
    out: list[int] = []
    waiting.menu(s, f, out)
    return tuple(out)


def enumerated(
    e: k.WaitForAction, s: list[Any], f: list[Any], game: LoweredGame
) -> tuple[int, ...]:
    """Return the legal indices of a decision, computed by the evaluator in the order of
    the offers.
    """
    t = Evaluator(game.program, s, f)
    seat, out = t.evaluate(e.player), []
    for offer in sorted(e.offers, key=lambda offer: int(offer.action.base)):
        if all(t.evaluate(value) >= 0 for value in offer.needed):
            given = dict(zip(offer.slots, t.all_of(offer.arguments), strict=True))
            bound = {m.YOU: seat, m.FREE: offer.free, **given}
            inner = Evaluator(game.program, s, bound=bound)
            inner.run(game.enumerator(offer))
            out += inner.out
    return tuple(out)


def run_compiled(unit: Unit, state: State, f: list[Any]) -> tuple[Any, ...]:
    """Run the compiled form of a unit on a copy of a state; return all changes."""
    g, frame = fresh(state), f[:]
    assert unit.whole is not None
    failure = result(partial(unit.whole, g, g.s, frame))
    return failure, g.s, frame, g.triggers, g.executed


def run_evaluated(
    unit: Unit, state: State, f: list[Any], game: LoweredGame
) -> tuple[Any, ...]:
    """Run the kernel of a unit on a copy of a state; return all changes."""
    g, frame = fresh(state), f[:]
    t = Evaluator(game.program, g.s, frame, check=partial(check_budget, g))
    failure = result(partial(t.run, game.program.units[unit.number].block))
    return failure, t.s, t.f, t.triggers, t.executed


def fresh(state: State) -> State:
    """Return a copy of a state at the start of a run."""
    g = state.copy()
    g.triggers = 0
    return g


def check_budget(g: State, executed: int) -> None:
    """Raise an error if a run has executed too many statements."""
    g.executed = executed
    g.check_budget()


# ---------------------------------------------------------------- games


def compare(
    book: rb.Rulebook,
    steps: list[int],
    rewrites: frozenset[str] = EVERY_PASS,
    *,
    deep: bool,
) -> Counter[str]:
    """Compare a random game of a rulebook after some numbers of decisions."""
    compared: Counter[str] = Counter()
    low, high = book.players
    for players in sorted({low, high}) if deep else (high,):
        setting = Setting(book, players, 1, {})
        comparison = Comparison.of(setting.plan(rewrites), 1, each_pass=deep)
        try:
            for state in moments(setting, rewrites, steps):
                comparison.everything(state)
        except BackEndsDisagree as error:
            error.add_note(f"{setting}, rewrites {sorted(rewrites)}")
            raise
        compared += comparison.compared
    return compared


@pytest.fixture
def steps(deep: bool) -> list[int]:
    """Numbers of decisions after which games are compared."""
    return [0, 1, 2, 4, 8, 15, 30, 60, 90, 120, 150, 200] if deep else [0, 1, 5, 20, 60]


def compare_all(names: Iterable[str], steps: list[int], *, deep: bool) -> Counter[str]:
    """Compare random games of rule files; return the number of comparisons.

    The rules are compared without rewrites and with all rewrites.
    """
    compared: Counter[str] = Counter()
    for name in names:
        for rewrites in (NOTHING, EVERY_PASS):
            compared += compare(load(name), steps, rewrites, deep=deep)
    return compared


def is_small(name: str) -> bool:
    """Return whether a rule file is a game without errors, and not extremely large."""
    if name.startswith(LARGE):
        return False
    try:
        load(name)
    except (rb.RulesError, UsageError):
        return False
    return True


def test_shipped_games_mean_the_same(steps: list[int], deep: bool) -> None:
    compared = compare_all(SHIPPED, steps, deep=deep)

    assert min(compared[part] for part in PARTS) > 5
    assert compared["failure"] > 20


def test_examples_mean_the_same(steps: list[int], deep: bool) -> None:
    compared = compare_all(rule_files("examples"), steps, deep=deep)

    assert min(compared[part] for part in PARTS) > 5


def test_rule_files_of_tests_mean_the_same(steps: list[int], deep: bool) -> None:
    folders = ["tests/interpreter", "tests/language", "tests/support"]
    names = rule_files(*folders)
    if deep:
        names = [name for name in rule_files("tests") if is_small(name)]
    compared = compare_all(names, steps, deep=deep)

    assert compared["choice"] and compared["failure"] > 20


def test_statements_with_every_part_mean_the_same(deep: bool) -> None:
    actions = list(every_part.actions())
    Random(2).shuffle(actions)
    compared: Counter[str] = Counter()
    for first in range(0, len(actions) if deep else 5 * TOGETHER, TOGETHER):
        book, _ = every_part.checked(actions[first : first + TOGETHER])
        for rewrites in (NOTHING, EVERY_PASS):
            compared += compare(book, [0, 5, 20], rewrites, deep=deep)

    assert compared["unit"] > 1_000 and compared["failure"] > 5


def test_detects_a_difference(monkeypatch: pytest.MonkeyPatch) -> None:
    holds = OPERATIONS[k.CompareValues]
    monkeypatch.setitem(OPERATIONS, k.CompareValues, lambda t, e: not holds(t, e))

    with pytest.raises(
        BackEndsDisagree, match=r"landing.*: 6 compiled, -1 before the passes"
    ):
        compare(load("examples/tiny/connect_four.rules"), [0, 3], deep=False)


def test_a_class_without_an_evaluator_is_an_import_error(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    new = type("NewValue", (k.Value,), {})
    monkeypatch.setattr(k, "NewValue", new, raising=False)

    with pytest.raises(TypeError, match="NewValue"):
        runpy.run_path(kernel_evaluator.__file__)
