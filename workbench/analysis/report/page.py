"""Page of a report: one HTML file that works offline and prints on A4.

It is self-contained and runs no script; all charts are SVG.
"""

from collections.abc import Sequence
from importlib.resources import files
from typing import Any

import attrs

from workbench.analysis.report.charts import FEATURE, with_text_alternative
from workbench.analysis.report.figures import Html, plain_text
from workbench.extras import Extra, import_library

PAGE_START = "<!doctype html>\n<!-- rulebook report -->"
"""First lines of every report, by which report files are recognized."""
STRIP_WIDTH, STRIP_MARGIN = 132, 6
"""Width of a difference strip, and the margin at either end, in pixels."""
STRIP_HEIGHT = 18
STRIP_RANGES = (1, 2, 3, 5, 10)
"""Available ranges of strips, in standard deviations of a game to either side."""
Words = str | Html


@attrs.frozen
class MeasureLine:
    """Line of the table of differences, about one measure.

    `first` and `other` are the means as text. `difference` and `interval` are the
    difference and its interval as text. `low`, `middle` and `high` are the interval and
    the difference in standard deviations of a game.
    """

    key: str
    group: str
    title: Words
    unit: str
    first: Words
    other: Words
    difference: Words
    interval: Words
    low: float
    middle: float
    high: float
    slight: float
    is_certain: bool


@attrs.frozen
class Answer:
    """Finding: a sentence, the means as evidence, and the line of its measure."""

    sentence: Words
    means: Words
    line: MeasureLine


@attrs.frozen
class Section:
    """Section of the page: a question, its answer in a sentence, and drawings.

    `drawings` are SVG created by this package. `terms` are pairs of term and
    description, and `points` is a list.
    """

    question: str
    finding: Words = ""
    asides: Sequence[Words] = ()
    drawings: Sequence[str] = ()
    captions: Sequence[Words] = ()
    points: Sequence[Words] = ()
    terms: Sequence[tuple[str, Words]] = ()
    command: Sequence[str] = ()


@attrs.frozen
class VariantSection:
    """Comparison of one variant with the first.

    `heading` is empty if the page has only one comparison. `changes` are lines of the
    rules, before and after. `verdicts` are the measures without a sentence, by verdict.
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
        """Lines of the table, grouped by heading."""
        headings = dict.fromkeys(line.group for line in self.lines)
        return [
            (heading, [line for line in self.lines if line.group == heading])
            for heading in headings
        ]

    @property
    def strip_range(self) -> int:
        """Range of the strips to either side, in standard deviations of a game."""
        ends = [abs(end) for line in self.lines for end in (line.low, line.high)]
        largest = max(ends, default=0.0)
        return next(
            (limit for limit in STRIP_RANGES if largest <= limit), STRIP_RANGES[-1]
        )


@attrs.frozen
class ReportPage:
    """Contents of a report: its title, a section for each variant, and the method."""

    title: Words
    kind: Words
    lede: Words
    parts: Sequence[VariantSection]
    sections: Sequence[Section]


def import_jinja() -> Any:
    """Import and return Jinja, the template engine."""
    return import_library("jinja2", Extra.REPORT, FEATURE)


def render_page(report: ReportPage) -> str:
    """Return the report as HTML; text from the rules is escaped."""
    jinja2 = import_jinja()
    environment = jinja2.Environment(
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=jinja2.StrictUndefined,
    )
    environment.globals |= {
        "strip": strip_svg,
        "drawing": drawing_html,
        "style": style_sheet(),
    }
    html: str = environment.from_string(file_text("report.html")).render(report=report)
    return f"{PAGE_START}\n{html}\n"


def drawing_html(svg: str, section: Section, number: int) -> Html:
    """Return a drawing with a text alternative: its caption, or the finding."""
    captions = section.captions
    caption = captions[number] if number < len(captions) else ""
    text = plain_text(caption or section.finding)
    return Html(with_text_alternative(svg, f"{section.question} {text}"))


def style_sheet() -> Html:
    """Return the style sheet of the page."""
    return Html(file_text("report.css"))


def file_text(name: str) -> str:
    """Return the text of a file next to this module."""
    return files("workbench.analysis.report").joinpath(name).read_text(encoding="utf-8")


def strip_svg(line: MeasureLine, strip_range: int) -> Html:
    """Return a strip as SVG, which shows a difference and its interval."""
    css_class = "b" if line.is_certain else "u"
    low, middle, high, left, right, zero = (
        _strip_x(value / strip_range)
        for value in (line.low, line.middle, line.high, -line.slight, line.slight, 0.0)
    )
    half = STRIP_HEIGHT / 2
    return Html(
        f'<svg class="strip {css_class}" viewBox="0 0 {STRIP_WIDTH} {STRIP_HEIGHT}"'
        f' width="{STRIP_WIDTH}" height="{STRIP_HEIGHT}" aria-hidden="true"'
        f' data-figure="{line.key}/strip" data-reach="{strip_range}">'
        f'<rect class="slight" x="{left:.1f}" y="0" width="{right - left:.1f}"'
        f' height="{STRIP_HEIGHT}"/>'
        f'<line class="zero" x1="{zero:.1f}" x2="{zero:.1f}" y1="0"'
        f' y2="{STRIP_HEIGHT}"/>'
        f'<line class="bar" x1="{low:.1f}" x2="{high:.1f}" y1="{half}" y2="{half}"/>'
        f'<circle cx="{middle:.1f}" cy="{half}" r="4"/></svg>'
    )


def _strip_x(share: float) -> float:
    """Return the x position of a value on a strip, clamped to the ends.

    *share* is the value divided by the range of the strip.
    """
    return STRIP_MARGIN + (max(-1.0, min(1.0, share)) + 1) / 2 * (
        STRIP_WIDTH - 2 * STRIP_MARGIN
    )
