"""Boards as text: hexes or grids, or lists on a narrow terminal.

Each cell is one character with a style. Letters suffice without colours: a link shows
the letter of its owner. Other pieces show the letter of their owner, followed by their
own initial. Links do so too if several kinds of pieces stand on them. A cell without a
piece shows a short form of its value, if the value has a colour or `hint shows` it.
"""

from collections.abc import Iterator, Mapping, Sequence

import attrs
from rich.cells import cell_len
from rich.style import Style
from rich.text import Text

from rulebook import printable_line
from rulebook.model import Audience, DomainSort, Look, Member, Orientation
from workbench.presentation.console.streams import WIDTH_MIN, cut_to_width, wrap_text
from workbench.presentation.narration.piece_counts import count_suffix
from workbench.presentation.picture.hints import distinct_letters, readable_ink
from workbench.presentation.picture.scene import Scene, first_card
from workbench.presentation.picture.scene_parts import PlacedPiece, Space
from workbench.presentation.picture.text.canvas import (
    DIM,
    MARKED,
    NORMAL,
    Canvas,
    nearest_index,
)
from workbench.presentation.picture.text.tableau import (
    card_lines,
    draw_tableau,
    has_repeated_piece,
    piece_letters,
    piece_style,
)

SHORT_LENGTH = 3
UNKNOWN = "?"
"""Text for a field of a piece that is hidden from the reader."""
TOLERANCE = 0.1


# ---------------------------------------------------------------- names


def short_names(names: Sequence[str]) -> dict[str, str]:
    """Return a distinct short name, usually three letters, for each name."""
    shorts: dict[str, str] = {}
    shorts |= {name: name for name in names if len(name) <= SHORT_LENGTH}
    taken = {name.lower() for name in shorts}
    for name in names:
        if name in shorts:
            continue
        choices = [*_candidates(name), name]
        shorts[name] = next((c for c in choices if c.lower() not in taken), name)
        taken.add(shorts[name].lower())
    return shorts


def _candidates(name: str) -> Iterator[str]:
    """Yield possible short names for a name, best ones first."""
    letters = [letter for letter in name if letter != "_"]
    parts = [part for part in name.split("_") if part]
    if len(parts) > 1:
        yield parts[0][:2] + parts[-1][:1]
        yield parts[0][:1] + parts[-1][:2]
    yield "".join(letters[:3])
    for last in range(3, len(letters)):
        yield "".join(letters[:2]) + letters[last]
    yield "".join(letters[:4])


# ---------------------------------------------------------------- boards


def board_lines(
    scene: Scene,
    width: int,
    *,
    use_unicode: bool = True,
    marks: Mapping[str, str] | None = None,
) -> Iterator[Text]:
    """Yield the board in lines of at most `width` cells, or as a list if it is wider.

    `marks` contains the number of an available action, by space.
    """
    canvas = _draw_board(scene, width, marks or {})
    if canvas is None:
        yield from map(Text, space_lines(scene, width))
    else:
        yield from canvas.lines(use_unicode=use_unicode)


def _draw_board(scene: Scene, width: int, marks: Mapping[str, str]) -> Canvas | None:
    """Draw a board on a canvas; return None if it has no plane or is too wide."""
    if scene.plane is None:
        return None
    if scene.plane.rows:
        return draw_tableau(scene, width, marks)
    sorts = {space.sort for space in scene.spaces}
    if "face" in sorts:
        return _draw_hexes(scene, width, marks)
    if scene.plane.grid is not None:
        return _draw_grid(scene, width, marks)
    return None


@attrs.frozen
class _Grid:
    """Mapping from the plane to characters; half a hex is `half_width` columns wide."""

    half_width: int
    pointy: bool

    def to_cell(self, point: tuple[float, float]) -> tuple[int, int]:
        """Return the column and line for a point of the plane."""
        x, y = point
        if self.pointy:
            return round(x / 0.8660254 * self.half_width), round(y * 4 / 1.5)
        return round(x / 0.5 * self.half_width / 2), round(y / 0.8660254 * 3)


def _draw_hexes(scene: Scene, width: int, marks: Mapping[str, str]) -> Canvas | None:
    """Draw a board of hexes: four lines per hex, with the pieces on its sides."""
    assert scene.book.model.board is not None
    pointy = scene.book.model.board.orientation is Orientation.POINTY_TOP
    across = [space.place.centre[0] for space in scene.spaces]
    span = (max(across) - min(across)) / (0.8660254 if pointy else 0.5) + 1
    half = min(int((width - 1) / span), 7)
    if half < 4:
        return None
    grid = _Grid(half, pointy)
    canvas = Canvas()
    short = corner_names(scene)
    for space in scene.spaces:
        if space.sort is DomainSort.FACE:
            _face(canvas, scene, grid, space, marks.get(space.name))
    for space in scene.spaces:
        if space.sort is DomainSort.LINK:
            _draw_link(canvas, scene, grid, space)
            _draw_mark(canvas, grid, space, marks)
    for space in scene.spaces:
        if space.place.home is not None:
            at = grid.to_cell(space.place.centre)
            _draw_side(canvas, scene, space, at, marks)
        elif space.sort is DomainSort.SPACE:
            _draw_coast_space(canvas, scene, grid, space)
    for space in scene.spaces:
        if space.sort is DomainSort.CORNER:
            _draw_corner(canvas, scene, grid, space, short[space.name])
            _draw_mark(canvas, grid, space, marks)
    return canvas


def fill_style(scene: Scene, space: Space) -> Style:
    """Return the style of a field, from its kind."""
    for trait in space.traits:
        colour = scene.hints.colour(trait.value) if trait.is_member else None
        if colour is not None:
            return Style(color=readable_ink(colour), bgcolor=colour)
    return NORMAL


def _face(
    canvas: Canvas, scene: Scene, grid: _Grid, space: Space, mark: str | None
) -> None:
    """Draw a hex: its number, kind, name and pieces."""
    x, y = grid.to_cell(space.place.centre)
    style = fill_style(scene, space)
    room = 2 * grid.half_width - 3
    for row, narrow in ((-1, 4), (0, 0), (1, 4)):
        wide = max(room - narrow, 3)
        canvas.put_centred(x, y + row, " " * wide, style)
    written = scene.number(space)
    number = "" if written is None else str(written.value)
    kind = next((scene.titles.value(t.value) for t in space.traits if t.is_member), "")
    pieces = "".join(f"<{piece_letters(scene, piece)}>" for piece in space.pieces)
    likely = likely_mark(scene, space)
    canvas.put_centred(
        x,
        y - 1,
        cut_to_width(f"{number}{likely}{pieces}", room),
        style + Style(bold=True),
    )
    name = cut_to_width(space.title, room - len(mark or ""))
    canvas.put_centred(x, y, (mark or "") + name, style)
    if mark is not None:
        canvas.put(x - cell_len(mark + name) // 2, y, mark, MARKED)
    canvas.put_centred(x, y + 1, cut_to_width(kind, max(room - 4, 3)), style)


def likely_mark(scene: Scene, space: Space) -> str:
    """Return `!` for a space with a likeliest number, or "" for any other."""
    return "!" if any(map(scene.is_likeliest, space.traits)) else ""


def _draw_link(canvas: Canvas, scene: Scene, grid: _Grid, space: Space) -> None:
    """Draw a side of a hex: dots, or the letter of its owner.

    The initial of the piece follows it if several kinds of pieces stand on links.
    """
    assert space.place.ends is not None
    assert scene.plane is not None
    places = scene.plane.places
    near, far = (grid.to_cell(places[end].centre) for end in space.place.ends)
    letters, style = "·", DIM
    if space.pieces:
        piece = space.pieces[0]
        letters = scene.letters.get(piece.owner or "", "#").lower()
        initials = link_piece_initials(scene)
        if len(initials) > 1:
            letters = letters.upper() + initials[piece.piece]
        style = piece_style(scene, piece)
    cells = sorted(cells_between(near, far, dense=bool(space.pieces)))
    is_upright = len({x for x, _ in cells}) == 1
    for n, (x, y) in enumerate(cells):
        canvas.put(x, y, letters if is_upright else letters[n % len(letters)], style)


def link_piece_initials(scene: Scene) -> dict[str, str]:
    """Return a distinct small letter for each kind of piece that stands on links."""
    board = scene.book.model.board
    kinds = [
        name
        for name, piece in scene.book.model.pieces.items()
        if board is not None and board.link in piece.stands_on
    ]
    letters = distinct_letters(scene.titles.title(kind) for kind in kinds)
    return {kind: letters[scene.titles.title(kind)].lower() for kind in kinds}


def cells_between(
    start: tuple[int, int], end: tuple[int, int], *, dense: bool
) -> list[tuple[int, int]]:
    """Return the cells between the ends of a link; fewer unless *dense*."""
    (ax, ay), (bx, by) = start, end
    steps = max(abs(bx - ax), abs(by - ay))
    points = [
        (round(ax + (bx - ax) * n / steps), round(ay + (by - ay) * n / steps))
        for n in range(1, steps)
    ]
    if ax != bx and len(points) > 2:
        points = points[1:-1]
        if not dense:
            points = points[len(points) % 2 :: 2]
    return points


def _draw_corner(
    canvas: Canvas, scene: Scene, grid: _Grid, space: Space, short_name: str
) -> None:
    """Draw a corner: the piece on it or a mark of its kind, and its short name."""
    x, y = grid.to_cell(space.place.centre)
    shaped = any(
        t.is_member and scene.hints.get(Look.SHAPE, t.value) for t in space.traits
    )
    if space.pieces:
        at = x - 2
        for piece in space.pieces:
            words = piece_letters(scene, piece)
            canvas.put(at, y, words, piece_style(scene, piece))
            at += cell_len(words)
        canvas.put(at, y, short_name[:3])
    elif shaped:
        special = next(
            t.value
            for t in space.traits
            if t.is_member and scene.hints.get(Look.SHAPE, t.value)
        )
        mark = "●" if scene.hints.get(Look.SHAPE, special) == "disc" else "◆"
        canvas.put(x - 2, y, mark + short_name[:3])
    else:
        canvas.put(x, y, "·", DIM)


def _draw_mark(
    canvas: Canvas, grid: _Grid, space: Space, marks: Mapping[str, str]
) -> None:
    """Draw the number of the action available on a space."""
    if space.name in marks:
        x, y = grid.to_cell(space.place.centre)
        number = marks[space.name]
        left = (
            x - 1 - len(number)
            if space.sort is DomainSort.CORNER
            else x - len(number) // 2
        )
        canvas.put(left, y, number, MARKED)


def _draw_coast_space(canvas: Canvas, scene: Scene, grid: _Grid, space: Space) -> None:
    """Draw a space off the coast: its label and the card that it yields."""
    x, y = grid.to_cell(space.place.centre)
    kind = next((trait.value for trait in space.traits if trait.is_member), "")
    label = scene.hints.get(Look.LABEL, kind) or space.title[:4]
    worth = scene.yielded_card(kind) if kind else ""
    assert space.place.ends is not None and scene.plane is not None
    inland = sum(scene.plane.places[end].centre[0] for end in space.place.ends) / 2
    x += 2 if space.place.centre[0] > inland else -2
    canvas.put_centred(x, y, label, fill_style(scene, space))
    canvas.put_centred(
        x, y + 1, cut_to_width(worth, grid.half_width - 1), fill_style(scene, space)
    )


def _draw_grid(scene: Scene, width: int, marks: Mapping[str, str]) -> Canvas | None:
    """Draw a board in rows and columns, with coordinates at the edges."""
    assert scene.plane is not None
    areas = [space for space in scene.spaces if space.place.outline]
    spaces = [space for space in areas if space.place.home is None]
    sides = [space for space in areas if space.place.home is not None]
    places = [space.place for space in spaces]
    hexagonal = any(len(place.outline) == 6 for place in places)
    columns = sorted({place.centre[0] for place in places})
    rows = sorted({place.centre[1] for place in places})
    step, tall = 2 if hexagonal else 4, 1
    if sides:
        step, tall = (4, 3) if hexagonal else (8, 3)
    if len(columns) * step + 5 > width:
        step = step // 2
    if len(columns) * step + 5 > width:
        return None
    canvas = Canvas()
    codes = value_codes(scene, 3 if (2 if hexagonal else 1) * step > 3 else 2)
    spots = {}
    for space in spaces:
        x = columns.index(space.place.centre[0]) * step + 4
        y = rows.index(space.place.centre[1]) * tall
        spots[space.name] = (x, y)
        _draw_cell(canvas, scene, space, x, y, step, codes)
        if space.name in marks and step > 2:
            canvas.put_centred(x, y, marks[space.name], MARKED)
    reach = step // (2 if hexagonal else 4)
    for space in sides:
        assert space.place.home is not None
        at = _side_position(scene, space, spots[space.place.home], reach)
        _draw_side(canvas, scene, space, at, marks)
    for (px, py), words in scene.plane.labels:
        if any(abs(py - row) < TOLERANCE for row in rows):
            y = nearest_index(rows, py)
            first = min(p.centre[0] for p in places if p.centre[1] == rows[y])
            x = nearest_index(columns, first) * step + 1
            canvas.put(x - 2 * bool(sides), y * tall, words.rjust(2))
        else:
            x = nearest_index(columns, px) * step + 4
            canvas.put_centred(x, -1 if hexagonal else len(rows) * tall, words)
    return canvas


def _draw_side(
    canvas: Canvas,
    scene: Scene,
    space: Space,
    at: tuple[int, int],
    marks: Mapping[str, str],
) -> None:
    """Draw a space on the side of another: its piece, or the letter of its value."""
    value = first_card(space)
    if space.name in marks:
        canvas.put_centred(*at, marks[space.name], MARKED)
    elif space.pieces:
        top = space.pieces[-1]
        letter = scene.letters.get(top.owner or "", scene.titles.title(top.piece)[:1])
        canvas.put(*at, letter, piece_style(scene, top))
    elif value is not None:
        canvas.put(*at, side_letters(scene)[value], fill_style(scene, space))


def _side_position(
    scene: Scene, space: Space, home: tuple[int, int], reach: int
) -> tuple[int, int]:
    """Return the position of a space on the side of another, which is at *home*."""
    assert scene.plane is not None and space.place.home is not None
    middle = scene.plane.places[space.place.home].centre
    east, south = (a - b for a, b in zip(space.place.centre, middle, strict=True))
    return (home[0] + round(east * 3) * reach, home[1] + round(south * 3))


def side_letters(scene: Scene) -> dict[str, str]:
    """Return a distinct letter for each value on the sides of the board's spaces."""
    names = dict.fromkeys(
        trait.value
        for space in scene.spaces
        if space.place.home is not None
        for trait in space.traits
        if trait.is_member
    )
    letters = distinct_letters(scene.titles.title(name) for name in names)
    return {name: letters[scene.titles.title(name)].lower() for name in names}


def shown_value(scene: Scene, space: Space) -> str | None:
    """Return the value that a space shows: that of `hint shows`, or one with a colour.

    Return None if there is no such value.
    """
    shown = scene.hints.get(Look.SHOWS, space.place.domain)
    values = (trait for trait in space.traits if trait.is_member)
    return next(
        (t.value for t in values if t.name == shown or scene.hints.colour(t.value)),
        None,
    )


def value_codes(scene: Scene, width: int) -> dict[str, str]:
    """Return a short text for each value that the spaces show.

    A title of several words is abbreviated to its initials.
    """
    values = dict.fromkeys(shown_value(scene, space) for space in scene.spaces)
    codes: dict[str, str] = {}
    for value in values:
        if value is None:
            continue
        title = scene.titles.value(value)
        words = title.split()
        if words[1:]:
            codes[value] = cut_to_width("".join(word[:1] for word in words), width)
            continue
        choices = (title[: width - 1] + title[n : n + 1] for n in range(width - 1, 99))
        free = (code for code in choices if code not in codes.values())
        codes[value] = cut_to_width(next(free, title[:width]), width)
    return codes


def _draw_cell(
    canvas: Canvas,
    scene: Scene,
    space: Space,
    x: int,
    y: int,
    step: int,
    codes: Mapping[str, str],
) -> None:
    """Draw a field of a grid: the piece on it, the value that it shows, or a dot.

    It is *step* columns wide. *codes* contains the texts of values.
    """
    value = shown_value(scene, space)
    if space.pieces:
        top = space.pieces[-1]
        words = scene.letters.get(top.owner or "", scene.titles.title(top.piece)[:1])
        code = _field_code(scene, top)
        if code:
            canvas.put(x, y, cut_to_width(words + code, step), piece_style(scene, top))
            return
        if has_repeated_piece(space):
            both = [piece_letters(scene, each)[:-1] for each in space.pieces]
            words = cut_to_width("".join(both), max(step - 1, 2))
        pad = " " if step > 1 + cell_len(words) else ""
        canvas.put_centred(x, y, f"{pad}{words}{pad}", piece_style(scene, top))
    elif value is not None:
        canvas.put_centred(x, y, codes[value], fill_style(scene, space))
    else:
        canvas.put(x, y, "·", DIM)


def _field_code(scene: Scene, piece: PlacedPiece) -> str:
    """Return a short text for a piece's first field, or `?` if it is hidden.

    Return "" for a piece without fields, or without a value that everybody sees.
    """
    codes = field_codes(scene)
    for _, value in piece.fields:
        return codes.get(value, value)
    model = scene.book.model
    fields = (model.fields[key] for key in model.pieces[piece.piece].fields)
    is_hidden = any(field.seen_by is not Audience.ALL for field in fields)
    return UNKNOWN if is_hidden else ""


def field_codes(scene: Scene) -> dict[str, str]:
    """Return two letters for each member that a field of a piece may contain."""
    model = scene.book.model
    kinds = dict.fromkeys(
        field.type.domain
        for piece in model.pieces.values()
        for field in map(model.fields.__getitem__, piece.fields)
        if isinstance(field.type, Member) and not field.bookkeeping
    )
    codes: dict[str, str] = {}
    for member in (name for kind in kinds for name in model.domains[kind].members):
        title = scene.titles.value(member)
        choices = (title[:1] + letter for letter in title[1:])
        free = (code for code in choices if code not in codes.values())
        codes[title] = next(free, title[:2])
    return codes


def space_lines(scene: Scene, width: int) -> Iterator[str]:
    """Yield the contents of all spaces as a list, for boards that cannot be drawn."""
    room = max(width - 2, WIDTH_MIN)
    spaces_of: dict[tuple[str, str], list[str]] = {}
    for space in scene.spaces:
        for placed in space.pieces:
            whose = scene.titles.title(placed.owner) if placed.owner else ""
            key = (whose, scene.titles.title(placed.piece))
            spaces_of.setdefault(key, []).append(
                space.title + count_suffix(placed.count)
            )
    for (whose, piece), spaces in spaces_of.items():
        words = f"{whose} {piece}".strip() + ": " + ", ".join(spaces)
        yield from wrap_text(printable_line(words), room, "    ")
    for words in (*card_lines(scene), *_shown_value_lines(scene)):
        yield from wrap_text(printable_line(words), room, "    ")


def _shown_value_lines(scene: Scene) -> Iterator[str]:
    """Yield a line for each value of `hint shows`, with the spaces that show it."""
    spaces_by_value: dict[str, list[str]] = {}
    for space in scene.spaces:
        shown = scene.hints.get(Look.SHOWS, space.place.domain)
        for trait in space.traits:
            if shown is not None and trait.name == shown:
                spaces_by_value.setdefault(trait.value, []).append(space.title)
    for value, titles in spaces_by_value.items():
        yield f"{scene.titles.value(value)}: {', '.join(titles)}"


def corner_names(scene: Scene) -> dict[str, str]:
    """Return the short names of a board's corners, as in the drawing."""
    return short_names([s.name for s in scene.spaces if s.sort is DomainSort.CORNER])
