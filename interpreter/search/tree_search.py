"""One search: by the engine that there is, as long as its budget lasts."""

from __future__ import annotations

from time import monotonic
from typing import Protocol

import attrs

from interpreter.algorithms.budget import Budget
from interpreter.algorithms.tree import Tried, Way, chosen
from interpreter.errors import UsageError
from interpreter.game import Game, state_of
from interpreter.knowledge.tree_search import TreeSearchRun, way_of
from interpreter.native.engine import NotNative
from interpreter.play.courses.engines import AUTO, ENGINES
from interpreter.play.courses.reference import NATIVE, REFERENCE
from interpreter.search.compiled_search import in_c

MANY = 16
"""Number of playouts between two checks for an interruption."""


@attrs.frozen
class Found:
    """What a search has found: the index of an action, and what is known of each.

    `tried` are the actions of the root, the most done first. `playouts` is how many
    there were, `decisions` how many in them.
    """

    index: int
    tried: tuple[Tried, ...]
    playouts: int
    decisions: int


class Searching(Protocol):
    """A search that goes on, by either engine."""

    def goes_on(self, more: int) -> bool:
        """Do so many playouts more; False: it must be done by the other engine."""

    def spent(self) -> tuple[int, int]:
        """Return how many playouts there were, and decisions in them."""

    def root(self) -> list[Tried]:
        """Return what was tried at the root, the newest first."""


def search(game: Game, budget: Budget, *, key: int = 0, engine: str = AUTO) -> Found:
    """Search for what the seat to act should do.

    `key` is what its random numbers begin with. Nothing is read of the game but what
    that seat knows. Where one action is legal there is nothing to search. Raises
    `UsageError` where nobody is to act or nothing is legal, or there is no such engine.
    """
    if engine not in ENGINES:
        raise UsageError(f"engine must be {', '.join(ENGINES)}, not {engine!r}")
    if game.to_act not in game.seats:
        raise UsageError("no seat must decide here: there is nothing to search for")
    legal = game.legal_indices()
    if not legal:
        raise UsageError(f"{game.to_act} must decide but has no legal action")
    if len(legal) == 1:
        return Found(legal[0], (), 0, 0)
    state = state_of(game)
    native = None if engine == REFERENCE else in_c(state.plan)
    if isinstance(native, NotNative):
        if engine == NATIVE:
            raise UsageError(f"the native engine cannot search it: {native.reason}")
        native = None
    if native is not None:
        with native.lock:
            if native.begins(state, budget, key):
                answer = gone(native, budget, way_of(state.plan))
                if answer is not None:
                    return answer
    answer = gone(TreeSearchRun(state, budget, key), budget, way_of(state.plan))
    assert answer is not None
    return answer


def gone(searching: Searching, budget: Budget, way: Way) -> Found | None:
    """Let a search go on as long as there is more to do; None: by the other engine."""
    begun, more = monotonic(), MANY if budget.seconds is None else 1
    spent = None
    while budget.lasts(*searching.spent()) and spent != searching.spent():
        spent = searching.spent()
        if not searching.goes_on(more):
            return None
        if budget.seconds is not None and monotonic() - begun >= budget.seconds:
            break
    tried = searching.root()
    ordered = sorted(tried, key=lambda each: -each.visits)
    return Found(chosen(tried, way).index, tuple(ordered), *searching.spent())
