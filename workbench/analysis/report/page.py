"""Page of a report: one file that opens without a network and prints on A4.

It is self-contained and runs no script: the charts are drawings.
"""

from collections.abc import Sequence
from importlib.resources import files
from typing import Any

import attrs

from workbench.analysis.report.charts import NEEDS
from workbench.analysis.report.figures import Html
from workbench.extras import Extra, library

BEGINS = "<!doctype html>\n<!-- rulebook report -->"
"""Start of every report page."""
STRIP, ROOM = 132, 6
"""Width of a strip, and the margin at both ends."""
HEIGHT = 18
REACHES = (1, 2, 3, 5, 10)
"""Possible ranges of strips, in usual swings to both sides."""
Words = str | Html


@attrs.frozen
class MeasureLine:
    """A line about a measure of two games.

    `first` and `other` are its means as texts, and `difference` and `between` describe
    the difference. `low`, `middle` and `high` are the difference in usual swings.
    """

    key: str
    group: str
    title: Words
    unit: str
    first: Words
    other: Words
    difference: Words
    between: Words
    low: float
    middle: float
    high: float
    slight: float
    is_certain: bool


@attrs.frozen
class Answer:
    """A finding in a sentence, with its measure line and the means."""

    sentence: Words
    means: Words
    line: MeasureLine


@attrs.frozen
class Section:
    """A question with its finding in a sentence, drawings, and how to read them.

    `drawings` are SVG created here. `head` and `rows` form a table, and `points` a
    list.
    """

    question: str
    finding: Words = ""
    aside: Sequence[Words] = ()
    drawings: Sequence[str] = ()
    captions: Sequence[Words] = ()
    points: Sequence[Words] = ()
    terms: Sequence[tuple[str, Words]] = ()
    command: Sequence[str] = ()


@attrs.frozen
class VariantSection:
    """Section about one variant compared with the first.

    `heading` distinguishes several sections. `changes` are lines of the rules, before
    and after. `verdicts` are the measures without a sentence, by verdict.
    """

    heading: Words
    letter: str
    names: tuple[str, str]
    changes: Sequence[tuple[str, str]]
    more_changes: int
    finding: Words
    how_to_read: Sequence[Words]
    answers: Sequence[Answer]
    more_answers: int
    verdicts: Sequence[tuple[str, Words]]
    lines: Sequence[MeasureLine]
    about_lines: Sequence[Words]
    sections: Sequence[Section]

    @property
    def groups(self) -> Sequence[tuple[str, Sequence[MeasureLine]]]:
        """The lines by group."""
        heads = dict.fromkeys(line.group for line in self.lines)
        return [
            (head, [line for line in self.lines if line.group == head])
            for head in heads
        ]

    @property
    def reach(self) -> int:
        """Range of the strips in usual swings, to both sides."""
        ends = [abs(end) for line in self.lines for end in (line.low, line.high)]
        most = max(ends, default=0.0)
        return next((reach for reach in REACHES if most <= reach), REACHES[-1])


@attrs.frozen
class ReportPage:
    """Contents of a page: its question, a part per variant, and the method."""

    title: Words
    kind: Words
    lede: Words
    parts: Sequence[VariantSection]
    sections: Sequence[Section]


def jinja() -> Any:
    """Import and return the template engine."""
    return library("jinja2", Extra.REPORT, NEEDS)


def page(report: ReportPage) -> str:
    """Return the page as HTML; all text from rules is escaped."""
    jinja2 = jinja()
    environment = jinja2.Environment(
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=jinja2.StrictUndefined,
    )
    environment.globals |= {"strip": strip, "drawing": Html, "style": style()}
    made: str = environment.from_string(text("report.html")).render(report=report)
    return f"{BEGINS}\n{made}\n"


def style() -> Html:
    """Return the style sheet of the page."""
    return Html(text("report.css"))


def text(name: str) -> str:
    """Return the text of a file next to this module."""
    return files("workbench.analysis.report").joinpath(name).read_text(encoding="utf-8")


def strip(line: MeasureLine, reach: int) -> Html:
    """Draw a difference in usual swings, with slight differences shaded."""
    side = "b" if line.is_certain else "u"
    low, middle, high, left, right, none = (
        _at(value / reach)
        for value in (line.low, line.middle, line.high, -line.slight, line.slight, 0.0)
    )
    half = HEIGHT / 2
    return Html(
        f'<svg class="strip {side}" viewBox="0 0 {STRIP} {HEIGHT}" width="{STRIP}"'
        f' height="{HEIGHT}" aria-hidden="true"'
        f' data-figure="{line.key}/strip" data-reach="{reach}">'
        f'<rect class="slight" x="{left:.1f}" y="0" width="{right - left:.1f}"'
        f' height="{HEIGHT}"/>'
        f'<line class="zero" x1="{none:.1f}" x2="{none:.1f}" y1="0"'
        f' y2="{HEIGHT}"/>'
        f'<line class="bar" x1="{low:.1f}" x2="{high:.1f}" y1="{half}" y2="{half}"/>'
        f'<circle cx="{middle:.1f}" cy="{half}" r="4"/></svg>'
    )


def _at(share: float) -> float:
    """Return the x position of a share of the range on a strip, clamped to its ends."""
    return ROOM + (max(-1.0, min(1.0, share)) + 1) / 2 * (STRIP - 2 * ROOM)
