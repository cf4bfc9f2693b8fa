"""Drafts of scenarios: written as text, checked, and run without some lines."""

from collections.abc import Collection, Iterator, Sequence
from itertools import count

import attrs

from interpreter import Game, Verdict, run_scenario_with_game
from rulebook import Diagnostic, Rulebook, format_text
from rulebook import model as m
from rulebook.tooling import parse_scenarios

HEAD = "rules language 1\nscenarios of {name}\n\n"
FILE = "scenario"
GIVEN, WHEN, THEN = m.StepWord
ERROR = "error"
MAX_LINE_LENGTH = 96
TITLE_NUMBERS = count()
"""Serial numbers for the titles of trials, because programs are cached by title."""


@attrs.frozen
class Draft:
    """Lines of an unfinished scenario.

    `preconditions` are conditions that must be true before the actions. They are
    checked while lines are left out, and are not part of the result.
    """

    title: str
    players: int
    given: tuple[str, ...] = ()
    when: tuple[str, ...] = ()
    then: tuple[str, ...] = ()
    preconditions: tuple[str, ...] = ()

    @property
    def steps(self) -> Iterator[tuple[m.StepWord, tuple[str, ...]]]:
        """Step words (`given`, `when`, `then`), each with its lines."""
        yield GIVEN, self.given
        yield THEN, self.preconditions
        yield WHEN, self.when
        yield THEN, self.then

    @property
    def size(self) -> int:
        """Number of lines."""
        return sum(len(lines) for _, lines in self.steps)

    def to_text(self) -> str:
        """Return the text of the scenario."""
        lines = [f'scenario "{self.title}" with {self.players} players']
        for word, step_lines in self.steps:
            if step_lines:
                lines += [f"  {word}", *(f"    {line}" for line in step_lines)]
        return "\n".join(lines) + "\n"

    def with_joined_lines(self) -> "Draft":
        """Return the draft with neighbouring lines combined where possible."""
        return attrs.evolve(
            self, given=tuple(join_lines(self.given)), when=tuple(join_lines(self.when))
        )


def join_lines(lines: Sequence[str]) -> Iterator[str]:
    """Yield the lines, with neighbouring moves, pieces and actions combined."""
    pending = ""
    for line in lines:
        joined = join_pair(pending, line)
        if joined is None:
            if pending:
                yield pending
            pending = line
        else:
            pending = joined
    if pending:
        yield pending


def join_pair(first: str, second: str) -> str | None:
    """Return two lines combined into one, or None if that is impossible."""
    for start, middle in (("move ", " from "), ("", " does "), ("place ", " on ")):
        first_head, first_word, first_tail = first.partition(middle)
        head, word, tail = second.partition(middle)
        if not (
            first_word and word and first.startswith(start) == second.startswith(start)
        ):
            continue
        if start == "move ":
            if first_tail != tail or " of " in tail or not first.startswith(start):
                continue
            joined = f"{first_head}, {head.removeprefix(start)}{middle}{tail}"
        elif first_head == head:
            joined = f"{first}, {tail}"
        else:
            continue
        return joined if len(joined) <= MAX_LINE_LENGTH else None
    return None


def canonical_text(book: Rulebook, text: str) -> str:
    """Return the text of a scenario in canonical format."""
    head = HEAD.format(name=book.name)
    return format_text(head + text, FILE).removeprefix(head)


@attrs.frozen
class VerdictSummary:
    """Status, location and first message line of a verdict, for comparison."""

    status: str
    file: str | None
    line: int | None
    message: str

    @classmethod
    def of_verdict(cls, verdict: Verdict) -> "VerdictSummary":
        """Return the summary of a verdict."""
        message = (verdict.message or "").partition("\n")[0]
        line = None if verdict.message is None else verdict.line
        return cls(verdict.status, verdict.file, line, message)


@attrs.frozen
class CheckedDraft:
    """Draft without errors; `numbers` are the line numbers of its lines."""

    book: Rulebook
    draft: Draft
    scenario: m.Scenario
    numbers: tuple[int, ...]

    def play(self, omitted: Collection[int] = ()) -> tuple[Verdict, Game | None]:
        """Run the scenario without these line numbers; return its verdict and game."""
        steps = tuple(
            (word, tuple(node for node in nodes if node.span.line not in omitted))
            for word, nodes in self.scenario.steps
        )
        scenario = attrs.evolve(
            self.scenario,
            title=f"{self.scenario.title} {next(TITLE_NUMBERS)}",
            steps=tuple((word, nodes) for word, nodes in steps if nodes),
        )
        return run_scenario_with_game(self.book, scenario)

    def without(self, omitted: Collection[int]) -> Draft:
        """Return the draft without preconditions and without these numbered lines."""
        numbers = iter(self.numbers)
        given, _, when, then = (
            tuple(line for line in lines if next(numbers) not in omitted)
            for _, lines in self.draft.steps
        )
        return attrs.evolve(
            self.draft, given=given, preconditions=(), when=when, then=then
        )


def line_numbers(draft: Draft, first: int) -> tuple[int, ...]:
    """Return the line numbers of a draft's lines; its title is on line *first*."""
    numbers: list[int] = []
    number = first
    for _, lines in draft.steps:
        if lines:
            number += 1
            numbers += range(number + 1, number + 1 + len(lines))
            number += len(lines)
    return tuple(numbers)


def check_drafts(book: Rulebook, drafts: Sequence[Draft]) -> list[CheckedDraft]:
    """Return the drafts without errors, after removing erroneous `given` lines."""
    while drafts:
        text = HEAD.format(name=book.name)
        firsts = []
        for draft in drafts:
            firsts.append(text.count("\n") + 1)
            text += draft.to_text() + "\n"
        scenarios, diagnostics = parse_scenarios(book, text, FILE)
        if scenarios:
            return [
                CheckedDraft(book, draft, scenario, line_numbers(draft, first))
                for draft, scenario, first in zip(
                    drafts, scenarios, firsts, strict=True
                )
            ]
        fewer = [
            without_given_errors(d, n, diagnostics)
            for d, n in zip(drafts, firsts, strict=True)
        ]
        drafts = [draft for draft in fewer if draft is not None]
    return []


def without_given_errors(
    draft: Draft, first: int, diagnostics: Sequence[Diagnostic]
) -> Draft | None:
    """Remove erroneous `given` lines; return None if errors are in other lines."""
    numbers = line_numbers(draft, first)
    errors = {each.span.line for each in diagnostics if each.severity == ERROR}
    last = numbers[-1] if numbers else first
    if not any(first <= line <= last for line in errors):
        return draft
    given = numbers[: len(draft.given)]
    if errors & {*range(first, last + 1)} - {*given}:
        return None
    lines = zip(given, draft.given, strict=True)
    return attrs.evolve(draft, given=tuple(x for n, x in lines if n not in errors))
