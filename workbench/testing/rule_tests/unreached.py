"""Reasons why tests did not reach a part of the rules, found in the rules."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

import attrs

from interpreter import BRANCH, REQUIREMENT, Site
from rulebook import Address, Rulebook, Span
from rulebook import model as m
from rulebook.signatures import effects_within, statements_in
from rulebook.tooling import Mutant, mutants
from workbench.testing.rule_tests.mutation import book_of_mutant
from workbench.testing.rule_tests.start_positions import reachable_units

CONDITION_DROPPED = "condition dropped"
"""Name of the mutation operator that removes the condition of an `if`."""
NOT_REACHED, NEVER_TRUE, NEVER_FALSE = "not reached", "never true", "never false"
REASON_COMMENT = re.compile(
    rf"#\s*({NOT_REACHED}|{NEVER_TRUE}|{NEVER_FALSE}):\s*(.*\S)"
)
"""Pattern of a comment with a reason, on the line of the part or above it."""
PLACE_STATEMENT, SETUP = "place ", "setup"
UNCALLED_REASON = "{name} is never called"
ENCLOSED_REASON = "inside the condition on line {line}, which was {lacks}"
CHECKER_REASON = "required by the checker: {message}"
CALLER_REASON = "already checked by {callers}"
SUPPLY_REASON = "implied by `place`, which checks the supply"


@attrs.frozen
class MissingObservation:
    """Part of the rules, and its never observed outcome in words (empty if none)."""

    site: Site
    text: str
    outcome: str


class ReasonFinder:
    """Finder of reasons why tests did not reach parts of a book."""

    def __init__(self, book: Rulebook) -> None:
        self.book = book
        self.uncalled = uncalled_clauses(book)
        self.unguarded: dict[Span, Mutant] | None = None

    def reason_for(
        self, observation: MissingObservation, others: Sequence[MissingObservation]
    ) -> str:
        """Return the most certain reason for a missing observation, or empty text."""
        for reason in self.known_reasons(observation, others):
            return reason
        return ""

    def known_reasons(
        self, observation: MissingObservation, others: Sequence[MissingObservation]
    ) -> Iterator[str]:
        """Yield all known reasons, most certain first."""
        site = observation.site
        clause = Address.parse(site.clause)
        yield from self.comment_reasons(observation)
        if str(clause) in self.uncalled:
            yield UNCALLED_REASON.format(name=clause.name)
        if site.sort == REQUIREMENT and observation.text.startswith(PLACE_STATEMENT):
            yield SUPPLY_REASON
        yield from enclosing_reasons(observation, others)
        if site.sort == BRANCH and observation.outcome == NEVER_FALSE:
            yield from self.checker_reasons(site)
            yield from self.caller_reasons(site)

    def comment_reasons(self, observation: MissingObservation) -> Iterator[str]:
        """Yield the reason in a comment on the line of the part or above it."""
        span = observation.site.span
        lines = self.book.files.get(span.file, "").splitlines()
        above = lines[max(0, span.line - 2) : span.line - 1]
        own_line = lines[span.line - 1 : span.line]
        for line in (*own_line, *[a for a in above if a.lstrip().startswith("#")]):
            for lacks, reason in REASON_COMMENT.findall(line):
                if lacks == observation.outcome:
                    yield reason

    def caller_reasons(self, site: Site) -> Iterator[str]:
        """Yield a reason if every caller of a procedure requires the `if` condition."""
        model = self.book.model
        for procedure in model.procedures.values():
            conditions = [
                effects.condition
                for node, effects in statements_in(procedure.body)
                if effects.condition is not None and node.span == site.span
            ]
            if not conditions or m.variables_read(conditions[0]):
                continue
            text = self.book.text_at(conditions[0].span)
            units: list[m.Procedure | m.Action] = [*model.procedures.values()]
            units += model.actions.values()
            callers = [
                unit
                for unit in units
                if any(
                    run.code == procedure.name
                    for effects in effects_within(unit.body)
                    for run in effects.calls
                )
            ]
            if callers and all(self.has_requirement(unit, text) for unit in callers):
                names = " and ".join(unit.name for unit in callers)
                yield CALLER_REASON.format(callers=names)

    def has_requirement(
        self, unit: m.Procedure | m.Action, condition_text: str
    ) -> bool:
        """Return whether an action has a requirement with this text."""
        return isinstance(unit, m.Action) and any(
            self.book.text_at(need.condition.span) == condition_text
            for need in unit.requirements
        )

    def checker_reasons(self, site: Site) -> Iterator[str]:
        """Yield the error that the checker reports without the condition of an `if`."""
        if self.unguarded is None:
            self.unguarded = {
                mutant.span: mutant
                for mutant in mutants(self.book)
                if mutant.description == CONDITION_DROPPED
            }
        mutant = self.unguarded.get(site.span)
        if mutant is not None:
            _, diagnostics = book_of_mutant(self.book, mutant)
            errors = [d for d in diagnostics if d.severity == "error"]
            for error in errors[:1]:
                yield CHECKER_REASON.format(message=error.message)


def enclosing_reasons(
    observation: MissingObservation, others: Sequence[MissingObservation]
) -> Iterator[str]:
    """Yield a reason if an enclosing `if` was never true or never false."""
    enclosing = [
        other
        for other in others
        if other.site.sort == BRANCH
        and other.site != observation.site
        and other.outcome != NOT_REACHED
        and is_within(observation.site.span, other.site.span)
    ]
    if enclosing:
        other = max(enclosing, key=lambda other: other.site.span.line)
        yield ENCLOSED_REASON.format(line=other.site.span.line, lacks=other.outcome)


def uncalled_clauses(book: Rulebook) -> frozenset[str]:
    """Return the addresses of procedures and actions that are never called."""
    model = book.model
    roots = [name for name in model.procedures if "." in name or name == SETUP]
    called = {unit.name for unit in reachable_units(model, roots)}
    names = [f"to.{name}" for name in model.procedures if name not in called]
    names += [f"action.{name}" for name in model.actions if name not in called]
    return frozenset(names)


def is_within(span: Span, other: Span) -> bool:
    """Return whether a span is completely within another span."""
    starts_inside = (other.line, other.column) <= (span.line, span.column)
    ends_inside = (span.end_line, span.end_column) <= (other.end_line, other.end_column)
    return span.file == other.file and starts_inside and ends_inside
