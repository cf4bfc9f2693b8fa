"""Declaration of the board: a layout of hexes, or declared links between spaces."""

from __future__ import annotations

from typing import TypeVar

from rulebook import model as m
from rulebook import syntax as s
from rulebook.check.declare import hex_geometry
from rulebook.check.declare.coordinates import links_between
from rulebook.check.declare.symbol_table import SymbolTable, mistake, unknown_name_error
from rulebook.model import DomainSort, RelationSort
from rulebook.model.value_types import SetOf

Pair = tuple[int, int]
Named = TypeVar("Named", s.HexesClause, s.CornersClause, s.LinksClause)


def declare_board(world: SymbolTable) -> None:
    """Declare the kinds of spaces and the relations of the board."""
    faces = _single_clause(world, s.HexesClause, "hexes")
    corners = _single_clause(world, s.CornersClause, "corners")
    links = _single_clause(world, s.LinksClause, "links")
    if faces is not None:
        if links is not None and links.between is not None:
            raise mistake(
                "RB106",
                links.between.span,
                "the links of a layout join its corners",
                "remove `between` and the rest of the line",
            )
        _declare_layout(world, faces, corners, links)
    elif links is not None:
        _declare_links(world, links)


def _single_clause(world: SymbolTable, sort: type[Named], word: str) -> Named | None:
    """Return the only clause of a sort, or None; report any further clauses."""
    clauses = [clause for clause in world.clauses.values() if isinstance(clause, sort)]
    for further in clauses[1:]:
        with world.collect_errors():
            raise mistake(
                "RB102",
                further.name.span,
                f"a board can have only one `{word}` clause",
                "put them into one clause, or declare `spaces`",
                ((clauses[0].name.span, "first declared here"),),
            )
    return clauses[0] if clauses else None


def _declare_layout(
    world: SymbolTable,
    faces: s.HexesClause,
    corners: s.CornersClause | None,
    links: s.LinksClause | None,
) -> None:
    places = _places(world, faces)
    geometry = hex_geometry.corners_of(tuple(places.values()), faces.orientation)
    world.face_places = places
    world.orientation = faces.orientation
    named = _named_corners(world, corners, set(geometry.keys))
    keys = [
        *named.values(),
        *(k for k in geometry.keys if k not in set(named.values())),
    ]
    names = [*named]
    names += [f"C{number}" for number in range(1, len(keys) - len(named) + 1)]
    world.corner_keys = {key: index for index, key in enumerate(keys)}
    of_face = tuple(
        tuple(world.corner_keys[key] for key in row) for row in geometry.by_face
    )
    ends = hex_geometry.links_of(of_face)
    face = _add_domain(world, faces, faces.name.text, DomainSort.FACE, tuple(places))
    corner = _add_domain(world, corners, "corner", DomainSort.CORNER, tuple(names))
    link_names = tuple(f"{names[a]}-{names[b]}" for a, b in ends)
    link = _add_domain(world, links, "link", DomainSort.LINK, link_names)
    world.board = m.Board(
        orientation=faces.orientation,
        face=face.name,
        corner=corner.name,
        link=link.name,
        face_places=tuple(places.values()),
        face_corners=of_face,
        link_ends=ends,
        span=faces.span,
    )
    _relate(world, face.name, corner.plural, corner.name, RelationSort.CORNERS)
    _relate(world, face.name, link.plural, link.name, RelationSort.LINKS)
    _relate(world, face.name, "neighbours", face.name, RelationSort.NEIGHBOURS)
    _relate(world, corner.name, face.plural, face.name, RelationSort.FACES)
    _relate(world, corner.name, link.plural, link.name, RelationSort.LINKS)
    _relate(world, corner.name, "neighbours", corner.name, RelationSort.NEIGHBOURS)
    _relate(world, link.name, "ends", corner.name, RelationSort.ENDS)
    _relate(world, link.name, face.plural, face.name, RelationSort.FACES)


def _add_domain(
    world: SymbolTable,
    clause: s.HexesClause | s.CornersClause | s.LinksClause | None,
    name: str,
    sort: DomainSort,
    members: tuple[str, ...],
    *,
    each_player: bool = False,
) -> m.Domain:
    plural = name + "s"
    span = world.header.span
    if clause is not None:
        name = clause.name.text
        plural = clause.plural.text if clause.plural else name
        span = clause.name.span
    domain = m.Domain(
        name=name,
        plural=plural,
        sort=sort,
        members=members,
        each_player=each_player,
        span=span,
    )
    world.add_domain(domain, span)
    return domain


def _relate(
    world: SymbolTable, source: str, name: str, target: str, sort: RelationSort
) -> None:
    world.relations[source, name] = m.Relation(
        name=name, source=source, target=target, sort=sort
    )


def _places(world: SymbolTable, faces: s.HexesClause) -> dict[str, hex_geometry.Place]:
    columns = [name.text for name in faces.table.columns]
    for needed in ("q", "r"):
        if needed not in columns:
            raise mistake(
                "RB105",
                faces.name.span,
                f"the table of `{faces.name.text}` needs a column `{needed}`",
                "`q` and `r` are axial coordinates: q grows eastward, r southward",
            )
    places: dict[str, hex_geometry.Place] = {}
    for row in faces.table.rows:
        name = row.cells[0]
        q, r = (row.cells[columns.index(axis)] for axis in ("q", "r"))
        if name.form not in (s.CellForm.NAME, s.CellForm.EMPTY):
            raise mistake("RB105", name.span, "the first column must contain names")
        text = (
            name.value.text if name.form is s.CellForm.NAME else f"F{len(places) + 1}"
        )
        for cell in (q, r):
            if cell.form is not s.CellForm.NUMBER:
                raise mistake("RB105", cell.span, "a coordinate must be a number")
        place = (q.value, r.value)
        if text in places:
            raise mistake("RB102", name.span, f"`{text}` is declared twice")
        if place in places.values():
            message = f"another space already has the coordinates of `{text}`"
            raise mistake("RB102", name.span, message)
        places[text] = place
    return places


def _named_corners(
    world: SymbolTable,
    clause: s.CornersClause | None,
    keys: set[hex_geometry.CornerKey],
) -> dict[str, hex_geometry.CornerKey]:
    if clause is None or clause.table is None:
        return {}
    columns = [name.text for name in clause.table.columns]
    if "lies" not in columns:
        raise mistake(
            "RB105",
            clause.name.span,
            "the table of corners needs a column `lies`",
            "write the place of each corner, such as `SE of SPACE`",
        )
    place = columns.index("lies")
    named: dict[str, hex_geometry.CornerKey] = {}
    where: dict[hex_geometry.CornerKey, s.Cell] = {}
    for row in clause.table.rows:
        cell = row.cells[place]
        with world.collect_errors():
            key = corner_key(world, cell)
            if key in where:
                raise mistake(
                    "RB102",
                    cell.span,
                    "this corner is named twice",
                    related=((where[key].span, "first named here"),),
                )
            where[key] = cell
            name: s.Name = row.cells[0].value
            if name.text in named:
                raise mistake(
                    "RB102",
                    name.span,
                    f"`{name.text}` is declared twice",
                    related=((where[named[name.text]].span, "first declared here"),),
                )
            named[name.text] = key
    return named


def corner_key(world: SymbolTable, cell: s.Cell) -> hex_geometry.CornerKey:
    """Return the key of the corner that a table cell such as `SE of NAME` names."""
    if cell.form is not s.CellForm.CORNER:
        raise mistake("RB105", cell.span, "expected a corner, such as `SE of SPACE`")
    point, face = cell.value
    if face.text not in world.face_places:
        raise unknown_name_error("space", face, world.face_places)
    points = hex_geometry.CORNERS[world.orientation]
    if point not in points:
        raise mistake(
            "RB105",
            cell.span,
            f"a {world.orientation} space has no corner {point}",
            f"its corners are {', '.join(points)}",
        )
    return hex_geometry.corner_key(
        world.face_places[face.text], point, world.orientation
    )


def declare_sides(world: SymbolTable) -> None:
    """Declare the attributes that relate each space at a hex side to its two corners.

    The corners get the reverse attribute.
    """
    board = world.board
    if board is None or board.face is None:
        return
    for clause in world.clauses.values():
        if isinstance(clause, s.SpacesClause) and clause.table is not None:
            names = [column.text for column in clause.table.columns]
            if "lies" in names and clause.name.text in world.domains:
                with world.collect_errors():
                    _relate_sides(world, clause, clause.table, names.index("lies"))


def _relate_sides(
    world: SymbolTable, clause: s.SpacesClause, table: s.Table, place: int
) -> None:
    assert world.board is not None
    corners = world.domains[world.board.corner]
    spaces = world.domains[clause.name.text]
    corners_by_space = [_side(world, row.cells[place]) for row in table.rows]
    spaces_by_corner = tuple(
        tuple(number for number, ends in enumerate(corners_by_space) if corner in ends)
        for corner in range(len(corners.members))
    )
    for domain, other, values in (
        (spaces, corners, tuple(corners_by_space)),
        (corners, spaces, spaces_by_corner),
    ):
        domain.columns[other.plural] = m.Column(
            name=other.plural,
            type=SetOf(other.name),
            values=values,
            span=clause.name.span,
        )


def _side(world: SymbolTable, cell: s.Cell) -> tuple[int, ...]:
    if cell.form is not s.CellForm.CORNER:
        raise mistake("RB105", cell.span, "expected a side, such as `NE of SPACE`")
    side, face = cell.value
    if face.text not in world.face_places:
        raise unknown_name_error("space", face, world.face_places)
    if side not in hex_geometry.SIDES[world.orientation]:
        raise mistake(
            "RB105",
            cell.span,
            f"a {world.orientation} space has no side {side}",
            f"its sides are {', '.join(hex_geometry.SIDES[world.orientation])}",
        )
    keys = hex_geometry.side_corners(
        world.face_places[face.text], side, world.orientation
    )
    return tuple(sorted(world.corner_keys[key] for key in keys))


def corner_index(world: SymbolTable, cell: s.Cell) -> int:
    """Return the index of the corner that a table cell such as `SE of NAME` names."""
    return world.corner_keys[corner_key(world, cell)]


def link_index(world: SymbolTable, first: s.Name, second: s.Name) -> int:
    """Return the index of the link between two named spaces, in either order."""
    board = world.board
    if board is None or board.link is None:
        raise mistake("RB106", first.span.to(second.span), "there are no links")
    if world.domains[board.link].each_player:
        raise mistake(
            "RB106",
            first.span.to(second.span),
            f"each player has a {board.link} of this name",
            f"name the player's: `some {board.link} in your "
            f"{world.domains[board.link].plural} where …`",
        )
    names = world.domains[board.corner].members
    for name, other in ((first, second), (second, first)):
        if name.text not in names:
            near = _neighbours(board, names, other.text)
            raise unknown_name_error(board.corner, name, names, near)
    start, end = names.index(first.text), names.index(second.text)
    pair = (min(start, end), max(start, end))
    if pair not in board.link_ends:
        near = _neighbours(board, names, first.text)
        raise mistake(
            "RB106",
            first.span.to(second.span),
            f"no {board.link} joins {first.text} and {second.text}",
            f"{first.text} is linked to {', '.join(near)}",
        )
    return board.link_ends.index(pair)


def _neighbours(board: m.Board, names: tuple[str, ...], name: str) -> list[str]:
    """Return the names of the spaces linked to a named space; [] if unknown."""
    index = names.index(name) if name in names else -1
    return [
        names[b if a == index else a] for a, b in board.link_ends if index in (a, b)
    ]


def _declare_links(world: SymbolTable, clause: s.LinksClause) -> None:
    """Declare links between spaces that are already declared."""
    if clause.between is None:
        home, ends = _table_links(world, clause)
    else:
        home, ends = links_between(world, clause.between, clause.strides)
    names, own = world.domains[home].members, world.domains[home].each_player
    link_names = tuple(f"{names[a]}-{names[b]}" for a, b in ends)
    domain = _add_domain(
        world, clause, "link", DomainSort.LINK, link_names, each_player=own
    )
    world.board = m.Board(
        orientation=m.Orientation.NO_HEXES,
        face=None,
        corner=home,
        link=domain.name,
        face_places=(),
        face_corners=(),
        link_ends=ends,
        span=clause.span,
    )
    _relate(world, home, domain.plural, domain.name, RelationSort.LINKS)
    _relate(world, home, "neighbours", home, RelationSort.NEIGHBOURS)
    _relate(world, domain.name, "ends", home, RelationSort.ENDS)


def _table_links(
    world: SymbolTable, clause: s.LinksClause
) -> tuple[str, tuple[hex_geometry.Place, ...]]:
    """Return the kind of space, and its index pairs linked in the first column."""
    if clause.table is None or not clause.table.rows:
        raise mistake(
            "RB105",
            clause.name.span,
            "links need a table of their ends, or strides",
            "add a table, or write `links NAME between SPACE by (1, 0), (0, 1)`",
        )
    cells = [row.cells[0] for row in clause.table.rows]
    for cell in cells:
        if cell.form is not s.CellForm.LINK:
            text = "the first column must contain links, such as A-B"
            raise mistake("RB105", cell.span, text)
    first = cells[0].value.first
    homes = world.members.get(first.text, [])
    if not homes:
        raise unknown_name_error("space", first, world.members)
    home = homes[0][0]
    names = world.domains[home].members
    ends = []
    for link in (cell.value for cell in cells):
        pair = []
        for name in (link.first, link.second):
            if name.text not in names:
                raise unknown_name_error(home, name, names)
            pair.append(names.index(name.text))
        ends.append((min(pair), max(pair)))
    return home, tuple(ends)
