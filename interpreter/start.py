"""The cells as they are before set-up runs: every field at its start value."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import rulebook as rb
from interpreter.errors import PositionError
from interpreter.layout import ENDLESS, Block
from interpreter.stacks import unknown_stack

if TYPE_CHECKING:
    from interpreter.plan.plan import Plan

SPACES = frozenset({"face", "corner", "link", "space"})


def start_cells(plan: Plan) -> list[Any]:
    """Return the cells at the very beginning."""
    s = list(plan.layout.empty)
    for block in plan.layout.fields.values():
        for owner in range(block.count):
            row = block.row(owner)
            s[row : row + block.size] = start_row(plan, block)
    return s


def start_row(plan: Plan, block: Block) -> list[Any]:
    """Return the start value of a field, as cells."""
    field = block.field
    match field.type:
        case rb.Bag(domain=domain):
            return list(start_counts(plan, field, domain))
        case rb.Stack(domain=domain):
            return [unknown_stack(start_counts(plan, field, domain))]
        case _:
            if field.start is None:
                return [plan.layout.empty[block.base]]
            return [plan.constant(field.start)]


def start_counts(plan: Plan, field: rb.Field, domain: str) -> tuple[int, ...]:
    """Return how many of each card a holder has at the start."""
    size = plan.facts.sizes[domain]
    if field.endless:
        return (ENDLESS,) * size
    if field.start_every:
        return plan.facts.copies(domain)
    if field.start_each is not None:
        return (plan.constant(field.start_each),) * size
    if field.start is not None:
        counts: tuple[int, ...] = plan.constant(field.start)
        return counts
    return (0,) * size


def lay_board(plan: Plan, s: list[Any], board: Any) -> None:
    """Write what set-up would deal: {space: {attribute: value}}."""
    if not isinstance(board, dict):
        raise PositionError("board", "expected {space: {attribute: value}}")
    dealt = [b for b in plan.layout.fields.values() if b.field.dealt]
    domains = plan.facts.model.domains.values()
    sorts = [one.name for one in domains if one.sort in SPACES]
    for space, attributes in board.items():
        if all(plan.values.member(sort, space) is None for sort in sorts):
            raise PositionError(f"board.{space}", "there is no such space")
        if not isinstance(attributes, dict):
            raise PositionError(f"board.{space}", "expected {attribute: value}")
        for name, value in attributes.items():
            path = f"board.{space}.{name}"
            for block in dealt:
                owner = block.field.owner
                assert owner is not None
                index = plan.values.member(owner, space)
                if block.field.name == name and index is not None:
                    s[block.row(index)] = dealt_value(plan, block, value, path)
                    break
            else:
                raise PositionError(path, "set-up deals no such thing")


def dealt_value(plan: Plan, block: Block, value: Any, path: str) -> Any:
    """Return what set-up dealt to a space; a number may be none, as on a card."""
    kind = block.field.type
    if value is None and isinstance(kind, rb.Whole) and kind.low <= rb.NONE:
        return rb.NONE
    return plan.values.from_plain(kind, value, path)
