"""Reads of hidden fields in expressions.

All players know the number of cards in a bag, a stack or a slot, but nothing else about
a hidden field.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeGuard

import attrs

from rulebook import model as m
from rulebook.queries.calls import definitions_in_order
from rulebook.queries.reads import part_owner
from rulebook.signatures import effects_within
from rulebook.traversal import children


@attrs.frozen
class HiddenRead:
    """Read of a hidden field, and the owner who can see it, or None if nobody can."""

    field: m.FieldValue
    owner: m.Expr | None


def partly_known_stacks(model: m.Model) -> frozenset[str]:
    """Return the keys of public stacks whose cards a statement may show to one seat.

    After a shuffle, nobody knows the cards until they are shown to that seat.
    """
    revealed = [
        reveal.holder
        for effects in effects_within(model.procedures, model.actions)
        for reveal in effects.reveals
        if reveal.to is not None
    ]
    return frozenset(
        name
        for name, field in model.fields.items()
        if field.seen_by is m.Audience.ALL and isinstance(field.type, m.Stack)
        if any(m.is_field(holder) and holder.field == name for holder in revealed)
    )


class HiddenReadFinder:
    """Finder of reads of hidden fields; each definition is searched once."""

    def __init__(self, model: m.Model) -> None:
        self.model = model
        self.partly_known = partly_known_stacks(model)
        self.known: dict[str, tuple[HiddenRead, ...]] = {}
        for name in definitions_in_order(model):
            self._store_definition(name)

    def hidden_reads(self, node: object) -> Iterator[HiddenRead]:
        """Yield the reads of hidden fields in an expression."""
        counted = self.counted_holder(node)
        if counted is not None:
            if counted.owner is not None:
                yield from self.hidden_reads(counted.owner)
            return
        if m.is_field(node):
            field = self.model.fields[node.field]
            if field.seen_by is not m.Audience.ALL:
                owner = (
                    part_owner(node.owner)
                    if field.seen_by is m.Audience.OWNER
                    else None
                )
                yield HiddenRead(node, owner)
        if isinstance(node, m.StackCard) and self._is_partly_known(node.stack):
            yield HiddenRead(node.stack, None)
        if isinstance(node, m.CallDefine):
            yield from self._reads_in_call(node)
        if isinstance(node, m.PlayerPoints) and not node.visible:
            yield from self._reads_in_points(node)
        for child in children(node):
            yield from self.hidden_reads(child)

    def counted_holder(self, node: object) -> m.FieldValue | None:
        """Return the holder if an expression reads only its number of cards, else None.

        That number is public. For a slot, the expression is `SLOT is none`.
        """
        match node:
            case m.SizeOf(holder=m.FieldValue(type=m.Bag() | m.Stack()) as place):
                return place
            case m.Compare(
                op=m.Comparison.EQUAL | m.Comparison.UNEQUAL,
                left=m.FieldValue() as slot,
                right=m.Const(value=-1),
            ) if m.is_card(self.model.domains, slot.type):
                return slot
            case _:
                return None

    def _is_partly_known(self, stack: m.Expr) -> TypeGuard[m.FieldValue]:
        return m.is_field(stack) and stack.field in self.partly_known

    def _store_definition(self, name: str) -> None:
        """Store the hidden reads of a definition, without duplicates."""
        secrets = self.hidden_reads(self.model.defines[name].lines)
        self.known[name] = tuple(dict.fromkeys(secrets))

    def _reads_in_call(self, call: m.CallDefine) -> Iterator[HiddenRead]:
        for secret in self.known.get(call.define, ()):
            owner = secret.owner
            if m.is_variable(owner) and 1 <= owner.slot <= len(call.arguments):
                yield HiddenRead(
                    attrs.evolve(secret.field, span=call.span),
                    call.arguments[owner.slot - 1],
                )
            else:
                yield HiddenRead(attrs.evolve(secret.field, span=call.span), None)

    def _reads_in_points(self, points: m.PlayerPoints) -> Iterator[HiddenRead]:
        for secret in self.hidden_reads(self.model.points.lines):
            owner = points.player if m.is_variable(secret.owner) else None
            yield HiddenRead(attrs.evolve(secret.field, span=points.span), owner)
