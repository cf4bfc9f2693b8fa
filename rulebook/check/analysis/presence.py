"""Variables that are never none: members of loops, and parameters that get a member.

A parameter of a kind may be none in play, because a caller may pass none.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import attrs

from rulebook import model as m
from rulebook.model.value_types import Member
from rulebook.queries.calls import Code
from rulebook.signatures import Run, callees_of, effects_of, is_statement
from rulebook.traversal import find

Place = tuple[str, int]
"""Name of code, and the slot of a variable in it."""


@attrs.frozen
class CodeVariables:
    """Sets from which loops and quantifiers of one body take variables, by slot.

    Variables that are also assigned in another way are omitted.
    """

    sets: Mapping[int, m.Expr]
    assigned: frozenset[int]


def code_variables(code: Code) -> CodeVariables:
    """Return the variables of a body."""
    sets: dict[int, m.Expr] = {}
    assigned: set[int] = set()
    for node in code.nodes:
        is_loop = isinstance(node, m.Binder) and (
            not is_statement(node) or isinstance(node, m.EachMember | m.Together)
        )
        if is_loop:
            if node.slot in sets:
                assigned.add(node.slot)  # several loops use the slot
            sets[node.slot] = node.set
        elif is_statement(node):
            assigned.update(effects_of(node).slots)
    parameters = {parameter.slot for parameter in code.parameters}
    known = {
        slot: set_
        for slot, set_ in sets.items()
        if slot not in assigned and slot not in parameters
    }
    return CodeVariables(known, frozenset(assigned))


class PresentMembers:
    """Variables of all code that certainly contain a member."""

    def __init__(self, model: m.Model, code: Mapping[str, Code]) -> None:
        self.variables = {name: code_variables(each) for name, each in code.items()}
        self.parameters: set[Place] = {
            (each.name, parameter.slot)
            for each in code.values()
            for parameter in each.parameters
            if isinstance(parameter.type, Member) and not parameter.type.optional
            if parameter.slot not in self.variables[each.name].assigned
        }
        calls = list(_calls(model, code))
        removed = True
        while removed:
            uncertain = {
                place
                for caller, run in calls
                for place in self._uncertain_parameters(caller, run)
            }
            removed = bool(self.parameters & uncertain)
            self.parameters -= uncertain

    def _uncertain_parameters(self, caller: str | None, run: Run) -> Iterator[Place]:
        """Yield the parameters that a call may set to none."""
        for slot, value in enumerate(run.arguments, run.first):
            if run.code is not None and not self.is_present(caller, value):
                yield run.code, slot

    def is_present(self, code: str | None, value: m.Expr) -> bool:
        """Return whether a value in a body is certainly a member."""
        if not isinstance(value.type, Member) or value.type.optional:
            return False
        if m.is_constant(value):
            return not m.is_none(value)
        if m.is_variable(value) and code is not None:
            loops = self.variables[code].sets
            return value.slot in loops or (code, value.slot) in self.parameters
        if isinstance(value, m.ColumnValue):
            return self.is_present(code, value.of)
        return isinstance(value, m.FieldValue) and value.owner is None


def _calls(
    model: m.Model, code: Mapping[str, Code]
) -> Iterator[tuple[str | None, Run]]:
    """Yield all calls, each with the code that contains it, or None for none."""
    inside: set[int] = set()
    for each in code.values():
        for node in each.nodes:
            inside.add(id(node))
            for run in _runs(node):
                yield each.name, run
    for node in find(model, m.CallDefine):
        if id(node) not in inside:
            for run in callees_of(node):
                yield None, run


def _runs(node: Any) -> tuple[Run, ...]:
    return effects_of(node).runs if is_statement(node) else tuple(callees_of(node))


__all__ = ["CodeVariables", "PresentMembers", "code_variables"]
