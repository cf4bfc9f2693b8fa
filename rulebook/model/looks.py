"""How things look: what hints say, the colours and shapes that need no declaration.

Whatever is more than a plain figure stands in a theme, in `drawing` clauses.
"""

from __future__ import annotations

from enum import StrEnum


class Look(StrEnum):
    """What a hint says of a thing: the check knows these, and pictures ask for them.

    `docs/language/looks.md` says what each is of, and what it may say.
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
"""Colours that every file can name; `colours` declares more, or these anew."""

FIGURES = (
    *("disc", "block", "diamond", "tower", "ring", "cross"),
    *("pawn", "house", "card", "star", "line"),
)
"""What a piece may look like without a drawing."""

PATTERNS = ("dots", "slope", "waves", "rows", "crosses", "chequered", "holes")
"""How a field may be filled without a drawing."""

PARTS: dict[str, tuple[str, ...]] = {
    "board": ("colour",),
    "token": ("colour", "edge", "ink", "shape", "dots"),
    "likeliest": ("colour",),
    "sign": ("colour", "edge"),
    "jetty": ("colour", "width", "dashes"),
}
"""The parts of a picture that no game declares, and what a `style` says of each."""
