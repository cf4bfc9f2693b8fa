"""The page of a report: one file that opens without a network, and prints on A4.

It holds what it shows, and runs no script: the charts are drawings.
"""

from collections.abc import Sequence
from importlib.resources import files
from typing import Any

import attrs

from workbench.analysis.report.charts import NEEDS
from workbench.analysis.report.figures import Html
from workbench.extras import Extra, library

BEGINS = "<!doctype html>\n<!-- rulebook report -->"
"""How every page of ours begins."""
STRIP, ROOM = 132, 6
"""How wide a strip is, and what is free at both its ends."""
HEIGHT = 18
REACHES = (1, 2, 3, 5, 10)
"""A strip reaches from so many usual swings less to so many more."""
Words = str | Html


@attrs.frozen
class MeasureLine:
    """A measure of two games, as the page says it.

    `first` and `other` are its means, `difference` and `between` what lies between
    them, as texts; `low`, `middle`, `high` are that in usual swings.
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
    """A finding in a sentence, with the strip of its line and the means below it."""

    sentence: Words
    means: Words
    line: MeasureLine


@attrs.frozen
class Section:
    """A question with its finding in a sentence, drawings, and how to read them.

    `drawings` are SVG of our own. `head` and `rows` are a table, `points` a list.
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
    """What is said of one variant against the first.

    `heading` tells parts apart where there are several. `changes` are lines of the
    rules, before and after; `verdicts` the measures that have no sentence of their own,
    under what is known of them.
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
        """The lines under their heads."""
        heads = dict.fromkeys(line.group for line in self.lines)
        return [
            (head, [line for line in self.lines if line.group == head])
            for head in heads
        ]

    @property
    def reach(self) -> int:
        """How many usual swings the strips reach to both sides."""
        ends = [abs(end) for line in self.lines for end in (line.low, line.high)]
        most = max(ends, default=0.0)
        return next((reach for reach in REACHES if most <= reach), REACHES[-1])


@attrs.frozen
class ReportPage:
    """All that a page says: its question, a part for each answer, how it was found."""

    title: Words
    kind: Words
    lede: Words
    parts: Sequence[VariantSection]
    sections: Sequence[Section]


def jinja() -> Any:
    """What fills the form of a page."""
    return library("jinja2", Extra.REPORT, NEEDS)


def page(report: ReportPage) -> str:
    """The page as HTML. Whatever comes from rules is text in it."""
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
    """What the page looks like."""
    return Html(text("report.css"))


def text(name: str) -> str:
    """A file that stands beside this one."""
    return files("workbench.analysis.report").joinpath(name).read_text(encoding="utf-8")


def strip(line: MeasureLine, reach: int) -> Html:
    """Where a difference lies, in usual swings, beside the stripe of slight ones."""
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
    """Where a share of its reach stands on a strip; what is too far, at its end."""
    return ROOM + (max(-1.0, min(1.0, share)) + 1) / 2 * (STRIP - 2 * ROOM)
