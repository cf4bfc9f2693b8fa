"""Identity of positions: everything that can affect the rest of a game."""

from __future__ import annotations

import hashlib
import json
from typing import Any

from interpreter.plan.plan import Plan
from interpreter.state.state import State


def identity(state: State) -> tuple[Any, ...]:
    """Return a tuple that is equal for two states only if they are equivalent."""
    plan = state.plan
    return (
        plan.book.digest,
        plan.players,
        tuple(plan.options.items()),
        tuple(state.s),
        tuple(map(tuple, state.frames)),
        state.triggers,
        state.split,
        state.answered,
        None if state.given else state.seed,
        tuple(sorted(state.counts.items())),
    )


def has_same_cells(plan: Plan, other: Plan) -> bool:
    """Return whether two plans store each value in the same cell."""
    mine, theirs = (
        (p.layout, p.values.names, p.changes_turn_order, p.players)
        for p in (plan, other)
    )
    return mine == theirs


def position_key(plan: Plan, position: dict[str, Any]) -> str:
    """Return an identifier of a position, the same on every machine."""
    whole = [plan.book.digest, plan.options, position]
    text = json.dumps(whole, ensure_ascii=False, separators=(",", ":"))
    return f"sha256:{hashlib.sha256(text.encode()).hexdigest()}"
