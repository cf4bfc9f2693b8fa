"""Mutation testing: finds the scenarios that detect a changed rule."""

from collections.abc import Container, Iterable, Iterator, Sequence
from typing import TypeVar

from rulebook import Diagnostic, Rulebook, Span, recheck
from rulebook.model import Invariant, Scenario
from rulebook.tooling import Mutant
from workbench.testing.rule_tests.suite import run_scenario_test

__all__ = ["book_of_mutant", "notices_mutant", "noticing_scenarios"]

Test = TypeVar("Test", bound=Scenario | Invariant)
OPTIONAL_SORTS = ("scenario", "invariant", "hint")
"""Sorts of clauses that the book of a mutant contains only on request."""


def noticing_scenarios(
    book: Rulebook, mutant: Mutant, scenarios: Iterable[Scenario]
) -> Iterator[Scenario]:
    """Yield the scenarios whose result a mutant changes.

    A scenario that the checker rejects is included, and the others are run without
    it. If the checker rejects anything else, no scenario is yielded.
    """
    tests = {scenario.title: scenario for scenario in scenarios}
    clauses = {f'scenario "{scenario.clause}"' for scenario in tests.values()}
    changed, diagnostics = book_of_mutant(book, mutant, clauses)
    if changed is None:
        bad = {
            scenario.title: scenario
            for scenario in erroneous_tests(diagnostics, tuple(tests.values()))
        }
        yield from bad.values()
        if bad:
            others = [
                scenario for scenario in tests.values() if scenario.title not in bad
            ]
            yield from noticing_scenarios(book, mutant, others)
        return
    for scenario in changed.model.scenarios:
        if scenario.title in tests and run_scenario_test(changed, scenario).is_failed:
            yield tests[scenario.title]


def book_of_mutant(
    book: Rulebook, mutant: Mutant, tests: Container[str] = ()
) -> tuple[Rulebook | None, tuple[Diagnostic, ...]]:
    """Return the book of a mutant (None if it has errors), and all diagnostics.

    The book contains only the tests whose addresses are in *tests*.
    """
    clauses = {
        address: clause
        for address, clause in mutant.clauses.items()
        if str(address) in tests or address.sort not in OPTIONAL_SORTS
    }
    return recheck(book, clauses, mutant.header)


def erroneous_tests(
    diagnostics: Iterable[Diagnostic], scenarios: Sequence[Test]
) -> Iterator[Test]:
    """Yield the scenarios or invariants with errors, if all errors are in them."""
    error_spans = [
        diagnostic.span for diagnostic in diagnostics if diagnostic.severity == "error"
    ]
    tests_by_error = [
        [scenario for scenario in scenarios if starts_within(span, scenario.span)]
        for span in error_spans
    ]
    if all(tests_by_error):
        yield from {
            scenario.title: scenario for tests in tests_by_error for scenario in tests
        }.values()


def starts_within(span: Span, other: Span) -> bool:
    """Return whether a span starts on one of the lines of another span."""
    return span.file == other.file and other.line <= span.line <= other.end_line


def notices_mutant(book: Rulebook, mutant: Mutant, scenario: Scenario) -> bool:
    """Return whether a scenario fails, or has errors, in the book of a mutant."""
    return any(noticing_scenarios(book, mutant, (scenario,)))
