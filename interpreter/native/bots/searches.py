"""Tree searches in C: their memory and their results."""

from __future__ import annotations

import ctypes
from collections.abc import Mapping
from typing import Any

from interpreter.algorithms.budget import Budget
from interpreter.algorithms.tree import SearchParameters, Tried
from interpreter.native.c_layout import structure_type

ALL = (1 << 63) - 1
INT, REAL, AT = ctypes.c_int64, ctypes.c_double, ctypes.c_void_p
SEARCH = structure_type(
    "Search",
    **dict.fromkeys(
        (
            *("playouts", "most", "turns", "min_decisions", "max_decisions"),
            *("values_positions", "room", "slots"),
        ),
        INT,
    ),
    **dict.fromkeys(("width", "exploration", "required_margin"), REAL),
    **dict.fromkeys(("done", "decisions", "nodes", "tried"), INT),
    **dict.fromkeys(("node", "child"), AT),
)
INT32 = ctypes.c_int32
NODE = structure_type("Node", key=INT, visits=INT, first=INT32, actions=INT32)
CHILD = structure_type(
    "Tried", sum=REAL, visits=INT, legal=INT, index=INT32, next=INT32
)


class Searches:
    """Memory for the tree searches of a native game, with a budget for each seat.

    Seats share the memory of the tree, because only one seat searches at a time.
    """

    def __init__(
        self,
        library: Any,
        max_nodes: int,
        parameters: SearchParameters,
        budgets: Mapping[int, Budget],
    ) -> None:
        self.library, self._room, self.budgets = library, max_nodes, dict(budgets)
        library.rb_thought.restype = ctypes.c_size_t
        library.rb_searches.argtypes = [AT, AT, AT]
        library.rb_search_begins.argtypes = [AT, AT, ctypes.c_uint64]
        library.rb_search_goes_on.argtypes = [AT, AT, INT]
        library.rb_search_root.argtypes = [AT, AT]
        library.rb_search_root.restype = INT
        nodes = max((each.room for each in budgets.values()), default=1)
        slots = 1 << (2 * nodes).bit_length()
        self._nodes, self._tried = (NODE * slots)(), (CHILD * nodes)()
        self._searches = (SEARCH * (max(budgets, default=0) + 1))()
        self._thought = (ctypes.c_uint64 * (library.rb_thought() // 8 + 1))()
        for seat, budget in budgets.items():
            search = self._searches[seat]
            search.playouts = ALL if budget.playouts is None else budget.playouts
            search.most = ALL if budget.decisions is None else budget.decisions
            for name in ("turns", "min_decisions", "max_decisions", "values_positions"):
                setattr(search, name, getattr(parameters, name))
            for name in ("width", "exploration", "required_margin"):
                setattr(search, name, getattr(parameters, name))
            search.room, search.slots = budget.room, slots
            search.node = ctypes.addressof(self._nodes)
            search.child = ctypes.addressof(self._tried)
        at = map(ctypes.addressof, (self._searches, self._thought))
        library.rb_searches(max_nodes, *at)

    def start(self, game: int, key: int) -> None:
        """Start a search for the seat to act in the game at *game*; *key* seeds it."""
        self.library.rb_search_begins(game, self._room, key)

    def run_playouts(self, game: int, count: int) -> bool:
        """Run *count* more playouts; return False if a playout cannot be run in C."""
        return bool(self.library.rb_search_goes_on(game, self._room, count))

    def progress(self, seat: int) -> tuple[int, int]:
        """Return the number of playouts so far, and the number of decisions in them."""
        search = self._searches[seat]
        return int(search.done), int(search.decisions)

    def root_actions(self) -> list[Tried]:
        """Return the actions tried at the root, newest first."""
        rows = (CHILD * len(self._tried))()
        count = self.library.rb_search_root(self._room, ctypes.addressof(rows))
        return [Tried(x.index, x.sum, x.visits, x.legal) for x in rows[:count]]
