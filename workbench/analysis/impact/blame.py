"""Which clause makes a difference: each change alone, else the fewest together."""

from collections.abc import Callable, Sequence

import attrs

from interpreter import RecordError
from rulebook import Rulebook
from workbench.analysis.impact.changes import Names, RuleChanges
from workbench.analysis.impact.dual_replay import Difference, DualReplay, Kind, Recorded

FEW = 16
"""Of so many changes each is tried alone; of more only as many as lead to some that
make the difference together."""


@attrs.frozen
class Blame:
    """The clauses that make a difference together, and others that each do so alone.

    There are none where the difference is only between the whole of the rules.
    """

    clauses: Names
    also: Names = ()


def blame(
    recorded: Recorded, mine: Rulebook, changes: RuleChanges, difference: Difference
) -> Blame:
    """Which of the changes make a difference, of which the record is given."""

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
    """Whether the game differs by other rules at the same place and in the same way."""
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
    """Some of the names of which none can be left out, larger parts tried first."""
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
