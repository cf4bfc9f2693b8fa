"""Heat map of income: a pale board with a coloured disc and a number on each space.

Colours range from sand (0) to teal (the maximum).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import attrs

from workbench.presentation.picture.hints import readable_ink
from workbench.presentation.picture.labels import draw_names
from workbench.presentation.picture.scene import Scene
from workbench.presentation.picture.scene_parts import PlacedPiece, Space
from workbench.presentation.picture.svg import FONT, MARGIN, BoardDrawing
from workbench.presentation.picture.tags import (
    Mark,
    escape_text,
    format_number,
    tag,
    text_tag,
    titled_group,
    wrap_words,
)

SCALE_COLOURS = ("#f4ecc8", "#dfdcb2", "#b2cc9f", "#76b198", "#408d8e", "#1d5068")
"""Colours of the scale, at equal distances from 0 to the maximum."""
FAINT = 0.25
LEGEND = 150.0
STEPS = 60
FOOT = 62.0
EDGE = "#ffffff"


@attrs.frozen
class Heat:
    """Value on a space, with its label and tooltip.

    `figure` is the key of the number on a report page, if it has one. `size` is the
    relative size of the disc.
    """

    value: float
    label: str
    tooltip: str
    figure: str = ""
    size: float = 1.0


@attrs.frozen
class Scale:
    """Colour scale from a minimum to a maximum, with colours at equal distances."""

    stops: tuple[str, ...]
    lowest: float
    highest: float

    def colour(self, value: float) -> str:
        """Return the colour of a value."""
        span = self.highest - self.lowest
        return colour_of((value - self.lowest) / span if span else 0.0, self.stops)


def heat_map(
    scene: Scene, heats: Mapping[str, Heat], title: str, caption: str, unit: str
) -> str:
    """Return a heat map of a scene that contains a board, as SVG.

    *caption* is drawn below the legend, and *unit* follows the maximum in the legend.
    """
    board = BoardDrawing.of_scene(scene)
    highest = max((heat.value for heat in heats.values()), default=0.0)
    scale = Scale(SCALE_COLOURS, 0.0, highest)
    width = board.width + 2 * MARGIN
    lines = wrap_words(caption, width - 2 * MARGIN, 12)
    size = min(22.0, (width - 2 * MARGIN) / (0.6 * max(len(title), 1)))
    foot = board.height + 2 * MARGIN + 58.0
    height = foot + FOOT + 16 * (len(lines) - 1)
    parts = (
        f"<title>{escape_text(title)}</title>\n",
        f"<desc>{escape_text(caption)}</desc>\n",
        tag("rect", width=width, height=height, fill="#ffffff"),
        text_tag(MARGIN, 34, title, size, weight="bold", anchor="start"),
        map_layers(board, heats, scale),
        scale_legend(MARGIN, foot, scale, "0", f"{format_number(highest)} {unit}"),
        *(
            text_tag(
                MARGIN, foot + 46 + 16 * n, line, 12, anchor="start", fill="#555555"
            )
            for n, line in enumerate(lines)
        ),
    )
    box = f'viewBox="0 0 {format_number(width)} {format_number(height)}"'
    dimensions = f'width="{format_number(width)}" height="{format_number(height)}"'
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" {dimensions} {box} '
        f'font-family="{FONT}" role="img">\n{"".join(parts)}</svg>\n'
    )


def map_layers(board: BoardDrawing, heats: Mapping[str, Heat], scale: Scale) -> Mark:
    """Return the pale board with names, and a disc on each space that has a value."""
    scene = board.scene
    spaces = [space for space in scene.spaces if space.name in heats]
    faint = tag("g", board.draw(with_names=False), class_="board", opacity=FAINT)
    discs = "".join(_disc(board, space, heats[space.name], scale) for space in spaces)
    names = draw_names(
        _with_discs(scene, heats), board.unit, board.to_picture, board.name_area()
    )
    return faint + discs + (tag("g", names, class_="names") if names else "")


def _with_discs(scene: Scene, heats: Mapping[str, Heat]) -> Scene:
    """Return the scene with a round piece on each space that has a value.

    Names of spaces are then placed where no disc is drawn.
    """
    disc = (PlacedPiece("", None, "disc"),)
    spaces = tuple(
        attrs.evolve(space, pieces=disc) if space.name in heats else space
        for space in scene.spaces
    )
    return attrs.evolve(scene, spaces=spaces)


def _disc(board: BoardDrawing, space: Space, heat: Heat, scale: Scale) -> Mark:
    """Return the disc of a space, with its number."""
    x, y = board.to_picture(space.place.centre)
    colour = scale.colour(heat.value)
    radius = min(board.unit * 0.2, 16.0) * heat.size
    circle = tag(
        "circle", cx=x, cy=y, r=radius, fill=colour, stroke=EDGE, stroke_width=1.5
    )
    font_size = min(radius * 0.95, 2.6 * radius / max(len(heat.label), 1))
    label = text_tag(
        x,
        y,
        heat.label,
        font_size,
        fill=readable_ink(colour),
        weight="bold",
        centred=True,
    )
    if heat.figure:
        title = tag("title", escape_text(heat.tooltip))
        return tag("g", title + circle + label, data_figure=heat.figure)
    return titled_group(circle + label, heat.tooltip)


def scale_legend(left: float, top: float, scale: Scale, low: str, high: str) -> Mark:
    """Return the colour scale with a label below each end."""
    step = LEGEND / STEPS
    bars = "".join(
        tag(
            "rect",
            x=left + n * step,
            y=top,
            width=step + 0.5,
            height=10.0,
            fill=colour_of((n + 0.5) / STEPS, scale.stops),
        )
        for n in range(STEPS)
    )
    right = left + LEGEND
    ends = ((left, low), (right, high))
    return bars + "".join(
        text_tag(x, top + 24, text, 12, anchor="start", fill="#555555")
        for x, text in ends
    )


def colour_of(share: float, stops: Sequence[str] = SCALE_COLOURS) -> str:
    """Return the interpolated colour at *share*, which is clamped to 0 to 1."""
    position = min(max(share, 0.0), 1.0) * (len(stops) - 1)
    left = min(int(position), len(stops) - 2)
    low, high = (_rgb(stops[left + n]) for n in (0, 1))
    channels = (
        round(a + (b - a) * (position - left)) for a, b in zip(low, high, strict=True)
    )
    return "#" + "".join(f"{part:02x}" for part in channels)


def _rgb(colour: str) -> tuple[int, ...]:
    return tuple(int(colour[n : n + 2], 16) for n in (1, 3, 5))
