"""What of a rule file its scenarios and made-up games reach, and what nothing does."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

import attrs

from interpreter import SORTS, Site, Tally, counted
from rulebook import Rulebook, Span
from rulebook.model import Scenario
from workbench.analysis.simulation.processes import spread
from workbench.analysis.simulation.settings import Settings
from workbench.testing.rule_tests.generated_games import MadeUp
from workbench.testing.rule_tests.guidance import Guide
from workbench.testing.rule_tests.playouts import (
    Came,
    Listed,
    Player,
    PlayoutFactory,
    PlayoutTask,
    items,
)
from workbench.testing.rule_tests.suite import Item, Shown, run_one
from workbench.testing.rule_tests.unreached import (
    NEVER_FALSE,
    NEVER_TRUE,
    NOT_REACHED,
    Lack,
    Reasons,
    is_within,
)

Both = tuple[int, int]
"""How often something held, and did not."""
NEVER: Both = (0, 0)
TEXT_MAX = 76
HEADS = ("", "reached", "true and false", "by scenarios", "by games", "")
"""Of what `Share.cells` says, behind the name of the sort."""


@attrs.frozen
class CoveredPart:
    """A part of the rules, with how often scenarios and made-up games reached it.

    `titles` are the scenarios that did. `why` is the reason for which something of it
    was never seen, where one is known.
    """

    site: Site
    text: str
    scenarios: Both
    games: Both
    titles: tuple[str, ...]
    why: str = ""

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
            return NOT_REACHED
        if not self.site.truth or self.seen == self.goals:
            return ""
        return NEVER_FALSE if self.held else NEVER_TRUE

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
            "lacks": self.lacks or None,
            "why": self.why or None,
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
    def of(cls, parts: Sequence[CoveredPart]) -> Share:
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

    `wrong` are the tests that did not pass, and games in which an effect failed;
    `doubtful` what went wrong in games only whose position was changed.
    """

    book: Rulebook
    parts: tuple[CoveredPart, ...]
    scenarios: int
    games: int
    wrong: tuple[Item, ...]
    doubtful: tuple[Item, ...] = ()

    @property
    def sizes(self) -> str:
        """How many tests there were, in words."""
        return f"{self.of_scenarios}, {number_of(self.games, 'generated game')}"

    @property
    def of_scenarios(self) -> str:
        """How many scenarios were run, in words."""
        return number_of(self.scenarios, "scenario")

    @property
    def failed(self) -> tuple[str, ...]:
        """The names of the tests that did not pass, and of games that broke off."""
        return tuple(f"{item.kind} “{item.name}”" for item in self.wrong)

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

    def to_json(self, seed: int | None, choice: str) -> dict[str, Any]:
        """The coverage as plain data."""
        return {
            "variant": self.book.name,
            "digest": self.book.digest,
            "scenarios": self.scenarios,
            "games": self.games,
            "seed": seed,
            "choice": choice,
            "failed": [item.to_json() for item in self.wrong],
            "doubtful": [item.to_json() for item in self.doubtful],
            "percent": self.whole.percent,
            "sorts": {sort: share.to_json() for sort, share in self.shares.items()},
            "parts": [part.to_json() for part in self.parts],
        }


class CoverageRun:
    """Runs tests of a book and counts what they reach.

    What `base` says, all made-up games are played with, and scenarios have its options.
    Raises `UsageError` if the book has no such option.
    """

    def __init__(self, book: Rulebook, base: Settings | None = None) -> None:
        self.of, self.counts = counted(book)
        self.book, self.base = book, base or Settings()
        self.base.check_options(book)
        self.by_title: dict[str, Tally] = {}
        self.by_games: list[Tally] = []
        self.wrong: list[Item] = []
        self.played: dict[int, Came] = {}
        self.seen: set[int] = set()

    def scenario(self, scenario: Scenario) -> Item:
        """Run a scenario."""
        item = run_one(self.of, scenario, self.base.options)
        self.ran(scenario)
        if item.wrong:
            self.wrong.append(item)
        return item

    def game(self, made: MadeUp) -> None:
        """Play a game, and hold the invariants to it."""
        self.came_to(Player(self.of, self.counts).play(PlayoutTask(made)))

    def guide(self, games: int) -> Guide:
        """Games that seek what none has reached."""
        return Guide(self.book, self.counts.sites.listed, self.base, games)

    def games(
        self, tasks: Guide | Listed, jobs: int = 1, *, held: bool = True
    ) -> Iterator[Came]:
        """Play games, so many at once, each as it has been played.

        Where the invariants are not `held` to them, they reach the same in less time.
        """
        if jobs > 1:
            answers: Iterable[Came] = spread(
                PlayoutFactory(self.book, held), tasks, jobs
            )
        else:
            answers = map(Player(self.of, self.counts, held=held).play, tasks)
        for answer in answers:
            came = tasks.came(answer)
            self.came_to(came)
            yield came

    def ran(self, scenario: Scenario) -> None:
        """Note what has been reached since as that of a scenario."""
        self.by_title[scenario.title] = self.noted(self.counts.take())

    def came(self) -> None:
        """Note what has been reached since as that of one more game."""
        self.by_games.append(self.noted(self.counts.take()))

    def came_to(self, came: Came) -> None:
        """Note what a game came to."""
        self.played[came.made.number] = came
        self.noted(came.tally)

    def noted(self, tally: Tally) -> Tally:
        """Note which parts were reached so far; return the tally."""
        self.seen.update(n for n, both in enumerate(tally) if any(both))
        return tally

    @property
    def so_far(self) -> str:
        """How many parts were reached so far, for people."""
        return f"{len(self.seen):,} of {len(self.counts.sites.listed):,} parts reached"

    def coverage(self, *, brief: bool = False) -> Coverage:
        """What all that was run has reached; `brief`: what broke is not played again.

        A brief coverage takes no time to speak of, and counts the game that was not
        finished.
        """
        in_order = [self.played[number] for number in sorted(self.played)]
        by_games = [*self.by_games, *[came.tally for came in in_order]]
        sizes = len(self.by_title), len(by_games)
        if brief and len(self.by_title) == len(self.book.model.scenarios):
            by_games.append(self.counts.take())
        parts = tuple(
            CoveredPart(
                site,
                site_text(self.book, site),
                total(tally[number] for tally in self.by_title.values()),
                total(tally[number] for tally in by_games),
                tuple(
                    title
                    for title, tally in self.by_title.items()
                    if any(tally[number])
                ),
            )
            for number, site in enumerate(self.counts.sites.listed)
        )
        parts = explained(self.book, parts)
        wrong, doubtful = items(self.book, in_order, None if brief else self.base)
        return Coverage(self.book, parts, *sizes, (*self.wrong, *wrong), doubtful)


def explained(
    book: Rulebook, parts: tuple[CoveredPart, ...]
) -> tuple[CoveredPart, ...]:
    """The parts, and why something of them was never seen."""
    lacks = {part.site: Lack(part.site, part.text, part.lacks) for part in parts}
    others = [lack for lack in lacks.values() if lack.lacks]
    reasons = Reasons(book)
    return tuple(
        attrs.evolve(part, why=reasons.of(lacks[part.site], others))
        if part.lacks
        else part
        for part in parts
    )


def number_of(count: int, what: str) -> str:
    """How many there are of something, in words."""
    return f"{count} {what}" if count == 1 else f"{count} {what}s"


def total(pairs: Iterable[Both]) -> Both:
    """The sum of what was counted."""
    held, failed = 0, 0
    for yes, no in pairs:
        held, failed = held + yes, failed + no
    return held, failed


def near(parts: Sequence[CoveredPart], span: Span) -> list[CoveredPart]:
    """The parts that a change at a place is about: those in it, else that around it."""
    inside = [part for part in parts if is_within(part.site.span, span)]
    if inside:
        return inside
    around = [part for part in parts if is_within(span, part.site.span)]
    return sorted(around, key=lambda part: extent(part.site.span))[:1]


def extent(span: Span) -> tuple[int, int]:
    """How large a place is: lines, then letters."""
    return span.end_line - span.line, span.end_column - span.column


def site_text(book: Rulebook, site: Site) -> str:
    """The text of a site, or its beginning."""
    text = " ".join(book.text_at(site.span).split())
    return text if len(text) <= TEXT_MAX else text[: TEXT_MAX - 1] + "…"


def measured(
    book: Rulebook,
    games: Sequence[MadeUp],
    shown: Shown = lambda items, total, what: items,
) -> Coverage:
    """Run the scenarios of a book and some made-up games, and see what they reach."""
    return measured_by(CoverageRun(book), Listed(games), shown)


def measured_by(
    measure: CoverageRun, games: Guide | Listed, shown: Shown, jobs: int = 1
) -> Coverage:
    """Run scenarios and games, so many of these at once, and see what they reach."""
    scenarios = measure.book.model.scenarios
    for scenario in shown(scenarios, len(scenarios), "scenarios"):
        measure.scenario(scenario)
    for _ in shown(measure.games(games, jobs), len(games), "games"):
        pass
    return measure.coverage()


def summed(coverage: Coverage) -> Iterator[tuple[str, ...]]:
    """A row for each sort, and one for all: what was reached, and by what."""
    for sort, share in {**coverage.shares, "all": coverage.whole}.items():
        yield sort, *share.cells


def lacking(coverage: Coverage) -> Iterator[CoveredPart]:
    """The parts of which something was never seen, what was not reached first."""
    parts = [part for part in coverage.parts if part.lacks]
    yield from sorted(parts, key=lambda part: part.times > 0)


def lines(coverage: Coverage) -> Iterator[str]:
    """What was never seen, each at its place."""
    for part in lacking(coverage):
        site = part.site
        place = f"{site.span.file}:{site.span.line}"
        why = f" ({part.why})" if part.why else ""
        yield f"{place}: {part.called} {part.lacks}{why}: {part.text}"
