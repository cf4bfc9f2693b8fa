"""Tree-search bot, which searches games consistent with its seat's knowledge."""

from collections.abc import Mapping, Sequence
from random import Random
from typing import Any

import attrs

from interpreter import BUDGET_FORMS, Action, Budget, UsageError, parse_budget
from workbench.errors import RequestError

KEY_BITS = 53
"""Number of random bits in a search key, as many as in one random float."""


@attrs.frozen
class TreeSearch:
    """Bot that chooses the most visited action of a tree search."""

    budget: Budget

    def __call__(
        self,
        _view: Mapping[str, Any],
        legal: Sequence[Action],
        sample: Any,
        rng: Random,
    ) -> Action:
        """Return the most visited action, or the only legal one without a search."""
        if len(legal) == 1:
            return legal[0]
        from interpreter.search import search  # slow, rarely needed

        key = int(rng.random() * 2**KEY_BITS)
        index = search(sample(0), self.budget, key=key).index
        return next(action for action in legal if action.index == index)


def search_bot(name: str) -> TreeSearch | None:
    """Return the search bot with this name, or None if no search bot has it.

    The name may include a budget. Raises `RequestError` if the budget is invalid.
    """
    try:
        budget = parse_budget(name)
    except UsageError as error:
        raise RequestError(
            error.message, f"write a budget as {BUDGET_FORMS}"
        ) from error
    return None if budget is None else TreeSearch(budget)
