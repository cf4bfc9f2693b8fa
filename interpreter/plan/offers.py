"""Index of the phases and clauses that offer an action.

It serves to explain why an action is unavailable.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property

from rulebook import model as m
from rulebook import tooling
from rulebook.signatures import effects_of, effects_within


class OfferIndex:
    """Index of the phases and clauses that offer each action."""

    def __init__(self, model: m.Model) -> None:
        self.model = model

    def phases(self, action: str) -> tuple[str, ...]:
        """Return the names of phases in which a seat may repeatedly take an action."""
        return self._phases.get(action, ())

    def clauses(self, action: str) -> tuple[str, ...]:
        """Return the names of the phases and other clauses that offer an action."""
        return self._clauses.get(action, ())

    @cached_property
    def _phases(self) -> dict[str, tuple[str, ...]]:
        procedures = self.model.procedures
        return invert(
            (phase, name)
            for phase in self.model.phases
            for node in procedures[tooling.phase_unit(phase)].body
            if any(run.repeats for run in effects_of(node).runs)
            for name in effects_of(node).choices
        )

    @cached_property
    def _clauses(self) -> dict[str, tuple[str, ...]]:
        model = self.model
        names = {tooling.phase_unit(phase): phase for phase in model.phases}
        codes: list[m.Procedure | m.Action] = [*model.procedures.values()]
        codes += model.actions.values()
        return invert(
            (names.get(code.name, code.name), name)
            for code in codes
            for effects in effects_within(*code.body)
            for name in effects.choices
        )


def invert(pairs: Iterator[tuple[str, str]]) -> dict[str, tuple[str, ...]]:
    """Return a mapping from each second value to the first values paired with it."""
    firsts: dict[str, dict[str, None]] = {}
    for first, second in pairs:
        firsts.setdefault(second, {})[first] = None
    return {name: tuple(places) for name, places in firsts.items()}
