"""Announcements: what everybody reads must be known to everybody.

The values in an announcement must not come from hidden fields, neither directly nor
through variables. A choice is known to all, unless it picks a card that moves between
hidden holders. Inside a simultaneous block nothing is announced, because its answers
are hidden until its end.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from rulebook import model as m
from rulebook.check.analysis.visibility import HiddenReadFinder
from rulebook.check.declare.symbol_table import SymbolTable, mistake
from rulebook.queries.calls import (
    action_code,
    body_of,
    call_graph,
    card_texts,
    reachable_code,
)
from rulebook.signatures import (
    Binding,
    Effects,
    Pause,
    direct_parts,
    effects_within,
    statements_in,
)
from rulebook.traversal import children

Code = m.Procedure | m.Action
Slot = tuple[str, int]
"""Variable: the name of its code, and its slot."""


def check_announcements(world: SymbolTable) -> None:
    """Report announcements of hidden values, and those in simultaneous blocks."""
    model = world.model
    if model is None:
        return
    units = unit_codes(model)
    if not any(announcements_in(unit.body) for unit in units.values()):
        return
    hidden = HiddenVariables(model, units)
    for name, unit in units.items():
        for node, values in announcements_in(unit.body):
            for label, value in zip(node.names, values, strict=True):
                if hidden.is_hidden(name, value):
                    with world.collect_errors():
                        raise mistake(
                            "RB150",
                            value.span,
                            f"`{label}` may be hidden from some players, but everybody"
                            " reads an announcement",
                            "announce only what all players know",
                        )
    _check_simultaneous_blocks(world, model, units)


def unit_codes(model: m.Model) -> dict[str, Code]:
    """Return the procedures and actions of a model, by the names of their code."""
    actions = {action_code(name): action for name, action in model.actions.items()}
    return {**model.procedures, **actions}


def announcements_in(*nodes: Any) -> list[tuple[m.Announce, tuple[m.Expr, ...]]]:
    """Return the announcements in statements, each with its values."""
    return [
        (node, effects.announces)
        for node, effects in statements_in(*nodes)
        if effects.announces is not None
    ]


def _check_simultaneous_blocks(
    world: SymbolTable, model: m.Model, units: dict[str, Code]
) -> None:
    graph = call_graph(model, world.code.values())
    for unit in units.values():
        for block, effects in statements_in(unit.body):
            if effects.pause is not Pause.SIMULTANEOUS:
                continue
            inside = [body for part in effects.blocks for body in part.body]
            called = reachable_code(graph, _run_code(model, inside))
            bodies = [inside, *(body_of(model, name) for name in called)]
            for node, _ in announcements_in(*bodies):
                with world.collect_errors():
                    raise mistake(
                        "RB130",
                        node.span,
                        "nothing is announced while players decide at the same time",
                        "put the announcement after the block, when all players have "
                        "decided",
                        ((block.span, "at the same time"),),
                    )


def _run_code(model: m.Model, nodes: Iterable[Any]) -> Iterator[str]:
    """Yield the names of the code that statements run or offer."""
    for effects in effects_within(*nodes):
        for run in effects.runs:
            yield from card_texts(model) if run.code is None else (run.code,)


class HiddenVariables:
    """Variables whose values some seat may not know, in all code of a model."""

    def __init__(self, model: m.Model, units: dict[str, Code]) -> None:
        self.model = model
        self.units = units
        self.reader = HiddenReadFinder(model)
        self.slots: set[Slot] = set()
        size = -1
        while len(self.slots) > size:
            size = len(self.slots)
            for name, unit in units.items():
                self.slots.update(self._hidden_slots(name, unit))

    def is_hidden(self, code: str, *parts: Any) -> bool:
        """Return whether expressions in some code read anything hidden from a seat."""
        return any(
            any(self.reader.hidden_reads(part)) or self._reads_variable(code, part)
            for part in parts
            if part is not None
        )

    def _reads_variable(self, code: str, part: Any) -> bool:
        """Return whether an expression reads a hidden variable.

        The number of cards in a holder is public.
        """
        if isinstance(part, m.SizeOf) and not isinstance(part.holder.type, m.SetOf):
            return False
        if m.is_variable(part):
            return (code, part.slot) in self.slots
        return any(self._reads_variable(code, child) for child in children(part))

    def _hidden_slots(self, name: str, unit: Code) -> Iterator[Slot]:
        """Yield the variables to which the statements of a unit give hidden values."""
        if isinstance(unit, m.Action):
            for parameter in unit.parameters:
                if self._is_secret_choice(unit, parameter.slot):
                    yield name, parameter.slot
        for node, effects in statements_in(*unit.body):
            for binding in effects.bindings:
                if self._binds_hidden(name, unit, node, effects, binding):
                    yield name, binding.slot
            for run in effects.runs:
                if run.code is None:
                    continue
                parameters = self.units[run.code].parameters
                pairs = zip(parameters, run.arguments, strict=False)
                for parameter, value in pairs:
                    if self.is_hidden(name, value):
                        yield run.code, parameter.slot

    def _binds_hidden(
        self, name: str, unit: Code, node: Any, effects: Effects, binding: Binding
    ) -> bool:
        if effects.pause is Pause.DECISION:
            return self._is_secret_choice(unit, binding.slot)
        if effects.cards is not None:
            return all(map(self._is_hidden_holder, effects.cards.holders))
        if effects.may_wait:
            return False
        given = direct_parts(node) if binding.members is None else [binding.members]
        return self.is_hidden(name, *given)

    def _is_secret_choice(self, unit: Code, slot: int) -> bool:
        """Return whether a choice only moves cards between hidden holders."""
        moves = [
            effects.cards
            for effects in effects_within(*unit.body)
            if effects.cards is not None
            and (
                m.is_variable(effects.cards.bag, slot)
                or m.is_variable(effects.cards.card, slot)
            )
        ]
        sides = [side for move in moves for side in move.holders]
        return bool(moves) and all(map(self._is_hidden_holder, sides))

    def _is_hidden_holder(self, holder: m.Expr | None) -> bool:
        if not m.is_field(holder):
            return False
        return self.model.fields[holder.field].seen_by is not m.Audience.ALL
