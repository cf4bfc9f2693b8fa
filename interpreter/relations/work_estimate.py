"""Estimated cost of one decision of a game, in evaluation steps."""

from __future__ import annotations

from typing import Any

from interpreter.plan.plan import Plan, units
from rulebook import model as m
from rulebook import tooling
from rulebook.signatures import Block, effects_of, is_statement

STEPS_PER_SPACE = 100
"""Number of steps for each space of a search over the board."""

ASSUMED_SET_SIZE = 100
"""Assumed number of members of a set of numbers."""

STEPS_PER_ACTION, REQUIREMENT_DIVISOR = 20, 10
"""Steps for each possible action, and divisor for the steps of its requirements.

Most actions are ruled out early, so few requirements are evaluated in full.
"""

ASSUMED_COMBINATIONS = 2**8
"""Assumed number of combinations of a search: all subsets of eight cards."""

MAX_STEPS = 10**12
"""Upper limit of an estimate."""


class WorkEstimate:
    """Estimated steps for parts of a plan's rules; definitions are cached."""

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        self.model = plan.model
        self.called: dict[str, int] = {}

    def decision_steps(self) -> int:
        """Return the steps to list all actions and to execute all code once."""
        model = self.model
        total = self.steps_of([model.rules, model.awards])
        for action in self.plan.actions.listed:
            needs = [need.condition for need in action.action.requirements]
            total += action.size * (
                STEPS_PER_ACTION + self.steps_of(needs) // REQUIREMENT_DIVISOR
            )
        total += sum(self.steps_of(unit.body) for unit in units(model))
        return min(total, MAX_STEPS)

    def steps_of(self, node: Any) -> int:
        """Return the steps to evaluate or execute a node."""
        inner = sum(map(self.steps_of, tooling.children(node)))
        match node:
            case m.Binder(set=members):
                times = self.size(members)
            case m.Combinations():
                times = ASSUMED_COMBINATIONS
            case _ if m.is_board_search(node):
                times = STEPS_PER_SPACE * max(self.plan.facts.sizes.values())
            case _ if is_statement(node):
                times = min(map(rounds, effects_of(node).blocks), default=1)
            case _:
                times = 1
        if isinstance(node, m.CallDefine):
            inner += self.call_steps(node.define, self.model.defines[node.define].lines)
        return min(1 + times * inner, MAX_STEPS)

    def call_steps(self, name: str, lines: tuple[m.DefineLine, ...]) -> int:
        """Return the steps of a definition, or 0 while it is being estimated."""
        if name not in self.called:
            self.called[name] = 0
            self.called[name] = self.steps_of(lines)
        return self.called[name]

    def size(self, members: m.Expr) -> int:
        """Return the maximum number of members of a set."""
        match members:
            case m.NumberSet(
                low=m.Typed(type=m.Whole(low=low)),
                high=m.Typed(type=m.Whole(high=high)),
            ):
                return max(high - low + 1, 1)
            case m.Typed(type=m.SetOf(domain=str(domain))):
                return self.plan.facts.sizes[domain]
            case _:
                return ASSUMED_SET_SIZE


def rounds(block: Block) -> int:
    """Return the maximum number of times that a block runs, or 1 if unknown."""
    kind = None if block.times is None else block.times.type
    return kind.high if isinstance(kind, m.Whole) else 1
