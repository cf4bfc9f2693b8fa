"""Panels beside the board: seats, spaces without a position, common fields, legend."""

from collections.abc import Iterator

import attrs

from rulebook.model import Drawing, Look
from workbench.presentation.picture.pieces import draw_piece
from workbench.presentation.picture.scene import Scene
from workbench.presentation.picture.scene_parts import SceneTable, Seat
from workbench.presentation.picture.shapes import (
    Drawings,
    draw_mark,
    draw_shape,
    find_pattern,
)
from workbench.presentation.picture.tags import (
    Mark,
    tag,
    text_tag,
    titled_group,
    wrap_words,
)

WIDTH = 330.0
LINE = 15.0
SIZE = 10.5
GREY = "#555555"


def draw_panels(scene: Scene, x: float, y: float) -> tuple[Mark, float]:
    """Draw the panels; return them with the y coordinate of their lower edge."""
    column = _Column(scene, x, y)
    for seat in scene.seats:
        column.seat(seat)
    for table in scene.tables:
        column.table(table)
    if scene.common:
        column.heading(scene.titles.phrase("for_all"))
        for name, value in scene.common:
            column.lines(capitalize(f"{name}: {value}"))
        column.y += 8
    return "".join(column.marks), column.y


@attrs.define
class _Column:
    """Panel column, to which marks are added from top to bottom."""

    scene: Scene
    x: float
    y: float
    width: float = WIDTH
    marks: list[Mark] = attrs.field(factory=list, init=False)

    def heading(self, text: str) -> None:
        """Add an underlined heading."""
        self.y += LINE
        self.marks.append(
            text_tag(
                self.x, self.y, capitalize(text), 12, weight="bold", anchor="start"
            )
        )
        self.y += 5
        line = {"x1": self.x, "y1": self.y, "x2": self.x + self.width, "y2": self.y}
        self.marks.append(tag("line", **line, stroke="#bbbbbb", stroke_width=1))
        self.y += 3

    def lines(self, text: str, indent: float = 0.0) -> None:
        """Add wrapped text."""
        for line in wrap_words(text, self.width - indent, SIZE):
            self.y += LINE - 1
            self.marks.append(
                text_tag(self.x + indent, self.y, line, SIZE, anchor="start", fill=GREY)
            )

    def seat(self, seat: Seat) -> None:
        """Add a seat: letter, title, points, holdings and awards."""
        top = self.y
        badge = draw_shape("block", self.x + 15, top + 16, 17, seat.colour, seat.letter)
        name = text_tag(
            self.x + 36,
            top + 20,
            capitalize(seat.title),
            14,
            weight="bold",
            anchor="start",
        )
        scored = bool(self.scene.book.model.points.lines)
        points = seat.points if scored else ""
        score = text_tag(
            self.x + WIDTH, top + 20, points, 12.5, weight="bold", anchor="end"
        )
        self.marks.append(
            titled_group(badge + name + score, f"{seat.title} {points}".strip())
        )
        if seat.must_act:
            words = self.scene.titles.phrase("to_act")
            width = len(seat.title) * 9
            self.marks.append(
                text_tag(
                    self.x + 46 + width,
                    top + 20,
                    f"◂ {words}",
                    SIZE,
                    anchor="start",
                    fill="#b3261e",
                )
            )
        self.y = top + 24
        if seat.awards:
            self.lines("★ " + ", ".join(seat.awards), 36)
        for held, value in seat.holdings:
            self.lines(capitalize(f"{held}: {value}"), 36)
        self.y += 12

    def table(self, table: SceneTable) -> None:
        """Add a table of spaces that have no position on the board."""
        self.heading(table.title)
        for row in table.rows:
            self.y += LINE
            at = self.x + 9
            for piece in row.pieces:
                self.marks.append(draw_piece(self.scene, piece, at, self.y - 4, 6.2))
                at += 17
            self.marks.append(
                text_tag(
                    max(self.x + 36, at - 2),
                    self.y,
                    capitalize(row.title),
                    SIZE,
                    anchor="start",
                    weight="bold",
                )
            )
            detail = " · ".join(row.cells)
            self.marks.append(
                text_tag(
                    self.x + WIDTH, self.y, detail, SIZE - 1, anchor="end", fill=GREY
                )
            )
        self.y += 8


def draw_legend(scene: Scene, x: float, y: float, width: float) -> tuple[Mark, float]:
    """Draw the legend of colours and shapes; return it and the y of its lower edge."""
    entries = [*_kind_markers(scene), *_piece_markers(scene)]
    if len(entries) < 2:
        return "", y
    column = _Column(scene, x, y, width)
    column.heading(scene.titles.phrase("legend"))
    columns = max(int(width // 155), 1)
    for number, (sample, words) in enumerate(entries):
        row, place = divmod(number, columns)
        at = (x + place * width / columns, column.y + 13 + row * 20)
        column.marks.append(sample(at[0] + 10, at[1]))
        column.marks.append(
            text_tag(at[0] + 26, at[1], words, SIZE, anchor="start", centred=True)
        )
    column.y += 8 + -(-len(entries) // columns) * 20
    for words in (*_dice_explanation(scene), *_counter_explanations(scene)):
        column.lines(words)
    return "".join(column.marks), column.y


def _kind_markers(scene: Scene) -> "Iterator[tuple[Marker, str]]":
    """Yield a marker and title for each kind of space that has a colour or shape."""
    hints = scene.hints
    for kind in scene.kinds():
        colour, shape = hints.colour(kind), hints.get(Look.SHAPE, kind)
        if (colour is None and shape is None) or hints.get(Look.LABEL, kind):
            continue
        pattern = find_pattern(hints.get(Look.PATTERN, kind) or "", hints.drawings)
        card = scene.yielded_card(kind)
        words = capitalize(scene.titles.title(kind)) + (f": {card}" if card else "")
        yield Marker(colour or "#fffdf6", pattern, shape or "", hints.drawings), words


def _piece_markers(scene: Scene) -> "Iterator[tuple[Marker, str]]":
    """Yield a marker and title for each kind of piece."""
    for name, piece in scene.book.model.pieces.items():
        spare = "#cfc8ba" if piece.owner else "#555555"
        hints = scene.hints
        shape, colour = hints.piece_shape(name), hints.colour(name) or spare
        sample = Marker(colour, None, shape, hints.drawings)
        yield sample, capitalize(scene.titles.title(name))


def _dice_explanation(scene: Scene) -> list[str]:
    """Return sentences about the dots under numbers; empty if no dots are drawn."""
    if scene.hints.style("token", "dots") != "yes":
        return []
    names = {t.name for s in scene.spaces for t in s.traits if not t.is_member}
    counts = sorted(
        {
            scene.hints.outcome_count(name)
            for name in names
            if len(set(scene.hints.pips(name).values())) > 1
        }
    )
    return [scene.titles.phrase("dots", rolls=n) for n in counts]


def _counter_explanations(scene: Scene) -> list[str]:
    """Return the meaning of each sign that is repeated to show a number."""
    names = dict.fromkeys(t.name for s in scene.spaces for t in s.traits)
    signs = ((name, scene.hints.get(Look.LABEL, name)) for name in names)
    return [
        f"{sign}  {scene.titles.title(name)}"
        for name, sign in signs
        if sign and scene.hints.get(Look.UNFILLED, name)
    ]


def capitalize(text: str) -> str:
    """Return text with an initial capital."""
    return text[:1].upper() + text[1:]


@attrs.frozen
class Marker:
    """Sample of a colour, pattern or shape for the legend."""

    colour: str
    tile: Drawing | None
    shape: str
    drawings: Drawings

    def __call__(self, x: float, y: float) -> Mark:
        """Draw the sample at a point."""
        if self.shape:
            return draw_shape(
                self.shape, x, y, 8, self.colour, "", drawings=self.drawings
            )
        box = {"x": x - 9, "y": y - 7, "width": 18.0, "height": 14.0, "rx": 2.0}
        drawn = tag("rect", **box, fill=self.colour, stroke="#777777", stroke_width=0.8)
        if self.tile is not None:
            drawn += draw_mark(self.tile, x, y, self.colour)
        return drawn
