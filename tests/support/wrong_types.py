"""Typed values in a rule file, and replacements of other types."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import attrs

from rulebook import Rulebook, Span
from rulebook import syntax as s
from rulebook.model import Bag, Member, SetOf, Truth, Whole
from rulebook.parse import parse
from rulebook.tooling import walk

FREE = (s.Let, s.ChanceGives)
"""Statements in which a value may have nearly any type."""


@attrs.frozen
class Place:
    """Value in a file, and texts of other types to put in its place."""

    span: Span
    sort: str
    wrong: tuple[str, ...]


def places(book: Rulebook, file: str) -> Iterator[Place]:
    """Yield the typed values of a file in the order of the tree.

    `file` is its name in the book. A value is an expression of the syntax tree whose
    span has a type in the model.
    """
    text = book.files[file]
    types: dict[object, object] = {}
    for made in walk(book.model):
        known, type_ = getattr(made, "span", None), getattr(made, "type", None)
        if known is not None and type_ is not None and known.file == file:
            types.setdefault(attrs.astuple(known), type_)
    tree = parse(text, file).file
    free = {
        value.span
        for node in walk(tree)
        if isinstance(node, FREE)
        for value in walk(node)
        if isinstance(value, EXPRESSIONS)
    }
    asked = {node.value.span for node in walk(tree) if isinstance(node, s.HasThing)}
    lines = text.split("\n")
    for node in walk(tree):
        if not isinstance(node, EXPRESSIONS):
            continue
        span: Span = node.span
        if span.line != span.end_line:
            continue
        type_ = types.get(attrs.astuple(span))
        written = lines[span.line - 1][span.column - 1 : span.end_column - 1]
        if type_ is not None and span not in free and written != "your":
            bags = span not in asked  # a holder of a card may hold a whole bag
            wrong = tuple(wrong_values(book, type_, bags=bags))
            yield Place(span, type(node).__name__, wrong)


EXPRESSIONS: tuple[type[Any], ...] = s.Expr.__args__


def wrong_values(book: Rulebook, type_: object, *, bags: bool) -> Iterator[str]:
    """Yield the texts of values that do not have a type and cannot stand for it."""
    if not isinstance(type_, Truth):
        yield "yes"
    if not isinstance(type_, Whole):
        yield "7"
    if isinstance(type_, Truth | Whole):
        yield book.seats[0]
        yield from _bags(book)
    elif isinstance(type_, Member):
        yield from _bags(book) if bags else ()
    elif not isinstance(type_, SetOf | Bag):
        yield book.seats[0]


def _bags(book: Rulebook) -> Iterator[str]:
    fields = book.model.fields.values()
    bags = (
        field.name
        for field in fields
        if not field.owner and isinstance(field.type, Bag)
    )
    yield from list(bags)[:1]
