"""Names of the steps at which a unit can wait, and its hidden variables.

Both come from the book, independent of the engine, so that one engine can read a
position that another has written. The name of a step consists of the labels around it
and its sort, with a number if the name was used before.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import attrs

import rulebook as rb
from interpreter.plan.waiting import QuietCode
from rulebook import model as m
from rulebook import tooling

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

    `hidden` are the names and types of the hidden variables, which follow those of the
    unit.
    """

    def __init__(self, clause: m.Procedure | m.Action, quiet: QuietCode) -> None:
        self.clause = clause
        self.quiet = quiet
        self.hidden: list[Local] = []
        self.stands: dict[int, StatementSteps] = {}
        self.path: list[str] = []
        self.used: dict[str, int] = {}
        self.block(clause.body)

    def steps_of(self, statement: Any) -> StatementSteps:
        """Return the step names and hidden variables of a statement of the book."""
        return self.stands[id(statement)]

    def block(self, statements: Sequence[Any]) -> None:
        """Add the steps and hidden variables of the statements of a block."""
        for statement in statements:
            if not self.quiet.statement(statement):
                self.statement(statement)

    def statement(self, node: Any) -> None:
        """Add the steps and hidden variables of a statement, and of the statements
        inside.
        """
        hides = HIDDEN_LOCALS.get(type(node))
        hidden = [] if hides is None else hides(node)
        first = len(self.clause.slots) + len(self.hidden)
        self.hidden += hidden
        label = self.path[-1] if self.path else rb.Address.parse(self.clause.name).last
        waits = [self.unique_name(what) for what in self.waits(node, label)]
        slots = tuple(range(first, first + len(hidden)))
        self.stands[id(node)] = StatementSteps(tuple(waits), slots, label)
        if isinstance(node, m.LabelledBlock):
            self.path.append(node.label)
        for block in blocks(node):
            self.block(block)
        if isinstance(node, m.LabelledBlock):
            self.path.pop()

    def waits(self, node: Any, label: str) -> list[str]:
        """Return the names of the steps of a statement."""
        if isinstance(node, m.Sees):
            stack = isinstance(node.holder.type, m.Stack)
            return [f"{label} looks"] if stack else []
        names = STEP_NAMES.get(type(node))
        return [] if names is None else names(node)

    def unique_name(self, what: str) -> str:
        """Return the full name of a step, with a number if the name was used before."""
        name = "/".join([*self.path, what])
        number = self.used[name] = self.used.get(name, 0) + 1
        return name if number == 1 else f"{name} {number}"


def blocks(node: Any) -> Iterator[Sequence[Any]]:
    """Yield the blocks inside a statement; an `until` has none."""
    if not isinstance(node, m.Ask) or node.until is None:
        yield getattr(node, "body", ())
    yield getattr(node, "otherwise", ())


# ---------------------------------------------------------------- hidden locals


def counter_type(times: m.Expr) -> m.Whole:
    """Return the type of the number of rounds that remain in a loop."""
    most = times.type.high if isinstance(times.type, m.Whole) else tooling.HOLDER_MAX
    return m.Whole(0, max(0, most))


def _each(node: m.EachMember) -> list[Local]:
    return [(f"remaining {node.name}", node.set.type)]


def _together(node: m.Together) -> list[Local]:
    rest = (f"remaining {node.name}", node.set.type)
    return [rest, ("began", m.Truth()), ("everybody", node.set.type)]


def _repeat(node: m.Repeat) -> list[Local]:
    return [("times left", counter_type(node.times))]


def _spread(node: m.Spread) -> list[Local]:
    assert isinstance(node.set.type, m.SetOf)
    rest = (f"remaining {node.set.type.domain}", node.set.type)
    return [("remaining cards", m.Bag(node.cards)), rest]


HIDDEN_LOCALS: Mapping[type, Callable[[Any], list[Local]]] = {
    m.EachMember: _each,
    m.Together: _together,
    m.Repeat: _repeat,
    m.Spread: _spread,
}
"""Functions that return the hidden variables of a statement, by class."""


# ---------------------------------------------------------------- names of steps


def _ask(node: m.Ask) -> list[str]:
    what = node.until or node.offers[0].action
    return [what, f"{what} done", f"after {what}"]


def _event(node: Any) -> list[str]:
    return [node.event]


def _choice(node: Any) -> list[str]:
    return [node.choice]


STEP_NAMES: Mapping[type, Callable[[Any], list[str]]] = {
    m.Ask: _ask,
    m.Choose: _choice,
    m.Gather: _choice,
    m.DrawCard: _event,
    m.Reveal: _event,
    m.RollDice: _event,
    m.ChanceChoose: _event,
    m.Spread: _event,
    m.CallProcedure: lambda node: [f"after {node.procedure}"],
    m.CarryOut: lambda _: ["after the card"],
}
"""Functions that return the step names of a statement, by class."""
