"""Amendments: rules with a few small things otherwise, as texts and as books."""

from functools import lru_cache
from itertools import islice

import attrs
import hypothesis.strategies as st
from hypothesis import assume

from interpreter import UsageError
from rulebook import Mutant, Rulebook, amendment, mutants, numbers, renumbered
from workbench.rule_tests.mutation import remade

TRIES = 12
"""How many changes are tried, one after the other, until one checks."""
MORE = 3
"""Numbers become at most so much more than double."""
NO_RULES = ("scenario", "invariant", "hint", "colour", "drawing", "look")
Changed = tuple[Rulebook, str]
"""A book, and what is otherwise in it."""

HEAD = """rules language 1
rulebook amended "{title}, amended"
  over {name}
"""


@attrs.frozen
class Amendment:
    """Rules with a few changes.

    `text` is a rule file laid over the game, `book` the same rules, checked; they have
    the invariants of the game and not its scenarios, which are about the rules as they
    were. `changes` say in words what is otherwise, the oldest first.
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
        raise UsageError(f"there is one change or more, not {changes}")
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
    assume(made)
    return Amendment(written(book, now), tuple(made), now)


@st.composite
def one_change(draw: st.DrawFn, book: Rulebook) -> Changed | None:
    """A book with a change of one clause, and what is otherwise; None: none checks."""
    addresses = [str(key) for key in book.merged.clauses if key.sort not in NO_RULES]
    is_number = draw(st.booleans())
    count = how_many_numbers if is_number else how_many_mutants
    first = draw(st.integers(0, len(addresses) - 1))
    for address in (*addresses[first:], *addresses[:first]):
        if there := count(book, address):
            break
    else:
        return None
    place, value = draw(st.integers(0, there - 1)), None
    if is_number:
        value = draw(st.integers(0, 2 * numbers(book, address)[place] + MORE))
        return checked(book, address, place, value)
    tries = (checked(book, address, (place + n) % there, None) for n in range(TRIES))
    return next(filter(None, tries), None)


def how_many_numbers(book: Rulebook, address: str) -> int:
    """How many numbers stand in a clause."""
    return len(numbers(book, address))


def how_many_mutants(book: Rulebook, address: str) -> int:
    """How many mutants a clause has."""
    return sum(1 for _ in mutants(book, address))


@lru_cache(maxsize=64)  # what fails is tried again many times while it shrinks
def checked(
    book: Rulebook, address: str, place: int, value: int | None
) -> Changed | None:
    """A book with one change, and the change; None where it does not check.

    It is that mutant of the clause, or with a value the number in that place.
    """
    if value is None:
        mutant = next(islice(mutants(book, address), place, None))
    else:
        mutant = renumbered(book, address, place, value)
    kept = {f'invariant "{each.title}"' for each in book.model.invariants}
    changed, _ = remade(book, mutant, kept)
    if changed is None or changed.digest == book.digest:
        return None
    return changed, mutant.name


def written(book: Rulebook, changed: Rulebook) -> str:
    """A file that is laid over a book and makes it one with some clauses changed."""
    before, after = book.merged.clauses, changed.merged.clauses
    clauses: dict[str, None] = {}
    for key, clause in after.items():
        if clause is not before[key]:
            clauses[replacement(changed, str(key))] = None
    return "\n".join((HEAD.format(title=book.title, name=book.name), *clauses))


def replacement(book: Rulebook, address: str) -> str:
    """A clause of a book as an amendment, without the head of the file."""
    header, clauses = book.merged.header, book.merged.clauses
    span = book.clauses[address].span
    whole = Mutant(address, "", span, (), (), header, clauses)
    return amendment(book, whole).partition("\n\n")[2]
