"""Search for the changed clauses that cause a difference.

Each change is tried alone. If none causes the difference, a minimal set is searched
for.
"""

from collections.abc import Callable, Sequence

import attrs

from interpreter import RecordError
from rulebook import Rulebook
from workbench.analysis.impact.changes import Names, RuleChanges
from workbench.analysis.impact.dual_replay import Difference, DualReplay, Kind, Recorded

FEW = 16
"""Maximum number of changes that are tried alone.

With more, only a minimal set is searched for.
"""


@attrs.frozen
class Blame:
    """Clauses that together cause a difference; `also` are others that do so alone.

    `clauses` is empty if the cause is unknown.
    """

    clauses: Names
    also: Names = ()


def blame(
    recorded: Recorded, mine: Rulebook, changes: RuleChanges, difference: Difference
) -> Blame:
    """Return the changes of the rules that cause a difference in a recorded game."""

    def makes(names: Sequence[str]) -> bool:
        book = changes.book(names)
        return book is not None and shows(recorded, mine, book, difference)

    every = changes.names
    if len(every) <= FEW:
        alone = tuple(name for name in every if makes([name]))
        if alone:
            return Blame(alone[:1], alone[1:])
    return Blame(fewest(every, makes) if makes(every) else ())


def shows(
    recorded: Recorded, mine: Rulebook, other: Rulebook, wanted: Difference
) -> bool:
    """Return whether other rules cause the same kind of difference at that step."""
    if other.digest == mine.digest:
        return False
    try:
        beside = DualReplay(recorded, mine, other)
        if beside.theirs is None or wanted.kind is Kind.START:
            return beside.theirs is None and wanted.kind is Kind.START
        news = list(beside.differences(wanted.step, wanted.step))
    except RecordError:
        return False
    return any((new.kind, new.step) == (wanted.kind, wanted.step) for new in news)


def fewest(names: Names, makes: Callable[[Sequence[str]], bool]) -> Names:
    """Return a minimal subset of *names* for which *makes* is true.

    No name can be left out of it. Larger parts are removed first.
    """
    kept, size = list(names), len(names)
    while size:
        start = 0
        while start < len(kept):
            rest = kept[:start] + kept[start + size :]
            if rest and makes(rest):
                kept = rest
            else:
                start += size
        size //= 2
    return tuple(kept)
