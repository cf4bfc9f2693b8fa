"""Bot that searches games consistent with the knowledge of its seat."""

from collections.abc import Mapping, Sequence
from random import Random
from typing import Any

import attrs

from interpreter import BUDGET_FORMS, Action, Budget, UsageError, budget_of
from workbench.errors import Refused

BITS = 53
"""Number of random bits in the key of a search, as many as one number provides."""


@attrs.frozen
class TreeSearch:
    """Bot that takes the most visited action of a tree search with a budget."""

    budget: Budget

    def __call__(
        self,
        _view: Mapping[str, Any],
        legal: Sequence[Action],
        sample: Any,
        numbers: Random,
    ) -> Action:
        """Return the most visited action, without a search if only one is legal."""
        if len(legal) == 1:
            return legal[0]
        from interpreter.search import search  # slow, rarely needed

        key = int(numbers.random() * 2**BITS)
        index = search(sample(0), self.budget, key=key).index
        return next(action for action in legal if action.index == index)


def searching(name: str) -> TreeSearch | None:
    """Return the search bot with this name and budget, or None for any other name.

    Raises `Refused` if the budget is invalid.
    """
    try:
        budget = budget_of(name)
    except UsageError as error:
        raise Refused(error.message, f"write a budget as {BUDGET_FORMS}") from error
    return None if budget is None else TreeSearch(budget)
