"""Verdicts on mutants: whether scenarios, invariants or games detect them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any, Self

import attrs

from interpreter import BRANCH, EFFECT, Game, VerdictStatus, run_scenario_with_game
from rulebook import Rulebook
from rulebook.model import Invariant, Scenario
from rulebook.tooling import (
    DOUBLED,
    SAMPLED_OPERATORS,
    SWAPPED,
    VISIBILITY,
    EquivalenceDetector,
    Mutant,
    mutants,
)
from workbench.analysis.simulation.settings import Settings
from workbench.testing.rule_tests.generated_games import GeneratedGame, comparison_games
from workbench.testing.rule_tests.mutation import book_of_mutant, erroneous_tests
from workbench.testing.rule_tests.rule_coverage import Coverage, parts_near
from workbench.testing.rule_tests.suite import is_broken

MIN_EQUAL_GAMES = 200
"""Minimum number of identical games for a mutant to count as equivalent."""
MIN_RUNS = 20
"""Minimum number of runs of a changed part for its mutant to count as reached."""
KILLED, REJECTED, IDLE = "killed", "refused", "idle"
NOT_MUTANTS = frozenset({REJECTED, IDLE})
"""Verdicts on candidates that are not mutants: rejected, or without effect."""
UNNOTICED, SAME, UNREACHED = "unnoticed", "perhaps equivalent", "not reached"
SURVIVOR_VERDICTS = (UNNOTICED, SAME, UNREACHED)
VERDICTS = frozenset({KILLED, *NOT_MUTANTS, *SURVIVOR_VERDICTS})
BY_SCENARIO, BY_INVARIANT, BY_FAILURE = "scenario", "invariant", "failure"
EFFECT_SORTS = frozenset({BRANCH, EFFECT})
"""Sorts of rule parts that have an effect only where they are executed."""
GameCourse = tuple[Any, Any]
"""Course of a game: its events and its final position."""


@attrs.frozen
class Judgement:
    """Verdict on a mutant.

    `by` is the sort of test that detected the mutant, and `test` the name of the test.
    `times` is how often the changed part ran.
    """

    number: int
    verdict: str
    by: str = ""
    test: str = ""
    times: int = 0

    def to_json(self) -> dict[str, Any]:
        """Return the judgement as plain data."""
        return attrs.asdict(self)

    @classmethod
    def from_json(cls, document: Mapping[str, Any]) -> Self:
        """Return a judgement from plain data. Raise `ValueError` if it is invalid."""
        fields = {field.name: field for field in attrs.fields(cls)}
        if document.keys() != fields.keys():
            raise ValueError(f"it does not contain {', '.join(fields)}")
        for name, value in document.items():
            kind = int if name in {"number", "times"} else str
            if type(value) is not kind:
                raise ValueError(f"{name} is {value!r:.40}")
        if document["verdict"] not in VERDICTS:
            raise ValueError(f"verdict is {document['verdict']!r:.40}")
        return cls(**document)


@attrs.frozen
class MutantCoverage:
    """Number of runs of the changed part of a mutant, and the scenarios that ran it.

    `titles` is None if the part is not counted. If `is_exhaustive` is false, other
    scenarios may detect the change too, because their checks evaluate definitions and
    requirements without counting.
    """

    run_count: int
    titles: tuple[str, ...] | None
    is_exhaustive: bool = False

    def relevant_scenarios(self, scenarios: Sequence[Scenario]) -> Sequence[Scenario]:
        """Return the scenarios that can detect the change, likely ones first."""
        if self.titles is None:
            return scenarios
        titles = frozenset(self.titles)
        reached = [scenario for scenario in scenarios if scenario.title in titles]
        if self.is_exhaustive:
            return reached
        return [*reached, *(s for s in scenarios if s.title not in titles)]


def sampled_mutants(book: Rulebook) -> tuple[Mutant, ...]:
    """Return the mutants from which samples are drawn, in the order of the rules."""
    return tuple(
        mutant for mutant in mutants(book) if mutant.operator in SAMPLED_OPERATORS
    )


def mutant_coverage(coverage: Coverage, mutant: Mutant) -> MutantCoverage:
    """Return the coverage of the part that a mutant changes."""
    parts = parts_near(coverage.parts, mutant.span)
    if not parts:
        return MutantCoverage(coverage.scenarios + coverage.games, None)
    titles = dict.fromkeys(title for part in parts for title in part.titles)
    alone = all(part.site.sort in EFFECT_SORTS for part in parts)
    return MutantCoverage(max(part.reach_count for part in parts), tuple(titles), alone)


class MutantJudge:
    """Judge that tests the mutants of a book and gives a verdict on each."""

    def __init__(self, book: Rulebook, base: Settings, games: int) -> None:
        self.book = book
        self.games = games
        self.generated_games: Sequence[GeneratedGame] = list(
            comparison_games(book, base, max(games, MIN_EQUAL_GAMES))
        )
        self.courses: dict[object, GameCourse] = {}
        self.idle = EquivalenceDetector(book.model)

    @cached_property
    def tests(self) -> tuple[Scenario | Invariant, ...]:
        """Scenarios and invariants of the book."""
        return (*self.book.model.scenarios, *self.book.model.invariants)

    def judge(self, number: int, mutant: Mutant, coverage: MutantCoverage) -> Judgement:
        """Return the judgement of a mutant.

        *coverage* is the coverage of the changed part.
        """
        judgement = Judgement(number, KILLED, times=coverage.run_count)
        if self.is_idle(mutant):
            return attrs.evolve(judgement, verdict=IDLE)
        names = [f'scenario "{test.clause}"' for test in self.book.model.scenarios]
        names += [f'invariant "{test.title}"' for test in self.book.model.invariants]
        mutated_book, diagnostics = book_of_mutant(self.book, mutant, names)
        if mutated_book is None:
            return self.judge_invalid(
                judgement, erroneous_tests(diagnostics, self.tests)
            )
        if mutated_book.digest == self.book.digest:
            return attrs.evolve(judgement, verdict=SAME)
        trial = MutantTrial(self, mutated_book, coverage)
        for by, test in trial.noticing_tests():
            return attrs.evolve(judgement, by=by, test=test)
        if mutant.operator == VISIBILITY:  # seats know more or less in the same games
            return attrs.evolve(judgement, verdict=UNNOTICED)
        verdict = SAME if trial.is_unchanged() else UNNOTICED
        if coverage.run_count < MIN_RUNS:
            verdict = UNREACHED
        return attrs.evolve(judgement, verdict=verdict)

    def is_idle(self, mutant: Mutant) -> bool:
        """Return whether a mutant is known to leave the rules' behaviour unchanged."""
        if mutant.operator == SWAPPED:
            return self.idle.is_ineffective_swap(mutant.span)
        return mutant.operator == DOUBLED and self.idle.is_ineffective_double(
            mutant.span
        )

    def judge_invalid(
        self, judgement: Judgement, erroneous_tests: Iterator[Scenario | Invariant]
    ) -> Judgement:
        """Return the judgement of a mutant that the checker rejects.

        *erroneous_tests* are the tests with errors; if there are any, it is killed.
        """
        for test in erroneous_tests:
            by = BY_SCENARIO if isinstance(test, Scenario) else BY_INVARIANT
            return attrs.evolve(judgement, by=by, test=test.title)
        return attrs.evolve(judgement, verdict=REJECTED)

    # ------------------------------------------------------------ original rules

    def scenario_course(self, scenario: Scenario) -> GameCourse:
        """Return the course of a scenario under the original rules."""
        mine = next(s for s in self.book.model.scenarios if s.title == scenario.title)
        return self.cached_course(
            mine.title, lambda: course_of(run_scenario_with_game(self.book, mine)[1])
        )

    def game_course(self, generated_game: GeneratedGame) -> GameCourse:
        """Return the course of a generated game under the original rules."""
        return self.cached_course(
            generated_game.number,
            lambda: course_of(last_state(generated_game.play(self.book))),
        )

    def cached_course(self, key: object, play: Callable[[], GameCourse]) -> GameCourse:
        """Return the course of a game, played on the first call with this key."""
        if key not in self.courses:
            self.courses[key] = play()
        return self.courses[key]


class MutantTrial:
    """Trial of one mutant: its tests and games, compared with the original rules."""

    def __init__(
        self, judge: MutantJudge, mutated_book: Rulebook, coverage: MutantCoverage
    ) -> None:
        self.judge = judge
        self.changed = mutated_book
        self.reached = coverage
        self.same = True
        self.played = 0

    def noticing_tests(self) -> Iterator[tuple[str, str]]:
        """Yield the sort and name of each test that detects the mutant."""
        for scenario in self.reached.relevant_scenarios(self.changed.model.scenarios):
            if not self.passes(scenario):
                yield BY_SCENARIO, scenario.title
        for game in self.judge.generated_games[: self.judge.games]:
            yield from self.game_failures(game)
            self.played += 1

    def passes(self, scenario: Scenario) -> bool:
        """Return whether a scenario passes under the mutant."""
        try:
            verdict, game = run_scenario_with_game(self.changed, scenario)
        except Exception:  # noqa: BLE001  (a mutant may raise anything)
            return False
        if verdict.status != VerdictStatus.PASSED:
            return False
        self.same = self.same and course_of(game) == self.judge.scenario_course(
            scenario
        )
        return True

    def game_failures(self, generated_game: GeneratedGame) -> Iterator[tuple[str, str]]:
        """Yield (sort, name) of each failure in a game: broken invariant or error."""
        game = None
        try:
            for game in generated_game.play(self.changed):
                for invariant in self.changed.model.invariants:
                    if is_broken(game, invariant):
                        yield BY_INVARIANT, invariant.title
        except Exception as error:  # noqa: BLE001  (as in a scenario)
            yield (
                BY_FAILURE,
                f"generated game {generated_game.number}: {error_line(error)}",
            )
            return
        self.same = self.same and course_of(game) == self.judge.game_course(
            generated_game
        )

    def is_unchanged(self) -> bool:
        """Return whether many games are the same as under the original rules."""
        unplayed = self.judge.generated_games[self.played :]
        return self.same and all(map(self.has_same_course, unplayed))

    def has_same_course(self, generated_game: GeneratedGame) -> bool:
        """Return whether a game is the same as under the original rules."""
        try:
            course = course_of(last_state(generated_game.play(self.changed)))
        except Exception:  # noqa: BLE001  (as in a scenario)
            return False
        return course == self.judge.game_course(generated_game)


def last_state(games: Iterator[Game]) -> Game:
    """Return the last state that *games* yields."""
    *_, game = games
    return game


def course_of(game: Game | None) -> GameCourse:
    """Return the course of a game."""
    return (None, None) if game is None else (game.events, game.position)


def error_line(error: Exception) -> str:
    """Return the type of an error and the first line of its message."""
    return f"{type(error).__name__}: {error}".splitlines()[0]


@attrs.frozen
class JudgeFactory:
    """Factory for a judge in a worker process."""

    load: Callable[[], Rulebook]
    base: Settings
    games: int
    coverage: Mapping[int, MutantCoverage]

    def __call__(self) -> Callable[[int], Judgement]:
        """Return a function that judges a candidate, given its number."""
        book = self.load()
        judge = MutantJudge(book, self.base, self.games)
        places = sampled_mutants(book)
        return lambda number: judge.judge(number, places[number], self.coverage[number])
