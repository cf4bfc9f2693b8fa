"""Index of names in the files of a book, and the things that they refer to.

If the syntax allows several meanings, the checker's result for the same span decides.
Without a checked book, the first possible meaning is used.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from typing import Any

import attrs

from rulebook import model as m
from rulebook.addresses import CHOICE_PREFIX, LEFT_SUFFIX
from rulebook.model.value_types import Member
from rulebook.references.named_things import (
    Mention,
    NameDeclaration,
    NamesOfFile,
    Sort,
    Thing,
)
from rulebook.source.spans import Span
from rulebook.traversal import walk

FACE_SUFFIX = "_face"
"""Suffix that the language adds to a die's name for the kind of its faces."""


@attrs.frozen
class Use:
    """Occurrence of a name in a text, and the thing that it refers to.

    `text` is the part of the name that means the thing, at `span`. `whole` is the span
    of the whole declaration, or None if the name is only used there.
    """

    text: str
    span: Span
    thing: Thing
    whole: Span | None = None


@attrs.define
class Uses:
    """Index of all occurrences of names in some files."""

    all: list[Use] = attrs.Factory(list)
    _by_line: dict[tuple[str, int], list[Use]] = attrs.Factory(dict)
    _by_thing: dict[Thing, list[Use]] = attrs.Factory(dict)

    def add(self, use: Use) -> None:
        """Add an occurrence, unless there is one at its span."""
        here = self._by_line.setdefault((use.span.file, use.span.line), [])
        if any(other.span == use.span for other in here):
            return
        here.append(use)
        self.all.append(use)
        self._by_thing.setdefault(use.thing, []).append(use)

    def at(self, file: str, line: int, column: int) -> Use | None:
        """Return the occurrence at a place or directly before it, or None."""
        here = self._by_line.get((file, line), ())
        inside = (it for it in here if it.span.column <= column <= it.span.end_column)
        return min(inside, key=lambda it: -it.span.column, default=None)

    def of(self, thing: Thing) -> list[Use]:
        """Return all occurrences that refer to a thing, in the order of the files."""
        return self._by_thing.get(thing, [])

    def declared(self, thing: Thing) -> list[Use]:
        """Return the declarations of a thing; the last one applies after amendments."""
        return [use for use in self.of(thing) if use.whole is not None]

    @property
    def things(self) -> Iterable[Thing]:
        """All things that some name refers to."""
        return self._by_thing

    def in_file(self, file: str) -> list[Use]:
        """Return the occurrences in one file, in the order of lines."""
        rows = (row for (name, _), row in self._by_line.items() if name == file)
        return sorted(
            (use for row in rows for use in row),
            key=lambda use: (use.span.line, use.span.column),
        )


def index_uses(names: Iterable[NamesOfFile], model: m.Model | None) -> Uses:
    """Return an index of where each name is used in the files."""
    files = list(names)
    known = _KnownThings()
    for file in files:
        for declared in file.declarations:
            known.add(declared)
        for owner, variable in file.variables:
            known.variables.setdefault((owner, variable.name), variable)
    for file in files:
        for mention in file.mentions:
            known.add_variable(mention)
    if model is not None:
        known.meanings = _meanings(model)
    table = Uses()
    for file in files:
        for declared in file.declarations:
            thing = known.canonical_thing(declared.thing)
            table.add(
                Use(declared.text, declared.span, thing, declared.declaration_span)
            )
        for mention in file.mentions:
            use = known.resolve_mention(mention)
            if (
                use is not None
                and mention.wanted.is_binding
                and use.thing == mention.wanted.variable
            ):
                use = attrs.evolve(use, whole=mention.clause)
            if use is not None:
                table.add(use)
    return table


@attrs.define
class _KnownThings:
    """Index of the known things by name, and of the checked expressions by span."""

    things: dict[str, dict[Thing, None]] = attrs.Factory(dict)
    variables: dict[tuple[str, str], Thing] = attrs.Factory(dict)
    meanings: dict[Span, list[m.Expr]] = attrs.Factory(dict)

    def add(self, declaration: NameDeclaration) -> None:
        """Add a thing under its name in the text."""
        self.things.setdefault(declaration.text, {})[declaration.thing] = None

    def add_variable(self, mention: Mention) -> None:
        """Add a declared variable, unless its name is just that of its kind."""
        own = mention.wanted.variable
        if own is None or not mention.wanted.is_binding:
            return
        if self.kind(mention.text) is None:
            self.things.setdefault(mention.text, {})[own] = None

    def canonical_thing(self, thing: Thing) -> Thing:
        """Return the thing that the checker uses for a column or the face of a die."""
        if thing.sort is Sort.COLUMN:
            return self.kind(thing.name) or thing
        if thing.sort is Sort.MEMBER and thing.owner.endswith(FACE_SUFFIX):
            known = self.things.get(thing.name, ())
            members = (it for it in known if it.sort is Sort.MEMBER and it != thing)
            return next(members, thing)
        return thing

    def kind(self, word: str) -> Thing | None:
        """Return the kind that a singular or plural word names, or None."""
        things = self.things.get(word, ())
        return next((it for it in things if it.sort is Sort.KIND), None)

    def resolve_mention(self, mention: Mention) -> Use | None:
        """Return the occurrence for a mention, or None if its meaning is unknown."""
        thing = self.thing(mention.text, mention)
        if thing is not None:
            return Use(mention.text, mention.span, thing)
        text, span = mention.text, mention.span
        if text.endswith(LEFT_SUFFIX) and Sort.PIECE in mention.wanted.sorts:
            own = text.removesuffix(LEFT_SUFFIX)
            span = attrs.evolve(span, end_column=span.end_column - len(LEFT_SUFFIX))
            thing = self.thing(own, mention)
        elif text.startswith(CHOICE_PREFIX) and Sort.ACTION in mention.wanted.sorts:
            own = text.removeprefix(CHOICE_PREFIX)
            span = attrs.evolve(span, column=span.column + len(CHOICE_PREFIX))
            chosen = self.variables.get((text, own))
            thing = chosen and self.variable(chosen)
        else:
            return None
        return Use(own, span, thing) if thing is not None else None

    def thing(self, text: str, mention: Mention) -> Thing | None:
        """Return the thing that a name refers to where it is mentioned."""
        wanted = mention.wanted
        local = wanted.variable
        if local is None and wanted.amended_clause:
            local = self.variables.get((wanted.amended_clause, text))
        things = [self.canonical_thing(it) for it in self.things.get(text, ())]
        if local is not None:
            return self.variable(local)
        fitting = [it for it in things if it.sort in wanted.sorts]
        if len(fitting) > 1 and wanted.enclosing_span is not None:
            chosen = self._checked_thing(wanted.enclosing_span, fitting)
            if chosen is not None:
                return chosen
        owned = [it for it in fitting if it.owner == wanted.owner]
        if wanted.owner is not None and owned:
            fitting = owned
        return min(fitting, key=lambda it: wanted.sorts.index(it.sort), default=None)

    def variable(self, local: Thing) -> Thing:
        """Return the kind of a variable named like its kind, or else the variable."""
        if local.sort is not Sort.LOCAL or local in self.things.get(local.name, ()):
            return local
        return self.kind(local.name) or local

    def _checked_thing(self, place: Span, things: list[Thing]) -> Thing | None:
        """Return the thing, among several, that the checker found at a span."""
        for node in self.meanings.get(place, ()):
            for thing in things:
                if _refers_to(node, thing):
                    return thing
        return None


def _meanings(model: m.Model) -> dict[Span, list[m.Expr]]:
    """Return the checked expressions by span."""
    places: dict[Span, list[m.Expr]] = {}
    for node in walk(model):
        if isinstance(node, m.Typed):
            places.setdefault(node.span, []).append(node)
    return places


_SORTS = {
    "field": Sort.FIELD,
    "define": Sort.DEFINE,
    "column": Sort.COLUMN,
    "award": Sort.AWARD,
    "piece": Sort.PIECE,
    "relation": Sort.KIND,
    "domain": Sort.KIND,
}
"""Sort of the thing that an expression refers to, by the attribute that names it."""


@cache
def _naming_part(kind: Any) -> str | None:
    """Return the attribute of a class of expressions that names a thing, or None."""
    names = {field.name for field in attrs.fields(kind)}
    return next((part for part in _SORTS if part in names), None)


def _refers_to(node: Any, thing: Thing) -> bool:
    """Return whether a checked expression refers to a thing."""
    if m.is_constant(node):
        domain = node.type.domain if isinstance(node.type, Member) else None
        return thing.sort is Sort.MEMBER and domain == thing.owner
    if m.is_option(node):
        return thing.sort is Sort.OPTION and node.name == thing.name
    kind: Any = type(node)
    part = _naming_part(kind)
    if part == "column" and thing.sort is Sort.KIND:
        return bool(node.column == thing.name)
    if part is None or thing.sort is not _SORTS[part]:
        return False
    text = getattr(node, part)
    match thing.sort:
        case Sort.FIELD:
            owner, _, name = text.rpartition(".")
            return (thing.owner, thing.name) == (owner or "game", name)
        case Sort.DEFINE:
            name, _, shape = text.partition("(")
            subject = shape.rstrip(")").partition(",")[0]
            return (thing.name, thing.owner) == (name, subject)
        case Sort.COLUMN:
            return bool(node.domain == thing.owner)
    return True
