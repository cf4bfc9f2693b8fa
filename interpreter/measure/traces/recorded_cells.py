"""Cells whose changes a trace records: cards, pieces and holders of awards.

Cards are recorded as counts in bags, or as single cards in fields, if the rules move
them. Stacks and endless bags are not recorded, because the other holder in each move is
recorded.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from enum import Enum

import attrs

from interpreter.core.layout import ROUND, STARTER, STATUS, TURN, Block
from interpreter.plan.plan import Plan, owning_seat, units
from rulebook import model as m
from rulebook.signatures import effects_within

NOBODY = -1
END_COLUMNS = (ROUND, TURN, STARTER, STATUS)
"""Counters in the row for the end of a game, before all recorded cells."""


class CellMeaning(Enum):
    """Meaning of a recorded cell.

    `CARDS`: number of copies of a card; `CARD`: the card itself; `PIECE`: owner of the
    piece on a space; `COUNT`: number of an owner's pieces on a space; `AWARD`: holder
    of an award.
    """

    CARDS = "cards"
    CARD = "card"
    PIECE = "piece"
    COUNT = "count"
    AWARD = "award"


CARDS = frozenset({CellMeaning.CARDS, CellMeaning.CARD})
PIECES = frozenset({CellMeaning.PIECE, CellMeaning.COUNT})


@attrs.frozen
class WatchedCell:
    """Recorded cell: its meaning, its subject, its place, and the seat that owns it.

    `sort` is the domain of the cards, or of the spaces. `subject` is the card or piece;
    it is empty for a single card, because the cell contains the card.
    """

    cell: int
    meaning: CellMeaning
    subject: str
    sort: str
    place: str
    seat: int = NOBODY


def recorded_cells(plan: Plan) -> tuple[WatchedCell, ...]:
    """Return the recorded cells in order."""
    listed = [*_cards(plan), *_pieces(plan)]
    for name, cell in plan.layout.awards.items():
        listed.append(WatchedCell(cell, CellMeaning.AWARD, name, "", name))
    return tuple(sorted(listed, key=lambda seen: seen.cell))


def ranges(plan: Plan) -> list[tuple[int, int]]:
    """Return the recorded cells as half-open ranges."""
    merged: list[list[int]] = []
    for seen in recorded_cells(plan):
        if merged and merged[-1][1] == seen.cell:
            merged[-1][1] += 1
        else:
            merged.append([seen.cell, seen.cell + 1])
    return [(first, end) for first, end in merged]


def _fields_in_moves(model: m.Model) -> frozenset[str]:
    """Return the fields to or from which the rules move or deal cards."""
    bodies = [unit.body for unit in units(model)]
    return frozenset(
        place.field
        for effects in effects_within(bodies)
        if effects.cards or effects.dealt_domain
        for place in effects.fields
    )


def _cards(plan: Plan) -> Iterator[WatchedCell]:
    moved_fields = _fields_in_moves(plan.model)
    for key, block in plan.layout.fields.items():
        if key not in moved_fields:
            continue
        match block.field.type:
            case m.Bag(domain=domain) if not block.field.endless:
                for owner in range(block.count):
                    seat = _seat(plan, block, owner)
                    for place, kind in enumerate(plan.values.names[domain]):
                        cell = block.row(owner) + place
                        yield WatchedCell(
                            cell, CellMeaning.CARDS, kind, domain, key, seat
                        )
            case m.Member(domain=domain) as card if m.is_card(plan.model.domains, card):
                for owner in range(block.count):
                    seat = _seat(plan, block, owner)
                    yield WatchedCell(
                        block.row(owner), CellMeaning.CARD, "", domain, key, seat
                    )
            case _:
                pass


def _seat(plan: Plan, block: Block, owner: int) -> int:
    seat = owning_seat(plan, block, owner)
    return NOBODY if seat is None else seat


def _pieces(plan: Plan) -> Iterator[WatchedCell]:
    names: Mapping[str, tuple[str, ...]] = plan.values.names
    for name, piece in plan.layout.pieces.items():
        for domain, base in piece.bases.items():
            for number, space in enumerate(names[domain]):
                if not piece.owners:
                    yield WatchedCell(
                        base + number, CellMeaning.PIECE, name, domain, space
                    )
                    continue
                is_per_player = plan.model.pieces[name].each_player
                for owner in range(piece.owners):
                    cell = base + number * piece.owners + owner
                    seat = owner if is_per_player else NOBODY
                    yield WatchedCell(
                        cell, CellMeaning.COUNT, name, domain, space, seat
                    )
