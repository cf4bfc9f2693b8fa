"""Fields with a value for each pair: `level(kind)` is a table in `level`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import attrs

from interpreter.core.layout import Block
from interpreter.plan.plan import Plan
from rulebook import model as m

Words = tuple[str, ...]


@attrs.frozen
class Entry:
    """One value: its owner, its name there, and its place in the block."""

    owner: str
    words: Words
    index: int


def entries(plan: Plan, block: Block) -> Iterator[Entry]:
    """Yield the values of a field that are in play; the game's have the owner "".

    There are no values of, or about, seats that do not play.
    """
    domain = plan.model.domains[str(block.field.owner)]
    each = len(domain.members)
    first = block.field.home not in (None, m.DomainSort.PLAYER)
    for index in range(block.count):
        words = tuple(words_of(plan, domain, index % each))
        if None in words:
            continue
        called = tuple(map(str, words))
        if domain.each_player:
            yield Entry(plan.values.names["player"][index // each], called, index)
        elif first:
            yield Entry(called[0], called[1:], index)
        else:
            yield Entry("", called, index)


def words_of(plan: Plan, domain: m.Domain, at: int) -> Iterator[str | None]:
    """Yield the name of each coordinate of a pair, or None if it is not in play."""
    stride = len(domain.members)
    for axis in domain.axes:
        stride //= axis.size
        place, at = divmod(at, stride)
        if isinstance(axis.type, m.Member):
            names = plan.values.names[axis.type.domain]
            yield names[place] if place < len(names) else None
        else:
            yield str(axis.low + place)


def enter(home: dict[str, Any], name: str, words: Words, value: Any) -> None:
    """Enter a value under a field and the names of its pair."""
    table = home
    for word in (name, *words[:-1]):
        table = table.setdefault(word, {})
    table[words[-1]] = value


def leaves(table: Any, depth: int, words: Words = ()) -> Iterator[tuple[Words, Any]]:
    """Yield the values of a nested table, with the names that lead to them."""
    if not depth or not isinstance(table, dict):
        yield words, table
        return
    for word, inner in table.items():
        yield from leaves(inner, depth - 1, (*words, word))
