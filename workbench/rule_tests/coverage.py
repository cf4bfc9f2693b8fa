"""What of a rule file its scenarios and made-up games reach, and what nothing does."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

import attrs

from interpreter import SORTS, Site, Tally, counted
from rulebook import Rulebook, RulesError, Span
from rulebook.model import Scenario
from workbench.rule_tests.made_up import MadeUp
from workbench.rule_tests.suite import Item, Shown, is_broken, run_one

Both = tuple[int, int]
"""How often something held, and did not."""
NEVER: Both = (0, 0)
TEXT_MAX = 76
HEADS = ("", "reached", "true and false", "by scenarios", "by games", "")
"""Of what `Share.cells` says, behind the name of the sort."""


@attrs.frozen
class Part:
    """A part of the rules, with how often scenarios and made-up games reached it.

    `titles` are the scenarios that did.
    """

    site: Site
    text: str
    scenarios: Both
    games: Both
    titles: tuple[str, ...]

    @property
    def held(self) -> int:
        """How often it held; what has no truth: how often it was reached."""
        return self.scenarios[0] + self.games[0]

    @property
    def failed(self) -> int:
        """How often it did not hold."""
        return self.scenarios[1] + self.games[1]

    @property
    def times(self) -> int:
        """How often it was reached."""
        return self.held + self.failed

    @property
    def goals(self) -> int:
        """What there is to see of it: both its truths, or that it was reached."""
        return 2 if self.site.truth else 1

    @property
    def seen(self) -> int:
        """How many of its goals were seen."""
        return (self.held > 0) + (self.failed > 0)

    @property
    def called(self) -> str:
        """Its sort and its name."""
        return " ".join(filter(None, (self.site.sort, self.site.name)))

    @property
    def by(self) -> str:
        """What reached it."""
        scenarios, games = any(self.scenarios), any(self.games)
        if scenarios:
            return "both" if games else "scenarios"
        return "games" if games else "neither"

    @property
    def lacks(self) -> str:
        """What of it was never seen, in words; nothing, where all of it was."""
        if not self.times:
            return "not reached"
        if not self.site.truth or self.seen == self.goals:
            return ""
        return "never false" if self.held else "never true"

    def to_json(self) -> dict[str, Any]:
        """The part as plain data."""
        span = self.site.span
        told: dict[str, Any] = {
            "sort": self.site.sort,
            "name": self.site.name,
            "clause": self.site.clause,
            "file": span.file,
            "line": span.line,
            "column": span.column,
            "end_line": span.end_line,
            "end_column": span.end_column,
            "text": self.text,
            "reached": by_whom(sum(self.scenarios), sum(self.games)),
            "true": None,
            "false": None,
            "by": self.by,
            "scenarios": list(self.titles),
        }
        if self.site.truth:
            told["true"] = by_whom(self.scenarios[0], self.games[0])
            told["false"] = by_whom(self.scenarios[1], self.games[1])
        return told


def by_whom(scenarios: int, games: int) -> dict[str, int]:
    """How often something came, by what."""
    return {"scenarios": scenarios, "games": games}


@attrs.frozen
class Share:
    """What was reached of the parts of one sort, or of all."""

    parts: int
    reached: int
    truths: int
    both: int
    goals: int
    seen: int
    by_scenarios: int
    by_games: int

    @classmethod
    def of(cls, parts: Sequence[Part]) -> Share:
        """The share of some parts."""
        truths = [part for part in parts if part.site.truth]
        return cls(
            len(parts),
            sum(part.times > 0 for part in parts),
            len(truths),
            sum(part.seen == part.goals for part in truths),
            sum(part.goals for part in parts),
            sum(part.seen for part in parts),
            sum(any(part.scenarios) for part in parts),
            sum(any(part.games) for part in parts),
        )

    @property
    def percent(self) -> float:
        """How many of a hundred goals were seen, rounded down to a tenth."""
        return 1000 * self.seen // self.goals / 10 if self.goals else 100.0

    @property
    def cells(self) -> tuple[str, ...]:
        """The share as a row of a table."""
        return (
            f"{self.reached} of {self.parts}",
            f"{self.both} of {self.truths}" if self.truths else "",
            str(self.by_scenarios),
            str(self.by_games),
            f"{self.percent:.1f} %",
        )

    def to_json(self) -> dict[str, Any]:
        """The share as plain data."""
        return {**attrs.asdict(self), "percent": self.percent}


@attrs.frozen
class Coverage:
    """What the tests of a book reach: all its parts, in the order of its files.

    `failed` are the tests that did not pass.
    """

    book: Rulebook
    parts: tuple[Part, ...]
    scenarios: int
    games: int
    failed: tuple[str, ...]

    @property
    def whole(self) -> Share:
        """The share of all parts."""
        return Share.of(self.parts)

    @property
    def shares(self) -> Mapping[str, Share]:
        """The shares by sort, of which there is something."""
        return {
            sort: Share.of(parts)
            for sort in SORTS
            if (parts := [part for part in self.parts if part.site.sort == sort])
        }

    def to_json(self, seed: int | None) -> dict[str, Any]:
        """The coverage as plain data."""
        return {
            "variant": self.book.name,
            "digest": self.book.digest,
            "scenarios": self.scenarios,
            "games": self.games,
            "seed": seed,
            "failed": list(self.failed),
            "percent": self.whole.percent,
            "sorts": {sort: share.to_json() for sort, share in self.shares.items()},
            "parts": [part.to_json() for part in self.parts],
        }


class Measure:
    """Runs tests of a book and counts what they reach."""

    def __init__(self, book: Rulebook) -> None:
        self.of, self.counts = counted(book)
        self.book = book
        self.by_title: dict[str, Tally] = {}
        self.by_games: list[Tally] = []
        self.failed: dict[str, None] = {}

    def scenario(self, scenario: Scenario) -> Item:
        """Run a scenario."""
        item = run_one(self.of, scenario)
        self.ran(scenario)
        if item.wrong:
            self.failed[f"scenario “{scenario.title}”"] = None
        return item

    def game(self, made_up: MadeUp) -> None:
        """Play a game, and hold the invariants to it."""
        invariants = self.of.model.invariants
        try:
            for game in made_up.play(self.of):
                for invariant in invariants:
                    title = f"invariant “{invariant.title}”"
                    if title not in self.failed and is_broken(game, invariant):
                        self.failed[title] = None
        except RulesError as error:
            self.failed[f"made-up game {made_up.number}: {error}"] = None
        self.came()

    def ran(self, scenario: Scenario) -> None:
        """Note what has been reached since as that of a scenario."""
        self.by_title[scenario.title] = self.counts.take()

    def came(self) -> None:
        """Note what has been reached since as that of one more game."""
        self.by_games.append(self.counts.take())

    def coverage(self) -> Coverage:
        """What all that was run has reached."""
        parts = tuple(
            Part(
                site,
                told(self.book, site),
                total(tally[number] for tally in self.by_title.values()),
                total(tally[number] for tally in self.by_games),
                tuple(
                    title
                    for title, tally in self.by_title.items()
                    if any(tally[number])
                ),
            )
            for number, site in enumerate(self.counts.sites.listed)
        )
        sizes = len(self.by_title), len(self.by_games)
        return Coverage(self.book, parts, *sizes, tuple(self.failed))


def total(pairs: Iterable[Both]) -> Both:
    """The sum of what was counted."""
    held, failed = 0, 0
    for yes, no in pairs:
        held, failed = held + yes, failed + no
    return held, failed


def near(parts: Sequence[Part], span: Span) -> list[Part]:
    """The parts that a change at a place is about: those in it, else that around it."""
    inside = [part for part in parts if is_within(part.site.span, span)]
    if inside:
        return inside
    around = [part for part in parts if is_within(span, part.site.span)]
    return sorted(around, key=lambda part: extent(part.site.span))[:1]


def is_within(span: Span, other: Span) -> bool:
    """Whether a place lies in another one."""
    begins = (other.line, other.column) <= (span.line, span.column)
    ends = (span.end_line, span.end_column) <= (other.end_line, other.end_column)
    return span.file == other.file and begins and ends


def extent(span: Span) -> tuple[int, int]:
    """How large a place is: lines, then letters."""
    return span.end_line - span.line, span.end_column - span.column


def told(book: Rulebook, site: Site) -> str:
    """The text of a site, or its beginning."""
    text = " ".join(book.text_at(site.span).split())
    return text if len(text) <= TEXT_MAX else text[: TEXT_MAX - 1] + "…"


def measured(
    book: Rulebook,
    games: Sequence[MadeUp],
    shown: Shown = lambda items, total, what: items,
) -> Coverage:
    """Run the scenarios of a book and some made-up games, and see what they reach."""
    measure = Measure(book)
    scenarios = book.model.scenarios
    for scenario in shown(scenarios, len(scenarios), "scenarios"):
        measure.scenario(scenario)
    for made in shown(games, len(games), "games"):
        measure.game(made)
    return measure.coverage()


def summed(coverage: Coverage) -> Iterator[tuple[str, ...]]:
    """A row for each sort, and one for all: what was reached, and by what."""
    for sort, share in {**coverage.shares, "all": coverage.whole}.items():
        yield sort, *share.cells


def lacking(coverage: Coverage) -> Iterator[Part]:
    """The parts of which something was never seen, what was not reached first."""
    parts = [part for part in coverage.parts if part.lacks]
    yield from sorted(parts, key=lambda part: part.times > 0)


def lines(coverage: Coverage) -> Iterator[str]:
    """What was never seen, each at its place."""
    for part in lacking(coverage):
        site = part.site
        place = f"{site.span.file}:{site.span.line}"
        yield f"{place}: {part.called} {part.lacks}: {part.text}"
