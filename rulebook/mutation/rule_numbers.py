"""Figures: the numbers in a clause, each identified by the word that it belongs to.

The figures of `cost cart: 2 wood, 3 clay` are `wood` and `clay`. In a table they are
`ROW.COLUMN`; an option has one, its default. All other numbers are called `#1`, `#2`
and so on, in the order of the text. If several numbers belong to the same word, their
positions are added to the word.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import partial
from typing import Any

import attrs

from rulebook import syntax as s
from rulebook.source.spans import Span
from rulebook.traversal import Replacer, find, replaceable_places

Value = int | bool
DEFAULT = "default"


@attrs.frozen
class Figure:
    """Number in a clause (for an option also yes or no), with a function to replace it.

    `value` is None if the clause has no value yet: for a card that a cost does not
    contain, or for an option with a computed default.
    """

    word: str
    value: Value | None
    span: Span = attrs.field(repr=False)
    replace_value: Replacer = attrs.field(repr=False)


def figures(clause: s.Clause) -> list[Figure]:
    """Return the figures of a clause; figures without a word are numbered."""
    match clause:
        case s.OptionClause():
            return [_default_figure(clause)]
        case s.CostClause():
            plain = [_cost_figure(clause, a.name) for a in clause.amounts.amounts]
        case _:
            plain = list(numbers_in_text(clause))
    times = Counter(figure.word for figure in plain)
    seen: Counter[str] = Counter()
    named = []
    for figure in plain:
        seen[figure.word] += 1
        suffix = f"#{seen[figure.word]}"
        if figure.word and times[figure.word] == 1:
            suffix = ""
        named.append(attrs.evolve(figure, word=figure.word + suffix))
    return named


def figure_of(clause: s.Clause, word: str) -> Figure | None:
    """Return the figure for a word; an empty word means the only figure.

    A cost has a figure for every word, because any card can be added to it.
    """
    known = figures(clause)
    if not word and len(known) == 1:
        return known[0]
    match = next((figure for figure in known if figure.word == word), None)
    if match is None and word and isinstance(clause, s.CostClause):
        return _cost_figure(clause, s.Name(word, span=clause.span))
    return match


def _cost_figure(clause: s.CostClause, name: s.Name) -> Figure:
    """Return the figure for one card of a cost; the value 0 removes the card."""
    amounts = clause.amounts.amounts
    here = next((amount for amount in amounts if amount.name.text == name.text), None)

    def put(value: Value) -> s.CostClause:
        kept = [amount for amount in amounts if amount.name.text != name.text]
        if value:
            place = len(kept) if here is None else amounts.index(here)
            kept.insert(place, s.Amount(int(value), name, span=name.span))
        bag = attrs.evolve(clause.amounts, amounts=tuple(kept))
        return attrs.evolve(clause, amounts=bag)

    span = clause.span if here is None else here.span
    return Figure(name.text, None if here is None else here.count, span, put)


def _default_figure(clause: s.OptionClause) -> Figure:
    """Return the figure for an option's default; a new value replaces all its cases."""
    only, _ = clause.default[0]
    known = isinstance(only, s.Number | s.YesNo) and len(clause.default) == 1
    value = only.value if known and isinstance(only, s.Number | s.YesNo) else None

    def put(value: Value) -> s.OptionClause:
        truth = isinstance(value, bool)
        node = s.YesNo(bool(value)) if truth else s.Number(int(value))
        placed = attrs.evolve(node, span=only.span)
        return attrs.evolve(clause, default=((placed, None),))

    return Figure(DEFAULT, value, only.span, put)


def numbers_in_text(clause: s.Clause) -> Iterator[Figure]:
    """Yield the numbers of a clause in the order of its text."""
    words = dict(_table_words(clause))
    for node, put in replaceable_places(clause):
        match node:
            case s.Number(value=value):
                field, word = "value", ""
            case s.Amount(count=value, name=name):
                field, word = "count", words.get(id(node), name.text)
            case s.Cell(form=s.CellForm.NUMBER, value=value):
                field, word = "value", words.get(id(node), "")
            case _:
                continue
        yield Figure(word, value, node.span, partial(_replace_field, node, field, put))


def _table_words(clause: s.Clause) -> Iterator[tuple[int, str]]:
    """Yield the word for each number in tables, with the `id` of the number's node."""
    for table in find(clause, s.Table):
        for row in table.rows:
            first = row.cells[0].value
            called = first.text if isinstance(first, s.Name) else str(first)
            for column, cell in zip(table.columns, row.cells, strict=False):
                yield id(cell), f"{called}.{column.text}"
                for amount in find(cell, s.Amount):
                    yield id(amount), f"{called}.{amount.name.text}"


def _replace_field(node: Any, field: str, replace: Replacer, value: Value) -> Any:
    return replace(attrs.evolve(node, **{field: value}))
