"""Tree search on the C engine, with one engine per plan and process."""

from __future__ import annotations

import ctypes
from functools import lru_cache
from threading import Lock

from interpreter.algorithms.budget import Budget
from interpreter.algorithms.tree import Tried
from interpreter.native.bots.searches import Searches
from interpreter.native.engine import Engine, NoNativeEngine, engine_for
from interpreter.plan.plan import Plan
from interpreter.playouts import PlayoutMemory
from interpreter.state.state import State


class CompiledSearch:
    """C engine of a plan with memory for searches; it runs one search at a time."""

    def __init__(self, engine: Engine) -> None:
        self.engine, self.lock = engine, Lock()
        self.room = PlayoutMemory(engine, len(engine.plan.actions.listed) + 1, None)
        self.searches: Searches | None = None
        self.seat = 0

    def start(self, state: State, budget: Budget, key: int) -> bool:
        """Start a search for the seat to act; return False if C cannot search."""
        memory = self.engine.write_state(state)
        if memory is None or self.engine.run(ctypes.addressof(memory)) < 0:
            return False
        self.memory, self.seat = memory, int(memory.who)
        seats = range(self.engine.plan.players)
        self.searches = self.room.allocate_searches(dict.fromkeys(seats, budget))
        assert self.searches is not None
        self.searches.start(ctypes.addressof(memory), key)
        return True

    def run_playouts(self, count: int) -> bool:
        """Run *count* further playouts; return False if the C engine cannot."""
        assert self.searches is not None
        return self.searches.run_playouts(ctypes.addressof(self.memory), count)

    def progress(self) -> tuple[int, int]:
        """Return the number of playouts so far, and of the decisions in them."""
        assert self.searches is not None
        return self.searches.progress(self.seat)

    def root_actions(self) -> list[Tried]:
        """Return the actions tried at the root, newest first."""
        assert self.searches is not None
        return self.searches.root_actions()


def compiled_search(plan: Plan) -> CompiledSearch | NoNativeEngine:
    """Return the C search of a plan, or the reason if there is none."""
    made = engine_for(plan, with_greedy=True, with_search=True)
    if isinstance(made, NoNativeEngine):
        return made
    lacks = made.states.translation.no_greedy_reason
    return _search_of(made) if lacks is None else NoNativeEngine(lacks)


@lru_cache(maxsize=8)
def _search_of(engine: Engine) -> CompiledSearch:
    """Return the search of an engine, always the same one."""
    return CompiledSearch(engine)
