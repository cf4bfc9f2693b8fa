"""The shapes of pieces and the patterns of fields, as SVG.

A shape is drawn about a point, `size` from its middle to its rim; a seat's letter
stands in it, so that colour is never the only mark.
"""

from collections.abc import Callable, Mapping

from workbench.picture.hints import ink
from workbench.picture.tags import Mark, number, tag, text

OUTLINE = "#222222"


def shape(name: str, x: float, y: float, size: float, fill: str, letter: str) -> Mark:
    """A piece of a shape at a point, with a letter in it."""
    draw = DRAWN.get(name, disc)
    return draw(x, y, size, fill, letter)


def _lettered(x: float, y: float, size: float, fill: str, letter: str) -> Mark:
    high = size * min(0.95, 1.7 / max(1, len(letter)))
    return text(x, y, letter, high, fill=ink(fill), weight="bold", middle=True)


def _polygon(points: str, x: float, y: float, size: float, fill: str) -> Mark:
    """An outline given in tenths of the size about the middle."""
    pairs = (pair.split(",") for pair in points.split())
    moved = " ".join(
        f"{number(x + float(a) * size / 10)},{number(y + float(b) * size / 10)}"
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


def outlined(points: str, drop: float = 0, letters: float = 1.0) -> Callable[..., Mark]:
    """A shape with this outline; its letter stands `drop` tenths below the middle."""

    def draw(x: float, y: float, size: float, fill: str, letter: str) -> Mark:
        return _polygon(points, x, y, size, fill) + _lettered(
            x, y + drop * size / 10, size * letters, fill, letter
        )

    return draw


def disc(x: float, y: float, size: float, fill: str, letter: str) -> Mark:
    """A round counter."""
    round_ = tag(
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
        stroke=ink(fill),
        stroke_width=size / 25,
        opacity=0.35,
    )
    return round_ + inner + _lettered(x, y, size, fill, letter)


def ring(x: float, y: float, size: float, fill: str, letter: str) -> Mark:
    """A ring, drawn as a nought is written."""
    strokes = ((size / 2.4, OUTLINE), (size / 3.4, fill))
    return "".join(
        tag("circle", cx=x, cy=y, r=size * 0.7, fill="none", stroke=c, stroke_width=w)
        for w, c in strokes
    )


def cross(x: float, y: float, size: float, fill: str, letter: str) -> Mark:
    """Two crossed strokes."""
    reach = size * 0.65
    way = "M{} {}L{} {}M{} {}L{} {}".format(
        *map(
            number,
            (
                *(x - reach, y - reach, x + reach, y + reach),
                *(x - reach, y + reach, x + reach, y - reach),
            ),
        )
    )
    strokes = ((size / 2.4, OUTLINE), (size / 3.4, fill))
    return "".join(
        tag(
            "path", d=way, fill="none", stroke=c, stroke_width=w, stroke_linecap="round"
        )
        for w, c in strokes
    )


def pawn(x: float, y: float, size: float, fill: str, letter: str) -> Mark:
    """A head on a skirt."""
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
        + _lettered(x, y + size * 0.42, size * 0.7, fill, letter)
    )


DRAWN: Mapping[str, Callable[..., Mark]] = {
    "disc": disc,
    "ring": ring,
    "cross": cross,
    "pawn": pawn,
    "house": outlined("-8,9 -8,-2 0,-9 8,-2 8,9", 2),
    "tower": outlined(
        "-7,10 -7,-9 -4,-9 -4,-6 -1.6,-6 -1.6,-9 1.6,-9 1.6,-6 4,-6 4,-9 7,-9 7,10", 2
    ),
    "block": outlined("-7,-7 7,-7 7,7 -7,7"),
    "diamond": outlined("0,-10 9,0 0,10 -9,0"),
    "card": outlined("-6,-9 6,-9 6,9 -6,9"),
    "star": outlined(
        "0,-10 2.4,-3.2 9.5,-3.1 3.8,1.2 5.9,8.1 "
        "0,4 -5.9,8.1 -3.8,1.2 -9.5,-3.1 -2.4,-3.2"
    ),
    "line": outlined("-9,2.4 -9,-2.4 9,-2.4 9,2.4", letters=0.4),
}

#: One mark of a pattern as a path about the origin, and whether it is filled.
MARKS: Mapping[str, tuple[str, bool]] = {
    "dots": ("M-1.5 0a1.5 1.5 0 1 0 3 0a1.5 1.5 0 1 0 -3 0", True),
    "slope": ("M-4 4L4 -4", False),
    "waves": ("M-6 0q3 -4 6 0t6 0", False),
    "peaks": ("M-6 4L-1 -4L2 0L4 -2L7 4", False),
    "rows": ("M-5 -2H5M-5 2H5", False),
    "crosses": ("M-3 0H3M0 -3V3", False),
    "firs": ("M0 -6L4 1H1.5L4.5 5H-4.5L-1.5 1H-4ZM0 5V7", True),
    "ears": ("M0 -6V6M0 -2L3 -5M0 -2L-3 -5M0 2L3 -1M0 2L-3 -1", False),
    "tufts": ("M0 3V-3M0 3L-4 -2M0 3L4 -2", False),
}

#: Where the marks of a field stand, in sides of it; the middle is left free.
SPREAD = (
    *((-0.22, -0.68), (0.22, -0.68), (-0.52, -0.42), (0.52, -0.42)),
    *((-0.7, -0.12), (0.7, -0.12), (-0.46, 0.08), (0.46, 0.08)),
    *((-0.66, 0.42), (0.66, 0.42), (-0.4, 0.62), (0.4, 0.62)),
)


def mark(name: str, x: float, y: float, ground: str) -> Mark:
    """One mark of a pattern on a ground of some colour."""
    way, filled = MARKS[name]
    colour = ink(ground)
    return tag(
        "path",
        d=way,
        transform=f"translate({number(x)} {number(y)})",
        fill=colour if filled else "none",
        stroke="none" if filled else colour,
        stroke_width=1.1,
        opacity=0.3,
    )


def marks(name: str, x: float, y: float, side: float, ground: str) -> Mark:
    """A pattern over a field with its middle at a point."""
    if name not in MARKS:
        return ""
    spots = ((x + dx * side, y + dy * side) for dx, dy in SPREAD)
    return "".join(mark(name, mx, my, ground) for mx, my in spots)
