"""Which parts of the state an expression reads, so that a write wakes what reads it.

A part is `field KEY`, `piece NAME`, `award NAME`, `active`, `turn`, or `winner`.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import attrs

import rulebook as rb

ACTIVE = "active"
TURN = "turn"
WINNER = "winner"


def children(node: Any) -> Iterator[rb.Part]:
    """Yield the parts of the model directly inside a part."""
    for name in attrs.fields_dict(type(node)):
        value = getattr(node, name)
        if isinstance(value, rb.Part):
            yield value
        elif isinstance(value, tuple):
            yield from (item for item in value if isinstance(item, rb.Part))


def walk(*nodes: Any) -> Iterator[Any]:
    """Yield parts of the model and all parts inside them."""
    for node in nodes:
        yield node
        yield from walk(*children(node))


class Reads:
    """The parts of the state that expressions of a model read."""

    def __init__(self, model: rb.Model) -> None:
        self.model = model
        self.defines: dict[str, tuple[str, ...]] = {}

    def of(self, *nodes: Any) -> tuple[str, ...]:
        """Return the parts that some expressions read, each once."""
        found: dict[str, None] = {}
        for node in nodes:
            if node is not None:
                for inner in walk(node):
                    found.update(dict.fromkeys(self.directly(inner)))
        return tuple(found)

    def directly(self, node: Any) -> tuple[str, ...]:
        """Return what one expression reads, its operands left aside."""
        match node:
            case rb.FieldValue():
                return (self.field(node),)
            case rb.AwardHolder():
                return (f"award {node.award}",)
            case rb.ActivePlayer() | rb.Local(slot=rb.YOU):
                return (ACTIVE,)
            case rb.Round():
                return (TURN,)
            case rb.Winner():
                return (WINNER,)
            case rb.CallDefine():
                return self.define(node.define)
            case rb.Points():
                return self.of(*(line.value for line in self.model.points.lines))
            case (
                rb.PieceOn()
                | rb.PieceOwner()
                | rb.PieceCount()
                | rb.PieceLeft()
                | rb.PieceSpaces()
                | rb.PieceSpace()
            ):
                return (f"piece {node.piece}",)
            case _:
                return ()

    def field(self, node: rb.FieldValue) -> str:
        """Return the part that a field is."""
        if node.field not in self.model.fields and node.owner is not None:
            assert isinstance(node.owner.type, rb.Member)
            return f"field {node.owner.type.domain}.{node.field}"
        return f"field {node.field}"

    def define(self, name: str) -> tuple[str, ...]:
        """Return what a define reads."""
        if name not in self.defines:
            lines = self.model.defines[name].lines
            parts = [part for x in lines for part in (x.value, x.condition)]
            self.defines[name] = self.of(*parts)
        return self.defines[name]


def trigger_masks(model: rb.Model) -> dict[str, int]:
    """Return for each part of the state the awards, then rules, that read it."""
    reads = Reads(model)
    triggers = [
        reads.of(award.measure, award.at_least, award.only_if)
        for award in model.awards.values()
    ] + [reads.of(rule.condition, rule.set) for rule in model.rules.values()]
    masks: dict[str, int] = {}
    for bit, parts in enumerate(triggers):
        for part in parts:
            masks[part] = masks.get(part, 0) | 1 << bit
    return masks
