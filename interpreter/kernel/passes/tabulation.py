"""Pass that replaces a value depending on only one member by a table lookup."""

from __future__ import annotations

from interpreter.kernel import operations as k
from interpreter.kernel.evaluator import evaluate
from interpreter.kernel.traversal import walk

MEMBERS_MAX = 1_024
"""Maximum number of members for which a table is built."""

FIXED = (
    k.Int,
    k.Amount,
    k.Var,
    k.Lookup,
    k.Binary,
    k.CompareValues,
    k.Between,
    k.Negate,
    k.GridIndex,
    k.Select,
)
"""Classes of values that read no state unless their parts do."""

TABULATED = (k.GridIndex, k.CompareValues, k.Between, k.Select)
"""Classes of values worth a table; others are tabulated only as parts of these."""


def tabulate(e: k.Value) -> k.Value | None:
    """Return a table lookup, a local or a constant that equals a value.

    Return None if it depends on more than one member, or a table would not be faster.
    """
    if not isinstance(e, TABULATED):
        return None
    inside = list(walk(e))
    locals_ = {x for x in inside if isinstance(x, k.Var)}
    if len(locals_) != 1 or not all(isinstance(x, FIXED) for x in inside):
        return None
    [local] = locals_
    size = next((x.size for x in inside if isinstance(x, k.Var) and x.size), None)
    if size is None or size > MEMBERS_MAX:
        return None
    values = tuple([int(evaluate(e, {local.slot: n})) for n in (*range(size), -1)])
    if values == (*range(size), -1):
        return k.Var(local.slot, size)
    if len(set(values)) == 1:
        return k.Int(values[0], truth=isinstance(e, k.CompareValues | k.Between))
    if sum(isinstance(x, k.Lookup | k.GridIndex) for x in inside) < 2:
        return None
    return k.Lookup(values, k.Var(local.slot, size))
