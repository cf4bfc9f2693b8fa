"""Pass that unrolls loops over a few known members."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial, reduce
from typing import Any

from interpreter.kernel import operations as k
from interpreter.kernel.passes.costs import size
from interpreter.kernel.passes.rewriter import Rewriter
from interpreter.kernel.traversal import parts, walk

MEMBERS_MAX = 12
"""Maximum number of members of a loop that is unrolled."""

VALUE_SIZE_MAX = 600
"""Maximum number of operations of a value that a loop becomes."""

STATEMENT_SIZE_MAX = 200
"""Maximum number of operations of statements that a loop becomes."""

WORK_MAX = 6_000
"""Maximum number of operations that unrolling a loop may visit."""

COUNT_SENSITIVE = (k.Run, k.Leave, k.Fail, k.CheckBudget, k.Times)
"""Classes of operations that read the statement count or may end the count early."""


def unroll(t: Rewriter, e: Any) -> Any:
    """Return a loop over a few known members, written out by member."""
    join: Callable[[tuple[Any, ...]], k.Operation]
    body: k.Operation
    match e:
        case k.Fold(kind=k.FoldKind.ANY, where=k.Value() as body):
            join, room = k.Some, VALUE_SIZE_MAX
        case k.Fold(kind=k.FoldKind.COUNT, where=k.Value() as body):
            join, room = k.CountTrue, VALUE_SIZE_MAX
        case k.Fold(kind=k.FoldKind.SUM, where=None, value=k.Value() as body):
            join, room = total, VALUE_SIZE_MAX
        case k.ForEach(where=where, body=block) if not shows_locals(block):
            join, room = in_sequence, STATEMENT_SIZE_MAX
            body = k.Scope(block) if where is None else k.When(where, block)
        case _:
            return e
    members = t.members(e.sequence)
    if members is None or len(members) > MEMBERS_MAX or work(t, e) > WORK_MAX:
        return e
    rounds: list[Any] = []
    for member in members:
        rounds.append(t.substitute(body, {e.slot: k.Int(member)}))
        room -= size(rounds[-1], room)
        if room < 0:
            return e
    return join(tuple(rounds))


def shows_locals(block: k.Block) -> bool:
    """Return whether a failure of a block shows locals, whose loop must remain."""
    return any(isinstance(x, k.RequireTruth) for op in block for x in walk(op))


def total(rounds: tuple[k.Value, ...]) -> k.Value:
    """Return the sum of values."""
    return reduce(partial(k.Binary, "+"), rounds or (k.Int(0),))


def in_sequence(rounds: tuple[k.Statement, ...]) -> k.Statement:
    """Return the rounds of a loop as one statement.

    Operations that count statements are merged, unless an operation reads the count.
    """
    ops: list[k.Statement] = []
    for each in rounds:
        inside = each.body if isinstance(each, k.Scope) else (each,)
        ops += (each,) if any(isinstance(op, k.Bind) for op in inside) else inside
    if any(isinstance(x, COUNT_SENSITIVE) for op in ops for x in walk(op)):
        return k.Scope(tuple(ops))
    count = sum([op.count for op in ops if isinstance(op, k.Tick)])
    rest = [op for op in ops if not isinstance(op, k.Tick)]
    return k.Scope((k.Tick(count), *rest) if count else tuple(rest))


def work(t: Rewriter, e: k.Operation) -> int:
    """Return the number of operations visited if all loops in an operation unroll."""
    total = 1 + sum([work(t, part) for part in parts(e)])
    if isinstance(e, k.Fold | k.ForEach):
        members = t.members(e.sequence)
        total *= 1 if members is None else len(members) + 2
    return min(total, WORK_MAX + 1)
