"""Checks of hints about looks: the word of the hint, its subject and its value.

A hint changes no rule, so play would never reveal a misspelt one. Each hint is
therefore checked here, once. Named colours are replaced by their digits.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator
from typing import Any

import attrs

from rulebook import model as m
from rulebook import syntax as s
from rulebook.addresses import PHASE, phase_unit
from rulebook.check.declare.symbol_table import (
    SymbolTable,
    mistake,
    unknown_name_error,
    unknown_part_error,
)
from rulebook.check.looks.drawings import (
    is_theme_missing,
    resolve_colour,
    unknown_choice_error,
)
from rulebook.model.predefined_looks import FIGURES, PARTS, PATTERNS, Look
from rulebook.model.value_types import Whole
from rulebook.queries.look_definitions import returns_space, shows_member
from rulebook.source.spans import Span

NUMBER = re.compile(r"-?\d+(\.\d+)?")
DASHES = re.compile(r"\d{1,2}( \d{1,2}){1,3}")
WIDTH_MAX = 0.5
WHOLE_TEXT = re.compile(r"^.*$")
WHOLE = re.compile(r".+")
SUMMAND = re.compile(r"[^\s+]([^+]*[^\s+])?")
WORD = re.compile(r"[^\s+/]+")

# ---------------------------------------------------------------- subjects of hints


def _nameable_domains(world: SymbolTable) -> Iterator[m.Domain]:
    """Yield the kinds that rule text can name."""
    return (
        domain
        for domain in world.domains.values()
        if domain.sort is not m.DomainSort.PAIR
    )


def _visible_names(world: SymbolTable) -> Iterator[str]:
    """Yield the names that pictures can show: seats, kinds, members and pieces."""
    yield from (*world.seats, *(seat.text for seat in world.header.seats))
    yield from (*(kind.name for kind in _nameable_domains(world)), *world.pieces)
    for domain in _nameable_domains(world):
        yield from domain.members


def _attributes(world: SymbolTable) -> Iterator[str]:
    yield from (field.name for field in world.fields.values())
    for domain in _nameable_domains(world):
        yield from domain.columns


def _labelled_names(world: SymbolTable) -> Iterator[str]:
    yield from (*_visible_names(world), *_attributes(world))


def _domains(world: SymbolTable) -> Iterator[str]:
    yield from (domain.name for domain in _nameable_domains(world))


def _seats(world: SymbolTable) -> Iterator[str]:
    yield from (*world.seats, *(seat.text for seat in world.header.seats))


def _parameters(world: SymbolTable) -> Iterator[str]:
    for clause in world.clauses.values():
        if isinstance(clause, s.ActionClause):
            yield from (each.name.text for each in clause.parameters if each.range)


def _axes(world: SymbolTable) -> Iterator[str]:
    for domain in _nameable_domains(world):
        yield from (axis.name for axis in domain.axes)


# ---------------------------------------------------------------- texts of hints


def _matching_words(clause: s.HintClause, form: re.Pattern[str]) -> Iterator[s.Name]:
    """Yield the words of a hint's text that match *form*, with their spans."""
    place = clause.place
    for match in form.finditer(clause.text):
        first = place.column + clause.is_quoted + match.start()
        last = first + len(match[0])
        span = Span(place.file, place.line, first, place.line, last)
        yield s.Name(match[0], span=span)


def _require_names(
    noun: str, clause: s.HintClause, names: Collection[str], form: re.Pattern[str]
) -> None:
    """Raise `Mistake` unless the text has words, and all of them are in *names*."""
    words = list(_matching_words(clause, form))
    if not words:
        raise mistake("RB148", clause.place, f"this names no {noun}")
    for word in words:
        if word.text not in names:
            raise unknown_name_error(noun, word, names)


def _require_match(
    clause: s.HintClause, form: re.Pattern[str], noun: str, advice: str
) -> None:
    if not form.fullmatch(clause.text):
        message = f"“{clause.text}” is not a valid {noun}"
        raise mistake("RB148", clause.place, message, advice)


def _check_colour(world: SymbolTable, clause: s.HintClause) -> None:
    (word,) = _matching_words(clause, WHOLE_TEXT)
    resolve_colour(world, word)


def _check_number(world: SymbolTable, clause: s.HintClause) -> None:
    _require_match(clause, NUMBER, "number", 'write one as in `"2"` or `"0.5"`')


def _check_figure(world: SymbolTable, clause: s.HintClause) -> None:
    _require_drawing("shape", world, clause, FIGURES)


def _check_pattern(world: SymbolTable, clause: s.HintClause) -> None:
    _require_drawing("pattern", world, clause, PATTERNS)


def _require_drawing(
    noun: str, world: SymbolTable, clause: s.HintClause, figures: tuple[str, ...]
) -> None:
    """Require a built-in figure or a drawing; accept any name if a theme is missing."""
    names = {*figures, *drawing_names(world)}
    if clause.text in names or not is_theme_missing(world):
        _require_names(noun, clause, names, WHOLE)


def drawing_names(world: SymbolTable) -> Iterator[str]:
    """Yield the names of the declared drawings."""
    for clause in world.clauses.values():
        if isinstance(clause, s.DrawingClause):
            yield clause.name.text


def _check_yes_no(world: SymbolTable, clause: s.HintClause) -> None:
    if clause.text not in ("yes", "no"):
        message = f"“{clause.text}” is neither yes nor no"
        raise mistake("RB148", clause.place, message, "write `yes` or `no`")


def _check_width(world: SymbolTable, clause: s.HintClause) -> None:
    """Require a fraction of a space's side, at most `WIDTH_MAX`."""
    cure = 'write a fraction of the side of a space, such as `"0.07"`, at most `"0.5"`'
    _require_match(clause, NUMBER, "width", cure)
    if not 0 <= float(clause.text) <= WIDTH_MAX:
        message = f"{clause.text} is too wide or too narrow"
        raise mistake("RB148", clause.place, message, cure)


def _check_dashes(world: SymbolTable, clause: s.HintClause) -> None:
    cure = 'write the lengths of dashes and gaps, as in `"4 2"`'
    _require_match(clause, DASHES, "pattern of dashes", cure)


def _check_dice(world: SymbolTable, clause: s.HintClause) -> None:
    """Require dice that show numbers."""
    numbers = {n for n, die in world.dice.items() if isinstance(die.type, Whole)}
    _require_names("die with numbers", clause, numbers, SUMMAND)


def _check_column(world: SymbolTable, clause: s.HintClause) -> None:
    _require_names("column", clause, world.domains[clause.name.text].columns, WHOLE)


def _check_own_attribute(world: SymbolTable, clause: s.HintClause) -> None:
    kind = clause.name.text
    fields = (field.name for field in world.fields.values() if field.owner == kind)
    _require_names("attribute", clause, {*fields, *world.domains[kind].columns}, WHOLE)


def _check_definition(world: SymbolTable, clause: s.HintClause) -> None:
    """Require a definition of the space whose value is a member of a kind."""
    kind = clause.name.text
    names = {each.name for each in _defines(world) if shows_member(each, kind)}
    _require_names(f"definition of a {kind}", clause, names, WHOLE)


def _check_space_of_number(world: SymbolTable, clause: s.HintClause) -> None:
    """Require a definition of a space by a number, perhaps for a player as well."""
    names = {
        each.name for each in _defines(world) if returns_space(each, world.domains)
    }
    noun = "definition that returns a space for a number"
    _require_names(noun, clause, names, WHOLE)


def _defines(world: SymbolTable) -> Iterator[Any]:
    """Yield the signatures of all definitions."""
    return (define for defines in world.defines.values() for define in defines)


def _check_numbers(world: SymbolTable, clause: s.HintClause) -> None:
    """Require two columns of numbers: the distances east and north."""
    columns = world.domains[clause.name.text].columns
    names = {n for n, column in columns.items() if isinstance(column.type, Whole)}
    _require_names("column of numbers", clause, names, WORD)
    if len(list(_matching_words(clause, WORD))) != 2:
        message = "a position needs two numbers, the distances east and north"
        raise mistake("RB148", clause.place, message, 'write both, as in `"x / y"`')


def _check_option(world: SymbolTable, clause: s.HintClause) -> None:
    _require_names("option", clause, world.options, WHOLE)


def _check_clauses(world: SymbolTable, clause: s.HintClause) -> None:
    _require_names("clause", clause, set(_executable_parts(world)), WORD)


def _executable_parts(world: SymbolTable) -> Iterator[str]:
    """Yield the names of executable clauses: set-up, phases, actions and procedures."""
    for clause in world.clauses.values():
        match clause:
            case s.ActionClause(name=name) | s.ProcedureClause(name=name):
                yield name.text
            case s.Phase(name=name):
                yield from (PHASE, phase_unit(name.text))
            case s.SetupClause():
                yield "setup"
            case s.EndClause():
                yield "end"
            case s.RoundClause(when=when):
                yield f"{when}_round"


def _check_spots(world: SymbolTable, clause: s.HintClause) -> None:
    """Require names that pictures can show, or coordinates."""
    numbers = {
        str(value)
        for domain in _nameable_domains(world)
        for axis in domain.axes
        for value in range(axis.low, axis.low + axis.size)
    }
    names = {*_visible_names(world), *numbers}
    _require_names("space or coordinate", clause, names, WORD)


def _accept_any_text(world: SymbolTable, clause: s.HintClause) -> None:
    """Do nothing, since any text is valid for this sort of hint."""


def _check_axis(world: SymbolTable, clause: s.HintClause) -> None:
    """Require the name of a single coordinate, such as `row`."""
    _require_names("coordinate", clause, set(_axes(world)), WHOLE)


@attrs.frozen
class HintSort:
    """Sort of hint: words for its subjects, their names, and the check of its text."""

    description: str
    subjects: Callable[[SymbolTable], Iterator[str]]
    check_text: Callable[[SymbolTable, s.HintClause], None]


HINT_SORTS: dict[str, HintSort] = {
    Look.COLOUR: HintSort("seat, kind, piece or space", _visible_names, _check_colour),
    Look.PATTERN: HintSort("kind or space", _visible_names, _check_pattern),
    Look.SHAPE: HintSort("seat, kind, piece or space", _visible_names, _check_figure),
    Look.LABEL: HintSort(
        "kind, piece, space or attribute", _labelled_names, _accept_any_text
    ),
    Look.UNFILLED: HintSort("attribute", _attributes, _accept_any_text),
    Look.CAPTION: HintSort("kind of cards", _domains, _check_column),
    Look.DURING: HintSort("attribute", _attributes, _check_clauses),
    Look.PIPS: HintSort("attribute", _attributes, _check_dice),
    Look.WITHIN: HintSort("kind of space", _domains, _check_option),
    Look.GOAL: HintSort("seat", _seats, _check_axis),
    Look.DRAWN: HintSort("kind of space", _domains, _check_own_attribute),
    Look.SHOWS: HintSort("kind of space", _domains, _check_definition),
    Look.AT: HintSort("number of an action", _parameters, _check_space_of_number),
    Look.LIES: HintSort("kind of space", _domains, _check_own_attribute),
    Look.PLACED: HintSort("kind of space", _domains, _check_numbers),
    Look.ROWS: HintSort("coordinate", _axes, _check_spots),
    Look.STEP: HintSort("coordinate", _axes, _check_number),
    Look.SHIFT: HintSort("kind of space", _domains, _check_number),
}
"""Sorts of hints by word; `docs/language/looks.md` has the same table."""


STYLE_CHECKS = {
    "colour": _check_colour,
    "edge": _check_colour,
    "ink": _check_colour,
    "shape": _check_figure,
    "dots": _check_yes_no,
    "width": _check_width,
    "dashes": _check_dashes,
}
"""Functions that check hints about parts of a picture, by word of the hint."""


def check_hints(world: SymbolTable) -> None:
    """Check the word, subject and value of each hint.

    An error in the heading of a column or row is reported only once.
    """
    invalid_spans: set[Span] = set()
    for clause in world.clauses.values():
        if isinstance(clause, s.HintClause):
            if invalid_spans & {clause.word.span, clause.name.span}:
                continue
            with world.collect_errors():
                _check_hint(world, clause, invalid_spans)
                key = (clause.word.text, clause.name.text)
                world.looks[key] = _hint_text(world, clause)


def _check_hint(
    world: SymbolTable, clause: s.HintClause, invalid_spans: set[Span]
) -> None:
    """Check a hint; *invalid_spans* collects the spans of invalid words and names."""
    word, name = clause.word, clause.name
    part, sort = PARTS.get(word.text), HINT_SORTS.get(word.text)
    if part is not None:
        if name.text not in part:
            invalid_spans.add(name.span)
            raise unknown_part_error(word.text, "side", name, part)
        STYLE_CHECKS[name.text](world, clause)
        return
    if sort is None:
        invalid_spans.add(word.span)
        raise unknown_choice_error("sort of hint", word, (*HINT_SORTS, *PARTS, "value"))
    names = set(sort.subjects(world))
    if name.text not in names:
        invalid_spans.add(name.span)
        raise unknown_name_error(sort.description, name, names)
    sort.check_text(world, clause)


def _hint_text(world: SymbolTable, clause: s.HintClause) -> str | None:
    """Return a hint's text, or a colour as digits (None if its theme is missing)."""
    word = clause.name if clause.word.text in PARTS else clause.word
    if STYLE_CHECKS.get(word.text) is not _check_colour:
        return clause.text
    (name,) = _matching_words(clause, WHOLE_TEXT)
    return resolve_colour(world, name)
