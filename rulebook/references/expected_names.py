"""Sorts of names that fit at the end of an unfinished clause.

A stand-in for the name finishes the clause. The same readers that find the meanings of
names in a finished file then find the role of the stand-in.
"""

from __future__ import annotations

from collections.abc import Iterator

import attrs

from rulebook import model as m
from rulebook import syntax as s
from rulebook.model.predefined_looks import FIGURES, PALETTE, PATTERNS, Look
from rulebook.parse import node_builders
from rulebook.parse.errors.clause_words import start_rule
from rulebook.parse.grammar.next_words import STAND_IN, finished_clause, next_words
from rulebook.parse.node_builder import Builder, NestingError
from rulebook.references.name_collection import names_of
from rulebook.references.named_things import Sort
from rulebook.references.roles import (
    BARE_NAME_SORTS,
    CELL_SORTS,
    PART_SORTS,
    PATH_START_SORTS,
)
from rulebook.source.source_text import Chunk
from rulebook.source.spans import NOWHERE
from rulebook.traversal import walk

PLAYER = str(m.DomainSort.PLAYER)

LOOK_SORTS: dict[str, tuple[Sort, ...]] = {
    Look.COLOUR: (Sort.COLOUR,),
    Look.SHAPE: (Sort.DRAWING,),
    Look.PATTERN: (Sort.DRAWING,),
}
"""Sorts of things that a look may name, by the word of the look."""

PICTURED_SORTS = (Sort.MEMBER, Sort.KIND, Sort.PIECE, Sort.FIELD, Sort.COLUMN)
"""Sorts of things whose look a table of looks describes."""

LOOK_WORDS: dict[str, tuple[str, ...]] = {
    Look.COLOUR: tuple(PALETTE),
    Look.SHAPE: tuple(FIGURES),
    Look.PATTERN: tuple(PATTERNS),
}
"""Predefined words that a look may name, by the word of the look."""


@attrs.frozen
class ExpectedName:
    """Sorts of things that a name may refer to at a place.

    `owner` is the text of the value before `'s`, or the name of the clause or column to
    which the thing belongs; `owner_kind` is the kind of that value, if its variable is
    declared in the clause. `variables` are the variables that may be used there. In the
    path of a text of `text_sort`, `path` are the names before it. `words` are the fixed
    words that can be written there instead of names.
    """

    sorts: tuple[Sort, ...]
    owner: str | None = None
    owner_kind: str | None = None
    variables: tuple[str, ...] = ()
    path: tuple[str, ...] = ()
    text_sort: s.TextSort | None = None
    words: tuple[str, ...] = ()

    @property
    def is_value(self) -> bool:
        """True if any value can be written here, so that many names fit."""
        return set(BARE_NAME_SORTS) <= set(self.sorts)

    @property
    def narrow_sorts(self) -> tuple[Sort, ...]:
        """Sorts that fit only here and a few other places, unlike values."""
        return tuple(it for it in self.sorts if it not in BARE_NAME_SORTS)

    @property
    def is_title(self) -> bool:
        """True if the name is part of the path of a title in `words`."""
        return self.text_sort is s.TextSort.WORDS

    @property
    def takes_variables(self) -> bool:
        """True if a variable fits."""
        return Sort.DEFINE in self.sorts and not self.is_part

    @property
    def is_part(self) -> bool:
        """True if the name follows `'s` or `your`."""
        return self.sorts == PART_SORTS


def words_after(text: str) -> tuple[str, ...]:
    """Return the keywords that may follow the text of an unfinished clause."""
    return next_words(text, _start(text))


def name_after(text: str) -> ExpectedName | None:
    """Return the name that may follow the text of an unfinished clause.

    Return None if no name fits, or only a new name.
    """
    tree = finished_clause(text, _start(text))
    if tree is None:
        return None
    try:
        node = Builder(node_builders(), STAND_IN, 0).build(tree)
    except (NestingError, RecursionError):
        return None
    parts = node if isinstance(node, tuple) else (node,)
    return _expected_name(parts)


def _start(text: str) -> str:
    """Return the grammar rule of a clause."""
    return start_rule(Chunk(1, tuple(text.split("\n"))))


def _expected_name(parts: tuple[object, ...]) -> ExpectedName | None:
    """Return the role of the stand-in in its clause, or None if it is a new name."""
    for node in (it for part in parts for it in walk(part)):
        match node:
            case s.WordsClause(lines=lines, sort=sort):
                for line in lines:
                    if line.path and line.path[-1].text == STAND_IN:
                        return _text_path(sort, line)
            case s.HintClause(name=name) if name.text == STAND_IN:
                return ExpectedName(PICTURED_SORTS)
            case s.HintClause(word=word, text=text) if text == STAND_IN:
                words = LOOK_WORDS.get(word.text, ())
                return ExpectedName(LOOK_SORTS.get(word.text, ()), words=words)
            case s.FieldLine(seen_by=str(audience)) if audience == STAND_IN:
                return ExpectedName((), words=tuple(m.Audience))
            case s.ScenarioStep(
                word=s.StepWord.THEN, body=(*_, s.Perform(name=s.Name(text=name)))
            ) if name == STAND_IN:
                return ExpectedName((Sort.PROCEDURE,), words=tuple(m.Viewers))
    return _mentioned_name(parts)


def _text_path(sort: s.TextSort, line: s.WordLine) -> ExpectedName:
    """Return the expected name at the end of the path of a text."""
    path = tuple(it.text for it in line.path[:-1])
    return ExpectedName(() if path else PATH_START_SORTS, text_sort=sort, path=path)


def _mentioned_name(parts: tuple[object, ...]) -> ExpectedName | None:
    """Return the role in which a clause mentions the stand-in, or None."""
    header = next((it for it in parts if isinstance(it, s.Header)), None)
    clauses = tuple(it for it in parts if it is not header)
    file = s.File(1, header, clauses, span=NOWHERE)  # type: ignore[arg-type]
    names = names_of(file)
    mention = next((it for it in names.mentions if it.text == STAND_IN), None)
    if mention is None:
        return None
    owner = _owner(file)
    variables = {thing.name: None for _, thing in names.variables}
    sorts = mention.wanted.sorts
    if any(isinstance(it, s.OptionClause) for it in clauses):
        sorts = (Sort.OPTION, Sort.MEMBER)
    elif sorts == CELL_SORTS:
        sorts = (Sort.MEMBER, Sort.OPTION)
    return ExpectedName(
        sorts,
        mention.wanted.owner or _text_of(owner),
        _kind_of(file, owner),
        tuple(it for it in variables if it != STAND_IN),
    )


def _owner(file: s.File) -> s.Expr | None:
    """Return the value before `'s` and the stand-in, or None."""
    for node in walk(file):
        match node:
            case s.Of(owner=owner, name=s.Name(text=text)) if text == STAND_IN:
                return owner
    return None


def _text_of(owner: s.Expr | None) -> str | None:
    match owner:
        case s.NameRef(name=name):
            return name.text
        case s.Of(name=name):
            return name.text
    return None


def _kind_of(file: s.File, owner: s.Expr | None) -> str | None:
    """Return the kind of a value that is a variable or a player, or None."""
    match owner:
        case s.You() | s.NextPlayer():
            return PLAYER
        case s.NameRef(name=name):
            return next(
                (kind for bound, kind in _bindings(file) if bound == name.text), None
            )
    return None


def _bindings(file: s.File) -> Iterator[tuple[str, str]]:
    """Yield the variables of a clause with their kinds."""
    for node in walk(file):
        match node:
            case s.BinderPhrase(name=s.Name(text=name), kind=kind):
                yield name, kind.text
            case s.ParameterPhrase(name=name, kind=s.Name(text=kind_name)):
                yield name.text, kind_name


__all__ = ["ExpectedName", "name_after", "words_after"]
