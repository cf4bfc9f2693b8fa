"""Parts of the model and what is inside them; what a write of the state wakes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import attrs

import rulebook as rb
from rulebook import model as m


def children(node: Any) -> Iterator[m.Part]:
    """Yield the parts of the model directly inside a part."""
    for name in attrs.fields_dict(type(node)):
        value = getattr(node, name)
        if isinstance(value, m.Part):
            yield value
        elif isinstance(value, tuple):
            yield from (item for item in value if isinstance(item, m.Part))


def walk(*nodes: Any) -> Iterator[Any]:
    """Yield parts of the model and all parts inside them."""
    waiting = list(reversed(nodes))
    while waiting:
        node = waiting.pop()
        yield node
        waiting.extend(reversed(list(children(node))))


def trigger_masks(model: m.Model) -> dict[str, int]:
    """Return for each part of the state the awards, then rules, that read it."""
    reads = rb.Reads(model)
    triggers = [
        reads.of(award.measure, award.at_least, award.only_if)
        for award in model.awards.values()
    ] + [reads.of(rule.condition, rule.set) for rule in model.rules.values()]
    masks: dict[str, int] = {}
    for bit, parts in enumerate(triggers):
        for part in parts:
            masks[part] = masks.get(part, 0) | 1 << bit
    return masks
