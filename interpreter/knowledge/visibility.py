"""Visibility of fields, and the cells that a seat owns or does not see."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from interpreter.core.layout import Block
from interpreter.plan.plan import Plan, owning_seat
from rulebook import model as m
from rulebook.model import Audience


def sees(plan: Plan, s: list[Any], block: Block, index: int, seat: int | None) -> bool:
    """Return whether a seat sees row *index* of a field; None is a spectator."""
    if block.field.seen_by is Audience.ALL:
        return True
    if seat is None:
        return False
    if (
        block.field.seen_by is Audience.OWNER
        and owning_seat(plan, block, index) == seat
    ):
        return True
    return block.viewers_base is not None and bool(
        s[block.viewers_base + index] >> seat & 1
    )


def is_row_visible(
    plan: Plan, s: list[Any], block: Block, index: int, seat: int | None
) -> bool:
    """Return whether a seat sees a row's value, or knows that it contains no card."""
    if sees(plan, s, block, index, seat):
        return True
    row = block.row(index)
    match block.field.type:
        case m.Bag():
            return not any(s[row : row + block.size])
        case m.Member() as card if m.is_card(plan.model.domains, card):
            return bool(s[row] < 0)
        case _:
            return False


def is_place_visible(
    plan: Plan, s: list[Any], block: Block, index: int, place: int, seat: int | None
) -> bool:
    """Return whether a seat knows the card at a place of a stack, from 0 at the top."""
    card, knowing_seats = s[block.row(index)][0][place]
    if seat is None:
        is_public = block.field.seen_by is Audience.ALL
        return card >= 0 and is_public and knowing_seats == plan.all_seats
    return card >= 0 and bool(knowing_seats >> seat & 1)


def own_rows(plan: Plan, seat: int | None) -> Iterator[slice]:
    """Yield the cells of every field that a seat owns, as slices."""
    for block in plan.layout.fields.values():
        for index in range(block.count):
            if seat is not None and owning_seat(plan, block, index) == seat:
                yield slice(block.row(index), block.row(index) + block.size)


def unseen_rows(
    plan: Plan, s: list[Any], blocks: Iterable[Block], seat: int | None
) -> list[tuple[Block, int]]:
    """Return the rows that a seat does not see, as (block of field, first cell)."""
    return [
        (block, block.row(index))
        for block in blocks
        for index in range(block.count)
        if not sees(plan, s, block, index, seat)
    ]


def without_hidden(plan: Plan, s: list[Any], seat: int | None) -> list[Any]:
    """Return the cells with every field empty that is hidden from a seat."""
    known = list(s)
    for block in plan.layout.fields.values():
        if block.field.seen_by is not Audience.ALL:
            for index in range(block.count):
                if not sees(plan, s, block, index, seat):
                    row, end = block.row(index), block.row(index) + block.size
                    known[row:end] = plan.layout.empty_cells[row:end]
    return known
