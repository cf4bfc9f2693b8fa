"""Words of hints about looks, and predefined colours and shapes.

Anything beyond a plain shape is drawn by the `drawing` clauses of a theme.
"""

from __future__ import annotations

from enum import StrEnum


class Look(StrEnum):
    """Word of a hint about a look, such as `colour`.

    `docs/language/looks.md` lists the things each word applies to and its values.
    """

    COLOUR = "colour"
    PATTERN = "pattern"
    SHAPE = "shape"
    LABEL = "label"
    UNFILLED = "unfilled"
    CAPTION = "caption"
    DURING = "during"
    PIPS = "pips"
    WITHIN = "within"
    GOAL = "goal"
    DRAWN = "drawn"
    SHOWS = "shows"
    AT = "at"
    LIES = "lies"
    PLACED = "placed"
    ROWS = "rows"
    STEP = "step"
    SHIFT = "shift"


PALETTE = {
    "red": "#c62828",
    "blue": "#1565c0",
    "white": "#eceff1",
    "orange": "#ef6c00",
    "green": "#009e73",
    "yellow": "#fdd835",
    "black": "#212121",
    "brown": "#5d4037",
    "purple": "#8e24aa",
    "violet": "#8e24aa",
    "pink": "#f48fb1",
    "grey": "#9e9e9e",
    "gray": "#9e9e9e",
    "turquoise": "#26c6da",
}
"""Predefined colours by name; `colours` clauses declare more, or override these."""

FIGURES = (
    *("disc", "block", "diamond", "tower", "ring", "cross"),
    *("pawn", "house", "card", "star", "line"),
)
"""Predefined shapes of pieces, which need no drawing."""

PATTERNS = ("dots", "slope", "waves", "rows", "crosses", "chequered", "holes")
"""Predefined patterns of spaces, which need no drawing."""

PARTS: dict[str, tuple[str, ...]] = {
    "board": ("colour",),
    "token": ("colour", "edge", "ink", "shape", "dots"),
    "likeliest": ("colour",),
    "sign": ("colour", "edge"),
    "jetty": ("colour", "width", "dashes"),
}
"""Parts of a picture that show no component, each with its columns in a `style`."""
