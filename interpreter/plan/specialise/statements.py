"""Specialisation of statements for a game with known players and options.

Text for people, names in positions and the analysis of secrets use the statements of
the book. Each specialised statement is therefore mapped to its original.
"""

from __future__ import annotations

from typing import Any

import attrs

from interpreter.plan.specialise.deals import split_condition
from interpreter.plan.specialise.expressions import Specialiser
from interpreter.plan.specialise.terms import rebuild
from rulebook import model as m


class StatementSpecialiser:
    """Specialiser of the expressions in the statements of a book for one game.

    `origins` maps the identity of each specialised statement to the statement itself
    (to keep it alive) and its original in the book.
    """

    def __init__(self, specialiser: Specialiser) -> None:
        self.special = specialiser
        self.origins: dict[int, tuple[Any, Any]] = {}

    def original(self, statement: Any) -> Any:
        """Return the statement of the book from which a statement was specialised."""
        origin = self.origins.get(id(statement))
        return statement if origin is None else origin[1]

    def specialise_body(self, block: tuple[Any, ...]) -> tuple[Any, ...]:
        """Return the specialised form of a block of the book."""
        if not self.special.rewrites:
            return block
        return tuple([self.specialise_part(statement) for statement in block])

    def specialise_part(self, part: Any) -> Any:
        """Return the specialised form of a statement, or of a part of one."""
        if isinstance(part, m.Typed):
            return self.special.specialise(part)
        ready = rebuild(part, lambda inner, _: self.specialise_part(inner))
        if isinstance(part, m.Spread) and part.condition is not None:
            forms = split_condition(self.special.facts, part)
            tests = [
                attrs.evolve(form, never=self.special.specialise(form.never))
                for form in forms.forms
            ]
            condition = attrs.evolve(forms, forms=tuple(tests))
            ready = attrs.evolve(ready, condition=condition)
        if ready is not part:
            self.origins[id(ready)] = (ready, part)
        return ready
