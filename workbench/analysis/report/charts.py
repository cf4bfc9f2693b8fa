"""Charts as SVG, drawn from plain rows.

The first of two variants is grey, and hollow or dashed. The other is orange, and filled
or solid. The difference is visible in greyscale and to colour-blind readers.

Each row has a `key`, the prefix of its figures. Each mark carries the key
(`data-figure`) and the values it was drawn from (`data-value`).
"""

import re
from collections.abc import Mapping, Sequence
from html import escape
from pathlib import Path
from typing import Any

from workbench.errors import RequestError
from workbench.extras import Extra, import_library
from workbench.files.library.atomic_files import (
    SVG_PREFIXES,
    check_replaceable,
    check_writable,
)

FIRST, OTHER = "#5f6b73", "#c2501a"
INK, SOFT, GRID, PAPER = "#222222", "#6b6b6b", "#ece9e1", "#fffefb"
FONT = (
    "Helvetica Neue, Helvetica, Arial, Segoe UI, Noto Sans, Liberation Sans, sans-serif"
)
WIDTH = 640
LABELS = 200
ROW = 36
DOTS_PER_VARIANT = 100
"""Number of dots per variant in a chart; each stands for one game in a hundred."""
HEAP_HEIGHT, DOT_SIZE, EMPTY_ROWS = 190, 11, 3
"""Maximum height in pixels of a column of dots and of a dot; empty rows above."""
BAND = 0.15
TRANSPARENT = "transparent"
STANDALONE_MARGINS = {"left": 24, "top": 10, "right": 48, "bottom": 10}
"""Margins in pixels of a chart in a file of its own."""
FEATURE = "a report"
ENDING = ".svg"
MARK_LABEL = re.compile(r'aria-label="§([^"§]*)§([^"§]*)"')
"""Pattern of a mark's label in SVG written by the charting library."""
PART_ROLE = re.compile(
    r'(?: aria-label="[^"]*")? role="graphics-\w+" aria-roledescription="[^"]*"'
    r'(?: aria-label="[^"]*")?'
)
"""Pattern of the roles of a picture's parts, of which the whole has a description."""
Row = Mapping[str, Any]
Rows = Sequence[Row]


def import_altair() -> Any:
    """Import and return Altair, which only reports need."""
    return import_library("altair", Extra.REPORT, FEATURE)


def import_vl_convert() -> Any:
    """Import and return vl-convert, which converts charts to SVG."""
    return import_library("vl_convert", Extra.REPORT, FEATURE)


def check_picture(name: str | None, description: str) -> None:
    """Raise `RequestError` or `OSError` if a picture cannot be drawn and written.

    *name* is its file, or None for no picture. *description* names it in errors.
    """
    if name is None:
        return
    path = Path(name)
    if path.suffix.lower() != ENDING:
        problem = f"{description} can only be drawn as .svg, not as {path.suffix}"
        raise RequestError(problem, f"write --out NAME{ENDING}")
    import_altair()
    import_vl_convert()
    check_replaceable(path, SVG_PREFIXES, "a picture")
    check_writable(path)


def to_svg(chart: Any, background: str = TRANSPARENT) -> str:
    """Return a chart as SVG; a standalone file needs a *background*.

    A standalone file has margins, because other programs draw its texts in other fonts,
    which may be wider than those that were measured.
    """
    padding = 2 if background == TRANSPARENT else STANDALONE_MARGINS
    styled = (
        chart.configure(font=FONT, background=background, padding=padding)
        .configure_view(stroke=None)
        .configure_axis(
            labelColor=SOFT,
            titleColor=SOFT,
            titleFontWeight="normal",
            titleFontSize=12,
            labelFontSize=12,
            gridColor=GRID,
            domainColor=GRID,
            tickColor=GRID,
            labelLimit=LABELS,
        )
        .configure_axisY(labelColor=INK)
        .configure_text(font=FONT)
    )
    svg: str = import_vl_convert().vegalite_to_svg(styled.to_json())
    labelled = MARK_LABEL.sub(r'data-figure="\1" data-value="\2"', svg)
    return PART_ROLE.sub("", labelled)


def with_text_alternative(svg: str, text: str) -> str:
    """Return a picture with a text that describes it to people who cannot see it.

    A picture that already has such a text is returned unchanged.
    """
    start, end, rest = svg.partition(">")
    is_described = "aria-label=" in start or "aria-hidden=" in start
    if is_described or rest.lstrip().startswith("<title>"):
        return svg
    role = "" if "role=" in start else ' role="img"'
    label = escape(" ".join(text.split()))
    return f'{start}{role} aria-label="{label}"{end}{rest}'


def marked_data(alt: Any, rows: Rows, suffix: str = "", *fields: str) -> Any:
    """Return chart data with labels for the marks, in the field `say`.

    A label contains the row's key, followed by *suffix*, and the values in the fields
    *fields*.
    """
    values = [
        {**row, "say": f"§{row['key']}{suffix}§{' '.join(str(row[x]) for x in fields)}"}
        for row in rows
    ]
    return alt.Chart(alt.Data(values=values))


def mark_description(alt: Any) -> Any:
    """Return the encoding that labels each mark."""
    return alt.Description("say:N")


def colour_encoding(alt: Any, names: Sequence[str]) -> Any:
    """Return the colour encoding of the two variants, without a legend."""
    scale = alt.Scale(domain=list(names), range=[FIRST, OTHER])
    return alt.Color("game:N", scale=scale, legend=None)


def fill_encoding(alt: Any, names: Sequence[str]) -> Any:
    """Return the fill encoding of the two variants: hollow and filled."""
    scale = alt.Scale(domain=list(names), range=[PAPER, OTHER])
    return alt.Fill("game:N", scale=scale, legend=None)


def stroke_encoding(alt: Any, names: Sequence[str]) -> Any:
    """Return the outline encoding of the two variants."""
    scale = alt.Scale(domain=list(names), range=[FIRST, OTHER])
    return alt.Stroke("game:N", scale=scale, legend=None)


def label_encodings(
    alt: Any, rows: Rows, names: Sequence[str], row_height: float
) -> Any:
    """Return the number of labels, and encodings that put both variants in one row.

    *row_height* is the height of a row in pixels.
    """
    labels = list(dict.fromkeys(row["label"] for row in rows))
    axis = alt.Axis(ticks=False, domain=False)
    scale = alt.Scale(padding=0)
    y = alt.Y("label:N", sort=labels, title=None, axis=axis, scale=scale)
    shifts = alt.Scale(domain=list(names), range=[row_height * 0.08, row_height * 0.92])
    return len(labels), {"y": y, "yOffset": alt.YOffset("game:N", scale=shifts)}


def dot_chart(rows: Rows, medians: Rows, names: Sequence[str], unit: str) -> str:
    """Return a dot chart of a distribution, with a hundred dots per variant.

    A row is a dot, with `game`, `at` (its column) and `height` (from 1). *medians* are
    the medians, with `game`, `at` and their `text`.
    """
    alt = import_altair()
    rows_of_dots = max(row["height"] for row in rows) + EMPTY_ROWS
    dot = min(DOT_SIZE, HEAP_HEIGHT / rows_of_dots)
    size = (dot * 0.8) ** 2
    scale = alt.Scale(zero=False, domain=_padded_range([row["at"] for row in rows]))
    parts = []
    for name in names:
        last = name == names[-1]
        axis = alt.Axis(grid=False, labels=last, ticks=last)
        x = alt.X("at:Q", title=unit if last else None, scale=scale, axis=axis)
        y = alt.Y("height:Q", axis=None, scale=alt.Scale(domain=[0, rows_of_dots]))
        own = [row for row in rows if row["game"] == name]
        dots = marked_data(alt, own, "", "at").mark_point(
            size=size, strokeWidth=1.6, opacity=1
        )
        marks = [row for row in medians if row["game"] == name]
        rule = marked_data(alt, marks, "", "at").mark_rule(strokeWidth=1)
        median_x = alt.X("at:Q", scale=scale)
        is_right = marks[0]["at"] > sum(scale.domain) / 2
        alignment = (
            {"align": "right", "dx": -5} if is_right else {"align": "left", "dx": 5}
        )
        text = marked_data(alt, marks).mark_text(y=6, fontSize=12, **alignment)
        parts.append(
            alt.layer(
                rule.encode(
                    x=median_x,
                    color=colour_encoding(alt, names),
                    description=mark_description(alt),
                ),
                dots.encode(
                    x=x,
                    y=y,
                    stroke=stroke_encoding(alt, names),
                    fill=fill_encoding(alt, names),
                    description=mark_description(alt),
                ),
                text.encode(
                    x=median_x,
                    text="text:N",
                    color=colour_encoding(alt, names),
                    description=mark_description(alt),
                ),
            ).properties(width=WIDTH, height=dot * rows_of_dots)
        )
    return to_svg(alt.vconcat(*parts, spacing=4))


def interval_chart(
    rows: Rows, names: Sequence[str], unit: str, reference: float | None = None
) -> str:
    """Return a chart with a dot and a bar for each `label` and `game`.

    A row contains `low`, `middle`, `high` and a `note`, which is written at the right.
    *reference* is the position of a reference line.
    """
    alt = import_altair()
    label_count, positions = label_encodings(alt, rows, names, ROW)
    ends = [value for row in rows for value in (row["low"], row["high"])]
    scale = alt.Scale(
        domain=_padded_range(ends if reference is None else [*ends, reference]),
        zero=False,
    )
    colour, description = colour_encoding(alt, names), mark_description(alt)
    layers = [
        marked_data(alt, rows, "/bar", "low", "high")
        .mark_rule(strokeWidth=2.2)
        .encode(
            x=alt.X("low:Q", title=unit, scale=scale, axis=alt.Axis(tickMinStep=1)),
            x2="high:Q",
            color=colour,
            description=description,
            **positions,
        ),
        marked_data(alt, rows, "/dot", "middle")
        .mark_point(size=64, strokeWidth=2, opacity=1)
        .encode(
            x=alt.X("middle:Q", scale=scale),
            stroke=stroke_encoding(alt, names),
            fill=fill_encoding(alt, names),
            description=description,
            **positions,
        ),
        marked_data(alt, rows, "/note")
        .mark_text(align="left", fontSize=11.5)
        .encode(
            x=alt.value(WIDTH - LABELS + 12),
            text="note:N",
            color=colour,
            description=description,
            **positions,
        ),
    ]
    if reference is not None:
        line = alt.Chart(alt.Data(values=[{"even": reference}]))
        layers.insert(
            0, line.mark_rule(strokeDash=[3, 3], color=SOFT).encode(x="even:Q")
        )
    chart = alt.layer(*layers)
    return to_svg(chart.properties(width=WIDTH - LABELS, height=ROW * label_count))


def line_chart(rows: Rows, names: Sequence[str], x_title: str, unit: str) -> str:
    """Return a line chart over rounds.

    A row is a line, with `game`, `who` and the list `line`. If it has the lists `low`
    and `high`, a band is drawn too. Entry i belongs to round i + 1.
    """
    alt = import_altair()
    x = alt.X("at:Q", title=x_title, axis=alt.Axis(grid=False, tickMinStep=1))
    scale, steps = alt.Scale(zero=False), alt.Axis(tickMinStep=1)
    description = mark_description(alt)
    colour = alt.Color(
        "game:N",
        scale=alt.Scale(domain=list(names), range=[FIRST, OTHER]),
        legend=None,
    )
    bands = (
        marked_data(alt, _line_points(rows, "low", "high"), "/band", "series")
        .mark_area(opacity=BAND, interpolate="step-after")
        .encode(
            x=x,
            y=alt.Y("low:Q", title=unit, scale=scale, axis=steps),
            y2="high:Q",
            color=colour,
            description=description,
        )
    )
    dashes = alt.StrokeDash(
        "game:N",
        scale=alt.Scale(domain=list(names), range=[[4, 3], [1, 0]]),
        legend=None,
    )
    lines = (
        marked_data(alt, _line_points(rows, "line"), "/line", "series")
        .mark_line(interpolate="step-after", strokeWidth=1.8)
        .encode(
            x=x,
            y=alt.Y("line:Q", title=unit, scale=scale, axis=steps),
            color=colour_encoding(alt, names),
            strokeDash=dashes,
            detail="who:N",
            description=description,
        )
    )
    ends = {row["who"]: (len(row["line"]), row["line"][-1]) for row in rows}
    last = [{"who": who, "at": at, "line": y} for who, (at, y) in ends.items()]
    labels = (
        alt.Chart(alt.Data(values=last))
        .mark_text(align="left", dx=6, fontSize=12, color=INK)
        .encode(x="at:Q", y="line:Q", text="who:N")
    )
    chart = alt.layer(bands, lines, labels)
    return to_svg(chart.properties(width=WIDTH - 60, height=300))


def _line_points(rows: Rows, *fields: str) -> Rows:
    """Return a row for each point of the lines that have all *fields*."""
    return [
        {
            **{name: row[name] for name in ("key", "game", "who")},
            **dict(zip(fields, values, strict=True)),
            "at": at,
            "series": _series_text(row, fields),
        }
        for row in rows
        if all(field in row for field in fields)
        for at, values in enumerate(
            zip(*[row[field] for field in fields], strict=True), 1
        )
    ]


def _series_text(row: Row, fields: Sequence[str]) -> str:
    """Return the values of a line as text."""
    return " ".join(str(value) for field in fields for value in row[field])


def bar_chart(rows: Rows, names: Sequence[str], unit: str) -> str:
    """Return a bar chart with a `value` and a `note` for each `label` and `game`."""
    alt = import_altair()
    height = 30
    count, spots = label_encodings(alt, rows, names, height)
    axis = alt.Axis(grid=False, labels=False, ticks=False, domain=False)
    x = alt.X("value:Q", title=unit, axis=axis, scale=alt.Scale(zero=True))
    bar = marked_data(alt, rows, "", "value").mark_bar(size=8)
    text = marked_data(alt, rows).mark_text(align="left", dx=4, fontSize=10.5)
    colour, label = colour_encoding(alt, names), mark_description(alt)
    chart = alt.layer(
        bar.encode(x=x, color=colour, description=label, **spots),
        text.encode(x=x, text="note:N", color=colour, description=label, **spots),
    )
    width = WIDTH - LABELS
    return to_svg(chart.properties(width=width, height=height * count))


def _padded_range(values: Sequence[float]) -> list[float]:
    """Return the range of values, widened by a small margin."""
    low, high = min(values), max(values)
    margin = (high - low or 1) * 0.04
    return [low - margin, high + margin]


def pairs_bar(key: str, lower: float, higher: float) -> str:
    """Return a bar as SVG that shows the shares of lower, equal and higher pairs."""
    left, right = WIDTH * lower, WIDTH * higher
    same = WIDTH - left - right
    parts = ((0.0, left, OTHER), (left, same, GRID), (left + same, right, "#c9cdd2"))
    return (
        f'<svg viewBox="0 0 {WIDTH} 14" width="{WIDTH}" height="14" role="img"'
        f' data-figure="{key}" data-value="{lower} {higher}">'
        + "".join(
            f'<rect x="{x:.2f}" y="0" width="{width:.2f}" height="14" fill="{colour}"/>'
            for x, width, colour in parts
        )
        + "</svg>"
    )
