"""Positions of the spaces of a board: points in the plane, with y pointing south.

The unit of length is the side of a hex or of a square. Three kinds of boards are
supported: hexes with corners and links; grids with coordinates, which are hexagonal if
links run diagonally and square otherwise; and spaces joined only by links, laid out by
force.
"""

from collections.abc import Iterator, Mapping, Sequence
from math import cos, pi, sin, sqrt

import attrs

from rulebook import Rulebook
from rulebook.model import (
    Axis,
    Board,
    Domain,
    DomainSort,
    Look,
    Member,
    Model,
    Orientation,
    RelationSort,
)
from workbench.presentation.picture.force_layout import layout_points
from workbench.presentation.picture.hints import Hints

Point = tuple[float, float]
HEX_STEPS = {(1, 0), (0, 1), (1, -1)}
ROOT = sqrt(3)
LIES = "lies"
"""Column of a table of spaces with the side of a hex, such as `NW of H01`."""


@attrs.frozen
class SpaceShape:
    """Geometry of a space: domain, centre, outline and, for a link, its two ends.

    `home` is the space on whose side it is, or None. `hex` is the hex at one of whose
    sides a space off the coast lies.
    """

    domain: str
    centre: Point
    outline: tuple[Point, ...] = ()
    ends: tuple[str, str] | None = None
    home: str | None = None
    hex: str | None = None


@attrs.frozen
class Plane:
    """Plane of a board: the geometry of each space with a position, by name.

    `grid` is the domain of a grid whose axes are labelled at the edge. `rows` is the
    number of rows on each player's board, or 0 for a common board.
    """

    places: Mapping[str, SpaceShape]
    grid: str | None = None
    labels: tuple[tuple[Point, str], ...] = ()
    rows: int = 0

    def board_index(self, shape: SpaceShape) -> int:
        """Return the seating-order index of the player whose board contains a space."""
        return int(shape.centre[1] // (self.rows + 1.0))


def board_plane(
    model: Model, hints: Hints, options: Mapping[str, object], seats: Sequence[str]
) -> Plane | None:
    """Return the plane of a game's board, or None if it has none.

    Without a common board, it contains the boards of all players, one below another.
    """
    plane = _plane_without_sides(model, hints, options, seats)
    if plane is None:
        return None
    places = {**plane.places, **_side_shapes(model, plane.places)}
    return attrs.evolve(plane, places=places)


def _plane_without_sides(
    model: Model, hints: Hints, options: Mapping[str, object], seats: Sequence[str]
) -> Plane | None:
    board = model.board
    if board is not None and board.face is not None:
        places = _hexes(model, board, board.face)
        return Plane({**places, **_coast_shapes(hints.book, board, places)})
    for domain in model.domains.values():
        if domain.sort is DomainSort.SPACE and domain.axes and not domain.each_player:
            return _grid_plane(model, domain, hints, options)
    if board is not None and not model.domains[board.corner].each_player:
        return _free_plane(model, board, hints)
    own = [
        d
        for d in model.domains.values()
        if d.each_player and d.sort is DomainSort.SPACE and d.axes
    ]
    return _player_planes(model, own, hints, seats) if own else None


# ---------------------------------------------------------------- hexes


def _hexes(model: Model, board: Board, face: str) -> dict[str, SpaceShape]:
    """Return the shapes of the faces, corners and links of a hex board, by name."""
    pointy = board.orientation is Orientation.POINTY_TOP
    corners: dict[int, Point] = {}
    places: dict[str, SpaceShape] = {}
    rows = zip(
        model.domains[face].members, board.face_places, board.face_corners, strict=True
    )
    for name, (q, r), around in rows:
        middle = (
            (ROOT * (q + r / 2), 1.5 * r) if pointy else (1.5 * q, ROOT * (r + q / 2))
        )
        outline = hexagon(middle, pointy=pointy)
        corners |= dict(zip(around, outline, strict=True))
        places[name] = SpaceShape(face, middle, outline)
    names = model.domains[board.corner].members
    for index, point in corners.items():
        places[names[index]] = SpaceShape(board.corner, point)
    return places | _links(model, board, places)


def hexagon(centre: Point, *, pointy: bool, side: float = 1.0) -> tuple[Point, ...]:
    """Return a hex's corners clockwise, from the north if *pointy*, else north-east."""
    x, y = centre
    first = -pi / 2 if pointy else -pi / 3
    angles = [first + n * pi / 3 for n in range(6)]
    return tuple((x + side * cos(a), y + side * sin(a)) for a in angles)


def _links(
    model: Model, board: Board, places: Mapping[str, SpaceShape]
) -> dict[str, SpaceShape]:
    """Return the shapes of the links by name, centred halfway between their ends."""
    if board.link is None:
        return {}
    names = model.domains[board.corner].members
    link_places = {}
    pairs = zip(model.domains[board.link].members, board.link_ends, strict=True)
    for name, (start, end) in pairs:
        ends = (names[start], names[end])
        if all(end in places for end in ends):
            middle = midpoint(places[ends[0]].centre, places[ends[1]].centre)
            link_places[name] = SpaceShape(board.link, middle, ends=ends)
    return link_places


def midpoint(start: Point, end: Point) -> Point:
    """Return the point halfway between two points."""
    return ((start[0] + end[0]) / 2, (start[1] + end[1]) / 2)


def _hexes_of_coast_spaces(book: Rulebook) -> dict[str, str]:
    """Return the hex that the column `lies` names for each space, by space."""
    hexes = {}
    for info in book.clauses.values():
        table = getattr(info.node, "table", None)
        names = [] if table is None else [column.text for column in table.columns]
        if table is not None and LIES in names:
            for row in table.rows:
                _, face = row.cells[names.index(LIES)].value
                hexes[row.cells[0].value.text] = face.text
    return hexes


def _coast_shapes(
    book: Rulebook, board: Board, places: dict[str, SpaceShape]
) -> dict[str, SpaceShape]:
    """Return the shapes of spaces at the coast, by name.

    Each is on the other side of the coast than the hex that its `lies` names.
    """
    outside = {}
    model, hexes = book.model, _hexes_of_coast_spaces(book)
    corners = model.domains[board.corner]
    faces = [place for place in places.values() if place.domain == board.face]
    for domain in model.domains.values():
        column = domain.columns.get(corners.plural)
        if domain.sort is not DomainSort.SPACE or column is None:
            continue
        for name, ends in zip(domain.members, column.values, strict=True):
            if len(ends) == 2:
                near, far = (corners.members[end] for end in ends)
                side = midpoint(places[near].centre, places[far].centre)
                face = hexes.get(name)
                behind = faces if face is None else [places[face]]
                out = point_beyond(side, behind)
                outside[name] = SpaceShape(domain.name, out, ends=(near, far), hex=face)
    return outside


def point_beyond(side: Point, faces: Sequence[SpaceShape]) -> Point:
    """Return the point beyond *side*, a side's midpoint, away from the nearest hex."""
    x, y = side

    def distance(face: SpaceShape) -> float:
        return round((face.centre[0] - x) ** 2 + (face.centre[1] - y) ** 2, 6)

    fx, fy = min(faces, key=distance).centre
    return (x + 0.72 * (x - fx), y + 0.72 * (y - fy))


# ---------------------------------------------------------------- grids


def axis_names(model: Model, axis: Axis) -> tuple[str, ...]:
    """Return the names of the values on an axis."""
    if isinstance(axis.type, Member):
        return model.domains[axis.type.domain].members
    return tuple(str(axis.low + n) for n in range(axis.size))


def coordinates(domain: Domain, number: int) -> tuple[int, ...]:
    """Return the coordinates of the member at index *number*, each counted from 0."""
    numbers = []
    for axis in reversed(domain.axes):
        number, rest = divmod(number, axis.size)
        numbers.append(rest)
    return tuple(reversed(numbers))


ROW_MAX = 12
"""Maximum number of spaces in a straight row; a longer row winds upwards."""
WINDING_STEP = 1.4
"""Distance between the parts of a winding row, which leaves room for labels."""


def _winding_plane(model: Model, domain: Domain) -> Plane:
    """Return the plane of a long row: it starts in the south-west and winds upwards."""
    size = len(domain.members)
    width = -(-size // -(-size // ROW_MAX))
    points = []
    for number in range(size):
        row, at = divmod(number, width)
        points.append((1.0 * (width - 1 - at if row % 2 else at), -row * WINDING_STEP))
    shapes = (SpaceShape(domain.name, point, square(point)) for point in points)
    places = dict(zip(domain.members, shapes, strict=True))
    texts = axis_names(model, domain.axes[0])
    labels = (((x, y + 0.7), text) for (x, y), text in zip(points, texts, strict=True))
    links = {} if model.board is None else _links(model, model.board, places)
    return Plane({**places, **links}, None, tuple(labels))


def _grid_plane(
    model: Model, domain: Domain, hints: Hints, options: Mapping[str, object]
) -> Plane:
    """Return the plane of a grid: the first axis runs east, the second north."""
    if len(domain.axes) == 1 and len(domain.members) > ROW_MAX:
        return _winding_plane(model, domain)
    hexagonal = _link_steps(model, domain) == HEX_STEPS
    bound = options.get(hints.get(Look.WITHIN, domain.name) or "")
    limit = bound if isinstance(bound, int) else max(axis.size for axis in domain.axes)
    places = {}
    for number, name in enumerate(domain.members):
        spot = coordinates(domain, number)
        if max(spot) >= limit:
            continue
        across, up = spot[0], sum(n * 1.0 for n in spot[1:])
        if hexagonal:
            middle = (ROOT * (across + up / 2), 1.5 * up)
            places[name] = SpaceShape(domain.name, middle, hexagon(middle, pointy=True))
        else:
            middle = (across * 1.0, -up)
            places[name] = SpaceShape(domain.name, middle, square(middle))
    labels = _labels(model, domain, limit, hexagonal=hexagonal)
    links = {} if model.board is None else _links(model, model.board, places)
    if hexagonal:
        links = {}
    return Plane({**places, **links}, domain.name, labels)


def square(centre: Point, side: float = 1.0) -> tuple[Point, ...]:
    """Return the corners of a square, clockwise from the north-west."""
    (x, y), half = centre, side / 2
    return (
        (x - half, y - half),
        (x + half, y - half),
        (x + half, y + half),
        (x - half, y + half),
    )


def _link_steps(model: Model, domain: Domain) -> set[tuple[int, ...]]:
    """Return the coordinate differences between linked spaces of a grid."""
    board = model.board
    if board is None or board.corner != domain.name:
        return set()
    steps = set()
    for start, end in board.link_ends:
        pair = zip(coordinates(domain, start), coordinates(domain, end), strict=True)
        step = tuple(b - a for a, b in pair)
        steps.add(max(step, tuple(-n for n in step)))
    return steps


def _labels(
    model: Model, domain: Domain, maximum: int, *, hexagonal: bool
) -> tuple[tuple[Point, str], ...]:
    """Return positions and texts of at most *maximum* labels for each grid axis."""
    first = enumerate(axis_names(model, domain.axes[0])[:maximum])
    second = enumerate(
        axis_names(model, domain.axes[1])[:maximum] if len(domain.axes) > 1 else ()
    )
    if hexagonal:
        across = [((ROOT * n, -1.5 * 0.9), text) for n, text in first]
        along = [((ROOT * (n / 2 - 1.0), 1.5 * n), text) for n, text in second]
    else:
        across = [((n * 1.0, 0.8), text) for n, text in first]
        along = [((-0.8, -n * 1.0), text) for n, text in second]
    return (*across, *along)


# ---------------------------------------------------------------- sides of spaces

INNER_SIZE = 0.22
"""Size of the middle of a space, which the spaces on its sides leave free."""


def _side_shapes(
    model: Model, places: Mapping[str, SpaceShape]
) -> dict[str, SpaceShape]:
    """Return the shapes of the spaces on the sides of squares and hexes, by name."""
    shapes = {}
    for relation in model.relations.values():
        if relation.sort is not RelationSort.SIDES or relation.rows is None:
            continue
        sides = model.domains[relation.target]
        homes = model.domains[relation.source].members
        for home, row in zip(homes, relation.rows, strict=True):
            if home in places:
                for at, index in enumerate(row):
                    outline = side_outline(places[home], at, len(row))
                    shapes[sides.members[index]] = SpaceShape(
                        sides.name, _mean_point(outline), outline, home=home
                    )
    return shapes


def side_outline(home: SpaceShape, at: int, count: int) -> tuple[Point, ...]:
    """Return the outline of the space at index *at* of *count* on a space's sides."""
    corners = home.outline
    if count % len(corners):  # squares that links in three directions make hexagonal
        corners = square(home.centre)
    each = count // len(corners)
    is_flat = len(corners) == 6 and abs(corners[0][0] - home.centre[0]) > 0.1
    side, part = divmod(at, each)
    start, end = corners[side - is_flat], corners[(side + 1 - is_flat) % len(corners)]
    first = _point_between(start, end, part / each)
    last = _point_between(start, end, (part + 1) / each)
    inner = [_point_between(home.centre, point, INNER_SIZE) for point in (last, first)]
    return (first, last, *inner)


def _point_between(start: Point, end: Point, part: float) -> Point:
    """Return the point at a part of the way from one point to another."""
    (ax, ay), (bx, by) = start, end
    return (ax + (bx - ax) * part, ay + (by - ay) * part)


def _mean_point(points: Sequence[Point]) -> Point:
    return (
        sum(x for x, _ in points) / len(points),
        sum(y for _, y in points) / len(points),
    )


def crop(plane: Plane, kept: Sequence[SpaceShape]) -> Plane:
    """Return a plane with the labels of its axes beside the kept spaces only."""
    centres = [shape.centre for shape in kept]
    left, right = min(x for x, _ in centres), max(x for x, _ in centres)
    top, low = min(y for _, y in centres), max(y for _, y in centres)
    labels = []
    for (x, y), text in plane.labels:
        if y > 0 and left <= x <= right:
            labels.append(((x, low + 0.8), text))
        elif x < 0 and top <= y <= low:
            labels.append(((left - 0.8, y), text))
    return attrs.evolve(plane, labels=tuple(labels))


# ---------------------------------------------------------------- players' boards


def _player_planes(
    model: Model, domains: Sequence[Domain], hints: Hints, seats: Sequence[str]
) -> Plane:
    """Return the plane of all players' boards, one below another.

    `hint rows AXIS: "A one / B + C / A two"` lists the rows of one board from the top.
    Each part is a domain and the values of its other axes. `hint step AXIS` is the
    distance between columns; `hint shift DOMAIN` moves a domain to the east.
    """
    axis = domains[0].axes[0].name
    step = hint_number(hints.get(Look.STEP, axis), 1.0)
    rows = list(_board_rows(model, domains, hints.get(Look.ROWS, axis)))
    places = {}
    for number, row in enumerate(rows):
        for domain, wanted in row:
            shift = hint_number(hints.get(Look.SHIFT, domain.name), 0.0)
            for index, name in enumerate(domain.members):
                spot = coordinates(domain, index)
                if _other_values(model, domain, spot) == wanted:
                    x = (domain.axes[0].low + spot[0]) * step + shift
                    for at, seat in enumerate(seats):
                        middle = (x, at * (len(rows) + 1.0) + number)
                        places[f"{seat}_{name}"] = SpaceShape(
                            domain.name, middle, square(middle)
                        )
    return Plane({**places, **_own_links(model, places, seats)}, rows=len(rows))


def _own_links(
    model: Model, places: Mapping[str, SpaceShape], seats: Sequence[str]
) -> dict[str, SpaceShape]:
    """Return the shapes of the links between the spaces of each player, by name."""
    board = model.board
    if board is None or board.link is None:
        return {}
    names = model.domains[board.corner].members
    links = {}
    for seat in seats:
        pairs = zip(model.domains[board.link].members, board.link_ends, strict=True)
        for name, (start, end) in pairs:
            ends = (f"{seat}_{names[start]}", f"{seat}_{names[end]}")
            if all(end in places for end in ends):
                middle = midpoint(places[ends[0]].centre, places[ends[1]].centre)
                links[f"{seat}_{name}"] = SpaceShape(board.link, middle, ends=ends)
    return links


def _board_rows(
    model: Model, domains: Sequence[Domain], text: str | None
) -> Iterator[list[tuple[Domain, tuple[str, ...]]]]:
    """Yield each row of a player's board: its domains, with values of other axes."""
    if text is None:
        for domain in domains:
            spots = (coordinates(domain, n) for n in range(len(domain.members)))
            for wanted in dict.fromkeys(_other_values(model, domain, s) for s in spots):
                yield [(domain, wanted)]
        return
    by_name = {domain.name: domain for domain in domains}
    for row in text.split("/"):
        parts = [part.split() for part in row.split("+")]
        yield [(by_name[p[0]], tuple(p[1:])) for p in parts if p and p[0] in by_name]


def _other_values(
    model: Model, domain: Domain, coordinates: tuple[int, ...]
) -> tuple[str, ...]:
    """Return the names of a member's coordinates on all axes except the first."""
    pairs = zip(domain.axes[1:], coordinates[1:], strict=True)
    return tuple(axis_names(model, axis)[n] for axis, n in pairs)


def hint_number(text: str | None, default: float) -> float:
    """Return the number in a hint's text, or *default* if it contains none."""
    try:
        return default if text is None else float(text)
    except ValueError:
        return default


# ---------------------------------------------------------------- free boards


def _free_plane(model: Model, board: Board, hints: Hints) -> Plane:
    """Return the plane of linked spaces, from columns or else laid out by force.

    `hint placed DOMAIN: "EAST / NORTH"` names two columns of coordinates.
    """
    domain = model.domains[board.corner]
    columns = (hints.get(Look.PLACED, domain.name) or "").split("/")
    if len(columns) == 2:
        east, north = (domain.columns[name.strip()].values for name in columns)
        points = [(1.0 * x, -1.0 * y) for x, y in zip(east, north, strict=True)]
    else:
        spots = layout_points(len(domain.members), board.link_ends)
        points = [(4 * x, 4 * y) for x, y in spots]
    places = {
        name: SpaceShape(board.corner, point)
        for name, point in zip(domain.members, points, strict=True)
    }
    return Plane(places | _links(model, board, places))
