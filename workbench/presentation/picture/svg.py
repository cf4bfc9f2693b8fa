"""A scene as SVG: white background, no external fonts, a title on each element.

The same scene yields the same bytes on every machine.
"""

import attrs

from rulebook.model import DomainSort, Look
from workbench.presentation.picture.captions import space_caption, status_line
from workbench.presentation.picture.geometry import Point
from workbench.presentation.picture.goal_edges import goal_sides
from workbench.presentation.picture.hints import Hints, readable_ink
from workbench.presentation.picture.labels import Box, draw_names
from workbench.presentation.picture.panels import (
    WIDTH,
    capitalize,
    draw_legend,
    draw_panels,
)
from workbench.presentation.picture.pieces import (
    draw_piece,
    piece_attributes,
    piece_colour,
    shape_of,
)
from workbench.presentation.picture.scene import Scene, first_card
from workbench.presentation.picture.scene_parts import PlacedPiece, Seat, Space
from workbench.presentation.picture.shapes import (
    OUTLINE,
    draw_pattern,
    draw_shape,
    find_pattern,
)
from workbench.presentation.picture.tags import (
    Mark,
    escape_text,
    format_number,
    tag,
    text_tag,
    titled_group,
    wrap_words,
)

MARGIN = 24.0
MAX_BOARD_WIDTH = 860.0
HEADER = 58.0
UNITS = {"face": 70.0, "space": 66.0, "corner": 90.0}
FONT = "'DejaVu Sans', Verdana, 'Segoe UI', Helvetica, Arial, sans-serif"
PAPER = "#fffdf6"
PLAIN = "#f4efe4"
EDGE = "#8a8275"
#: Spacing of pattern marks in a square, relative to that in a hex.
SQUARE = 0.58
#: Size of pattern marks on the side of a space, relative to those on the space.
ON_SIDE = 0.25


def svg(scene: Scene) -> str:
    """Return the picture of a scene as SVG."""
    board = BoardDrawing.of_scene(scene)
    panel, tall = draw_panels(scene, board.width + 2 * MARGIN, HEADER)
    width = board.width + 2 * MARGIN + WIDTH + MARGIN
    under = max(board.height + HEADER + MARGIN, HEADER)
    if scene.plane is None:
        under = tall + MARGIN
    below, low = draw_legend(scene, MARGIN, under, max(board.width, WIDTH))
    height = max(low, tall) + MARGIN
    title = f"{scene.titles.title(scene.book.name)}"
    if title == scene.book.name.replace("_", " "):
        title = scene.book.title
    letters = min(22.0, (width - 2 * MARGIN) / (0.6 * max(len(title), 1)))
    inside = "".join(
        (
            f"<title>{escape_text(title)}</title>\n",
            f"<desc>{escape_text(status_line(scene))}</desc>\n",
            tag("rect", width=width, height=height, fill="#ffffff"),
            text_tag(MARGIN, 34, title, letters, weight="bold", anchor="start"),
            text_tag(
                MARGIN, 52, status_line(scene), 12, anchor="start", fill="#555555"
            ),
            board.draw(),
            panel,
            below,
        )
    )
    size = f'width="{format_number(width)}" height="{format_number(height)}"'
    box = f'viewBox="0 0 {format_number(width)} {format_number(height)}"'
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" {size} {box} '
        f'font-family="{FONT}" role="img">\n{inside}</svg>\n'
    )


@attrs.frozen
class BoardDrawing:
    """Drawing of the spaces that have a position; `dx` and `dy` shift the origin."""

    scene: Scene
    unit: float
    dx: float
    dy: float
    width: float
    height: float

    @classmethod
    def of_scene(cls, scene: Scene) -> "BoardDrawing":
        """Return the drawing of a scene's board, with its scale and origin."""
        points = [
            point
            for space in scene.spaces
            for point in (space.place.centre, *space.place.outline)
        ]
        if scene.plane is not None and scene.plane.rows and points:
            points.append((points[0][0], -1.0))
        if scene.plane is not None:
            points += [point for point, _ in scene.plane.labels]
        if not points:
            return cls(scene, 1, 0, 0, 0, 0)
        sorts = {space.sort for space in scene.spaces}
        unit = UNITS["face" if "face" in sorts else "space"]
        wide = max(point[0] for point in points) - min(point[0] for point in points)
        unit = min(unit, MAX_BOARD_WIDTH / max(wide, 1))
        rim = 0.9 if any(is_off_coast(space) for space in scene.spaces) else 0.45
        left, top = (min(point[n] for point in points) - rim for n in (0, 1))
        right, low = (max(point[n] for point in points) + rim for n in (0, 1))
        return cls(
            scene,
            unit,
            MARGIN - left * unit,
            HEADER + MARGIN - top * unit,
            (right - left) * unit,
            (low - top) * unit,
        )

    def name_area(self) -> Box:
        """Return the area in which names of corners may be written."""
        return Box(0, HEADER, self.width + 2 * MARGIN, HEADER + self.height + MARGIN)

    @property
    def rows(self) -> int:
        """Number of rows on each player's board; 0 for a common board."""
        return self.scene.plane.rows if self.scene.plane is not None else 0

    @property
    def hints(self) -> Hints:
        """Hints of the rule file."""
        return self.scene.hints

    def to_picture(self, point: tuple[float, float]) -> tuple[float, float]:
        """Convert a point of the plane to coordinates in the picture."""
        return (point[0] * self.unit + self.dx, point[1] * self.unit + self.dy)

    def draw(self, *, with_names: bool = True) -> Mark:
        """Draw the board: ground, spaces, names and labels."""
        parts = [
            self.draw_ground(),
            *(self.draw_space(space) for space in self.spaces_in_order()),
        ]
        return "".join(
            (*parts, self.draw_names() if with_names else "", self.draw_top_layer())
        )

    def spaces_in_order(self) -> list[Space]:
        """Return the spaces in drawing order."""
        spaces = self.scene.spaces
        areas = [space for space in spaces if space.place.outline]
        links = [space for space in spaces if space.sort is DomainSort.LINK]
        points = [s for s in spaces if not (s.place.outline or s.place.ends)]
        return [*areas, *filter(is_off_coast, spaces), *links, *points]

    def draw_space(self, space: Space) -> Mark:
        """Draw a space with the pieces on it."""
        if space.place.outline:
            return self._area(space)
        if is_off_coast(space):
            return self._coast_space(space)
        is_link = space.sort is DomainSort.LINK
        return self._link(space) if is_link else self._corner(space)

    def draw_names(self) -> Mark:
        """Draw the names of corners."""
        return draw_names(self.scene, self.unit, self.to_picture, self.name_area())

    def draw_top_layer(self) -> Mark:
        """Draw the top layer: owners of boards, goals, labels at the edge."""
        parts = [self._owner(number) for number in range(len(self.scene.seats))]
        parts += [self._goal(*goal) for goal in goal_sides(self.scene)]
        labels = self.scene.plane.labels if self.scene.plane else ()
        for point, words in labels:
            x, y = self.to_picture(point)
            parts.append(text_tag(x, y, words, 13, fill="#666666", centred=True))
        return "".join(parts)

    def _goal(self, seat: Seat, start: Point, end: Point) -> Mark:
        """Draw the coloured side of a field at an edge that a seat must connect."""
        (ax, ay), (bx, by) = self.to_picture(start), self.to_picture(end)
        ends = {"x1": ax, "y1": ay, "x2": bx, "y2": by}
        wide = self.unit * 0.12
        return tag(
            "line",
            **ends,
            stroke=seat.colour,
            stroke_width=wide,
            stroke_linecap="round",
        )

    def _owner(self, board_index: int) -> Mark:
        """Draw the badge and title of a player above the player's board."""
        if not self.rows:
            return ""
        seat = self.scene.seats[board_index]
        left = min(space.place.centre[0] for space in self.scene.spaces) - 0.5
        x, y = self.to_picture((left, board_index * (self.rows + 1.0) - 0.72))
        badge = draw_shape("block", x + 9, y, 11, seat.colour, seat.letter)
        return badge + text_tag(
            x + 24,
            y,
            capitalize(seat.title),
            12,
            weight="bold",
            anchor="start",
            centred=True,
        )

    # ------------------------------------------------------------ areas

    def draw_ground(self) -> Mark:
        """Draw the ground around the hexes of a board with corners."""
        areas = [space for space in self.scene.spaces if space.place.outline]
        if not any(space.sort is DomainSort.FACE for space in areas):
            return ""
        colour = self.hints.style("board", "colour")
        signs = any(is_off_coast(space) for space in self.scene.spaces)
        return "".join(
            tag(
                "polygon",
                points=self._outline_points(space),
                fill=colour,
                stroke=colour,
                stroke_width=self.unit * (1.6 if signs else 0.9),
                stroke_linejoin="round",
            )
            for space in areas
        )

    def _outline_points(self, space: Space) -> str:
        points = (self.to_picture(point) for point in space.place.outline)
        return " ".join(f"{format_number(x)},{format_number(y)}" for x, y in points)

    def _area(self, space: Space) -> Mark:
        """Draw a field: its colour, pattern, number, name and pieces."""
        colour, tile = self._fill(space)
        edge = "#ffffff" if space.sort is DomainSort.FACE else EDGE
        points = self._outline_points(space)
        inside = tag(
            "polygon",
            points=points,
            fill=colour,
            stroke=edge if space.place.home is None else colour,
            stroke_width=3 if space.sort is DomainSort.FACE else 1,
            opacity=0.4 if self.rows and not (space.pieces or first_card(space)) else 1,
        )
        if tile == "holes":
            x, y = self.to_picture(space.place.centre)
            inside += tag("circle", cx=x, cy=y, r=self.unit * 0.4, fill="#ffffff")
        elif drawing := find_pattern(tile, self.hints.drawings):
            size = self.unit * (1.0 if len(space.place.outline) == 6 else SQUARE)
            size *= ON_SIDE if space.place.home else 1
            inside += draw_pattern(
                drawing, *self.to_picture(space.place.centre), size, colour
            )
        if space.place.home:
            (ax, ay), (bx, by) = map(self.to_picture, space.place.outline[:2])
            inside += tag("line", x1=ax, y1=ay, x2=bx, y2=by, stroke=EDGE)
        inside += self._number(space) + self._area_name(space, colour)
        inside += self._field_pieces(space)
        return titled_group(inside, space_caption(self.scene, space))

    def _fill(self, space: Space) -> tuple[str, str]:
        """Return the colour and pattern of a field, from its kind or its domain."""
        domain = space.place.domain
        tile = self.hints.get(Look.PATTERN, domain) or ""
        colour = self.hints.colour(domain) or PLAIN
        if tile == "chequered":
            x, y = space.place.centre
            colour = "#fbf8f1" if round(x + y) % 2 else colour
        for trait in space.traits:
            own = self.hints.get(Look.PATTERN, trait.value) if trait.is_member else None
            if trait.is_member and (own or self.hints.colour(trait.value)):
                return self.hints.colour(trait.value) or PLAIN, own or ""
        return colour, tile

    def _number(self, space: Space) -> Mark:
        """Draw a field's number on a token, with a dot for each dice outcome."""
        trait = self.scene.number(space)
        if trait is None:
            return ""
        x, y = self.to_picture(space.place.centre)
        unit = self.unit * (1.0 if space.sort is DomainSort.FACE else 0.75)
        y -= unit * (0.12 if space.sort is DomainSort.FACE else 0.3)
        ways = self.hints.pips(trait.name)
        if not self.scene.can_be_rolled(trait):
            return ""
        style = self.hints.style
        several = len(set(ways.values())) > 1
        colour = style("token", "ink")
        if self.scene.is_likeliest(trait):
            colour = style("likeliest", "colour") or colour
        dots = ways.get(trait.value, 0) if style("token", "dots") == "yes" else 0
        dots = dots if several else 0
        high = y + unit * (0.04 if dots else 0.11)
        written = text_tag(
            x, high, str(trait.value), unit * 0.31, fill=colour, weight="bold"
        )
        return (
            self._token(x, y, unit)
            + written
            + self._draw_pips(x, y + unit * 0.16, dots, colour)
        )

    def _token(self, x: float, y: float, unit: float) -> Mark:
        """Draw the token under a number."""
        style = self.hints.style
        figure, fill = style("token", "shape"), style("token", "colour")
        if figure != "disc":
            stock = self.hints.drawings
            return draw_shape(figure, x, y, unit * 0.34, fill, "", drawings=stock)
        return tag(
            "circle",
            cx=x,
            cy=y,
            r=unit * 0.3,
            fill=fill,
            stroke=style("token", "edge"),
            stroke_width=1,
        )

    def _draw_pips(self, x: float, y: float, count: int, colour: str) -> Mark:
        step = self.unit * 0.075
        first = x - step * (count - 1) / 2
        return "".join(
            tag("circle", cx=first + n * step, cy=y, r=self.unit * 0.027, fill=colour)
            for n in range(count)
        )

    def _area_name(self, space: Space, colour: str) -> Mark:
        """Draw the name of a field under its number, in a few short lines."""
        card = self.scene.caption(space) if self.rows else ""
        if space.sort is not DomainSort.FACE and not card:
            return ""
        size = self.unit * (0.127 if space.sort is DomainSort.FACE else 0.15)
        room = self.unit * (1.62 if space.sort is DomainSort.FACE else 0.95)
        lines = wrap_words(card or space.title, room, size)
        x, y = self.to_picture(space.place.centre)
        numbered = space.sort is DomainSort.FACE or self._number(space)
        counted = list(self.scene.counters(space))
        y += self.unit * 0.32 if space.sort is DomainSort.FACE else size * 1.5
        if not numbered:
            y -= size * (0.7 + (len(lines) + len(counted)) / 2)
        drawn = [
            text_tag(x, y + n * size * 1.1, line, size, fill=readable_ink(colour))
            for n, line in enumerate(lines)
        ]
        y += size * (len(lines) * 1.1 + 0.2)
        drawn += [
            text_tag(x, y + n * size * 1.3, line, size * 1.2, fill=readable_ink(colour))
            for n, line in enumerate(counted)
        ]
        return "".join(drawn)

    def _field_pieces(self, space: Space) -> Mark:
        """Draw the pieces on a field; on a player's own board, side by side."""
        x, y = self.to_picture(space.place.centre)
        if self.rows:
            size = self.unit * (0.36 if len(space.pieces) < 2 else 0.24)
            first = x - size * (len(space.pieces) - 1)
            return "".join(
                self.draw_piece(piece, first + n * 2 * size, y, size)
                for n, piece in enumerate(space.pieces)
            )
        if self.scene.number(space) is not None:
            x, y = x - self.unit * 0.52, y - self.unit * 0.1
        elif space.sort is DomainSort.FACE:
            y -= self.unit * 0.14
        size = self.unit * (0.24 if space.sort is DomainSort.FACE else 0.36)
        size *= 2 * ON_SIDE if space.place.home else 1
        return "".join(
            self.draw_piece(piece, x + n * size, y, size)
            for n, piece in enumerate(space.pieces)
        )

    def draw_piece(self, placed: PlacedPiece, x: float, y: float, size: float) -> Mark:
        """Draw a piece in the colour of its owner, or in its own."""
        return draw_piece(self.scene, placed, x, y, size)

    # ------------------------------------------------------------ links and corners

    def _coast_space(self, space: Space) -> Mark:
        """Draw a space at the coast: a sign, and jetties to its two corners."""
        assert space.place.ends is not None
        x, y = self.to_picture(space.place.centre)
        inside = "".join(
            self._jetty((x, y), self.to_picture(self._centre_of(end)))
            for end in space.place.ends
        )
        kind = next((trait.value for trait in space.traits if trait.is_member), None)
        colour = (kind and self.hints.colour(kind)) or self.hints.style(
            "sign", "colour"
        )
        inside += tag(
            "circle",
            cx=x,
            cy=y,
            r=self.unit * 0.33,
            fill=colour,
            stroke=self.hints.style("sign", "edge"),
            stroke_width=1.2,
        )
        label = (kind and self.hints.get(Look.LABEL, kind)) or ""
        words = (kind and self.scene.yielded_card(kind)) or (
            "" if label else space.title
        )
        inside += text_tag(
            x,
            y + self.unit * (0.0 if words else 0.07),
            label,
            self.unit * 0.2,
            fill=readable_ink(colour),
            weight="bold",
        )
        inside += text_tag(
            x, y + self.unit * 0.17, words, self.unit * 0.13, fill=readable_ink(colour)
        )
        return titled_group(inside, space_caption(self.scene, space))

    def _jetty(self, start: Point, end: Point) -> Mark:
        """Draw the line from a sign off the coast to one of its corners."""
        (x, y), (ex, ey), style = start, end, self.hints.style
        dashes = style("jetty", "dashes")
        return tag(
            "line",
            x1=x,
            y1=y,
            x2=ex,
            y2=ey,
            stroke=style("jetty", "colour"),
            stroke_width=self.unit * float(style("jetty", "width")),
            **({"stroke_dasharray": dashes} if dashes else {}),
        )

    def _centre_of(self, name: str) -> tuple[float, float]:
        assert self.scene.plane is not None
        return self.scene.plane.places[name].centre

    def _link(self, space: Space) -> Mark:
        """Draw a link: a thin line, or the pieces on it."""
        assert space.place.ends is not None
        near, far = (self.to_picture(self._centre_of(end)) for end in space.place.ends)
        line = tag(
            "line",
            **shorten_line(near, far, 0.0),
            stroke="#b9b09f",
            stroke_width=1.2,
            stroke_dasharray="2 3",
        )
        if not space.pieces:
            return titled_group(
                line + self._kind_mark(space), space_caption(self.scene, space)
            )
        inner = shorten_line(near, far, 0.2)
        first_piece = space.pieces[0]
        if shape_of(self.scene, first_piece) != "line" or space.pieces[1:]:
            x, y = self.to_picture(space.place.centre)
            size = self.unit * 0.2
            first = x - size * (len(space.pieces) - 1)
            inside = "".join(
                self.draw_piece(piece, first + n * 2 * size, y, size)
                for n, piece in enumerate(space.pieces)
            )
            return titled_group(line + inside, space_caption(self.scene, space))
        colour = piece_colour(self.scene, first_piece)
        wide = self.unit * 0.16
        inside = "".join(
            tag("line", **inner, stroke=c, stroke_width=w, stroke_linecap="round")
            for c, w in ((OUTLINE, wide), (colour, wide * 0.74))
        )
        x, y = self.to_picture(space.place.centre)
        letter = self.scene.letters.get(first_piece.owner or "", "")
        inside += text_tag(
            x,
            y,
            letter,
            wide * 0.8,
            fill=readable_ink(colour),
            weight="bold",
            centred=True,
        )
        inside = tag("g", inside, **piece_attributes(first_piece))
        return titled_group(inside, space_caption(self.scene, space))

    def _corner(self, space: Space) -> Mark:
        """Draw a corner: a mark of its kind, or the pieces on it."""
        x, y = self.to_picture(space.place.centre)
        size = self.unit * 0.24
        if space.pieces:
            inside = "".join(
                self.draw_piece(piece, x + n * size * 0.9, y - n * size * 0.3, size)
                for n, piece in enumerate(space.pieces)
            )
            return titled_group(inside, space_caption(self.scene, space))
        drawn = self._kind_mark(space)
        if drawn:
            return titled_group(drawn, space_caption(self.scene, space))
        if space.sort is DomainSort.SPACE:
            drawn = draw_shape(
                "disc", x, y, size, self.hints.colour(space.place.domain) or PLAIN, ""
            )
            return titled_group(drawn, space_caption(self.scene, space))
        dot = tag("circle", cx=x, cy=y, r=self.unit * 0.035, fill="#8a8275")
        return titled_group(dot, space_caption(self.scene, space))

    def _kind_mark(self, space: Space) -> Mark:
        """Draw the shape that a hint gives to the kind of a corner or link, if any."""
        shapes = (
            (t.value, self.hints.get(Look.SHAPE, t.value))
            for t in space.traits
            if t.is_member
        )
        kind, mark = next((pair for pair in shapes if pair[1]), (None, None))
        if kind is None or mark is None:
            return ""
        x, y = self.to_picture(space.place.centre)
        colour = self.hints.colour(kind) or PAPER
        stock = self.hints.drawings
        return draw_shape(mark, x, y, self.unit * 0.132, colour, "", drawings=stock)


def is_off_coast(space: Space) -> bool:
    """Return whether a space is off the coast, at a side of a field."""
    return space.place.ends is not None and space.sort is DomainSort.SPACE


def shorten_line(
    start: tuple[float, float], end: tuple[float, float], fraction: float
) -> dict[str, float]:
    """Return SVG attributes of a line that is shortened by a fraction at both ends."""
    (ax, ay), (bx, by) = start, end
    return {
        "x1": ax + (bx - ax) * fraction,
        "y1": ay + (by - ay) * fraction,
        "x2": bx - (bx - ax) * fraction,
        "y2": by - (by - ay) * fraction,
    }
