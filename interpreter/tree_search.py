"""Searching for what a seat should do, in games that agree with what it knows.

In C where there is an engine, else in the interpreter: the same key and the same number
of playouts choose the same.
"""

from __future__ import annotations

import ctypes
from functools import lru_cache
from threading import Lock
from time import monotonic
from typing import Protocol

import attrs

from interpreter.courses.engines import AUTO, ENGINES, NATIVE, REFERENCE
from interpreter.errors import UsageError
from interpreter.game import Game, state_of
from interpreter.knowledge.search import Search, way_of
from interpreter.native.bots.searches import Searches
from interpreter.native.engine import Engine, NotNative, engine
from interpreter.plan.plan import Plan
from interpreter.searches.tree import Budget, Tried, most_done
from interpreter.state.state import State
from interpreter.whole_games import Room

MANY = 16
"""So many playouts are done before it is seen whether there is time left."""


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


class InC:
    """A plan's engine in C, with room for searches; for one search at a time."""

    def __init__(self, made: Engine) -> None:
        self.engine, self.lock = made, Lock()
        self.room = Room(made, len(made.plan.actions.listed) + 1, None)
        self.searches: Searches | None = None
        self.budget: Budget | None = None
        self.seat = 0

    def begins(self, state: State, budget: Budget, key: int) -> bool:
        """Begin a search of the seat that acts; False: there is no room for the game."""
        memory = self.engine.written(state)
        if memory is None or self.engine.run(ctypes.addressof(memory)) < 0:
            return False
        self.memory, self.seat = memory, int(memory.who)
        if self.budget != budget or self.searches is None:
            seats = range(self.engine.plan.players)
            self.searches = Searches(
                self.engine.library,
                self.room.at,
                way_of(self.engine.plan),
                dict.fromkeys(seats, budget),
            )
            self.budget = budget
        self.searches.begins(ctypes.addressof(memory), key)
        return True

    def goes_on(self, more: int) -> bool:
        """Do so many playouts more."""
        assert self.searches is not None
        return self.searches.goes_on(ctypes.addressof(self.memory), more)

    def spent(self) -> tuple[int, int]:
        """Return how many playouts there were, and decisions in them."""
        assert self.searches is not None
        return self.searches.done(self.seat)

    def root(self) -> list[Tried]:
        """Return what was tried at the root, the newest first."""
        assert self.searches is not None
        return self.searches.root()


@lru_cache(maxsize=8)
def in_c(plan: Plan) -> InC | NotNative:
    """Return the engine in C that searches by a plan, or why there is none."""
    made = engine(plan, thinks=True, searches=True)
    return made if isinstance(made, NotNative) else InC(made)


def search(game: Game, budget: Budget, *, key: int = 0, engine: str = AUTO) -> Found:
    """Search for what the seat to act should do.

    Nothing is read of the game but what that seat knows. Raises `UsageError` where
    nobody is to act, where nothing bounds the search, or there is no such engine.
    """
    if engine not in ENGINES:
        raise UsageError(f"an engine is {', '.join(ENGINES)}, not {engine!r}")
    check(budget)
    if game.to_act is None:
        raise UsageError("nobody is to act here: there is nothing to search for")
    legal = game.legal_indices()
    if len(legal) == 1:
        return Found(legal[0], (), 0, 0)
    state = state_of(game)
    native = None if engine == REFERENCE else in_c(state.plan)
    if isinstance(native, NotNative):
        if engine == NATIVE:
            raise UsageError(f"it cannot be searched in C: {native.reason}")
        native = None
    if native is not None:
        with native.lock:
            if native.begins(state, budget, key):
                found = gone(native, budget)
                if found is not None:
                    return found
    found = gone(Search(state, budget, key), budget)
    assert found is not None
    return found


def gone(searching: Searching, budget: Budget) -> Found | None:
    """Let a search go on as long as it may; None: the other engine must do it."""
    begun, before = monotonic(), -1
    while before < (done := searching.spent()[0]):
        before = done
        if not searching.goes_on(MANY):
            return None
        if budget.seconds is not None and monotonic() - begun >= budget.seconds:
            break
    tried = searching.root()
    ordered = sorted(tried, key=lambda each: -each.visits)
    return Found(most_done(tried).index, tuple(ordered), *searching.spent())


def check(budget: Budget) -> None:
    """Raise `UsageError` for a search that does nothing, or never ends."""
    bounds = attrs.asdict(budget)
    if all(bound is None for bound in bounds.values()):
        raise UsageError(f"a search must have a bound: {', '.join(bounds)}")
    for name, bound in bounds.items():
        if bound is not None and not bound > 0:
            raise UsageError(f"a search of {bound} {name} finds nothing")
