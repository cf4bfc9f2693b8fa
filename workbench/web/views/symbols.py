"""Symbols of seats and cards: colours, letters and drawings.

Colour is never the only distinction: symbols without a drawing have letters.
"""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

from rulebook import Rulebook
from rulebook.model import NONE, DomainSort, Drawing, Look, Member
from workbench.presentation.localization.localizer import Localizer
from workbench.presentation.picture import Hints
from workbench.presentation.picture.hints import (
    SPARE_COLOURS,
    distinct_initials,
    distinct_letters,
    readable_ink,
)
from workbench.presentation.picture.shapes import find_pattern

DEFAULT_COLOUR = "#e4e7ea"
"""Background colour of symbols of cards without a colour."""


@lru_cache(maxsize=64)
def hints_of(book: Rulebook) -> Hints:
    """Return the drawing hints of a rulebook."""
    return Hints.for_book(book)


@lru_cache(maxsize=64)
def localizer_of(book: Rulebook, language: str) -> Localizer:
    """Return the localizer of a rulebook in a language, cached."""
    return Localizer.for_book(book, language)


@lru_cache(maxsize=64)
def seat_symbols(
    book: Rulebook, seats: tuple[str, ...], language: str
) -> Mapping[str, dict[str, str]]:
    """Return the colour, letter and letter colour of each seat."""
    hints, titles = hints_of(book), localizer_of(book, language)
    by_title = distinct_letters(titles.title(seat) for seat in seats)
    return {
        seat: {
            "colour": (colour := hints.seat_colour(seat)),
            "ink": readable_ink(colour),
            "letter": by_title[titles.title(seat)],
        }
        for seat in seats
    }


@lru_cache(maxsize=4096)
def card_symbol(book: Rulebook, name: str, language: str) -> Mapping[str, Any]:
    """Return the symbol of a card: its own, or that of a member that yields it.

    A member yields the card if one of its columns contains it. It must be the only
    such member, or the only one with a pattern. A card without a colour has that of the
    first member in its columns, or else a colour by its place in a short kind.
    """
    hints = hints_of(book)
    initials = initials_by_member(book, language).get(name, "")
    yielding = _yielding_members(book, name)
    with_pattern = [kind for kind in yielding if hints.get(Look.PATTERN, kind)]
    source = next((each for each in (with_pattern, yielding) if len(each) == 1), [])
    candidates = (name, *source, *_members_in_columns(book, name))
    colours = (
        *map(hints.colour, candidates),
        *map(default_colours(book).get, candidates),
    )
    for candidate, colour in zip(candidates * 2, colours, strict=True):
        if colour is not None:
            drawing = find_pattern(
                hints.get(Look.PATTERN, candidate) or "", hints.drawings
            )
            strokes = _strokes(drawing, colour)
            return _symbol(colour, strokes, initials)
    return _symbol(DEFAULT_COLOUR, (), initials)


def _symbol(colour: str, strokes: Sequence[Any], letter: str) -> dict[str, Any]:
    return {
        "colour": colour,
        "ink": readable_ink(colour),
        "strokes": strokes,
        "letter": letter,
    }


def _yielding_members(book: Rulebook, name: str) -> list[str]:
    """Return the members of other domains with a column that contains a card."""
    yielding = []
    for domain in book.model.domains.values():
        for column in domain.columns.values():
            if not isinstance(column.type, Member):
                continue
            members = book.model.domains[column.type.domain].members
            if name not in members:
                continue
            number = members.index(name)
            pairs = zip(domain.members, column.values, strict=True)
            yielding += [member for member, value in pairs if value == number]
    return list(dict.fromkeys(yielding))


def _members_in_columns(book: Rulebook, name: str) -> list[str]:
    """Return the members in the columns of a card, in the order of the columns."""
    domains = book.model.domains
    return [
        domains[column.type.domain].members[value]
        for domain in domains.values()
        if domain.sort is DomainSort.CARDS and name in domain.members
        for column in domain.columns.values()
        if isinstance(column.type, Member)
        if (value := column.values[domain.members.index(name)]) != NONE
    ]


@lru_cache(maxsize=8)
def default_colours(book: Rulebook) -> Mapping[str, str]:
    """Return a colour for each member of a short kind in which none has its own."""
    hints = hints_of(book)
    return {
        member: colour
        for domain in book.model.domains.values()
        if domain.sort in (DomainSort.KIND, DomainSort.CARDS)
        if len(domain.members) <= len(SPARE_COLOURS)
        if not any(map(hints.colour, domain.members))
        for member, colour in zip(domain.members, SPARE_COLOURS, strict=False)
    }


def _strokes(drawing: Drawing | None, colour: str) -> tuple[dict[str, str], ...]:
    """Return the strokes of a drawing with their final colours."""
    colours = {"own": colour, "ink": readable_ink(colour)}
    return tuple(
        {
            "path": stroke.path,
            "fill": _resolve_paint(stroke.fill, colours),
            "line": _resolve_paint(stroke.line, colours),
            "width": str(stroke.width or "1.4"),
        }
        for stroke in (drawing.strokes if drawing else ())
    )


def _resolve_paint(paint: str | None, colours: Mapping[str, str]) -> str:
    return "none" if paint is None else colours.get(paint, paint)


@lru_cache(maxsize=64)
def initials_by_member(book: Rulebook, language: str) -> Mapping[str, str]:
    """Return the initials of the title of each member, distinct within its domain."""
    titles, initials = localizer_of(book, language), dict[str, str]()
    for domain in book.model.domains.values():
        by_title = distinct_initials(map(titles.value, domain.members))
        initials |= {each: by_title[titles.value(each)] for each in domain.members}
    return initials
