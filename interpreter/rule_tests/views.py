"""Values and events that a scenario expects somebody to see.

A reader sees a value if all that the value reads in the position is visible to the
reader, as in `interpreter.knowledge`. Conclusions from visible values do not count.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from interpreter.core.action_index import argument_text
from interpreter.core.layout import Block
from interpreter.explain.evaluator import ExpressionEvaluator
from interpreter.game import Game
from interpreter.knowledge.views import visible_cells
from interpreter.knowledge.visibility import is_place_visible, is_row_visible
from interpreter.phrases import card_counts
from interpreter.state.state import State
from rulebook import model as m
from rulebook.secrecy import HiddenReadFinder

CONTENTS = -1
"""Place recorded for a stack whose cards were all read."""

REASONS = {
    m.Audience.ALL: "contains face-down cards",
    m.Audience.OWNER: "is seen only by its owner",
    m.Audience.NOBODY: "is seen by nobody",
}
"""Reasons why a field is not visible, by its audience."""


class ReadEntries(tuple[Any, ...]):  # noqa: SLOT001 (a tuple cannot have slots)
    """Cards of a stack that record the places at which they are read."""

    places: set[int]

    def __getitem__(self, place: Any) -> Any:
        self.places.add(place)
        return super().__getitem__(place)

    def __iter__(self) -> Iterator[Any]:
        self.places.add(CONTENTS)
        return super().__iter__()


class ReadCells(list[Any]):
    """Cells of a state that record which of them are read.

    `places` contains the places read of each stack, by cell.
    """

    def __init__(self, cells: list[Any], stacks: frozenset[int]) -> None:
        super().__init__(cells)
        self.read: set[int] = set()
        self.places: dict[int, set[int]] = {cell: set() for cell in stacks}

    def __getitem__(self, key: Any) -> Any:
        value = super().__getitem__(key)
        if isinstance(key, slice):
            self.read.update(range(*key.indices(len(self))))
            return value
        self.read.add(key)
        if key not in self.places:
            return value
        entries, pool = value
        traced = ReadEntries(entries)
        traced.places = self.places[key]
        return traced, pool


class ValueReader:
    """Reader of values in a position, who finds out which of them are visible."""

    def __init__(self, g: State, finder: HiddenReadFinder) -> None:
        self.g = g
        self.plan = g.plan
        self.finder = finder
        self.rows = [
            (block, index)
            for block in self.plan.layout.fields.values()
            for index in range(block.count)
        ]

    def value_and_reads(
        self, expression: m.Expr, frame: list[Any]
    ) -> tuple[Any, ReadCells]:
        """Return the value of an expression as plain data, and the cells it reads."""
        stacks = frozenset(
            block.row(index)
            for block, index in self.rows
            if isinstance(block.field.type, m.Stack)
        )
        cells = ReadCells(self.g.s, stacks)
        value = ExpressionEvaluator(self.plan, cells, frame).value(expression)
        if isinstance(expression.type, m.Stack):
            value = (tuple(value[0]), value[1])
        return self.plan.values.to_plain(expression.type, value), cells

    def hidden_reasons(
        self, expression: m.Expr, cells: ReadCells, seat: int | None
    ) -> Iterator[str]:
        """Yield why a seat, or a spectator (None), does not see what was read."""
        visible = visible_cells(self.plan, self.g, seat)
        if any(visible[cell] != self.g.s[cell] for cell in cells.read):
            yield "a choice that is still secret has changed it"
        fields = {read.field.field for read in self.finder.hidden_reads(expression)}
        for block, index in self.rows:
            row = block.row(index)
            if cells.read.isdisjoint(range(row, row + block.size)):
                continue
            if row in cells.places:
                seen = self.are_places_visible(
                    visible, block, index, seat, cells.places[row]
                )
            else:
                seen = block.field.key not in fields or is_row_visible(
                    self.plan, visible, block, index, seat
                )
            if not seen:
                field = block.field
                yield f"`{field.written_name}` {REASONS[field.seen_by]}"

    def are_places_visible(
        self,
        s: list[Any],
        block: Block,
        index: int,
        seat: int | None,
        places: set[int],
    ) -> bool:
        """Return whether a seat sees the cards of a stack that were read."""
        count = len(s[block.row(index)][0])
        read = places - {CONTENTS}
        if CONTENTS in places and block.field.seen_by is not m.Audience.ALL:
            read = set(range(count))
        return all(
            is_place_visible(self.plan, s, block, index, place, seat)
            for place in read
            if place < count
        )


def value_text(value: Any) -> str:
    """Return a plain value as scenarios write it, such as `2 wood, 1 clay`."""
    match value:
        case {"known": known}:
            cards = [argument_text(card) for card in known]
            return ", ".join(cards) or "nothing"
        case dict():
            return ", ".join(card_counts(value)) or "nothing"
        case list():
            return ", ".join(map(argument_text, value)) or "nothing"
        case _:
            return argument_text(value)


def last_event(game: Game, name: str) -> int | None:
    """Return the number of the last event with a name, or None if there is none.

    The name is that of an action, a choice or a chance event.
    """
    for number in reversed(range(len(game.events))):
        event = game.events[number]
        text = event.get("action") or event.get("chance") or ""
        if text.split("(")[0] == name:
            return number
    return None
