"""Hypothesis strategy that generates amendments: rules with a few small changes.

An amendment is a text and the book made from it.
"""

from collections.abc import Iterator, Sequence
from functools import lru_cache, partial
from itertools import islice

import attrs
import hypothesis.strategies as st
from hypothesis import assume

from interpreter import UsageError
from rulebook import Rulebook, recheck
from rulebook.tooling import Mutant, mutants, numbers, with_number
from workbench.files.library.house_rules import house_rule_text
from workbench.testing.rule_tests.suite import SCENARIO

MAX_ATTEMPTS = 24
"""Maximum number of attempts to find a valid change."""
MAX_START = 2**16
NUMBER_MARGIN = 3
"""Maximum amount by which a new number may exceed twice the original number."""
NUMBER = "number"
NO_RULES = ("scenario", "invariant", "hint", "colour", "drawing", "look", "measure")
ChangedBook = tuple[Rulebook, str]
"""Changed book, and a description of the change."""


@attrs.frozen
class Amendment:
    """Rules with a few changes.

    `text` is a house rule over the game, and `book` the same rules, checked. They have
    the invariants of the game but not its scenarios, which describe the unchanged
    rules. An amendment of a house rule keeps the scenarios. `changes` describe the
    changes, oldest first.
    """

    text: str
    changes: tuple[str, ...]
    book: Rulebook = attrs.field(eq=False, repr=False)


def amendments(book: Rulebook, *, changes: int = 2) -> st.SearchStrategy[Amendment]:
    """Return a strategy for valid rules with 1 to `changes` changes from a game.

    A change is a mutant of a clause (see `rulebook.mutants`), such as a removed
    requirement, a changed comparison or another seat. It may also replace a number with
    any other, up to double and a little more. The header stays unchanged. Examples
    shrink to one change, in the first clause that allows one. Checking takes a tenth of
    a second for a large game, so set `deadline=None`. Raise `UsageError` if `changes`
    is less than 1.
    """
    if changes < 1:
        raise UsageError(f"the number of changes must be at least 1, not {changes}")
    return draw_amendment(book, changes)


@st.composite
def draw_amendment(draw: st.DrawFn, book: Rulebook, max_changes: int) -> Amendment:
    """Draw an amendment with at most *max_changes* changes."""
    changed_book, changes = book, []
    for _ in range(draw(st.integers(1, max_changes))):
        changed = draw(draw_change(changed_book))
        if changed is not None:
            changed_book, change = changed
            changes.append(change)
    assume(changed_book.digest != book.digest)  # a change may undo the previous one
    text = house_rule_text(book, changed_book, "amended", f"{book.title}, amended")
    return Amendment(text, tuple(changes), changed_book)


@st.composite
def draw_change(draw: st.DrawFn, book: Rulebook) -> ChangedBook | None:
    """Draw a book with one changed clause, and the change; None if none is valid."""
    addresses = [str(key) for key in book.merged.clauses if key.sort not in NO_RULES]
    first = draw(st.integers(0, len(addresses) - 1))
    ordered = (*addresses[first:], *addresses[:first])
    if draw(st.booleans()):
        address = next(filter(partial(numbers, book), ordered), None)
        values = () if address is None else numbers(book, address)
        if address is not None:
            index = draw(st.integers(0, len(values) - 1))
            value = draw(st.integers(0, 2 * values[index] + NUMBER_MARGIN))
            changed = checked_change(book, address, index, value)
            if changed is not None:
                return changed
    start = draw(st.integers(0, MAX_START))
    tries = islice(mutant_places(book, ordered, start), MAX_ATTEMPTS)
    changes = (checked_change(book, address, index, None) for address, index in tries)
    return next(filter(None, changes), None)


def mutant_places(
    book: Rulebook, addresses: Sequence[str], start: int
) -> Iterator[tuple[str, int]]:
    """Yield the mutants of some clauses as (address, number), starting at *start*.

    *start* applies to the first clause that has mutants, and wraps around.
    """
    for address in addresses:
        count = sum(1 for _ in other_mutants(book, address))
        for number in range(count):
            yield address, (start + number) % count
        start = 0 if count else start


def other_mutants(book: Rulebook, address: str) -> Iterator[Mutant]:
    """Yield the mutants of a clause, except those that only change a number."""
    return (each for each in mutants(book, address) if each.description != NUMBER)


@lru_cache(maxsize=64)  # shrinking repeats the same changes
def checked_change(
    book: Rulebook, address: str, number: int, value: int | None
) -> ChangedBook | None:
    """Return the book and the description of a change, or None if it is invalid.

    The change is mutant number *number* of the clause. With *value*, the change is a
    new value for number *number* of the clause.
    """
    if value is None:
        mutant = next(islice(other_mutants(book, address), number, None))
    else:
        mutant = with_number(book, address, number, value)
    clauses = {
        key: clause
        for key, clause in mutant.clauses.items()
        if book.over or key.sort != SCENARIO
    }
    changed, _ = recheck(book, clauses, mutant.header)
    if changed is None or changed.digest == book.digest:
        return None
    return changed, mutant.name
