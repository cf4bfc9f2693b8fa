"""Amendments: rules with a few small things otherwise, as texts and as books."""

from collections.abc import Iterator, Sequence
from functools import lru_cache, partial
from itertools import islice

import attrs
import hypothesis.strategies as st
from hypothesis import assume

from interpreter import UsageError
from rulebook import Rulebook, recheck
from rulebook.tooling import Mutant, mutants, numbers, renumbered
from workbench.files.library.house_rules import house_rule_of
from workbench.testing.rule_tests.suite import SCENARIO

TRIES = 24
"""How many changes are tried, one after the other, until one checks."""
PLACES = 2**16
MORE = 3
"""Numbers become at most so much more than double."""
NUMBER = "number"
NO_RULES = ("scenario", "invariant", "hint", "colour", "drawing", "look", "measure")
Changed = tuple[Rulebook, str]
"""A book, and what is otherwise in it."""


@attrs.frozen
class Amendment:
    """Rules with a few changes.

    `text` is a rule file laid over the game, `book` the same rules, checked. They have
    the invariants of the game, and none of its scenarios, which are about the rules as
    they were; laid over a house rule they have all that this has. `changes` say in
    words what is otherwise, the oldest first.
    """

    text: str
    changes: tuple[str, ...]
    book: Rulebook = attrs.field(eq=False, repr=False)


def amendments(book: Rulebook, *, changes: int = 2) -> st.SearchStrategy[Amendment]:
    """Rules that differ from a game's in one to so many changes, and check.

    A change is one of the mutants of a clause (a requirement gone, a comparison with
    the edge, another seat, …: `rulebook.mutants`), or any other number in the place of
    one that stands in it, up to double and some more. The head stays as it is. It
    shrinks to one change, of the first clause that does. Checking takes a tenth of a
    second for a large game: set `deadline=None`. Raises `UsageError` where `changes` is
    less than 1.
    """
    if changes < 1:
        raise UsageError(f"the number of changes must be at least 1, not {changes}")
    return amended(book, changes)


@st.composite
def amended(draw: st.DrawFn, book: Rulebook, most: int) -> Amendment:
    """Amendments with so many changes at most."""
    now, made = book, []
    for _ in range(draw(st.integers(1, most))):
        changed = draw(one_change(now))
        if changed is not None:
            now, change = changed
            made.append(change)
    assume(now.digest != book.digest)  # a change may undo the one before it
    text = house_rule_of(book, now, "amended", f"{book.title}, amended")
    return Amendment(text, tuple(made), now)


@st.composite
def one_change(draw: st.DrawFn, book: Rulebook) -> Changed | None:
    """A book with a change of one clause, and what is otherwise; None: none checks."""
    addresses = [str(key) for key in book.merged.clauses if key.sort not in NO_RULES]
    first = draw(st.integers(0, len(addresses) - 1))
    further = (*addresses[first:], *addresses[:first])
    if draw(st.booleans()):
        address = next(filter(partial(numbers, book), further), None)
        there = () if address is None else numbers(book, address)
        if address is not None:
            place = draw(st.integers(0, len(there) - 1))
            value = draw(st.integers(0, 2 * there[place] + MORE))
            changed = checked(book, address, place, value)
            if changed is not None:
                return changed
    start = draw(st.integers(0, PLACES))
    tries = islice(places(book, further, start), TRIES)
    made = (checked(book, address, place, None) for address, place in tries)
    return next(filter(None, made), None)


def places(
    book: Rulebook, addresses: Sequence[str], start: int
) -> Iterator[tuple[str, int]]:
    """The mutants of some clauses by number: of the first from a start on, counted
    round, of the others from their first on."""
    for address in addresses:
        there = sum(1 for _ in others(book, address))
        for number in range(there):
            yield address, (start + number) % there
        start = 0 if there else start


def others(book: Rulebook, address: str) -> Iterator[Mutant]:
    """The mutants of a clause but those of its numbers, which become any number."""
    return (each for each in mutants(book, address) if each.what != NUMBER)


@lru_cache(maxsize=64)  # what fails is tried again many times while it shrinks
def checked(
    book: Rulebook, address: str, place: int, value: int | None
) -> Changed | None:
    """A book with one change, and the change; None where it does not check.

    It is that mutant of the clause, or with a value the number in that place.
    """
    if value is None:
        mutant = next(islice(others(book, address), place, None))
    else:
        mutant = renumbered(book, address, place, value)
    clauses = {
        key: clause
        for key, clause in mutant.clauses.items()
        if book.over or key.sort != SCENARIO
    }
    changed, _ = recheck(book, clauses, mutant.header)
    if changed is None or changed.digest == book.digest:
        return None
    return changed, mutant.name
