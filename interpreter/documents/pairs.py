"""Fields that store a value for each pair of members, as nested tables."""

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
    """One value: its owner, the names of its pair, and its index in the block."""

    owner: str
    names: Words
    index: int


def entries(plan: Plan, block: Block) -> tuple[Entry, ...]:
    """Return the entries of a field; the owner "" stands for the whole game.

    Values of or about seats that are not in play are omitted.
    """
    entries = plan.pair_entries.get(block.field.key)
    if entries is None:
        entries = plan.pair_entries[block.field.key] = tuple(iter_entries(plan, block))
    return entries


def iter_entries(plan: Plan, block: Block) -> Iterator[Entry]:
    """Yield the entries of a field; the owner "" stands for the whole game.

    Values of or about seats that are not in play are omitted.
    """
    domain = plan.model.domains[str(block.field.owner)]
    pair_count = len(domain.members)
    has_named_owner = block.field.home not in (None, m.DomainSort.PLAYER)
    for index in range(block.count):
        words = tuple(coordinate_names(plan, domain, index % pair_count))
        if None in words:
            continue
        names = tuple(map(str, words))
        if domain.each_player:
            yield Entry(plan.values.names["player"][index // pair_count], names, index)
        elif has_named_owner:
            yield Entry(names[0], names[1:], index)
        else:
            yield Entry("", names, index)


def coordinate_names(plan: Plan, domain: m.Domain, index: int) -> Iterator[str | None]:
    """Yield the name of each coordinate of a pair, or None if it is not in play."""
    stride = len(domain.members)
    for axis in domain.axes:
        stride //= axis.size
        place, index = divmod(index, stride)
        if isinstance(axis.type, m.Member):
            names = plan.values.names[axis.type.domain]
            yield names[place] if place < len(names) else None
        else:
            yield str(axis.low + place)


def insert(home: dict[str, Any], name: str, names: Words, value: Any) -> None:
    """Insert a value into a nested table, under a field and the names of its pair."""
    table = home
    for word in (name, *names[:-1]):
        table = table.setdefault(word, {})
    table[names[-1]] = value


def leaves(table: Any, depth: int, prefix: Words = ()) -> Iterator[tuple[Words, Any]]:
    """Yield the values of a nested table, each with the names that lead to it."""
    if not depth or not isinstance(table, dict):
        yield prefix, table
        return
    for word, inner in table.items():
        yield from leaves(inner, depth - 1, (*prefix, word))
