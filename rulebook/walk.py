"""The only generic traversals of syntax and model trees."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import attrs

CONTAINERS = (tuple, list, dict)

LEAVES = ("rulebook.source", "rulebook.types")
"""Modules whose values stand in nodes, and are none: places and types."""


def children(node: Any) -> Iterator[Any]:
    """Yield the nodes directly inside a node, a tuple or a dict."""
    if isinstance(node, tuple | list):
        values = iter(node)
    elif isinstance(node, dict):
        values = iter(node.values())
    else:
        values = (getattr(node, name) for name in _names(type(node)) or ())
    for value in values:
        if type(value) in CONTAINERS or _names(type(value)) is not None:
            yield value


_FIELDS: dict[type[Any], tuple[str, ...] | None] = {}


def _names(kind: type[Any]) -> tuple[str, ...] | None:
    """The names of a node's fields; None for what is no node."""
    if kind not in _FIELDS:
        node = attrs.has(kind) and kind.__module__ not in LEAVES
        names = [one.name for one in attrs.fields(kind)] if node else ()
        _FIELDS[kind] = tuple(names) if node else None
    return _FIELDS[kind]


def walk(node: Any) -> Iterator[Any]:
    """Yield a node and all nodes below it, each before what it contains."""
    waiting = [node]
    while waiting:
        one = waiting.pop()
        if _names(type(one)) is not None:
            yield one
        waiting.extend(reversed(list(children(one))))


def find(node: Any, sort: type[Any] | tuple[type[Any], ...]) -> Iterator[Any]:
    """Yield the nodes of some classes at or below a node."""
    return (one for one in walk(node) if isinstance(one, sort))


def rewrite(node: Any, change: Callable[[Any], Any]) -> Any:
    """Return the tree with every node replaced by what `change` gives for it.

    Nodes are changed from the inside out; what stays equal is kept as it was.
    """
    if isinstance(node, tuple):
        return tuple(rewrite(one, change) for one in node)
    if isinstance(node, dict):
        return {key: rewrite(one, change) for key, one in node.items()}
    if not attrs.has(type(node)):
        return node
    changes = {}
    for field in attrs.fields(type(node)):
        old = getattr(node, field.name)
        new = rewrite(old, change)
        if new is not old and new != old:
            changes[field.alias] = new
    return change(attrs.evolve(node, **changes) if changes else node)
