"""Analysis of which statements and procedures never wait and never end the game."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from rulebook import model as m
from rulebook import signatures, tooling


class ImmediateCode:
    """Finder of statements and procedures that never wait and never end the game."""

    def __init__(self, model: m.Model) -> None:
        self.model = model
        self.known: dict[str, bool] = {}

    def is_immediate_block(self, statements: Iterable[Any]) -> bool:
        """Return whether no statement of a block waits or ends the game."""
        return all(self.is_immediate_statement(statement) for statement in statements)

    def is_immediate_statement(self, node: Any) -> bool:
        """Return whether a statement never waits and never ends the game."""
        effects = signatures.effects_of(node)
        return (
            not tooling.is_interruption(effects)
            and all(self.is_immediate_block(block.body) for block in effects.blocks)
            and all(
                self.is_immediate_procedure(run.code)
                for run in effects.runs
                if run.code
            )
        )

    def is_immediate_procedure(self, name: str) -> bool:
        """Return whether a procedure never waits and never ends the game."""
        if name not in self.known:
            self.known[name] = self.is_immediate_block(self.model.procedures[name].body)
        return self.known[name]
