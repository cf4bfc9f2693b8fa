"""Generic traversal of syntax and model trees."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from operator import attrgetter
from typing import Any

import attrs

CONTAINERS = (tuple, list, dict)

LEAVES = ("rulebook.source.spans", "rulebook.model.value_types")
"""Modules whose classes occur in nodes but are not nodes: spans and types."""


Parts = Callable[[Any], Iterable[Any]]


class _ChildGetters(dict[type[Any], Parts | None]):
    """Cache of functions that return the children of nodes, by class.

    The value is None for classes without children. Each class is examined only once,
    because checking would otherwise spend most of its time here.
    """

    def __missing__(self, kind: type[Any]) -> Parts | None:
        node = attrs.has(kind) and kind.__module__ not in LEAVES
        names = [field.name for field in attrs.fields(kind)] if node else []
        self[kind] = _getter(names) if node else None
        return self[kind]


def _getter(names: list[str]) -> Parts:
    """Return a function that returns the values of the named fields of a node."""
    if len(names) > 1:
        return attrgetter(*names)
    return lambda node: [getattr(node, name) for name in names]


_CLASSES = _ChildGetters({tuple: iter, list: iter, dict: dict.values})


def children(node: Any) -> list[Any]:
    """Return the nodes directly inside a node, or inside containers in it."""
    parts, classes = _CLASSES[type(node)], _CLASSES
    if parts is None:
        return []
    inside: list[Any] = []
    for value in parts(node):
        kind = type(value)
        if kind in CONTAINERS:
            inside += children(value)
        elif classes[kind] is not None:
            inside.append(value)
    return inside


def walk(*nodes: Any) -> Iterator[Any]:
    """Yield the given nodes and all nodes inside them, parents before children."""
    waiting = children(nodes)
    waiting.reverse()
    while waiting:
        node = waiting.pop()
        yield node
        inside = children(node)
        inside.reverse()
        waiting += inside


def find(node: Any, node_classes: type[Any] | tuple[type[Any], ...]) -> Iterator[Any]:
    """Yield the nodes of the given classes in a tree, including its root."""
    return (part for part in walk(node) if isinstance(part, node_classes))


def rewrite(node: Any, change: Callable[[Any], Any]) -> Any:
    """Return the tree with every node replaced by the result of *change*.

    Nodes are changed from the inside out, except spans and types; equal results keep
    the old object. A node in a tuple may become a tuple, whose nodes then take its
    place.
    """
    if isinstance(node, tuple):
        return tuple(_rewrite_row(node, change))
    if isinstance(node, dict):
        return {key: rewrite(part, change) for key, part in node.items()}
    if isinstance(node, list) or _CLASSES[type(node)] is None:
        return node
    changes = {}
    for field in attrs.fields(type(node)):
        old = getattr(node, field.name)
        new = rewrite(old, change)
        if new is not old and new != old:
            changes[field.alias] = new
    return change(attrs.evolve(node, **changes) if changes else node)


def _rewrite_row(row: tuple[Any, ...], change: Callable[[Any], Any]) -> Iterator[Any]:
    """Yield the replacements for the nodes of a tuple."""
    for part in row:
        new = rewrite(part, change)
        if isinstance(new, tuple) and not isinstance(part, tuple):
            yield from new
        else:
            yield new


Replacer = Callable[[Any], Any]
"""Function that returns the tree with one node replaced by its argument."""


def replaceable_places(
    tree: Any, replacer: Replacer = lambda new: new
) -> Iterator[tuple[Any, Replacer]]:
    """Yield all nodes of a tree and the tuples in them, each with its replacer.

    Each node comes before the nodes inside it. A new tree is only built when a replacer
    is called.
    """
    if isinstance(tree, tuple):
        yield tree, replacer
        for number, part in enumerate(tree):
            yield from replaceable_places(
                part, partial(_replace_in_row, tree, number, replacer)
            )
    elif _CLASSES[type(tree)] is not None and attrs.has(type(tree)):
        yield tree, replacer
        for field in attrs.fields(type(tree)):
            inner = partial(_replace_in_field, tree, field.alias, replacer)
            yield from replaceable_places(getattr(tree, field.name), inner)


def _replace_in_row(
    row: tuple[Any, ...], index: int, replacer: Replacer, new: Any
) -> Any:
    return replacer((*row[:index], new, *row[index + 1 :]))


def _replace_in_field(node: Any, alias: str, replacer: Replacer, new: Any) -> Any:
    return replacer(attrs.evolve(node, **{alias: new}))
