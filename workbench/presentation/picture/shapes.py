"""Shapes of pieces and patterns of fields, as SVG.

A shape is drawn around a point; `size` is the distance from its centre to its rim. It
contains the letter of its owner, so that colour is never the only distinction.
"""

from collections.abc import Callable, Mapping

from rulebook.model import Drawing, Stroke
from workbench.presentation.picture.hints import readable_ink
from workbench.presentation.picture.tags import Mark, format_number, tag, text_tag

OUTLINE = "#222222"
FRAME = 10
Drawings = Mapping[str, Drawing]


def draw_shape(
    name: str,
    x: float,
    y: float,
    size: float,
    fill: str,
    letter: str,
    *,
    drawings: Drawings | None = None,
) -> Mark:
    """Draw a piece at a point, as a shape or drawing with a letter in it."""
    drawing = (drawings or {}).get(name)
    draw = (
        SHAPES_BY_NAME.get(name, disc) if drawing is None else shape_of_drawing(drawing)
    )
    return draw(x, y, size, fill, letter)


def find_pattern(name: str, drawings: Drawings) -> Drawing | None:
    """Return the drawing of a pattern, either built-in or declared; None if unknown."""
    return MARKS.get(name) or drawings.get(name)


def _draw_letter(x: float, y: float, size: float, fill: str, letter: str) -> Mark:
    high = size * min(0.95, 1.7 / max(1, len(letter)))
    return text_tag(
        x, y, letter, high, fill=readable_ink(fill), weight="bold", centred=True
    )


def _polygon(points: str, x: float, y: float, size: float, fill: str) -> Mark:
    """Draw an outline whose points are in tenths of the size from the centre."""
    pairs = (pair.split(",") for pair in points.split())
    step = size / 10
    moved = " ".join(
        f"{format_number(x + float(a) * step)},{format_number(y + float(b) * step)}"
        for a, b in pairs
    )
    return tag(
        "polygon",
        points=moved,
        fill=fill,
        stroke=OUTLINE,
        stroke_width=size / 8,
        stroke_linejoin="round",
    )


def outline_shape(
    points: str, letter_offset: float = 0, letter_scale: float = 1.0
) -> Callable[..., Mark]:
    """Return a function that draws a piece with this outline and a letter.

    The letter is `letter_offset` tenths of the size below the centre.
    """

    def draw(x: float, y: float, size: float, fill: str, letter: str) -> Mark:
        return _polygon(points, x, y, size, fill) + _draw_letter(
            x, y + letter_offset * size / 10, size * letter_scale, fill, letter
        )

    return draw


def disc(x: float, y: float, size: float, fill: str, letter: str) -> Mark:
    """Draw a round counter."""
    counter = tag(
        "circle",
        cx=x,
        cy=y,
        r=size * 0.9,
        fill=fill,
        stroke=OUTLINE,
        stroke_width=size / 10,
    )
    inner = tag(
        "circle",
        cx=x,
        cy=y,
        r=size * 0.7,
        fill="none",
        stroke=readable_ink(fill),
        stroke_width=size / 25,
        opacity=0.35,
    )
    return counter + inner + _draw_letter(x, y, size, fill, letter)


def ring(x: float, y: float, size: float, fill: str, letter: str) -> Mark:
    """Draw a ring, like the digit zero."""
    strokes = ((size / 2.4, OUTLINE), (size / 3.4, fill))
    return "".join(
        tag("circle", cx=x, cy=y, r=size * 0.7, fill="none", stroke=c, stroke_width=w)
        for w, c in strokes
    )


def cross(x: float, y: float, size: float, fill: str, letter: str) -> Mark:
    """Draw two crossed lines."""
    reach = size * 0.65
    d = "M{} {}L{} {}M{} {}L{} {}".format(
        *map(
            format_number,
            (
                *(x - reach, y - reach, x + reach, y + reach),
                *(x - reach, y + reach, x + reach, y - reach),
            ),
        )
    )
    strokes = ((size / 2.4, OUTLINE), (size / 3.4, fill))
    return "".join(
        tag("path", d=d, fill="none", stroke=c, stroke_width=w, stroke_linecap="round")
        for w, c in strokes
    )


def pawn(x: float, y: float, size: float, fill: str, letter: str) -> Mark:
    """Draw a pawn: a head on a cone."""
    skirt = "-7,9 -5,5 -2.5,-2 2.5,-2 5,5 7,9"
    head = tag(
        "circle",
        cx=x,
        cy=y - size * 0.5,
        r=size * 0.42,
        fill=fill,
        stroke=OUTLINE,
        stroke_width=size / 8,
    )
    return (
        _polygon(skirt, x, y, size, fill)
        + head
        + _draw_letter(x, y + size * 0.42, size * 0.7, fill, letter)
    )


SHAPES_BY_NAME: Mapping[str, Callable[..., Mark]] = {
    "disc": disc,
    "ring": ring,
    "cross": cross,
    "pawn": pawn,
    "house": outline_shape("-8,9 -8,-2 0,-9 8,-2 8,9", 2),
    "tower": outline_shape(
        "-7,10 -7,-9 -4,-9 -4,-6 -1.6,-6 -1.6,-9 1.6,-9 1.6,-6 4,-6 4,-9 7,-9 7,10", 2
    ),
    "block": outline_shape("-7,-7 7,-7 7,7 -7,7"),
    "diamond": outline_shape("0,-10 9,0 0,10 -9,0"),
    "card": outline_shape("-6,-9 6,-9 6,9 -6,9"),
    "star": outline_shape(
        "0,-10 2.4,-3.2 9.5,-3.1 3.8,1.2 5.9,8.1 "
        "0,4 -5.9,8.1 -3.8,1.2 -9.5,-3.1 -2.4,-3.2"
    ),
    "line": outline_shape("-9,2.4 -9,-2.4 9,-2.4 9,2.4", letter_scale=0.4),
}


def _pattern_drawing(name: str, path: str, *, filled: bool = False) -> Drawing:
    stroke = Stroke(path, fill="ink") if filled else Stroke(path, line="ink")
    return Drawing(name, (stroke,))


#: Mark of each built-in pattern, by name.
MARKS: Mapping[str, Drawing] = {
    "dots": _pattern_drawing(
        "dots", "M-1.5 0a1.5 1.5 0 1 0 3 0a1.5 1.5 0 1 0 -3 0", filled=True
    ),
    "slope": _pattern_drawing("slope", "M-4 4L4 -4"),
    "waves": _pattern_drawing("waves", "M-6 0q3 -4 6 0t6 0"),
    "rows": _pattern_drawing("rows", "M-5 -2H5M-5 2H5"),
    "crosses": _pattern_drawing("crosses", "M-3 0H3M0 -3V3"),
}

#: Offsets of the marks from a field's centre, in side lengths; the centre is empty.
MARK_POSITIONS = (
    *((-0.22, -0.68), (0.22, -0.68), (-0.52, -0.42), (0.52, -0.42)),
    *((-0.7, -0.12), (0.7, -0.12), (-0.46, 0.08), (0.46, 0.08)),
    *((-0.66, 0.42), (0.66, 0.42), (-0.4, 0.62), (0.4, 0.62)),
)


def shape_of_drawing(drawing: Drawing) -> Callable[..., Mark]:
    """Return a function that draws pieces with a declared drawing."""

    def draw(x: float, y: float, size: float, fill: str, letter: str) -> Mark:
        scale = size / FRAME
        moved = f"translate({format_number(x)} {format_number(y)})"
        at = f"{moved} scale({format_number(scale)})"
        paths = (_stroke_path(stroke, at, fill, "1.2") for stroke in drawing.strokes)
        return "".join(paths) + _draw_letter(x, y, size * 0.8, fill, letter)

    return draw


def draw_mark(drawing: Drawing, x: float, y: float, background: str) -> Mark:
    """Draw one mark of a pattern over a background colour, with faint ink."""
    at = f"translate({format_number(x)} {format_number(y)})"
    return "".join(
        _stroke_path(stroke, at, background, "1.1", 0.3) for stroke in drawing.strokes
    )


def _stroke_path(
    stroke: Stroke, position: str, own_colour: str, width: str, ink_opacity: float = 1
) -> Mark:
    colours = {"own": own_colour, "ink": readable_ink(own_colour)}
    fill, line = (
        "none" if paint is None else colours.get(paint, paint)
        for paint in (stroke.fill, stroke.line)
    )
    faint = "ink" in (stroke.fill, stroke.line) and ink_opacity < 1
    shown = {"opacity": ink_opacity} if faint else {}
    return tag(
        "path",
        d=stroke.path,
        transform=position,
        fill=fill,
        stroke=line,
        stroke_width=stroke.width or width,
        **shown,
    )


def draw_pattern(
    drawing: Drawing, x: float, y: float, side: float, background: str
) -> Mark:
    """Draw a pattern over the field around a point."""
    spots = ((x + dx * side, y + dy * side) for dx, dy in MARK_POSITIONS)
    return "".join(draw_mark(drawing, mx, my, background) for mx, my in spots)
