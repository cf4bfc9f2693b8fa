"""Which statements and procedures never wait, and never end the game."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import rulebook as rb

WAITING = (
    rb.Choose,
    rb.Gather,
    rb.Ask,
    rb.DrawCard,
    rb.RollDice,
    rb.ChanceChoose,
    rb.Spread,
    rb.Sees,
    rb.Reveal,
    rb.CarryOut,
    rb.Wins,
    rb.GameEnds,
    rb.Together,
)


class Quiet:
    """Tells which statements and procedures never wait and never end the game."""

    def __init__(self, model: rb.Model) -> None:
        self.model = model
        self.known: dict[str, bool] = {}

    def block(self, statements: Iterable[Any]) -> bool:
        """Whether none of the statements waits."""
        return all(self.statement(statement) for statement in statements)

    def statement(self, node: Any) -> bool:
        """Whether a statement never waits."""
        match node:
            case rb.Call():
                return self.procedure(node.procedure)
            case rb.If():
                return self.block(node.body) and self.block(node.otherwise)
            case rb.Each() | rb.Repeat() | rb.Step():
                return self.block(node.body)
            case _:
                return not isinstance(node, WAITING)

    def procedure(self, name: str) -> bool:
        """Whether a procedure never waits."""
        if name not in self.known:
            self.known[name] = self.block(self.model.procedures[name].body)
        return self.known[name]
