"""Chart of a ladder, with the rating of each bot and its interval."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from workbench.analysis.ladder.ladder_text import Ladder, Rung, rung_cells
from workbench.analysis.report.charts import (
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

ROW, DOT, ARROW = 36, 80, 90
NOTE_WIDTH = 170
"""Width in pixels of the text next to each mark."""
MARGIN = 0.06
TICKS = 7
SIGNED = "(datum.value > 0 ? '+' : '') + datum.label"


def ladder_chart(ladder: Ladder, title: str) -> str:
    """Return the chart of a ladder as SVG, with the best bot at the top.

    A line ends in an arrow where no game bounds the rating.
    """
    alt = import_altair()
    rows = list(_rows(ladder.rungs))
    order = [row["bot"] for row in rows]
    values = [row[end] for row in rows for end in ("low", "rating", "high")] or [0]
    pad = (max(values) - min(values) or 1) * MARGIN
    scale = alt.Scale(domain=[min(values) - pad, max(values) + pad], zero=False)
    y = alt.Y("bot:N", sort=order, title=None, axis=alt.Axis(ticks=False, domain=False))
    axis = alt.Axis(tickCount=TICKS, tickMinStep=1, labelExpr=SIGNED)
    x = alt.X("rating:Q", title="rating (Elo)", scale=scale, axis=axis)
    label = mark_description(alt)
    zero = alt.Chart(alt.Data(values=[{"at": 0}])).mark_rule(
        strokeDash=[3, 3], color=SOFT
    )
    lines = marked_data(alt, rows, "/interval", "low", "high").mark_rule(
        strokeWidth=2.2, color=OTHER
    )
    dots = marked_data(alt, rows, "/rating", "rating").mark_point(
        size=DOT, strokeWidth=2, opacity=1, color=OTHER, fill=PAPER
    )
    notes = marked_data(alt, rows, "/note").mark_text(
        align="left", fontSize=11.5, color=INK
    )
    layers = [
        zero.encode(x=alt.X("at:Q", scale=scale)),
        lines.encode(
            x=alt.X("low:Q", scale=scale), x2="high:Q", y=y, description=label
        ),
        *_arrows(alt, rows, "low", "triangle-left", scale, y),
        *_arrows(alt, rows, "high", "triangle-right", scale, y),
        dots.encode(x=x, y=y, description=label),
        notes.encode(x=alt.value(WIDTH - NOTE_WIDTH + 12), y=y, text="note:N"),
    ]
    heading = alt.TitleParams(
        text=title, anchor="start", fontSize=13, fontWeight="normal", color=INK
    )
    chart = alt.layer(*layers).properties(
        width=WIDTH - NOTE_WIDTH, height=ROW * len(rows), title=heading
    )
    ratings = "; ".join(f"{row['bot']} {row['note']}" for row in rows)
    return with_text_alternative(to_svg(chart, PAPER), f"{title}. Ratings: {ratings}")


def _arrows(
    alt: Any, rows: Sequence[Any], end: str, shape: str, scale: Any, y: Any
) -> Iterator[Any]:
    """Yield the chart layers with arrows at the unbounded ends of intervals."""
    open_rows = [row for row in rows if row["open"] in (end, "both")]
    if open_rows:
        arrows = marked_data(alt, open_rows, f"/{end}").mark_point(
            shape=shape, size=ARROW, filled=True, opacity=1, color=OTHER
        )
        x = alt.X(f"{end}:Q", scale=scale)
        yield arrows.encode(x=x, y=y, description=mark_description(alt))


def _rows(rungs: Sequence[Rung]) -> Iterator[dict[str, Any]]:
    """Yield the chart data of each rated bot.

    An unbounded end is drawn as far from the rating as the other end.
    """
    ratings = [rung.rating for rung in rungs if rung.rating is not None]
    ends = [
        value
        for rating in ratings
        for value in (rating.low, rating.value, rating.high)
        if value is not None
    ]
    default_half = (max(ends) - min(ends)) / 2 if ends else 0
    for rung in rungs:
        rating = rung.rating
        if rating is None:
            continue
        middle = rating.value
        half = default_half
        if rating.low is not None:
            half = middle - rating.low
        elif rating.high is not None:
            half = rating.high - middle
        _, points, interval, *_ = rung_cells(rung)
        yield {
            "key": rung.bot,
            "bot": rung.bot,
            "rating": round(middle, 1),
            "low": round(middle - half, 1),
            "high": round(middle + half, 1),
            "open": UNBOUNDED_ENDS[rating.low is None, rating.high is None],
            "note": f"{points} ({interval})",
        }


UNBOUNDED_ENDS = {
    (False, False): "",
    (True, False): "low",
    (False, True): "high",
    (True, True): "both",
}
"""Name of the unbounded ends of an interval, by whether (low, high) are unbounded."""
