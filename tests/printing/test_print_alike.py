"""No two different rules print alike.

Each mutant of a game has one small change. If it changes the model, it must change the
printed rules in both languages, and no two mutants of a clause may print alike.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from random import Random

import pytest

import rulebook
from rulebook import Rulebook
from rulebook.tooling import Mutant, mutants
from tests.printing.pages import printed
from tests.printing.test_minimal_pairs import GAMES, STATEMENTS, STEPS
from workbench import load
from workbench.presentation.printing.formats.markdown import markdown
from workbench.testing.rule_tests.mutation import book_of_mutant

GAMES_AND_SAMPLES = {
    "pairs": 15,
    "village": 2,
    "examples/games/moonlight.rules": 20,
    "examples/games/cribbage.rules": 8,
    "examples/games/sealed_bids.rules": 12,
    "examples/tiny/connect_four.rules": 12,
    "examples/tiny/dare.rules": 20,
    "examples/tiny/reversi.rules": 12,
    "cardgame": 2,
    "germany": 2,
}
"""Number of mutants of each game; all would take hours."""
SEED = 1
LOOK = ".look.rules"
"""End of the names of files whose definitions are no rules, but for looks and bots."""
ROOT = Path(__file__).parents[2]
EXCEPTIONS = {
    "the range of a definition": r"^define\..*: number: define .*\d to \d",
    "the picture shows places": r"^(corners|hexes|spaces|links)\.\w+: row: ",
    "a price is printed first": r"order: .*\bpays\b",
    "a double negation has the meaning of none": r"negated: .* → .*\bnot\b.*\bnot\b",
}
"""Changes that need not be printed, by reason.

The ranges of a definition and of its parameters bound numbers for the checker; the
printed lines of the definition give the value.
"""
EXCEPTION = re.compile("|".join(EXCEPTIONS.values()))


@cache
def original(game: str) -> Rulebook:
    """Return the rules of a game; small games have an action for each sentence."""
    if game not in GAMES:
        return load(str(ROOT / game) if game.endswith(".rules") else game)
    groups = STATEMENTS if game == "pairs" else STEPS
    sentences = [said for group in groups for said in group]
    acts = (f"action say_{n}\n  {said}\n" for n, said in enumerate(sentences))
    return rulebook.loads(GAMES[game] + "\n".join(acts), f"{game}.rules")


def changed(game: str) -> Iterator[tuple[Mutant, Rulebook]]:
    """Yield some mutants of a game that change its model."""
    book = original(game)
    several = [
        mutant
        for mutant in mutants(book)
        if not (EXCEPTION.search(mutant.name) or mutant.span.file.endswith(LOOK))
    ]
    Random(SEED).shuffle(several)
    seen: Counter[str] = Counter()
    turn: dict[str, int] = {}
    for each in several:  # one mutant of each operator, then another one
        seen[each.description] += 1
        turn[each.name] = seen[each.description]
    several.sort(key=lambda each: turn[each.name])
    few = GAMES_AND_SAMPLES[game]
    for mutant in several:
        if few == 0:
            return
        mutated, _ = book_of_mutant(book, mutant)
        if mutated is not None and mutated.digest != book.digest:
            few -= 1
            yield mutant, mutated


@pytest.mark.parametrize("game", GAMES_AND_SAMPLES)
def test_different_rules_print_differently(game: str) -> None:
    pages: dict[tuple[str, str], tuple[str, str]] = {}
    alike = []
    books = [("the rules", original(game))]
    books += [(mutant.name, book) for mutant, book in changed(game)]
    for name, book in books:
        for language in ("en", "de"):
            page = markdown(printed(book, language))
            other, digest = pages.setdefault((language, page), (name, book.digest))
            if digest != book.digest:
                alike.append((language, other, name))

    assert len(books) == 1 + GAMES_AND_SAMPLES[game]
    assert alike == []


def test_a_holder_without_start_values_may_reset() -> None:
    book = original("examples/games/moonlight.rules")
    page = markdown(printed(book))
    resets = [mutant for mutant in mutants(book) if mutant.description == "resets"]

    books = [book_of_mutant(book, mutant)[0] for mutant in resets]
    pages = {markdown(printed(each)) for each in books if each is not None}

    assert len(pages) == len(books) - books.count(None) > 3
    assert page not in pages
