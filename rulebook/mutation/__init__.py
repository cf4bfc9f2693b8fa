"""Mutants: checked rules with one small mistake, which tests should detect.

A scenario tests a clause if it fails for some mutant of the clause. A mutant is made
from the merged clauses by one operator in `value_operators`, `statement_operators` or
`clause_operators`. It becomes a book when it is checked again.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from difflib import SequenceMatcher

import attrs

from rulebook import syntax as s
from rulebook.addresses import Address
from rulebook.completeness import check_complete
from rulebook.compose import MergedRules
from rulebook.loading.book import Rulebook
from rulebook.mutation.clause_operators import OF_CLAUSES, OF_LINES, swap_phases
from rulebook.mutation.equivalence import EquivalenceDetector
from rulebook.mutation.operators import Operators, SimilarNames, changes
from rulebook.mutation.rule_numbers import Figure, Value, figure_of, numbers_in_text
from rulebook.mutation.rule_numbers import figures as figures_of
from rulebook.mutation.sampling_operators import (
    DOUBLED,
    MOMENT,
    SAMPLED_OPERATORS,
    SWAPPED,
    VISIBILITY,
)
from rulebook.mutation.statement_operators import OF_STATEMENTS
from rulebook.mutation.value_operators import OF_VALUES
from rulebook.source.spans import Span
from rulebook.write import write_clause, write_header

__all__ = [
    "DOUBLED",
    "SAMPLED_OPERATORS",
    "SWAPPED",
    "VISIBILITY",
    "EquivalenceDetector",
    "Figure",
    "Mutant",
    "amendment_text",
    "figures",
    "mutants",
    "numbers",
    "with_figure",
    "with_number",
]

OPERATORS = Operators(OF_VALUES | OF_STATEMENTS | OF_CLAUSES, OF_LINES)
UNCHANGED: dict[type[s.Node], str] = {
    **dict.fromkeys(
        (
            *(s.Perform, s.Let, s.LetTally, s.LetBag, s.SetTo, s.TakeOff, s.Forget),
            *(s.ShuffleStatement, s.ChanceChooses, s.CarryOutStatement, s.MayChoose),
            *(s.StepStatement, s.RepeatStatement, s.StopStatement, s.StartsStatement),
            *(s.MissesTurnStatement, s.GameEndsStatement, s.Draws),
        ),
        "it is dropped, doubled or swapped as a whole, and its parts are changed",
    ),
    s.AnnounceStatement: "it changes no state, so no scenario could notice it",
    **dict.fromkeys(
        (
            *(s.Negate, s.Every, s.SumOver, s.BagOverExpression, s.NumberRange),
            *(s.NumberOfCombinations, s.Has),
        ),
        "its parts are changed",
    ),
    **dict.fromkeys((s.HasRoom, s.WholeHolding, s.Everything), "its parts are changed"),
    **dict.fromkeys(
        (s.Apply, s.CostOf, s.LinkRef, s.NoneValue, s.Nothing),
        "another value would have another meaning or type",
    ),
    **dict.fromkeys(
        (
            *(s.RequireStatement, s.MayNot, s.MayStill, s.DoesNotSee),
            *(s.IsToMove, s.ChanceGives),
        ),
        "it is only in tests",
    ),
}
"""Reasons why no operator changes a class of expressions or statements."""

check_complete(
    "the table of mutation operators, or of reasons for having none,",
    [*OF_VALUES, *OF_STATEMENTS, *UNCHANGED],
    s.BODY_CLASSES,
)
HEADER = Address("header")
NOTHING = "(nothing)"
CONTEXT_WORDS = 3
"""Number of unchanged words shown on either side of a difference."""
TEXT = re.compile(r'"[^"]*"')
NON_RULE_CLAUSES = (
    *(s.ScenarioClause, s.InvariantClause, s.HintClause, s.HintValueClause),
    *(s.ColourClause, s.DrawingClause, s.MeasureClause),
)
"""Classes of clauses that are not rules, and therefore have no mutants."""


@attrs.frozen(eq=False)
class Mutant:
    """Rules with one change: its address, description, span, and the lines that differ.

    `header` and `clauses` are those of the merged rules, with the change. `suffix`
    distinguishes the mutant from earlier mutants with the same text. `operator` is the
    sampling operator, or empty.
    """

    address: str
    description: str
    span: Span
    before: tuple[str, ...]
    after: tuple[str, ...]
    header: s.Header = attrs.field(repr=False)
    clauses: dict[Address, s.Clause] = attrs.field(repr=False)
    operator: str = ""
    suffix: str = ""

    @property
    def change(self) -> str:
        """Difference on one line, with a few words around it."""
        before, after = _first_line(self.before), _first_line(self.after)
        if len(self.before) == len(self.after) == 1:
            before, after = _changed_words(before.split(), after.split())
        return (
            f"{self.description}: {before or NOTHING} → {after or NOTHING}{self.suffix}"
        )

    @property
    def name(self) -> str:
        """Stable name of the mutant, which contains no line number."""
        return f"{self.address}: {self.change}"


def mutants(book: Rulebook, address: str | None = None) -> Iterator[Mutant]:
    """Yield the mutants of one clause, or of all rules, in the order of the rules.

    The address of the header is `header`. Mutants have different names. Some mutants do
    not pass the checker and cannot become books.
    """
    clauses = book.merged.clauses
    names = SimilarNames.collect(clauses.values())
    wanted = (HEADER, *clauses) if address is None else (Address.parse(address),)
    for key in wanted:
        seen: Counter[str] = Counter()
        for mutant in _part_mutants(book.merged, key, names):
            seen[mutant.name] += 1
            number = seen[mutant.name]
            again = f" ({number})" if number > 1 else ""
            yield attrs.evolve(mutant, suffix=again)


def numbers(book: Rulebook, address: str) -> tuple[int, ...]:
    """Return the numbers in a clause, in the order of its text.

    These are the numbers in costs and amounts, in sentences and in tables. The header,
    and clauses that are not rules, have none.
    """
    clause = book.merged.clauses[Address.parse(address)]
    values = [figure.value for figure in _numbers(clause)]
    return tuple(value for value in values if value is not None)


def figures(book: Rulebook, address: str) -> tuple[Figure, ...]:
    """Return the figures of a clause: its numbers, each with its identifying word."""
    return tuple(figures_of(book.merged.clauses[Address.parse(address)]))


def with_figure(book: Rulebook, address: str, word: str, value: Value) -> Mutant | None:
    """Return the rules with a new value for one figure of a clause.

    Return None if the clause has no figure for this word.
    """
    clause = book.merged.clauses[Address.parse(address)]
    figure = figure_of(clause, word)
    return None if figure is None else _with_figure_value(book, address, figure, value)


def with_number(book: Rulebook, address: str, position: int, value: int) -> Mutant:
    """Return the rules with a new value for the number at *position*, from 0."""
    clause = book.merged.clauses[Address.parse(address)]
    return _with_figure_value(book, address, _numbers(clause)[position], value)


def _numbers(clause: s.Clause) -> list[Figure]:
    return [] if isinstance(clause, NON_RULE_CLAUSES) else list(numbers_in_text(clause))


def _with_figure_value(
    book: Rulebook, address: str, figure: Figure, value: Value
) -> Mutant:
    """Return the rules with a new value for a figure of a clause."""
    key = Address.parse(address)
    clause, new = book.merged.clauses[key], figure.replace_value(value)
    before, after = _difference(_lines(clause), _lines(new))
    clauses = book.merged.clauses | {key: new}
    return Mutant(
        address, "number", figure.span, before, after, book.merged.header, clauses
    )


def amendment_text(book: Rulebook, mutant: Mutant) -> str:
    """Return a mutant as the text of a file that extends the book, ready to be pasted.

    The file's header inherits everything that it does not change.
    """
    if mutant.address == str(HEADER):
        old = _lines(book.merged.header)
        new = [f"  {line}" for line in _lines(mutant.header) if line not in old]
        return "\n".join([f"extends {book.name}", *new, ""])
    clause = mutant.clauses[Address.parse(mutant.address)]
    assert isinstance(clause, s.Declaration | s.Phase)
    if isinstance(clause, s.Phase):
        phases = [c for c in mutant.clauses.values() if isinstance(c, s.Phase)]
        clause = s.TurnClause(tuple(phases))
    first, *rest = [str(line) for line in write_clause(clause)]
    match clause:
        case s.FieldsClause(owner=owner):
            whose = "game" if owner is None else f"each {owner.text}"
            lines = [f"in {whose}", f"  replace field {rest[0].strip()}", *rest[1:]]
        case _:
            lines = [f"replace {first}", *rest]
    return "\n".join([f"extends {book.name}", "", *lines, ""])


def _part_mutants(
    merged: MergedRules, key: Address, names: SimilarNames
) -> Iterator[Mutant]:
    header, clauses = merged.header, merged.clauses
    old = header if key == HEADER else clauses[key]
    if isinstance(old, NON_RULE_CLAUSES):
        return
    lines = _lines(old)
    for change in changes(old, OPERATORS, names):
        if change.new != old:
            before, after = _difference(lines, _lines(change.new))
            where = (str(key), change.description, change.span, before, after)
            if isinstance(change.new, s.Header):
                parts = (change.new, clauses)
            else:
                parts = (header, clauses | {key: change.new})
            yield Mutant(*where, *parts, change.operator)
    for changed, other in swap_phases(clauses, key):
        moved = (f"{key} after {other}",)
        yield Mutant(str(key), "order", old.span, (), moved, header, changed, MOMENT)


def _lines(part: s.Node) -> tuple[str, ...]:
    """Return the lines of a clause without extra spaces, citations and texts."""
    if isinstance(part, s.Header):
        lines = write_header(part)
    else:
        assert isinstance(part, s.Declaration | s.Phase)
        lines = write_clause(part)
    return tuple(" ".join(TEXT.sub("", line.text).split()) for line in lines)


def _first_line(lines: tuple[str, ...]) -> str:
    """Return the first line, followed by ` …` if there are more lines."""
    return " …".join((*lines[:1], *("",) * (len(lines) > 1)))


def _changed_words(old: list[str], new: list[str]) -> tuple[str, str]:
    """Return two lines, shortened to the first word and the words that changed."""
    most = min(len(old), len(new))
    begin = next((n for n in range(most) if old[n] != new[n]), most)
    rest = most - begin
    end = next((n for n in range(rest) if old[-1 - n] != new[-1 - n]), rest)
    first = begin - CONTEXT_WORDS if begin > CONTEXT_WORDS + 2 else 0
    last = end - CONTEXT_WORDS if end > CONTEXT_WORDS + 1 else 0
    texts = (" ".join(line[first : len(line) - last]) for line in (old, new))
    head = f"{old[0]} … " if first else ""
    before, after = (f"{head}{text}{' …' * bool(last)}" for text in texts)
    return before, after


def _difference(
    old: tuple[str, ...], new: tuple[str, ...]
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the lines that differ, from the first difference to the last."""
    codes = SequenceMatcher(None, old, new, autojunk=False).get_opcodes()
    changed = [code for code in codes if code[0] != "equal"]
    if not changed:
        return (), ()
    (_, first, _, begin, _), (_, _, last, _, end) = changed[0], changed[-1]
    return old[first:last], new[begin:end]
