"""Analysis of which statements reveal hidden information to a seat by visible effects.

A statement reveals hidden information if its effect, or whether it is executed, depends
on a hidden value. A public choice is not a hidden value, and making the choice shows
that it was possible. Therefore moves, payments and offers reveal nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from interpreter.secrecy.grades import Secrecy
from rulebook import model as m
from rulebook import tooling
from rulebook.secrecy import KNOWN_TO_ACTOR, PUBLIC, VariableSecrecy
from rulebook.signatures import (
    CardTransfer,
    Effects,
    Failure,
    FieldPlace,
    VariablePlace,
    Write,
    direct_parts,
    effects_of,
    statements_in,
)

Code = m.Procedure | m.Action


def conceals_reads(effects: Effects) -> bool:
    """Return whether the effects of a statement conceal the values it reads."""
    places = [write.place for write in effects.writes]
    return bool(
        effects.dice
        or effects.dealt_domain is not None
        or effects.shuffled_stack is not None
        or Failure.UNTRUE in effects.failures
        or any(run.code is not None for run in effects.calls)
        or (places and all(isinstance(place, VariablePlace) for place in places))
    )


def revealed_expressions(node: Any, effects: Effects) -> list[m.Typed]:
    """Return the expressions whose values the effect of a statement may reveal.

    By default, these are all expressions directly in the statement, so that new classes
    of statements are treated as revealing.
    """
    if conceals_reads(effects):
        return []
    return [
        part for inner in direct_parts(node) for part in outermost_expressions(inner)
    ]


def outermost_expressions(part: Any) -> Iterator[m.Typed]:
    """Yield the outermost expressions in a part of a statement."""
    if isinstance(part, m.Typed):
        yield part
    else:
        for inner in tooling.children(part):
            yield from outermost_expressions(inner)


class DisclosureAnalysis:
    """Analysis of which statements and procedures reveal hidden information."""

    def __init__(self, model: m.Model) -> None:
        self.model = model
        self.secrecy = Secrecy(model)
        self.variables = VariableSecrecy(model)
        self.called: dict[str, bool] = {}

    # ------------------------------------------------------------ statements

    def reveals_any(self, code: Code, nodes: Iterable[Any]) -> bool:
        """Return whether a statement, or a procedure it calls, reveals anything."""
        for node, effects in statements_in(*nodes):
            if self.statement_reveals(code, node):
                return True
            called = [run.code for run in effects.calls if run.code is not None]
            if any(map(self.procedure_reveals, called)):
                return True
        return False

    def procedure_reveals(self, name: str) -> bool:
        """Return whether a procedure reveals hidden information."""
        if name not in self.called:
            self.called[name] = False
            code = self.model.procedures[name]
            self.called[name] = self.reveals_any(code, code.body)
        return self.called[name]

    def statement_reveals(self, code: Code, node: Any) -> bool:
        """Return whether a statement, without its blocks, reveals anything."""
        effects = effects_of(node)
        if effects.reveals:
            return True
        if effects.cards is not None:
            if effects.may_wait:
                return any(map(self.is_visible_holder, effects.cards.holders))
            return self.transfer_reveals(code, effects.cards)
        if effects.offers:
            given = [value for run in effects.runs for value in run.arguments]
            return self.may_skip_secretly(node) or self.reads_hidden(
                code, effects.asks, *given
            )
        if effects.asks is not None:
            return self.choice_reveals(code, node)
        match effects.writes:
            case [Write(FieldPlace() as place, value)] if value is not None:
                seen = (
                    KNOWN_TO_ACTOR
                    if self.variables.field_grade(place) == KNOWN_TO_ACTOR
                    else PUBLIC
                )
                return self.variables.grade(code, place.owner, value) > seen
        return self.reads_hidden(code, *revealed_expressions(node, effects))

    def reads_hidden(self, code: Code, *parts: Any) -> bool:
        """Return whether expressions read information hidden from at least one seat."""
        return self.variables.grade(code, *parts) > PUBLIC

    def is_hidden_holder(self, holder: m.Expr | None) -> bool:
        """Return whether the contents of a holder are hidden from at least one seat."""
        return self.variables.holder_grade(holder) > PUBLIC

    def is_visible_holder(self, holder: m.Expr | None) -> bool:
        """Return whether at least one seat sees the contents of a holder."""
        field = self.model.fields[holder.field] if m.is_field(holder) else None
        return field is None or field.seen_by is not m.Audience.NOBODY

    def transfer_reveals(self, code: Code, cards: CardTransfer) -> bool:
        """Return whether a move of cards reveals hidden information."""
        if cards.bag is None:
            return self.is_hidden_holder(cards.source) or self.reads_hidden(
                code, cards.card
            )
        if self.reads_hidden(
            code, *self.secrecy.locating_expressions(*cards.holders), cards.count
        ):
            return True
        if not cards.is_exact and self.is_hidden_holder(cards.source):
            return True
        hidden = all(map(self.is_hidden_holder, cards.holders))
        return not hidden and self.reads_hidden(code, cards.bag)

    def choice_reveals(self, code: Code, node: Any) -> bool:
        """Return whether merely offering a choice reveals what the seat holds.

        A choice from a complete holder only reveals that the holder is not empty.
        """
        tested = [
            part
            for part in direct_parts(node)
            if not isinstance(part, m.KindsIn)
            and not isinstance(part.type, m.Bag | m.Stack)
        ]
        return self.reads_hidden(code, *tested)

    def has_secret_picks(self, code: Code, node: Any) -> bool:
        """Return whether the possible picks of a seat are not known to all."""
        return self.is_hidden_holder(node.source) or self.reads_hidden(
            code, node.set, node.where
        )

    def may_skip_secretly(self, node: Any) -> bool:
        """Return whether secrets decide if a seat has anything to choose."""
        if node.until is not None or (node.optional and not node.skips):
            return False
        actions = [self.model.actions[offer.action] for offer in node.offers]
        if any(not each.requirements and not each.parameters for each in actions):
            return False
        return any(
            self.secrecy.grade([need.condition]) > PUBLIC
            for offer, action in zip(node.offers, actions, strict=True)
            for need in action.requirements
            if not (offer.free and need.sort is m.RequirementSort.PAYS)
        )

    # -------------------------------------------------------------- triggers

    def hidden_triggers(self) -> int:
        """Return a bit mask of the awards, then rules, that read hidden information."""
        triggers = (*self.model.awards.values(), *self.model.rules.values())
        reader = self.secrecy.reader
        return sum(
            1 << bit for bit, x in enumerate(triggers) if any(reader.hidden_reads(x))
        )
