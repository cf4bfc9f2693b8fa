"""Figures: the numbers of a clause by the words that they go with, and others there.

Of `cost cart: 2 wood, 3 clay` they are `wood` and `clay`; of a table `ROW.COLUMN`; of
an option there is one, its default. Any other number is called `#1`, `#2` and so on,
in the order in which they stand; of several with one word each says which it is too.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import partial
from typing import Any

import attrs

from rulebook import syntax as s
from rulebook.source.spans import Span
from rulebook.traversal import Put, find, places

Value = int | bool
DEFAULT = "default"


@attrs.frozen
class Figure:
    """A number of a clause (of an option also yes or no), and what puts another there.

    `value` is None where the clause has none yet: of a cost, of what is not asked for;
    of an option whose default is worked out.
    """

    word: str
    value: Value | None
    span: Span = attrs.field(repr=False)
    put: Put = attrs.field(repr=False)


def figures(clause: s.Clause) -> list[Figure]:
    """Return the figures of a clause; those that no word goes with have a number."""
    match clause:
        case s.OptionClause():
            return [_default(clause)]
        case s.CostClause():
            there = [_price(clause, a.name) for a in clause.amounts.amounts]
        case _:
            there = list(written(clause))
    times = Counter(figure.word for figure in there)
    seen: Counter[str] = Counter()
    named = []
    for figure in there:
        seen[figure.word] += 1
        again = f"#{seen[figure.word]}"
        if figure.word and times[figure.word] == 1:
            again = ""
        named.append(attrs.evolve(figure, word=figure.word + again))
    return named


def figure_of(clause: s.Clause, word: str) -> Figure | None:
    """Return the figure that goes with a word; with none, the only one there is.

    A cost has one for every word: what is not asked for yet can be.
    """
    there = figures(clause)
    if not word and len(there) == 1:
        return there[0]
    here = next((figure for figure in there if figure.word == word), None)
    if here is None and word and isinstance(clause, s.CostClause):
        return _price(clause, s.Name(word, span=clause.span))
    return here


def _price(clause: s.CostClause, name: s.Name) -> Figure:
    """How much of something is to be paid; none of it leaves it out."""
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


def _default(clause: s.OptionClause) -> Figure:
    """What an option is where nobody says; put there, it is so for all players."""
    only, _ = clause.default[0]
    known = isinstance(only, s.Number | s.YesNo) and len(clause.default) == 1
    value = only.value if known and isinstance(only, s.Number | s.YesNo) else None

    def put(value: Value) -> s.OptionClause:
        truth = isinstance(value, bool)
        there = s.YesNo(bool(value)) if truth else s.Number(int(value))
        here = attrs.evolve(there, span=only.span)
        return attrs.evolve(clause, default=((here, None),))

    return Figure(DEFAULT, value, only.span, put)


def written(clause: s.Clause) -> Iterator[Figure]:
    """Yield the numbers as they stand there: of amounts, of cells, of sentences."""
    words = dict(_of_tables(clause))
    for node, put in places(clause):
        match node:
            case s.Number(value=value):
                field, word = "value", ""
            case s.Amount(count=value, name=name):
                field, word = "count", words.get(id(node), name.text)
            case s.Cell(form=s.CellForm.NUMBER, value=value):
                field, word = "value", words.get(id(node), "")
            case _:
                continue
        yield Figure(word, value, node.span, partial(_put, node, field, put))


def _of_tables(clause: s.Clause) -> Iterator[tuple[int, str]]:
    """The words of what stands in tables: the row, then the column or what there is
    so many of."""
    for table in find(clause, s.Table):
        for row in table.rows:
            first = row.cells[0].value
            called = first.text if isinstance(first, s.Name) else str(first)
            for column, cell in zip(table.columns, row.cells, strict=False):
                yield id(cell), f"{called}.{column.text}"
                for amount in find(cell, s.Amount):
                    yield id(amount), f"{called}.{amount.name.text}"


def _put(node: Any, field: str, put: Put, value: Value) -> Any:
    return put(attrs.evolve(node, **{field: value}))
