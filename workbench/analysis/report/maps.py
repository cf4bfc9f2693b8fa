"""Maps of a report: a pale board with a number on each space.

Colours for amounts run from sand (0) to teal. Colours for differences run from blue
over white to orange, symmetrically. Uncertain differences are white and have no number.
"""

from collections.abc import Mapping

from workbench.analysis.economy.heat_map import (
    SCALE_COLOURS,
    Heat,
    Scale,
    map_layers,
    scale_legend,
)
from workbench.presentation.picture import Scene
from workbench.presentation.picture.svg import FONT, HEADER, MARGIN, BoardDrawing
from workbench.presentation.picture.tags import format_number, tag

LESS_OR_MORE = ("#2f6694", "#a9c6dc", "#ffffff", "#efbf9a", "#c2501a")
FOOT = 40.0
UNCERTAIN = "·"


def amount_map(scene: Scene, heats: Mapping[str, Heat], unit: str, title: str) -> str:
    """Return a map of amounts as SVG; its legend shows the maximum."""
    maximum = max(heat.value for heat in heats.values())
    highest = next(heat for heat in heats.values() if heat.value == maximum)
    ends = ("0", f"{highest.label} {unit}")
    return _map(
        scene, heats, Scale(SCALE_COLOURS, 0.0, maximum), ends, title, highest.figure
    )


def difference_map(
    scene: Scene, heats: Mapping[str, Heat], unit: str, title: str
) -> str:
    """Return a map of differences as SVG."""
    maximum = max((abs(heat.value) for heat in heats.values()), default=0.0) or 1.0
    scale = Scale(LESS_OR_MORE, -maximum, maximum)
    return _map(scene, heats, scale, ("less", f"more, {unit}"), title)


def _map(
    scene: Scene,
    heats: Mapping[str, Heat],
    scale: Scale,
    ends: tuple[str, str],
    title: str,
    key: str = "",
) -> str:
    """Return a map as SVG; *title* is its description, which is not drawn."""
    board = BoardDrawing.of_scene(scene)
    width = board.width + 2 * MARGIN
    foot = HEADER + board.height + 2 * MARGIN
    height = foot + FOOT - HEADER
    drawn = map_layers(board, heats, scale)
    figure = {"data_figure": key} if key else {}
    legend = tag(
        "g", scale_legend(MARGIN, foot, scale, *ends), class_="scale", **figure
    )
    return tag(
        "svg",
        drawn + legend,
        viewBox=" ".join(map(format_number, (0, HEADER, width, height))),
        width=width,
        height=height,
        font_family=FONT,
        role="img",
        aria_label=title,
        class_="map",
    )
