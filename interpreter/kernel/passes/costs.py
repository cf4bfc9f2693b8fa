"""Estimated cost of evaluating an operation, and its size.

The cost is the number of operations; a loop counts once for each member.
"""

from __future__ import annotations

from interpreter.kernel import operations as k
from interpreter.kernel.passes.rewriter import Rewriter
from interpreter.kernel.traversal import parts

SEARCH_COST = 500
"""Assumed cost of a search over the board, or over combinations of cards."""

SCAN_COST = 5
"""Assumed cost of reading all cells of a row, or all cards of a stack."""

CALL_COST = 3
"""Cost of calling a function, in addition to the cost of its lines."""

ASSUMED_MEMBERS = 8
"""Assumed number of members of a sequence whose size is unknown."""

COST_MAX = 1_000_000

SEARCHES = (k.Ways, k.TrailLength, k.FoldSelections)
SCANS = (k.Total, k.CountEqual, k.CoversRow, k.Nonzero, k.Holding, k.StackRow)
LOOPS = (k.Fold, k.FilteredSet, k.BestSet, k.SortedSet, k.BuiltRow)
FREE = (
    *(k.Int, k.Amount, k.Absent, k.Var, k.LocalSet, k.LocalRow, k.Listed, k.Range),
    k.Binary,
)
"""Classes of operations without a cost, apart from the cost of their parts."""


def cost(t: Rewriter, e: k.Operation) -> int:
    """Return the cost of an operation."""
    total = own_cost(t, e)
    times = member_count(t, e.sequence) if isinstance(e, LOOPS) else 1
    for part in parts(e):
        total += cost(t, part) * (1 if isinstance(part, k.Sequence) else times)
    return min(total, COST_MAX)


def own_cost(t: Rewriter, e: k.Operation) -> int:
    """Return the cost of an operation without the cost of its parts."""
    if isinstance(e, FREE):
        return 0
    if isinstance(e, SEARCHES):
        return SEARCH_COST
    if isinstance(e, SCANS):
        return SCAN_COST
    if isinstance(e, k.CallFunction | k.CallSet | k.CallRow):
        return CALL_COST + function_cost(t, e.function)
    return 2 if isinstance(e, k.Load) else 1


def function_cost(t: Rewriter, name: str) -> int:
    """Return the cost of the lines of a function; 0 if it is unknown."""
    if name not in t.known_costs:
        t.known_costs[name] = 0
        function = t.functions(name)
        lines = () if function is None else function.lines
        every = [x for line in lines for x in line if x is not None]
        t.known_costs[name] = min(sum([cost(t, x) for x in every]), COST_MAX)
    return t.known_costs[name]


def member_count(t: Rewriter, e: k.Sequence) -> int:
    """Return the number of members of a sequence, or a guess if it may vary.

    All cells of a row are read to find those that are not 0.
    """
    members = t.members(e)
    if members is not None:
        return len(members)
    return e.size if isinstance(e, k.Nonzero) else ASSUMED_MEMBERS


def size(e: k.Operation, limit: int) -> int:
    """Return the number of operations in one; above *limit* it is not exact."""
    count, waiting = 0, [e]
    while waiting and count <= limit:
        count += 1
        waiting.extend(parts(waiting.pop()))
    return count
