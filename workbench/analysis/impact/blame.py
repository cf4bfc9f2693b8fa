"""Search for the changed clauses that cause a difference.

Each change is tried alone. If none causes the difference, a minimal set is searched
for.
"""

from collections.abc import Callable, Sequence

import attrs

from interpreter import RecordError
from rulebook import Rulebook
from workbench.analysis.impact.dual_replay import (
    Difference,
    DifferenceKind,
    DualReplay,
    ParsedRecord,
)
from workbench.analysis.impact.rule_changes import Names, RuleChanges

MAX_SINGLE_TRIALS = 16
"""Maximum number of changed clauses for which each change is tried alone."""


@attrs.frozen
class Blame:
    """Changed clauses that together cause a difference; empty if the cause is unknown.

    `alternatives` are other clauses, each of which causes it alone.
    """

    clauses: Names
    alternatives: Names = ()


def find_blame(
    parsed_record: ParsedRecord,
    own_book: Rulebook,
    changes: RuleChanges,
    difference: Difference,
) -> Blame:
    """Return the rule changes that cause a difference in a recorded game."""

    def makes(names: Sequence[str]) -> bool:
        book = changes.book_with(names)
        return book is not None and causes_difference(
            parsed_record, own_book, book, difference
        )

    all_names = changes.names
    if len(all_names) <= MAX_SINGLE_TRIALS:
        alone = tuple(name for name in all_names if makes([name]))
        if alone:
            return Blame(alone[:1], alone[1:])
    return Blame(minimal_subset(all_names, makes) if makes(all_names) else ())


def causes_difference(
    parsed_record: ParsedRecord,
    own_book: Rulebook,
    other: Rulebook,
    expected: Difference,
) -> bool:
    """Return whether other rules cause the same kind of difference at the same step."""
    if other.digest == own_book.digest:
        return False
    try:
        replay = DualReplay(parsed_record, own_book, other)
        if replay.theirs is None or expected.kind is DifferenceKind.START:
            return replay.theirs is None and expected.kind is DifferenceKind.START
        seen = list(replay.differences(expected.step, expected.step))
    except RecordError:
        return False
    return any(
        (difference.kind, difference.step) == (expected.kind, expected.step)
        for difference in seen
    )


def minimal_subset(
    names: Names, is_sufficient: Callable[[Sequence[str]], bool]
) -> Names:
    """Return a minimal subset of *names* for which *is_sufficient* is true.

    No name can be left out of it. Larger parts are removed first.
    """
    subset, size = list(names), len(names)
    while size:
        start = 0
        while start < len(subset):
            rest = subset[:start] + subset[start + size :]
            if rest and is_sufficient(rest):
                subset = rest
            else:
                start += size
        size //= 2
    return tuple(subset)
