"""Samples of a book's mutants, judged in parallel; a run can be resumed.

The seed determines the order of candidates. All clauses take turns, and within a clause
all operators, so a long table has no more mutants in a sample than a short rule. A
candidate that is not a mutant is replaced by the next one, so the sample does not
depend on the number of processes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from functools import partial
from hashlib import sha256
from itertools import zip_longest
from pathlib import Path
from random import Random
from typing import Any, Self, TypeVar

import attrs

from rulebook import Rulebook
from rulebook.model import Invariant, Scenario
from rulebook.tooling import SAMPLED_OPERATORS, Mutant, amendment_text
from workbench.analysis.simulation.processes import map_in_processes
from workbench.analysis.simulation.settings import Settings
from workbench.errors import RequestError
from workbench.files.library.loading import load
from workbench.files.library.state_files import StateFile, StateLine
from workbench.testing.rule_tests.mutant_verdicts import (
    BY_FAILURE,
    BY_INVARIANT,
    BY_SCENARIO,
    IDLE,
    KILLED,
    NOT_MUTANTS,
    REJECTED,
    SURVIVOR_VERDICTS,
    JudgeFactory,
    Judgement,
    mutant_coverage,
    sampled_mutants,
)
from workbench.testing.rule_tests.rule_coverage import Coverage

Item = TypeVar("Item")
FORMAT = "rulebook-mutants/2"
FIRST_BYTES = (b'{"format": "rulebook-mutants/',)
TEST_KEYS = frozenset({"tests", "scenarios"})
"""Header keys that describe the tests."""


class Candidates:
    """Iterator over the numbers of mutants to judge, until the sample is full.

    Mutants with a judgement in `known` are not judged again. An exhausted
    iterator continues if a judged candidate turns out not to be a mutant.
    """

    def __init__(
        self, order: Iterable[int], size: int, known: Mapping[int, Judgement]
    ) -> None:
        self.left = iter(order)
        self.missing_count = size
        self.done = known
        self.known: list[Judgement] = []

    def __iter__(self) -> Iterator[int]:
        return self

    def __next__(self) -> int:
        while self.missing_count > 0:
            number = next(self.left)
            self.missing_count -= 1
            if number not in self.done:
                return number
            self.known.append(self.done[number])
            self.replace_invalid(self.done[number])
        raise StopIteration

    def replace_invalid(self, judgement: Judgement) -> None:
        """Add another candidate if the judged one turns out not to be a mutant."""
        self.missing_count += judgement.verdict in NOT_MUTANTS


class JudgementFile:
    """File of judgements, each of which is appended as soon as it is made.

    Its first line is a header, which identifies the sample and the tests. After a
    change of the tests, two kinds of judgement remain valid: kills by an unchanged
    scenario, and candidates that are not mutants.
    """

    def __init__(self, path: str, header: Mapping[str, Any]) -> None:
        self.head = dict(header)
        self.judgements: dict[int, Judgement] = {}
        self.file = StateFile(Path(path), FIRST_BYTES, "a results file of `mutate`")

    def __enter__(self) -> Self:
        with ExitStack() as opened:
            opened.enter_context(self.file)
            self.read()
            opened.pop_all()
        return self

    def read(self) -> None:
        """Read the judgements that are still valid.

        Raise `RequestError` if a line is malformed.
        """
        header: Mapping[str, Any] = {}
        for line in self.file.lines():
            document = line.document
            if line.number > 1 and "format" not in document:
                judgement = self.parse_judgement(line)
                if self.is_valid(judgement, header):
                    self.judgements[judgement.number] = judgement
                continue
            header = document
            if not has_test_digests(header):
                self.file.raise_invalid(line.number, "has no digests of tests")
            if sample_header(header) != sample_header(self.head):
                message = f"{self.file.path} belongs to a different sample"
                raise RequestError(message, "choose another file")
        if header.get("tests") != self.head["tests"]:
            self.add(self.head)

    def parse_judgement(self, line: StateLine) -> Judgement:
        """Return the judgement in a line. Raise `RequestError` if it is malformed."""
        try:
            return Judgement.from_json(line.document)
        except ValueError as error:
            self.file.raise_invalid(
                line.number, f"is not a result of `mutate`: {error}"
            )

    def is_valid(self, judgement: Judgement, header: Mapping[str, Any]) -> bool:
        """Return whether a judgement made with this header is still valid."""
        old_digests, new_digests = header.get("scenarios", {}), self.head["scenarios"]
        test = judgement.test
        return (
            header["tests"] == self.head["tests"]
            or judgement.verdict in NOT_MUTANTS
            or (
                test in new_digests
                and judgement.by == BY_SCENARIO
                and new_digests[test] == old_digests.get(test)
            )
        )

    def __exit__(self, *_: object) -> None:
        self.file.__exit__()

    def add(self, document: Mapping[str, Any]) -> None:
        """Append a document as one line, atomically."""
        self.file.append(document)


@attrs.frozen
class MutantSample:
    """Sample of mutants to judge: size, seed, and number of games.

    If `own_only` is true, only the book's own file and its companions are mutated.
    """

    variant: str
    base: Settings
    mutants: int
    games: int
    own_only: bool = False

    def header(self, book: Rulebook) -> dict[str, Any]:
        """Return the header for a file of judgements."""
        return {
            "format": FORMAT,
            "variant": book.name,
            "digest": book.digest,
            "tests": all_tests_digest(book),
            "scenarios": {
                scenario.title: tests_digest(book, (scenario,))
                for scenario in book.model.scenarios
            },
            "sample": self.mutants,
            "seed": self.base.seed,
            "games": self.games,
            "own": self.own_only,
        }

    def candidate_numbers(self, book: Rulebook, mutants: Sequence[Mutant]) -> list[int]:
        """Return the indices of all candidates in *mutants*, in ascending order."""
        own = book.own_files
        return [
            n for n, m in enumerate(mutants) if not self.own_only or m.span.file in own
        ]

    def candidate_order(self, book: Rulebook, mutants: Sequence[Mutant]) -> list[int]:
        """Return the indices of all candidates in *mutants*, in random order.

        The clauses take turns, and within a clause its operators.
        """
        chance = Random(f"mutants {self.base.seed}")
        numbers = self.candidate_numbers(book, mutants)
        clauses: dict[str, dict[str, list[int]]] = {}
        for number in chance.sample(numbers, len(numbers)):
            operators = clauses.setdefault(mutants[number].address, {})
            operators.setdefault(mutants[number].operator, []).append(number)
        by_clause = [
            take_turns(shuffled(each.values(), chance)) for each in clauses.values()
        ]
        return [*take_turns(shuffled(by_clause, chance))]


def shuffled(groups: Iterable[Item], chance: Random) -> list[Item]:
    """Return groups in random order."""
    listed = [*groups]
    chance.shuffle(listed)
    return listed


def take_turns(groups: Iterable[Iterable[int]]) -> Iterator[int]:
    """Yield the first item of each group, then the second of each, until all end."""
    for turn in zip_longest(*groups):
        yield from (item for item in turn if item is not None)


def all_tests_digest(book: Rulebook) -> str:
    """Return the digest of all tests of a book."""
    return tests_digest(book, (*book.model.scenarios, *book.model.invariants))


def tests_digest(book: Rulebook, tests: Iterable[Scenario | Invariant]) -> str:
    """Return the digest of the texts of these tests."""
    text = "\n".join(book.text_at(test.span) for test in tests)
    return f"sha256:{sha256(text.encode()).hexdigest()}"


def has_test_digests(header: Mapping[str, Any]) -> bool:
    """Return whether a header has a digest of all tests and one per scenario."""
    return isinstance(header.get("tests"), str) and isinstance(
        header.get("scenarios"), dict
    )


def sample_header(header: Mapping[str, Any]) -> dict[str, Any]:
    """Return the part of a header that identifies the sample."""
    return {key: value for key, value in header.items() if key not in TEST_KEYS}


@attrs.frozen
class MutationReport:
    """Judgements of a sample of mutants."""

    book: Rulebook
    sample: MutantSample
    mutants: tuple[Mutant, ...]
    judgements: tuple[Judgement, ...]

    @property
    def candidates(self) -> list[int]:
        """Indices in `mutants` of all candidates from which the sample is drawn."""
        return self.sample.candidate_numbers(self.book, self.mutants)

    @property
    def mutant_judgements(self) -> list[Judgement]:
        """Judgements of candidates that are mutants."""
        return [j for j in self.judgements if j.verdict not in NOT_MUTANTS]

    @property
    def rejected_count(self) -> int:
        """Number of candidates that the checker rejects."""
        return sum(j.verdict == REJECTED for j in self.judgements)

    @property
    def idle_count(self) -> int:
        """Number of candidates that do not change the behaviour of the rules."""
        return sum(j.verdict == IDLE for j in self.judgements)

    @property
    def killed_mutants(self) -> list[Judgement]:
        """Judgements of killed mutants."""
        return [j for j in self.mutant_judgements if j.verdict == KILLED]

    @property
    def percent(self) -> float | None:
        """Percentage of killed mutants, rounded down to a tenth; None if no mutants."""
        tried = len(self.mutant_judgements)
        return 1000 * len(self.killed_mutants) // tried / 10 if tried else None

    @property
    def survivors(self) -> Iterator[tuple[Mutant, Judgement]]:
        """Surviving mutants with their judgements, likeliest gaps in tests first."""
        survivors = [
            j for j in self.mutant_judgements if j.verdict in SURVIVOR_VERDICTS
        ]
        survivors.sort(key=lambda j: (SURVIVOR_VERDICTS.index(j.verdict), j.number))
        for judgement in survivors:
            yield self.mutants[judgement.number], judgement

    @property
    def counts_by_operator(self) -> dict[str, tuple[int, int]]:
        """Numbers of tried and of killed mutants, by mutation operator."""
        rows = {}
        for operator in SAMPLED_OPERATORS:
            judged = [
                j
                for j in self.mutant_judgements
                if self.mutants[j.number].operator == operator
            ]
            if judged:
                rows[operator] = (len(judged), sum(j.verdict == KILLED for j in judged))
        return rows

    def to_json(self) -> dict[str, Any]:
        """Return the report as plain data."""
        by = (BY_SCENARIO, BY_INVARIANT, BY_FAILURE)
        return {
            "variant": self.book.name,
            "digest": self.book.digest,
            "sample": self.sample.mutants,
            "seed": self.sample.base.seed,
            "games": self.sample.games,
            "own": self.sample.own_only,
            "places": len(self.candidates),
            "refused": self.rejected_count,
            "idle": self.idle_count,
            "mutants": len(self.mutant_judgements),
            "killed": len(self.killed_mutants),
            "percent": self.percent,
            "by": {name: sum(j.by == name for j in self.killed_mutants) for name in by},
            "operators": {
                name: {"mutants": tried, "killed": killed}
                for name, (tried, killed) in self.counts_by_operator.items()
            },
            "noticed": [
                {**document_of(self.mutants[j.number]), "by": j.by, "test": j.test}
                for j in self.killed_mutants
            ],
            "survivors": [self.survivor_document(*pair) for pair in self.survivors],
        }

    def survivor_document(self, mutant: Mutant, judgement: Judgement) -> dict[str, Any]:
        """Return a survivor as plain data."""
        return {
            **document_of(mutant),
            "why": judgement.verdict,
            "times": judgement.times,
            "amendment": amendment_text(self.book, mutant),
        }


def document_of(mutant: Mutant) -> dict[str, Any]:
    """Return a mutant as plain data."""
    return {
        "name": mutant.name,
        "operator": mutant.operator,
        "change": mutant.change,
        "clause": mutant.address,
        "file": mutant.span.file,
        "line": mutant.span.line,
        "column": mutant.span.column,
    }


def judge_sample(
    book: Rulebook,
    sample: MutantSample,
    coverage: Coverage,
    jobs: int = 1,
    file: JudgementFile | None = None,
) -> Iterator[Judgement]:
    """Yield the judgements of a sample as they are made, and then the stored ones."""
    mutants = sampled_mutants(book)
    known = {n: mutant_coverage(coverage, mutant) for n, mutant in enumerate(mutants)}
    done = {} if file is None else file.judgements
    candidates = Candidates(sample.candidate_order(book, mutants), sample.mutants, done)
    prepare = JudgeFactory(
        partial(load, sample.variant), sample.base, sample.games, known
    )
    for judgement in judge_candidates(prepare, candidates, jobs):
        candidates.replace_invalid(judgement)
        if file is not None:
            file.add(judgement.to_json())
        yield judgement
    yield from candidates.known


def judge_candidates(
    prepare: Callable[[], Callable[[int], Judgement]], numbers: Iterable[int], jobs: int
) -> Iterator[Judgement]:
    """Yield the judgement of each mutant index; *prepare* creates a process's judge."""
    if jobs > 1:
        yield from map_in_processes(prepare, numbers, jobs)
        return
    judge = prepare()
    for number in numbers:
        yield judge(number)
