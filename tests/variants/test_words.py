"""Everything that a shipped game declares has words in English and German. The
declarations come from the checked book; nothing is listed here. A space called by its
name needs no words, unless the name contains an underscore.
"""

from collections.abc import Iterator
from functools import cache
from typing import Any

import attrs
import pytest

from rulebook import Rulebook
from workbench import load

LANGUAGES = ("en", "de")
PLACES = {"space", "face", "corner"}
GENERATED = {"pays", "stock", "enough"}
SPOKEN = ("germany", "classic", "cardgame")

book_of = cache(load)


def members(book: Rulebook) -> Iterator[str]:
    """Yield kinds, cards and spaces, and their members. Links are called by their ends,
    spaces of each player by their coordinates.
    """
    for domain in book.model.domains.values():
        if domain.sort != "player":
            yield domain.name
        made = domain.sort == "link" or (domain.each_player and domain.axes)
        for member in () if made else domain.members:
            if domain.sort not in PLACES or "_" in member:
                yield member


def holders(book: Rulebook) -> Iterator[str]:
    """Yield fields and dice. The counter of a limit has a dotted name."""
    for field in book.model.fields.values():
        if "." not in field.name and field.seen_by != "nobody":
            yield field.name


def events(book: Rulebook) -> Iterator[str]:
    """Yield the names of chance events."""
    units: list[Any] = [*book.model.procedures.values(), *book.model.actions.values()]
    for unit in units:
        for node in nodes(unit.body):
            name = getattr(node, "event", None)
            if name is not None:
                yield name


def nodes(value: Any) -> Iterator[Any]:
    """Yield every part of a tree of the model."""
    if isinstance(value, tuple | list):
        for part in value:
            yield from nodes(part)
    elif attrs.has(type(value)):
        yield value
        for field in attrs.fields(type(value)):
            yield from nodes(getattr(value, field.name))


def sentences(book: Rulebook) -> Iterator[tuple[str, str]]:
    """Yield requirements, rules and options, with the sentence of their clause."""
    model = book.model
    for action in model.actions.values():
        for need in action.requirements:
            if need.sort == "limit":
                yield need.label, need.reason
            elif need.sort not in GENERATED:
                yield f"{action.name}.{need.label}", need.reason
    for option in model.options.values():
        yield option.name, option.help


def things(book: Rulebook) -> Iterator[str]:
    """Yield the names of all things that players can read about."""
    model = book.model
    yield book.name
    yield from book.seats[: book.players[1]]
    yield from members(book)
    yield from holders(book)
    yield from events(book)
    for table in (model.pieces, model.costs, model.actions, model.awards):
        yield from table
    yield from (phase.removeprefix("turn.") for phase in model.phases)
    for rule in model.rules.values():
        if any(type(node).__name__ == "Wins" for node in nodes(rule)):
            yield rule.name.removeprefix("rule.")


def lacking(book: Rulebook, language: str) -> list[str]:
    """Return the things without words in a language. English sentences are in the
    clauses.
    """
    words = book.words.get(language, {})
    missing = [name for name in things(book) if name not in words]
    missing += [
        name
        for name, sentence in sentences(book)
        if name not in words and not (language == "en" and sentence)
    ]
    return list(dict.fromkeys(missing))


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("variant", SPOKEN)
def test_every_thing_has_words(variant: str, language: str) -> None:
    assert lacking(book_of(variant), language) == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_actions_and_requirements_of_the_base_game_have_words(language: str) -> None:
    book = book_of("base")
    said = {book.name, *book.model.actions, *book.model.options, *events(book)}
    said |= {phase.removeprefix("turn.") for phase in book.model.phases}
    said |= {name for name, _ in sentences(book)}

    assert said & set(lacking(book, language)) == set()
