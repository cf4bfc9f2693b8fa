"""Rule files that nobody wrote, with Hypothesis; each checks without an error.

One begins as a small game of the repository, as a game of nested sizes, or as one in
which statements have every kind of part; then it is changed a few times, each time to a
mutant of what it was. It shrinks to fewer changes of a simpler game.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import islice
from random import Random

import hypothesis.strategies as st

import rulebook
from rulebook import Limits, Rulebook, RulesError, tooling
from tests.support import every_part
from tests.support.fuzz_sizes import from_sizes
from tests.support.fuzz_texts import small_files

LIMITS = Limits(steps=100_000, firings=1_000, statements=100_000)
"""What is taken under these is quick to play, whatever it is."""

CHANGES = 3
TRIES = 40
"""How many mutants are tried before a game stays as it is."""

SIZES = 60
"""How many games of sizes there are: most numbers give a file with a mistake."""

TOGETHER = 6
"""How many statements a game of statements has."""


@st.composite
def rule_files(draw: st.DrawFn, changes: int = CHANGES) -> Rulebook:
    """Return a strategy of checked rules, after at most so many changes."""
    book = draw(st.sampled_from(games()) | of_statements() | of_sizes())
    for _ in range(draw(st.integers(0, changes))):
        book = changed(book, draw(st.integers(0, 2**16)))
    return book


def changed(book: Rulebook, number: int) -> Rulebook:
    """Return a mutant that is a book: the one of a number, or one after it."""
    clauses = [*map(str, book.merged.clauses), "header"]
    address = clauses[number % len(clauses)]
    there = list(tooling.mutants(book, address))
    for step in range(min(TRIES, len(there))):
        mutant = there[(number // len(clauses) + step) % len(there)]
        other, _ = rulebook.recheck(book, mutant.clauses, mutant.header)
        if other is not None:
            return other
    return book


def read(text: str) -> Rulebook | None:
    """Return the rules of a text; None if there is a mistake in it."""
    try:
        return rulebook.loads(text, "made_up.rules", limits=LIMITS)
    except RulesError:
        return None


@lru_cache(maxsize=1)
def games() -> tuple[Rulebook, ...]:
    """Return the small games of the repository that stand by themselves."""
    books = sorted(
        (book for text in small_files() if (book := read(text)) is not None),
        key=lambda book: len(book.merged.clauses),
    )
    return tuple(books)


@lru_cache(maxsize=1)
def statements() -> tuple[str, ...]:
    """Return the actions that try a statement with a kind of part."""
    return tuple(every_part.actions())


@st.composite
def of_statements(draw: st.DrawFn) -> Rulebook:
    """Return a strategy of games of a few such actions; those with a mistake go."""
    numbers = st.integers(0, len(statements()) - 1)
    chosen = draw(st.lists(numbers, min_size=1, max_size=TOGETHER, unique=True))
    some = [statements()[number] for number in chosen]
    whole = read(every_part.game(some))
    if whole is None:
        some = [action for action in some if read(every_part.game([action]))]
        whole = read(every_part.game(some))
    assert whole is not None
    return whole


def of_sizes() -> st.SearchStrategy[Rulebook]:
    """Return a strategy of games in which sizes are nested and multiplied."""
    return st.integers(0, SIZES - 1).map(lambda place: sized()[place])


@lru_cache(maxsize=1)
def sized() -> tuple[Rulebook, ...]:
    """Return games of sizes, the same each time."""
    texts = (from_sizes(Random(number)) for number in range(100 * SIZES))
    books = (book for text in texts if (book := read(text)) is not None)
    return tuple(islice(books, SIZES))
