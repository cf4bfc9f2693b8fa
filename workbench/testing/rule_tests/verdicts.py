"""Whether the tests of a book notice a mutant of it: scenarios, invariants, games."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any, Self

import attrs

from interpreter import BRANCH, EFFECT, Game, VerdictStatus, play_scenario
from rulebook import Rulebook
from rulebook.model import Invariant, Scenario
from rulebook.tooling import DOUBLED, DRAWN, SWAPPED, Idle, Mutant, mutants
from workbench.analysis.simulation.settings import Settings
from workbench.testing.rule_tests.coverage import Coverage, near
from workbench.testing.rule_tests.generated_games import MadeUp, made_up
from workbench.testing.rule_tests.mutation import refused, remade
from workbench.testing.rule_tests.suite import is_broken

SAME_GAMES = 200
"""How many made-up games go the same under a mutant that may be the same rules."""
OFTEN = 20
"""How often what is changed must have run, for that to say something."""
KILLED, REFUSED, IDLE = "killed", "refused", "idle"
NONE = frozenset({REFUSED, IDLE})
"""What is no mutant: no rules, or the same ones."""
UNNOTICED, SAME, UNREACHED = "unnoticed", "perhaps equivalent", "not reached"
SURVIVES = (UNNOTICED, SAME, UNREACHED)
VERDICTS = frozenset({KILLED, *NONE, *SURVIVES})
BY_SCENARIO, BY_INVARIANT, BY_FAILURE = "scenario", "invariant", "failure"
RUN = frozenset({BRANCH, EFFECT})
"""Sorts of sites that do nothing but where they are counted."""
Went = tuple[Any, Any]
"""The events of a game and where they led."""


@attrs.frozen
class Judgement:
    """What became of a mutant: `by` and `test` say what noticed it.

    `times` is how often what it changes has run.
    """

    number: int
    verdict: str
    by: str = ""
    test: str = ""
    times: int = 0

    def to_json(self) -> dict[str, Any]:
        """The judgement as plain data."""
        return attrs.asdict(self)

    @classmethod
    def from_json(cls, document: Mapping[str, Any]) -> Self:
        """Return the judgement that plain data is. Raises `ValueError`."""
        fields = {field.name: field for field in attrs.fields(cls)}
        if document.keys() != fields.keys():
            raise ValueError(f"it lacks {', '.join(fields)}")
        for name, value in document.items():
            kind = int if name in {"number", "times"} else str
            if type(value) is not kind:
                raise ValueError(f"{name} is {value!r:.40}")
        if document["verdict"] not in VERDICTS:
            raise ValueError(f"verdict is {document['verdict']!r:.40}")
        return cls(**document)


@attrs.frozen
class MutantCoverage:
    """What coverage knows of a change: how often it ran, which scenarios reach it.

    `titles` is None where nothing is counted. Where not `alone`, other scenarios may
    notice it too: tests ask definitions and requirements for themselves, uncounted.
    """

    times: int
    titles: tuple[str, ...] | None
    alone: bool = False

    def of(self, scenarios: Sequence[Scenario]) -> Sequence[Scenario]:
        """The scenarios that can notice the change, those first that reach it."""
        if self.titles is None:
            return scenarios
        titles = frozenset(self.titles)
        here = [scenario for scenario in scenarios if scenario.title in titles]
        if self.alone:
            return here
        return [*here, *(s for s in scenarios if s.title not in titles)]


def drawn(book: Rulebook) -> tuple[Mutant, ...]:
    """The mutants of a book of which a sample is drawn, in the order of the rules."""
    return tuple(mutant for mutant in mutants(book) if mutant.operator in DRAWN)


def reached(coverage: Coverage, mutant: Mutant) -> MutantCoverage:
    """What is known of a mutant by coverage."""
    parts = near(coverage.parts, mutant.span)
    if not parts:
        return MutantCoverage(coverage.scenarios + coverage.games, None)
    titles = dict.fromkeys(title for part in parts for title in part.titles)
    alone = all(part.site.sort in RUN for part in parts)
    return MutantCoverage(max(part.times for part in parts), tuple(titles), alone)


class MutantJudge:
    """Judges the mutants of a book, one by one."""

    def __init__(self, book: Rulebook, base: Settings, games: int) -> None:
        self.book = book
        self.games = games
        self.made: Sequence[MadeUp] = list(made_up(book, base, max(games, SAME_GAMES)))
        self.went: dict[object, Went] = {}
        self.idle = Idle(book.model)

    @cached_property
    def tests(self) -> tuple[Scenario | Invariant, ...]:
        """The scenarios and invariants."""
        return (*self.book.model.scenarios, *self.book.model.invariants)

    def judged(self, number: int, mutant: Mutant, reached: MutantCoverage) -> Judgement:
        """What becomes of a mutant."""
        judgement = Judgement(number, KILLED, times=reached.times)
        if self.is_idle(mutant):
            return attrs.evolve(judgement, verdict=IDLE)
        names = [f'scenario "{test.clause}"' for test in self.book.model.scenarios]
        names += [f'invariant "{test.title}"' for test in self.book.model.invariants]
        changed, diagnostics = remade(self.book, mutant, names)
        if changed is None:
            return self.unchecked(judgement, refused(diagnostics, self.tests))
        if changed.digest == self.book.digest:
            return attrs.evolve(judgement, verdict=SAME)
        trial = MutantTrial(self, changed, reached)
        for by, test in trial.noticed():
            return attrs.evolve(judgement, by=by, test=test)
        verdict = SAME if trial.is_same() else UNNOTICED
        if reached.times < OFTEN:
            verdict = UNREACHED
        return attrs.evolve(judgement, verdict=verdict)

    def is_idle(self, mutant: Mutant) -> bool:
        """Whether it is known of a mutant that it changes nothing."""
        if mutant.operator == SWAPPED:
            return self.idle.is_swap(mutant.span)
        return mutant.operator == DOUBLED and self.idle.is_double(mutant.span)

    def unchecked(
        self, judgement: Judgement, gone: Iterator[Scenario | Invariant]
    ) -> Judgement:
        """The judgement on what does not check: noticed, if tests alone are wrong."""
        for test in gone:
            by = BY_SCENARIO if isinstance(test, Scenario) else BY_INVARIANT
            return attrs.evolve(judgement, by=by, test=test.title)
        return attrs.evolve(judgement, verdict=REFUSED)

    # ------------------------------------------------------------ as it was

    def of_scenario(self, scenario: Scenario) -> Went:
        """How a scenario goes by the rules as they are."""
        mine = next(s for s in self.book.model.scenarios if s.title == scenario.title)
        return self.cached_game(
            mine.title, lambda: went(play_scenario(self.book, mine)[1])
        )

    def of_game(self, made: MadeUp) -> Went:
        """How a made-up game goes by the rules as they are."""
        return self.cached_game(made.number, lambda: went(last(made.play(self.book))))

    def cached_game(self, key: object, play: Callable[[], Went]) -> Went:
        """How a game goes, played when it is first asked for."""
        if key not in self.went:
            self.went[key] = play()
        return self.went[key]


class MutantTrial:
    """One mutant, tried: `same` is whether all has gone as by the rules as they are."""

    def __init__(
        self, judge: MutantJudge, changed: Rulebook, reached: MutantCoverage
    ) -> None:
        self.judge = judge
        self.changed = changed
        self.reached = reached
        self.same = True
        self.played = 0

    def noticed(self) -> Iterator[tuple[str, str]]:
        """What notices it, and by which test: scenarios first, then made-up games."""
        for scenario in self.reached.of(self.changed.model.scenarios):
            if not self.passes(scenario):
                yield BY_SCENARIO, scenario.title
        for made in self.judge.made[: self.judge.games]:
            yield from self.broken(made)
            self.played += 1

    def passes(self, scenario: Scenario) -> bool:
        """Whether a scenario comes out as it says."""
        try:
            verdict, game = play_scenario(self.changed, scenario)
        except Exception:  # noqa: BLE001  (a mutant may break whatever there is)
            return False
        if verdict.status != VerdictStatus.PASSED:
            return False
        self.same = self.same and went(game) == self.judge.of_scenario(scenario)
        return True

    def broken(self, made: MadeUp) -> Iterator[tuple[str, str]]:
        """What goes wrong in a made-up game: an invariant, or an effect that fails."""
        game = None
        try:
            for game in made.play(self.changed):
                for invariant in self.changed.model.invariants:
                    if is_broken(game, invariant):
                        yield BY_INVARIANT, invariant.title
        except Exception as error:  # noqa: BLE001  (as in a scenario)
            yield BY_FAILURE, f"generated game {made.number}: {first_line(error)}"
            return
        self.same = self.same and went(game) == self.judge.of_game(made)

    def is_same(self) -> bool:
        """Whether it cannot be told from the rules as they are by many games."""
        rest = self.judge.made[self.played :]
        return self.same and all(map(self.goes_as_before, rest))

    def goes_as_before(self, made: MadeUp) -> bool:
        """Whether a game goes as by the rules as they are."""
        try:
            mine = went(last(made.play(self.changed)))
        except Exception:  # noqa: BLE001  (as in a scenario)
            return False
        return mine == self.judge.of_game(made)


def last(games: Iterator[Game]) -> Game:
    """The game as it stands at last."""
    *_, game = games
    return game


def went(game: Game | None) -> Went:
    """The events of a game, and the position that they lead to."""
    return (None, None) if game is None else (game.events, game.position)


def first_line(error: Exception) -> str:
    """What an error says, in one line."""
    return f"{type(error).__name__}: {error}".splitlines()[0]


@attrs.frozen
class JudgeFactory:
    """Makes what judges candidates, in a process of its own."""

    load: Callable[[], Rulebook]
    base: Settings
    games: int
    known: Mapping[int, MutantCoverage]

    def __call__(self) -> Callable[[int], Judgement]:
        """What judges a candidate by its number."""
        book = self.load()
        judge = MutantJudge(book, self.base, self.games)
        places = drawn(book)
        return lambda number: judge.judged(number, places[number], self.known[number])
