"""Places where the rules offer an action, to explain why it is not offered now."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import Any

from rulebook import model as m
from rulebook import tooling


class Offering:
    """Index of the phases and clauses that offer each action."""

    def __init__(self, model: m.Model) -> None:
        self.model = model

    def phases(self, action: str) -> tuple[str, ...]:
        """Return the phases in which a seat may repeatedly do an action."""
        return self._phases.get(action, ())

    def clauses(self, action: str) -> tuple[str, ...]:
        """Return the clauses that offer an action."""
        return self._clauses.get(action, ())

    @cached_property
    def _phases(self) -> dict[str, tuple[str, ...]]:
        procedures = self.model.procedures
        return inverted(
            (phase, name)
            for phase in self.model.phases
            for node in procedures[tooling.phase_unit(phase)].body
            if isinstance(node, m.Ask) and node.until is not None
            for name in offered_by(node)
        )

    @cached_property
    def _clauses(self) -> dict[str, tuple[str, ...]]:
        model = self.model
        names = {tooling.phase_unit(phase): phase for phase in model.phases}
        codes: list[m.Procedure | m.Action] = [*model.procedures.values()]
        codes += model.actions.values()
        return inverted(
            (names.get(code.name, code.name), name)
            for code in codes
            for node in tooling.walk(*code.body)
            for name in offered_by(node)
        )


def inverted(pairs: Iterator[tuple[str, str]]) -> dict[str, tuple[str, ...]]:
    """Return, for each second value, the first values paired with it."""
    firsts: dict[str, dict[str, None]] = {}
    for first, second in pairs:
        firsts.setdefault(second, {})[first] = None
    return {name: tuple(places) for name, places in firsts.items()}


def offered_by(node: Any) -> tuple[str, ...]:
    """Return the actions that a statement offers."""
    match node:
        case m.Ask(offers=offers, until=until):
            names = tuple(offer.action for offer in offers)
            return names if until is None else (*names, until)
        case m.Choose(choice=choice) | m.Gather(choice=choice):
            return (choice,)
        case _:
            return ()
