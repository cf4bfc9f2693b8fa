"""Chart of a sweep, with a panel for each measure."""

from collections.abc import Sequence
from typing import Any

import attrs

from workbench.analysis.report.charts import (
    FIRST,
    FONT,
    INK,
    OTHER,
    PAPER,
    SOFT,
    WIDTH,
    import_altair,
    mark_description,
    marked_data,
    to_svg,
    with_text_alternative,
)

HEIGHT, DOT = 170, 70
OVERLAP_OFFSET = 0.9
"""Factor by which lines with equal values are moved apart; 1 leaves them together."""
LINE_COLOURS = (OTHER, FIRST, "#2e7d6b", "#8a5aa8", "#b08a1e", "#3b6fb0")
"""Line colours in order; further lines repeat them with other dashes."""
DASHES = ([1, 0], [5, 3], [2, 2])


@attrs.frozen
class ChartPoint:
    """Value of a measure at a point of a sweep.

    `at` is the value of the first axis. `line` is the title of the values of the
    others, and `key` the prefix of the point's figures.
    """

    key: str
    at: str
    line: str
    low: float
    middle: float
    high: float
    is_unchanged: bool


@attrs.frozen
class Panel:
    """Measure with its points; `goal` is the value that the sweep aims for, or None."""

    title: str
    unit: str
    points: Sequence[ChartPoint]
    goal: float | None = None


def sweep_svg(panels: Sequence[Panel], x_title: str, x_values: Sequence[str]) -> str:
    """Return the panels, one below the other, as SVG; the unchanged game is hollow.

    *x_title* is the title of the horizontal axis, and *x_values* its values.
    """
    alt = import_altair()
    lines = list(dict.fromkeys(dot.line for panel in panels for dot in panel.points))
    parts = [
        panel_chart(
            alt, panel, x_title if panel is panels[-1] else None, x_values, lines
        )
        for panel in panels
    ]
    chart = alt.vconcat(*parts, spacing=14).resolve_scale(color="shared")
    titles = ", ".join(panel.title for panel in panels)
    text = f"{titles}, by {x_title}"
    return with_text_alternative(to_svg(chart, PAPER), text)


def panel_chart(
    alt: Any,
    panel: Panel,
    x_title: str | None,
    x_values: Sequence[str],
    lines: list[str],
) -> Any:
    """Return the chart of one measure."""
    rows = [attrs.asdict(dot) for dot in panel.points]
    colours = [LINE_COLOURS[index % len(LINE_COLOURS)] for index in range(len(lines))]
    dashes = [
        DASHES[index // len(LINE_COLOURS) % len(DASHES)] for index in range(len(lines))
    ]
    legend = (
        alt.Legend(
            title=None,
            orient="top",
            labelFont=FONT,
            labelColor=INK,
            labelLimit=0,
            columnPadding=24,
        )
        if len(lines) > 1
        else None
    )
    axis = alt.Axis(labelAngle=0, grid=False)
    x = alt.X("at:N", sort=list(x_values), title=x_title, axis=axis)
    y = alt.Y("middle:Q", title=panel.unit or None, scale=alt.Scale(zero=False))
    colour = alt.Color(
        "line:N", scale=alt.Scale(domain=lines, range=colours), legend=legend
    )
    dash = alt.StrokeDash(
        "line:N", scale=alt.Scale(domain=lines, range=dashes), legend=None
    )
    offset = alt.XOffset(
        "line:N", scale=alt.Scale(domain=lines, padding=OVERLAP_OFFSET)
    )
    base = alt.Chart(alt.Data(values=rows)).encode(x=x, xOffset=offset, color=colour)
    spots = marked_data(alt, rows, "", "at", "low", "middle", "high")
    spots = spots.encode(
        x=x, xOffset=offset, color=colour, description=mark_description(alt)
    )
    hollow = alt.condition("datum.is_unchanged", alt.value(PAPER), colour)
    layers = [
        base.mark_line(strokeWidth=1.6).encode(y=y, strokeDash=dash),
        base.mark_rule(strokeWidth=2).encode(y=alt.Y("low:Q"), y2="high:Q"),
        spots.mark_point(size=DOT, strokeWidth=2, opacity=1).encode(y=y, fill=hollow),
    ]
    if panel.goal is not None:
        goal = alt.Chart(alt.Data(values=[{"sought": panel.goal}]))
        rule = goal.mark_rule(strokeDash=[3, 3], color=SOFT).encode(y="sought:Q")
        layers.insert(0, rule)
    heading = alt.TitleParams(
        text=panel.title,
        anchor="start",
        frame="group",
        fontSize=13,
        fontWeight="normal",
        color=INK,
    )
    return alt.layer(*layers).properties(width=WIDTH - 80, height=HEIGHT, title=heading)
