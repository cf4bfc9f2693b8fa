"""Spaces on the sides of others: `spaces edge on the sides of cell by side`.

Every side of a square or hex has one or more of these spaces, in clockwise order. Each
faces a space on the touching side of the next square or hex.
"""

from __future__ import annotations

import itertools

from rulebook import model as m
from rulebook import syntax as s
from rulebook.check.declare import hex_geometry
from rulebook.check.declare.domains import declare_domain
from rulebook.check.declare.symbol_table import SymbolTable, mistake
from rulebook.model import RelationSort
from rulebook.model.value_types import NONE, Member, Whole

SQUARE_STEPS = ((0, 1), (1, 0), (0, -1), (-1, 0))
"""Steps across the sides of a square, clockwise from the north."""

Place = tuple[int, int]


def declare_spaces_on_sides(world: SymbolTable) -> None:
    """Declare the spaces on the sides of others, with what they face and touch."""
    for clause in world.clauses.values():
        if isinstance(clause, s.SpacesClause) and clause.on_sides:
            declare_domain(world, clause)
            if clause.name.text in world.domains:
                with world.collect_errors():
                    _relate(world, clause)


def _relate(world: SymbolTable, clause: s.SpacesClause) -> None:
    home, side = clause.axes
    spaces = world.domains[clause.name.text]
    places, steps = _geometry(world, home.name)
    sides = spaces.axes[1].size
    if not isinstance(spaces.axes[1].type, Member):
        raise mistake(
            "RB106",
            side.span,
            "the sides are named by a kind, not by numbers",
            "declare one, as in `kind side: north, east, south, west`",
        )
    if sides % len(steps):
        raise mistake(
            "RB106",
            side.span,
            f"a {home.name.text} has {len(steps)} sides, but `{side.name.text}` has "
            f"{sides} members",
            f"name a kind with one member for each side, clockwise, or with two or "
            f"more for each: {len(steps)} or {2 * len(steps)} members",
        )
    facing = _facing(places, steps, sides)
    on_sides = tuple(
        tuple(range(number * sides, number * sides + sides))
        for number in range(len(places))
    )
    around = tuple(
        tuple(sorted({*on_sides[number // sides], other} - {number, NONE}))
        for number, other in enumerate(facing)
    )
    spaces.columns[m.FACING] = m.Column(
        name=m.FACING,
        type=Member(spaces.name, optional=True),
        values=facing,
        span=clause.name.span,
    )
    for source, name, sort, rows in (
        (home.name.text, spaces.plural, RelationSort.SIDES, on_sides),
        (spaces.name, "neighbours", RelationSort.NEIGHBOURS, around),
    ):
        world.relations[source, name] = m.Relation(
            name=name, source=source, target=spaces.name, sort=sort, rows=rows
        )


def _geometry(
    world: SymbolTable, home: s.Name
) -> tuple[tuple[Place, ...], tuple[Place, ...]]:
    """Return the place of each square or hex, and the steps across its sides."""
    domain = world.domain_named(home)
    board = world.board
    if board is not None and board.face == domain.name:
        return board.face_places, tuple(hex_geometry.SIDES[board.orientation].values())
    is_grid = len(domain.axes) == 2 and all(
        isinstance(axis.type, Whole) for axis in domain.axes
    )
    if not is_grid or domain.sort is not m.DomainSort.SPACE or domain.each_player:
        raise mistake(
            "RB106",
            home.span,
            f"a {domain.name} has no sides",
            "only hexes and spaces by two numbers, such as `column 1 to 8, row 1 to "
            "8`, have sides",
        )
    across, up = (range(axis.size) for axis in domain.axes)
    return tuple(itertools.product(across, up)), SQUARE_STEPS


def _facing(
    places: tuple[Place, ...], steps: tuple[Place, ...], sides: int
) -> tuple[int, ...]:
    """Return the index of the space that each space on a side faces, or `NONE`."""
    index = {place: number for number, place in enumerate(places)}
    each = sides // len(steps)
    facing = []
    for x, y in places:
        for way, (dx, dy) in enumerate(steps):
            beyond = index.get((x + dx, y + dy))
            opposite = (way + len(steps) // 2) % len(steps) * each
            facing += [
                NONE if beyond is None else beyond * sides + opposite + at
                for at in reversed(range(each))
            ]
    return tuple(facing)
