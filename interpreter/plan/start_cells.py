"""Cells of a game before set-up, with the start value of every field."""

from __future__ import annotations

from typing import Any

from interpreter.core.facts import Facts
from interpreter.core.layout import ENDLESS, Block
from interpreter.core.stacks import unknown_stack
from interpreter.core.values import Values
from interpreter.errors import PositionError
from interpreter.expressions.constants import constant
from rulebook import model as m


def start_cells(facts: Facts) -> list[Any]:
    """Return all cells of the state before set-up."""
    s = list(facts.layout.empty_cells)
    for block in facts.layout.fields.values():
        for owner in range(block.count):
            row = block.row(owner)
            s[row : row + block.size] = start_row(facts, block)
    return s


def start_row(facts: Facts, block: Block) -> list[Any]:
    """Return the start values of the cells that a field has for one owner."""
    field = block.field
    match field.type:
        case m.Bag(domain=domain):
            return list(start_counts(facts, field, domain))
        case m.Stack(domain=domain):
            return [unknown_stack(start_counts(facts, field, domain))]
        case _:
            if field.start is None:
                return [facts.layout.empty_cells[block.base]]
            return [constant(facts, field.start)]


def start_counts(facts: Facts, field: m.Field, domain: str) -> tuple[int, ...]:
    """Return the number of cards of each kind in a holder at the start of a game."""
    size = facts.sizes[domain]
    if field.endless:
        return (ENDLESS,) * size
    if field.start_every:
        return facts.copies(domain)
    if field.start_each is not None:
        return (constant(facts, field.start_each),) * size
    if field.start is not None:
        counts: tuple[int, ...] = constant(facts, field.start)
        return counts
    return (0,) * size


def write_board(facts: Facts, values: Values, s: list[Any], board: Any) -> None:
    """Write dealt values to the cells *s*; *board* is {space: {attribute: value}}."""
    if not isinstance(board, dict):
        raise PositionError("board", "expected {space: {attribute: value}}")
    dealt = [b for b in facts.layout.fields.values() if b.field.dealt]
    domains = facts.model.domains.values()
    sorts = [domain.name for domain in domains if domain.sort.is_place]
    for space, attributes in board.items():
        if all(values.member(sort, space) is None for sort in sorts):
            raise PositionError(f"board.{space}", f"there is no space `{space}`")
        if not isinstance(attributes, dict):
            raise PositionError(f"board.{space}", "expected {attribute: value}")
        for name, value in attributes.items():
            path = f"board.{space}.{name}"
            for block in dealt:
                owner = block.field.owner
                assert owner is not None
                index = values.member(owner, space)
                if block.field.name == name and index is not None:
                    s[block.row(index)] = parse_dealt_value(values, block, value, path)
                    break
            else:
                raise PositionError(path, "set-up does not deal this attribute")


def parse_dealt_value(values: Values, block: Block, value: Any, path: str) -> Any:
    """Return the cell for a plain value dealt to a space.

    The value may be None only if a card can represent none.
    """
    kind = block.field.type
    if value is None and isinstance(kind, m.Whole) and kind.low <= m.NONE:
        return m.NONE
    return values.from_plain(kind, value, path)
