"""Analysis of which statements and procedures never wait and never end the game."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from rulebook import model as m
from rulebook.tooling import INTERRUPTIONS


class QuietCode:
    """Finder of statements and procedures that never wait and never end the game."""

    def __init__(self, model: m.Model) -> None:
        self.model = model
        self.known: dict[str, bool] = {}

    def block(self, statements: Iterable[Any]) -> bool:
        """Return whether no statement of a block waits or ends the game."""
        return all(self.statement(statement) for statement in statements)

    def statement(self, node: Any) -> bool:
        """Return whether a statement never waits and never ends the game."""
        match node:
            case m.CallProcedure():
                return self.procedure(node.procedure)
            case m.IfElse():
                return self.block(node.body) and self.block(node.otherwise)
            case m.EachMember() | m.Repeat() | m.LabelledBlock():
                return self.block(node.body)
            case _:
                return not isinstance(node, INTERRUPTIONS)

    def procedure(self, name: str) -> bool:
        """Return whether a procedure never waits and never ends the game."""
        if name not in self.known:
            self.known[name] = self.block(self.model.procedures[name].body)
        return self.known[name]
