"""Execution of one search on an available engine, within its budget."""

from __future__ import annotations

from time import monotonic
from typing import Protocol

import attrs

from interpreter.algorithms.budget import Budget
from interpreter.algorithms.tree import SearchParameters, Tried, best_action
from interpreter.errors import UsageError
from interpreter.game import Game, state_of
from interpreter.knowledge.sample_tree_search import TreeSearchRun, search_parameters
from interpreter.native.engine import NoNativeEngine
from interpreter.play.courses.engines import AUTO, ENGINES
from interpreter.play.courses.reference import NATIVE, REFERENCE
from interpreter.search.compiled_search import compiled_search

PLAYOUTS_PER_CALL = 16
"""Number of playouts between two checks for an interruption."""


@attrs.frozen
class Found:
    """Result of a search: the index of the best action, and statistics of each action.

    `tried` contains the actions tried at the root, most visited first. `playouts` is
    the number of playouts, and `decisions` the number of decisions in them.
    """

    index: int
    tried: tuple[Tried, ...]
    playouts: int
    decisions: int


class RunningSearch(Protocol):
    """Search in progress, on either engine."""

    def run_playouts(self, count: int) -> bool:
        """Run *count* more playouts; return False if the other engine must search."""

    def progress(self) -> tuple[int, int]:
        """Return the number of playouts so far, and of the decisions in them."""

    def root_actions(self) -> list[Tried]:
        """Return the actions tried at the root, newest first."""


def search(game: Game, budget: Budget, *, key: int = 0, engine: str = AUTO) -> Found:
    """Search for the best action of the seat to act.

    `key` determines the random numbers. The search uses only what that seat knows. If
    only one action is legal, it is returned without a search. Raise `UsageError` if no
    seat is to act, no action is legal, or the engine is not available.
    """
    if engine not in ENGINES:
        raise UsageError(f"engine must be {', '.join(ENGINES)}, not {engine!r}")
    if game.to_act not in game.seats:
        raise UsageError("no seat must decide, so there is nothing to search for")
    legal = game.legal_indices()
    if not legal:
        raise UsageError(f"{game.to_act} must decide but has no legal action")
    if len(legal) == 1:
        return Found(legal[0], (), 0, 0)
    state = state_of(game)
    native = None if engine == REFERENCE else compiled_search(state.plan)
    if isinstance(native, NoNativeEngine):
        if engine == NATIVE:
            raise UsageError(
                f"the native engine cannot search this game: {native.reason}"
            )
        native = None
    if native is not None:
        with native.lock:
            if native.start(state, budget, key):
                result = run_to_limit(native, budget, search_parameters(state.plan))
                if result is not None:
                    return result
    result = run_to_limit(
        TreeSearchRun(state, budget, key), budget, search_parameters(state.plan)
    )
    assert result is not None
    return result


def run_to_limit(
    running_search: RunningSearch, budget: Budget, parameters: SearchParameters
) -> Found | None:
    """Run a search to its limit; return None if the other engine must search."""
    begun, more = monotonic(), PLAYOUTS_PER_CALL if budget.seconds is None else 1
    last_progress = None
    while (
        budget.allows_playout(*running_search.progress())
        and last_progress != running_search.progress()
    ):
        last_progress = running_search.progress()
        if not running_search.run_playouts(more):
            return None
        if budget.seconds is not None and monotonic() - begun >= budget.seconds:
            break
    tried = running_search.root_actions()
    ordered = sorted(tried, key=lambda each: -each.visits)
    return Found(
        best_action(tried, parameters).index, tuple(ordered), *running_search.progress()
    )
