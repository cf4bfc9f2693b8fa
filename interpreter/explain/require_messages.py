"""Messages for failed `require` statements of tests, with the deciding values."""

from __future__ import annotations

import attrs

from interpreter.core.action_index import argument_text
from interpreter.explain.condition_parts import Explainer
from interpreter.phrases import NOTHING, card_counts
from interpreter.plan.plan import Plan
from interpreter.source.failures import RequireFailed
from rulebook import model as m


@attrs.frozen
class RequireMessages:
    """Writer of messages about failed `require` statements, for authors of rules."""

    plan: Plan

    def sentence(self, failure: RequireFailed) -> str:
        """Return the failed condition, followed by each value that decides it."""
        condition = failure.node.condition
        reader = Explainer(self.plan, failure.s, failure.f)
        value_lines = [
            f"  {reader.author_text(part)} = {self.value(reader, part)}"
            for part in reader.deciding_values(condition)
        ]
        text = reader.rule_text(condition)
        return "\n".join([f"this is not true: {text}", *value_lines])

    def value(self, reader: Explainer, part: m.Expr) -> str:
        """Return the value of an expression in words."""
        match part.type:
            case m.Stack() | m.Bag():
                return ", ".join(card_counts(reader.cards(part))) or NOTHING
            case m.SetOf():
                return ", ".join(map(str, reader.plain(part))) or "none"
            case _:
                return argument_text(reader.plain(part))
