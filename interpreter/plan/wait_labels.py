"""Names of the steps at which a unit can wait, and its hidden variables.

Names and variables are derived from the book, independently of the engine, so that one
engine can read a position that another engine has written. The name of a step consists
of the labels around it and its kind, with a number if the name was used before.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import attrs

import rulebook as rb
from interpreter.plan.waiting import ImmediateCode
from rulebook import model as m
from rulebook import tooling
from rulebook.signatures import Effects, Pause, effects_of

Local = tuple[str, m.Type | None]


@attrs.frozen
class StatementSteps:
    """Names of the steps of a statement, and slots of its hidden variables.

    `label` is the enclosing label, or the name of the clause.
    """

    names: tuple[str, ...]
    slots: tuple[int, ...]
    label: str


class UnitSteps:
    """Steps and hidden variables of the statements of a unit.

    `hidden` contains the names and types of the hidden variables, which follow the
    variables of the unit.
    """

    def __init__(
        self, clause: m.Procedure | m.Action, immediate_code: ImmediateCode
    ) -> None:
        self.clause = clause
        self.immediate_code = immediate_code
        self.hidden: list[Local] = []
        self.steps_by_id: dict[int, StatementSteps] = {}
        self.path: list[str] = []
        self.used: dict[str, int] = {}
        self.add_block(clause.body)

    def steps_of(self, statement: Any) -> StatementSteps:
        """Return the step names and hidden variables of a statement of the book."""
        return self.steps_by_id[id(statement)]

    def add_block(self, statements: Sequence[Any]) -> None:
        """Add the steps and hidden variables of the statements of a block."""
        for statement in statements:
            if not self.immediate_code.is_immediate_statement(statement):
                self.add_statement(statement)

    def add_statement(self, node: Any) -> None:
        """Add the steps and hidden variables of a statement and of its blocks."""
        effects = effects_of(node)
        hidden = hidden_locals(effects)
        first = len(self.clause.slots) + len(self.hidden)
        self.hidden += hidden
        label = (
            self.path[-1] if self.path else rb.Address.parse(self.clause.name).last_word
        )
        waits = [self.unique_name(kind) for kind in step_names(effects, label)]
        slots = tuple(range(first, first + len(hidden)))
        self.steps_by_id[id(node)] = StatementSteps(tuple(waits), slots, label)
        if effects.label is not None:
            self.path.append(effects.label)
        for block in effects.blocks:
            self.add_block(block.body)
        if effects.label is not None:
            self.path.pop()

    def unique_name(self, kind: str) -> str:
        """Return the full name of a step, with a number if the name was used before."""
        name = "/".join([*self.path, kind])
        number = self.used[name] = self.used.get(name, 0) + 1
        return name if number == 1 else f"{name} {number}"


def hidden_locals(effects: Effects) -> list[Local]:
    """Return the hidden variables that a loop or deal needs, as (name, type) pairs."""
    if effects.dealt_domain is not None and effects.dealt_members is not None:
        kind = effects.dealt_members.type
        assert isinstance(kind, m.SetOf)
        cards = m.Bag(effects.dealt_domain)
        return [("remaining cards", cards), (f"remaining {kind.domain}", kind)]
    for block in effects.blocks:
        if block.times is not None:
            return [("times left", counter_type(block.times))]
        if block.loop and block.binder is not None:
            kind = block.binder.set.type
            rest = (f"remaining {block.binder.name}", kind)
            if effects.pause is Pause.SIMULTANEOUS:
                return [rest, ("began", m.Truth()), ("everybody", kind)]
            return [rest]
    return []


def counter_type(times: m.Expr) -> m.Whole:
    """Return the type of the number of rounds that remain in a loop."""
    most = times.type.high if isinstance(times.type, m.Whole) else tooling.HOLDER_MAX
    return m.Whole(0, max(0, most))


def step_names(effects: Effects, label: str) -> list[str]:
    """Return the names of the steps of a statement at which a unit can wait."""
    if effects.event is not None:
        return [effects.event]
    if effects.choices:
        choice = effects.choices[0]
        return (
            [choice, f"{choice} done", f"after {choice}"] if effects.runs else [choice]
        )
    if any(isinstance(reveal.holder.type, m.Stack) for reveal in effects.reveals):
        return [f"{label} looks"]
    return [f"after {run.code or 'the card'}" for run in effects.runs]
