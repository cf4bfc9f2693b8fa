"""Generated rule files for Hypothesis; each checks without an error.

A file starts as a small game of the repository, as a game of nested sizes, or as a game
of statements with every kind of part. It is then mutated a few times. It shrinks to
fewer mutations of a simpler game.
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
"""Limits for rule files. Whatever they admit is fast to play."""

CHANGES = 3
TRIES = 40
"""Maximum number of mutants tried before a game stays unchanged."""

SIZES = 60
"""Number of games of sizes; most seeds give a file with errors."""

TOGETHER = 6
"""Maximum number of statements in a game of statements."""


@st.composite
def rule_files(draw: st.DrawFn, changes: int = CHANGES) -> Rulebook:
    """Return a strategy for checked rules with at most *changes* mutations."""
    book = draw(st.sampled_from(games()) | of_statements() | of_sizes())
    for _ in range(draw(st.integers(0, changes))):
        book = changed(book, draw(st.integers(0, 2**16)))
    return book


def changed(book: Rulebook, number: int) -> Rulebook:
    """Return the mutant with this number, or the next one without errors."""
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
    """Return the rules of a text, or None if it has errors."""
    try:
        return rulebook.loads(text, "made_up.rules", limits=LIMITS)
    except RulesError:
        return None


@lru_cache(maxsize=1)
def games() -> tuple[Rulebook, ...]:
    """Return the small games of the repository that need no other file."""
    books = sorted(
        (book for text in small_files() if (book := read(text)) is not None),
        key=lambda book: len(book.merged.clauses),
    )
    return tuple(books)


@lru_cache(maxsize=1)
def statements() -> tuple[str, ...]:
    """Return the actions that test a statement with a kind of part."""
    return tuple(every_part.actions())


@st.composite
def of_statements(draw: st.DrawFn) -> Rulebook:
    """Return a strategy of games with a few such actions; invalid ones are dropped."""
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
    """Return a strategy of games with nested and multiplied sizes."""
    return st.integers(0, SIZES - 1).map(lambda place: sized()[place])


@lru_cache(maxsize=1)
def sized() -> tuple[Rulebook, ...]:
    """Return the games of sizes, which are the same each time."""
    texts = (from_sizes(Random(number)) for number in range(100 * SIZES))
    books = (book for text in texts if (book := read(text)) is not None)
    return tuple(islice(books, SIZES))
