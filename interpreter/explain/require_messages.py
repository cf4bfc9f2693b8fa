"""Messages for a failed `require` statement of a test, with the values that
decide it.
"""

from __future__ import annotations

from typing import Any

import attrs

from interpreter.explain.condition_parts import explaining_expressions
from interpreter.explain.evaluator import Reader
from interpreter.phrases import NOTHING, counted
from interpreter.plan.plan import Plan
from interpreter.source.failures import RequireFailed
from rulebook import model as m


@attrs.frozen
class Words:
    """Writer of messages about failed `require` statements, for authors of rules."""

    plan: Plan

    def sentence(self, failure: RequireFailed) -> str:
        """Return the message for a failure: the condition, and each value that decides
        it.
        """
        condition = failure.node.condition
        reader = Reader(self.plan, failure.s, failure.f)
        told = [
            f"  {self.name_of(part)} = {self.value(reader, part)}"
            for part in explaining_expressions(condition, self.plan.facts.shared_pieces)
        ]
        return "\n".join([f"this is not true: {self.rule_text(condition)}", *told])

    def rule_text(self, e: m.Expr) -> str:
        """Return an expression as the rule file writes it."""
        return self.plan.book.text_at(e.span) or type(e).__name__

    def name_of(self, part: m.Expr) -> str:
        """Return the name of a value in messages."""
        match part:
            case _ if m.is_variable(part):
                return part.name
            case m.PieceOwner(piece=piece):
                return f"owner of the {piece} on {self.rule_text(part)}"
            case m.PieceCount(piece=piece, owner=owner, another=another):
                whose = "" if owner is None else f"{self.rule_text(owner)}'s "
                whose = "others' " if another else whose.replace("you's", "your")
                plural = self.plan.book.model.pieces[piece].plural
                return f"number of {whose}{plural} in: {self.rule_text(part)}"
            case m.Filter(name=name):
                return f"each such {name}"
            case _:
                return self.rule_text(part)

    def value(self, reader: Reader, part: m.Expr) -> str:
        """Return the value of an expression in words."""
        match part.type:
            case m.Stack() | m.Bag():
                return ", ".join(counted(reader.cards(part))) or NOTHING
            case m.Truth():
                return "yes" if reader.value(part) else "no"
            case m.SetOf():
                return ", ".join(map(str, reader.plain(part))) or "none"
            case _:
                plain: Any = reader.plain(part)
                return "none" if plain is None else str(plain)
