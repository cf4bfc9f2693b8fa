"""A sample of the mutants of a book: judged in several processes, stopped, resumed.

Candidates come in an order that the seed draws. One that is no mutant gives its place
to the next; so however many processes judge, it is one sample.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from functools import partial
from hashlib import sha256
from pathlib import Path
from random import Random
from typing import Any, Self

import attrs

from rulebook import Rulebook
from rulebook.model import Invariant, Scenario
from rulebook.tooling import DRAWN, Mutant, amendment
from workbench.analysis.simulation.processes import spread
from workbench.analysis.simulation.settings import Settings
from workbench.errors import Refused
from workbench.files.library.loading import load
from workbench.files.library.state_files import StateFile, StateLine
from workbench.testing.rule_tests.coverage import Coverage
from workbench.testing.rule_tests.verdicts import (
    BY_FAILURE,
    BY_INVARIANT,
    BY_SCENARIO,
    IDLE,
    KILLED,
    NONE,
    REFUSED,
    SURVIVES,
    JudgeFactory,
    Judgement,
    drawn,
    reached,
)

FORMAT = "rulebook-mutants/1"
BEGINS = (b'{"format": "rulebook-mutants/',)
OF_TESTS = frozenset({"tests", "scenarios"})
"""What a head says of the tests."""


class Candidates:
    """Numbers of mutants to be judged, until a sample of those that are rules is full.

    What is `done` is put aside as `known`. It may go on after it had no more to give,
    when one turns out to be no rules.
    """

    def __init__(
        self, order: Iterable[int], wanted: int, done: Mapping[int, Judgement]
    ) -> None:
        self.left = iter(order)
        self.open = wanted
        self.done = done
        self.known: list[Judgement] = []

    def __iter__(self) -> Iterator[int]:
        return self

    def __next__(self) -> int:
        while self.open > 0:
            number = next(self.left)
            self.open -= 1
            if number not in self.done:
                return number
            self.known.append(self.done[number])
            self.came(self.done[number])
        raise StopIteration

    def came(self, judgement: Judgement) -> None:
        """Let another one come in the place of one that is no mutant."""
        self.open += judgement.verdict in NONE


class JudgementFile:
    """A file of judgements, to which one line is added as soon as one is made.

    A head says of what sample those after it are, and what its tests said. Under other
    tests stays what a scenario noticed that reads the same, and what is no mutant.
    """

    def __init__(self, path: str, head: Mapping[str, Any]) -> None:
        self.head = dict(head)
        self.done: dict[int, Judgement] = {}
        self.file = StateFile(Path(path), BEGINS, "what `mutate` keeps")

    def __enter__(self) -> Self:
        with ExitStack() as opened:
            opened.enter_context(self.file)
            self.read()
            opened.pop_all()
        return self

    def read(self) -> None:
        """Read the judgements that still hold. Raises `Refused` for a wrong line."""
        head: Mapping[str, Any] = {}
        for line in self.file.lines():
            said = line.document
            if line.number > 1 and "format" not in said:
                judgement = self.judgement_of(line)
                if self.stands(judgement, head):
                    self.done[judgement.number] = judgement
                continue
            head = said
            if not is_of_tests(head):
                self.file.refuse(line.number, "has no digests of tests")
            if sample_of(head) != sample_of(self.head):
                wrong = f"{self.file.path} belongs to a different sample"
                raise Refused(wrong, "choose another file")
        if head.get("tests") != self.head["tests"]:
            self.add(self.head)

    def judgement_of(self, line: StateLine) -> Judgement:
        """Return the judgement of a line. Raises `Refused` where it is not one."""
        try:
            return Judgement.from_json(line.document)
        except ValueError as error:
            self.file.refuse(line.number, f"is not a result of `mutate`: {error}")

    def stands(self, judgement: Judgement, head: Mapping[str, Any]) -> bool:
        """Whether a judgement that was made under a head is still what it would be."""
        then, now = head.get("scenarios", {}), self.head["scenarios"]
        test = judgement.test
        return (
            head["tests"] == self.head["tests"]
            or judgement.verdict in NONE
            or (
                test in now
                and judgement.by == BY_SCENARIO
                and now[test] == then.get(test)
            )
        )

    def __exit__(self, *_: object) -> None:
        self.file.__exit__()

    def add(self, document: Mapping[str, Any]) -> None:
        """Write a line, whole or not at all."""
        self.file.add(document)


@attrs.frozen
class Sample:
    """Which mutants are tried: how many, by which seed, in how many games.

    With `own` only those of the book's own file and of those that come with it.
    """

    variant: str
    base: Settings
    mutants: int
    games: int
    own: bool = False

    def head(self, book: Rulebook) -> dict[str, Any]:
        """What a file of judgements begins with."""
        return {
            "format": FORMAT,
            "variant": book.name,
            "digest": book.digest,
            "tests": tests_of(book),
            "scenarios": {
                scenario.title: digest_of(book, (scenario,))
                for scenario in book.model.scenarios
            },
            "sample": self.mutants,
            "seed": self.base.seed,
            "games": self.games,
            "own": self.own,
        }

    def numbers(self, book: Rulebook, places: Sequence[Mutant]) -> list[int]:
        """The numbers of all candidates."""
        own = book.own_files
        return [n for n, m in enumerate(places) if not self.own or m.span.file in own]

    def order(self, book: Rulebook, places: Sequence[Mutant]) -> list[int]:
        """The numbers of all candidates in the order in which they are tried."""
        numbers = self.numbers(book, places)
        return Random(f"mutants {self.base.seed}").sample(numbers, len(numbers))


def tests_of(book: Rulebook) -> str:
    """A digest of what tests say."""
    return digest_of(book, (*book.model.scenarios, *book.model.invariants))


def digest_of(book: Rulebook, tests: Iterable[Scenario | Invariant]) -> str:
    """A digest of the text of some tests."""
    text = "\n".join(book.text_at(test.span) for test in tests)
    return f"sha256:{sha256(text.encode()).hexdigest()}"


def is_of_tests(head: Mapping[str, Any]) -> bool:
    """Whether a head has a digest of all tests, and one of each scenario."""
    return isinstance(head.get("tests"), str) and isinstance(
        head.get("scenarios"), dict
    )


def sample_of(head: Mapping[str, Any]) -> dict[str, Any]:
    """What a head says of the sample, the tests left aside."""
    return {key: said for key, said in head.items() if key not in OF_TESTS}


@attrs.frozen
class MutationReport:
    """What became of a sample."""

    book: Rulebook
    sample: Sample
    places: tuple[Mutant, ...]
    judgements: tuple[Judgement, ...]

    @property
    def candidates(self) -> list[int]:
        """The numbers of all that could have been drawn."""
        return self.sample.numbers(self.book, self.places)

    @property
    def tried(self) -> list[Judgement]:
        """The judgements on those that are mutants."""
        return [j for j in self.judgements if j.verdict not in NONE]

    @property
    def refused(self) -> int:
        """How many came in between that the checker refuses: they are no rules."""
        return sum(j.verdict == REFUSED for j in self.judgements)

    @property
    def idle(self) -> int:
        """How many came in between of which it is known that they change nothing."""
        return sum(j.verdict == IDLE for j in self.judgements)

    @property
    def killed(self) -> list[Judgement]:
        """The judgements on those that were noticed."""
        return [j for j in self.tried if j.verdict == KILLED]

    @property
    def percent(self) -> float | None:
        """Return the noticed changes in percent, rounded down to a tenth.

        None if no change was tried.
        """
        tried = len(self.tried)
        return 1000 * len(self.killed) // tried / 10 if tried else None

    @property
    def survivors(self) -> Iterator[tuple[Mutant, Judgement]]:
        """What nothing noticed, what is surest first, each sort by its place."""
        rest = [j for j in self.tried if j.verdict in SURVIVES]
        rest.sort(key=lambda j: (SURVIVES.index(j.verdict), j.number))
        for judgement in rest:
            yield self.places[judgement.number], judgement

    @property
    def by_operator(self) -> dict[str, tuple[int, int]]:
        """How many of each operator were tried, and how many noticed."""
        rows = {}
        for operator in DRAWN:
            mine = [j for j in self.tried if self.places[j.number].operator == operator]
            if mine:
                rows[operator] = (len(mine), sum(j.verdict == KILLED for j in mine))
        return rows

    def to_json(self) -> dict[str, Any]:
        """The report as plain data."""
        by = (BY_SCENARIO, BY_INVARIANT, BY_FAILURE)
        return {
            "variant": self.book.name,
            "digest": self.book.digest,
            "sample": self.sample.mutants,
            "seed": self.sample.base.seed,
            "games": self.sample.games,
            "own": self.sample.own,
            "places": len(self.candidates),
            "refused": self.refused,
            "idle": self.idle,
            "mutants": len(self.tried),
            "killed": len(self.killed),
            "percent": self.percent,
            "by": {name: sum(j.by == name for j in self.killed) for name in by},
            "operators": {
                name: {"mutants": tried, "killed": killed}
                for name, (tried, killed) in self.by_operator.items()
            },
            "survivors": [self.survivor_document(*pair) for pair in self.survivors],
        }

    def survivor_document(self, mutant: Mutant, judgement: Judgement) -> dict[str, Any]:
        """A survivor as plain data."""
        return {
            "name": mutant.name,
            "operator": mutant.operator,
            "change": mutant.change,
            "clause": mutant.address,
            "file": mutant.span.file,
            "line": mutant.span.line,
            "column": mutant.span.column,
            "why": judgement.verdict,
            "times": judgement.times,
            "amendment": amendment(self.book, mutant),
        }


def judged(
    book: Rulebook,
    sample: Sample,
    coverage: Coverage,
    jobs: int = 1,
    kept: JudgementFile | None = None,
) -> Iterator[Judgement]:
    """The judgements of a sample as they come; those that are kept come first."""
    places = drawn(book)
    known = {n: reached(coverage, mutant) for n, mutant in enumerate(places)}
    done = {} if kept is None else kept.done
    candidates = Candidates(sample.order(book, places), sample.mutants, done)
    prepared = JudgeFactory(
        partial(load, sample.variant), sample.base, sample.games, known
    )
    for judgement in worked(prepared, candidates, jobs):
        candidates.came(judgement)
        if kept is not None:
            kept.add(judgement.to_json())
        yield judgement
    yield from candidates.known


def worked(
    prepare: Callable[[], Callable[[int], Judgement]], items: Iterable[int], jobs: int
) -> Iterator[Judgement]:
    """The judgements on candidates: in this process, or in several."""
    if jobs > 1:
        yield from spread(prepare, items, jobs)
        return
    judge = prepare()
    for number in items:
        yield judge(number)
