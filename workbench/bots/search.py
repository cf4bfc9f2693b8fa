"""The bot that searches: it goes through games that agree with what its seat knows."""

from collections.abc import Mapping, Sequence
from random import Random
from typing import Any

import attrs

from interpreter import BUDGET_FORMS, Action, Budget, UsageError, budget_of
from workbench.errors import Refused

BITS = 53
"""So many bits of a bot's numbers a search begins with: as many as a number has."""


@attrs.frozen
class TreeSearch:
    """A bot that does what a tree search of some budget does most."""

    budget: Budget

    def __call__(
        self,
        _view: Mapping[str, Any],
        legal: Sequence[Action],
        sample: Any,
        numbers: Random,
    ) -> Action:
        """The action that was done most; the one that is legal, with no search."""
        if len(legal) == 1:
            return legal[0]
        from interpreter.search import search  # few wait for it

        key = int(numbers.random() * 2**BITS)
        index = search(sample(0), self.budget, key=key).index
        return next(action for action in legal if action.index == index)


def searching(name: str) -> TreeSearch | None:
    """The bot of a name that searches, with the budget in it; None: it is another.

    Raises `Refused` for a budget that is none.
    """
    try:
        budget = budget_of(name)
    except UsageError as error:
        raise Refused(error.message, f"write a budget as {BUDGET_FORMS}") from error
    return None if budget is None else TreeSearch(budget)
