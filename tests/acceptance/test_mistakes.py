"""One mistake in a shipped file is reported at its place, with a fix and no further
errors. A seeded sample: names with one typing error, and values of a wrong type. The
deep form takes 500 of each; run as a script, the file prints its figures.
"""

import sys
from collections import Counter
from collections.abc import Collection
from functools import lru_cache
from random import Random

import attrs
import pytest

import rulebook
import variants
from rulebook import Diagnostic, Rulebook, RulesError
from rulebook.parse import parser
from rulebook.parse.grammar.keywords import all_keywords
from rulebook.source.spans import Span
from tests.support.names import WORD, declared_names, texts_of
from tests.support.uses import Use, misspelt, put, uses
from tests.support.wrong_types import places
from workbench import load

SEED = 7
SAMPLE, DEEP_SAMPLE = 12, 500
MISSES = 0.05
ERRORS_MAX = 3


def enough(count: int) -> int:
    """Return how many of *count* mistakes must be reported well; a small sample may
    miss two.
    """
    return count - max(2, int(MISSES * count))


@attrs.frozen
class Slip:
    """Mistake: the wrong text at a place, and the intended name. A game may replace a
    clause of a library; then another game shows the mistake in it.
    """

    books: tuple[Rulebook, ...]
    file: str
    span: Span
    new: str
    meant: str = ""

    @property
    def errors(self) -> tuple[Diagnostic, ...]:
        """Diagnostics of the file with the mistake; their places name no folder."""
        for book in self.books:
            texts = texts_of(book)
            texts[self.file] = put(texts[self.file], self.span, self.new)
            try:
                rulebook.loads(texts[book.name], f"{book.name}.rules", texts.get)
            except RulesError as error:
                return error.diagnostics
        return ()

    def is_at(self, span: Span) -> bool:
        """Return whether a diagnostic's place contains the mistake, on its line."""
        return (
            (span.file, span.line) == (f"{self.file}.rules", self.span.line)
            and span.column <= self.span.column
            and self.span.column + len(self.new) <= span.end_column
        )


parse_once = lru_cache(maxsize=10_000)(parser.parse_chunk)


@pytest.fixture(autouse=True)
def _clauses_parsed_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Cache parsed clauses, because a mistake changes only one clause."""
    monkeypatch.setattr("rulebook.parse.parse_chunk", parse_once)


@lru_cache(maxsize=1)
def books() -> list[tuple[Rulebook, dict[str, str]]]:
    """Return each shipped game, with the names that `texts_of` gives its files."""
    games = []
    for name in variants.names():
        book = load(name)
        texts = texts_of(book)
        names = {text: name for name, text in texts.items()}
        games.append((book, {file: names[text] for file, text in book.files.items()}))
    return games


def with_file(file: str, first: Rulebook) -> tuple[Rulebook, ...]:
    """Return the games that contain a file, one of them first."""
    others = (book for book, files in books() if file in files.values())
    return (first, *(book for book in others if book.name != first.name))


def misspelt_names(numbers: Random, count: int) -> list[Slip]:
    named_uses: list[tuple[Rulebook, str, Use, Collection[str]]] = []
    for book, files in books():
        known = {*declared_names(book), "player", "players"}
        written = {word for text in book.files.values() for word in WORD.findall(text)}
        taken = written.union(all_keywords(), known)
        named_uses += (
            (book, name, use, taken)
            for file, name in files.items()
            for use in uses(book.files[file], known)
        )
    return [
        Slip(
            with_file(name, book),
            name,
            use.span,
            misspelt(use.name, numbers, taken),
            use.name,
        )
        for book, name, use, taken in numbers.sample(named_uses, count)
    ]


def wrong_types(numbers: Random, count: int) -> list[Slip]:
    wrong_places = [
        (book, name, place)
        for book, files in books()
        for file, name in files.items()
        for place in places(book, file)
        if place.wrong
    ]
    return [
        Slip(with_file(name, book), name, place.span, numbers.choice(place.wrong))
        for book, name, place in numbers.sample(wrong_places, count)
    ]


def rate_reports(slips: list[Slip]) -> tuple[Counter[str], list[str]]:
    """Return counts of how well mistakes were reported, and the failures."""
    counts: Counter[str] = Counter()
    missed = []
    for slip in slips:
        errors = slip.errors
        first = errors[0] if errors else None
        facts = {
            "found": first is not None,
            "there": first is not None and slip.is_at(first.span),
            "cured": first is not None and f"`{slip.meant}`" in (first.help or ""),
            "quiet": len(errors) <= ERRORS_MAX,
        }
        counts.update(key for key, holds in facts.items() if holds)
        cured = facts["cured"] or not slip.meant
        if not (facts["there"] and facts["quiet"] and cured):
            place = f"{slip.file}:{slip.span.line}:{slip.span.column}"
            missed.append(f"{place} `{slip.new}`: {first}")
    return counts, missed


def test_misspelt_names_are_reported_well(deep: bool) -> None:
    count = DEEP_SAMPLE if deep else SAMPLE

    counts, missed = rate_reports(misspelt_names(Random(SEED), count))

    assert counts["found"] == count, missed
    assert counts["there"] >= enough(count), missed
    assert counts["cured"] >= enough(count), missed
    assert counts["quiet"] >= enough(count), missed


def test_values_of_wrong_types_are_reported_well(deep: bool) -> None:
    count = DEEP_SAMPLE if deep else SAMPLE

    counts, missed = rate_reports(wrong_types(Random(SEED), count))

    assert counts["found"] == count, missed
    assert counts["there"] >= enough(count), missed
    assert counts["quiet"] >= enough(count), missed


if __name__ == "__main__":
    vars(sys.modules["rulebook.parse"])["parse_chunk"] = parse_once
    for make in (misspelt_names, wrong_types):
        tally, misses = rate_reports(make(Random(SEED), DEEP_SAMPLE))
        print(make.__name__, dict(tally), *misses, sep="\n  ")  # noqa: T201
