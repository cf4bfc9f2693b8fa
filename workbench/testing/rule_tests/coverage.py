"""Coverage: which parts of the rules scenarios and generated games reach."""

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
"""Number of times a condition was true, and number of times it was false."""
NEVER: Both = (0, 0)
TEXT_MAX = 76
HEADS = ("", "reached", "true and false", "by scenarios", "by games", "")
"""Column headings of the cells of `Share`, after the column for the sort."""


@attrs.frozen
class CoveredPart:
    """Part of the rules, with how often scenarios and generated games reached it.

    `titles` are the scenarios that reached it. `why` is the reason why something was
    never observed, if it is known.
    """

    site: Site
    text: str
    scenarios: Both
    games: Both
    titles: tuple[str, ...]
    why: str = ""

    @property
    def held(self) -> int:
        """Number of times it was true or, without a truth value, reached."""
        return self.scenarios[0] + self.games[0]

    @property
    def failed(self) -> int:
        """Number of times it was false."""
        return self.scenarios[1] + self.games[1]

    @property
    def times(self) -> int:
        """Number of times it was reached."""
        return self.held + self.failed

    @property
    def goals(self) -> int:
        """Number of goals: one per truth value, or only that of being reached."""
        return 2 if self.site.truth else 1

    @property
    def seen(self) -> int:
        """Number of goals that were reached."""
        return (self.held > 0) + (self.failed > 0)

    @property
    def called(self) -> str:
        """Sort and name of the part, for people."""
        return " ".join(filter(None, (self.site.sort, self.site.name)))

    @property
    def by(self) -> str:
        """Tests that reached it: `scenarios`, `games`, `both` or `neither`."""
        scenarios, games = any(self.scenarios), any(self.games)
        if scenarios:
            return "both" if games else "scenarios"
        return "games" if games else "neither"

    @property
    def lacks(self) -> str:
        """What was never observed, in words; empty if nothing is missing."""
        if not self.times:
            return NOT_REACHED
        if not self.site.truth or self.seen == self.goals:
            return ""
        return NEVER_FALSE if self.held else NEVER_TRUE

    def to_json(self) -> dict[str, Any]:
        """Return the part as plain data."""
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
    """Return the numbers of times for scenarios and for games as plain data."""
    return {"scenarios": scenarios, "games": games}


@attrs.frozen
class Share:
    """Coverage of the parts of one sort, or of all parts."""

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
        """Return the coverage of some parts."""
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
        """Percentage of reached goals, rounded down to a tenth."""
        return 1000 * self.seen // self.goals / 10 if self.goals else 100.0

    @property
    def cells(self) -> tuple[str, ...]:
        """Table cells of the coverage."""
        return (
            f"{self.reached} of {self.parts}",
            f"{self.both} of {self.truths}" if self.truths else "",
            str(self.by_scenarios),
            str(self.by_games),
            f"{self.percent:.1f} %",
        )

    def to_json(self) -> dict[str, Any]:
        """Return the coverage as plain data."""
        return {**attrs.asdict(self), "percent": self.percent}


@attrs.frozen
class Coverage:
    """Coverage of a book, with its parts in the order of the files.

    `wrong` are the failed tests and the failures in games. `doubtful` are failures that
    only occurred in games whose position was edited.
    """

    book: Rulebook
    parts: tuple[CoveredPart, ...]
    scenarios: int
    games: int
    wrong: tuple[Item, ...]
    doubtful: tuple[Item, ...] = ()

    @property
    def sizes(self) -> str:
        """Numbers of scenarios and games, in words."""
        return f"{self.of_scenarios}, {number_of(self.games, 'generated game')}"

    @property
    def of_scenarios(self) -> str:
        """Number of scenarios that ran, in words."""
        return number_of(self.scenarios, "scenario")

    @property
    def failed(self) -> tuple[str, ...]:
        """Names of the failed tests and of the failures in games."""
        return tuple(f"{item.kind} “{item.name}”" for item in self.wrong)

    @property
    def whole(self) -> Share:
        """Coverage of all parts."""
        return Share.of(self.parts)

    @property
    def shares(self) -> Mapping[str, Share]:
        """Coverage of each sort that has parts."""
        return {
            sort: Share.of(parts)
            for sort in SORTS
            if (parts := [part for part in self.parts if part.site.sort == sort])
        }

    def to_json(self, seed: int | None, choice: str) -> dict[str, Any]:
        """Return the coverage as plain data.

        *choice* says how generated games choose actions.
        """
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
    """Run of a book's tests that counts which parts they reach.

    `base` are the settings of all generated games; scenarios use its options. Raise
    `UsageError` if the book does not have such an option.
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
        """Run a scenario and return its result."""
        item = run_one(self.of, scenario, self.base.options)
        self.ran(scenario)
        if item.wrong:
            self.wrong.append(item)
        return item

    def game(self, made: MadeUp) -> None:
        """Play a generated game and check the invariants in it."""
        self.came_to(Player(self.of, self.counts).play(PlayoutTask(made)))

    def guide(self, games: int) -> Guide:
        """Return generated games that aim for parts not yet reached."""
        return Guide(self.book, self.counts.sites.listed, self.base, games)

    def games(
        self, tasks: Guide | Listed, jobs: int = 1, *, held: bool = True
    ) -> Iterator[Came]:
        """Play games in `jobs` processes; yield each result.

        If `held` is false, invariants are not checked, which takes less time and
        reaches the same parts.
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
        """Attribute the counts since the last call to a scenario."""
        self.by_title[scenario.title] = self.noted(self.counts.take())

    def came(self) -> None:
        """Attribute the counts since the last call to another game."""
        self.by_games.append(self.noted(self.counts.take()))

    def came_to(self, came: Came) -> None:
        """Add the result of a game."""
        self.played[came.made.number] = came
        self.noted(came.tally)

    def noted(self, tally: Tally) -> Tally:
        """Mark the parts that a tally contains as reached; return the tally."""
        self.seen.update(n for n, both in enumerate(tally) if any(both))
        return tally

    @property
    def so_far(self) -> str:
        """Number of parts reached so far, in words."""
        return f"{len(self.seen):,} of {len(self.counts.sites.listed):,} parts reached"

    def coverage(self, *, brief: bool = False) -> Coverage:
        """Return the coverage of all tests run so far.

        If `brief` is true, failing games are not replayed, so the call returns at once,
        and the unfinished game is included.
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
    """Return the parts with reasons why something was never observed."""
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
    """Return a number with its noun in the singular or plural."""
    return f"{count} {what}" if count == 1 else f"{count} {what}s"


def total(pairs: Iterable[Both]) -> Both:
    """Return the sums of pairs of counts."""
    held, failed = 0, 0
    for yes, no in pairs:
        held, failed = held + yes, failed + no
    return held, failed


def near(parts: Sequence[CoveredPart], span: Span) -> list[CoveredPart]:
    """Return the parts within a span or, if there are none, the smallest around it."""
    inside = [part for part in parts if is_within(part.site.span, span)]
    if inside:
        return inside
    around = [part for part in parts if is_within(span, part.site.span)]
    return sorted(around, key=lambda part: extent(part.site.span))[:1]


def extent(span: Span) -> tuple[int, int]:
    """Return the number of lines and columns between the ends of a span."""
    return span.end_line - span.line, span.end_column - span.column


def site_text(book: Rulebook, site: Site) -> str:
    """Return the text of a part, shortened if it is long."""
    text = " ".join(book.text_at(site.span).split())
    return text if len(text) <= TEXT_MAX else text[: TEXT_MAX - 1] + "…"


def measured(
    book: Rulebook,
    games: Sequence[MadeUp],
    shown: Shown = lambda items, total, what: items,
) -> Coverage:
    """Return the coverage by the scenarios of a book and some generated games."""
    return measured_by(CoverageRun(book), Listed(games), shown)


def measured_by(
    measure: CoverageRun, games: Guide | Listed, shown: Shown, jobs: int = 1
) -> Coverage:
    """Run scenarios, and games in `jobs` processes; return the coverage."""
    scenarios = measure.book.model.scenarios
    for scenario in shown(scenarios, len(scenarios), "scenarios"):
        measure.scenario(scenario)
    for _ in shown(measure.games(games, jobs), len(games), "games"):
        pass
    return measure.coverage()


def summed(coverage: Coverage) -> Iterator[tuple[str, ...]]:
    """Yield a table row for each sort, and one for all parts."""
    for sort, share in {**coverage.shares, "all": coverage.whole}.items():
        yield sort, *share.cells


def lacking(coverage: Coverage) -> Iterator[CoveredPart]:
    """Yield the parts that are not completely covered, unreached ones first."""
    parts = [part for part in coverage.parts if part.lacks]
    yield from sorted(parts, key=lambda part: part.times > 0)


def lines(coverage: Coverage) -> Iterator[str]:
    """Yield a line of text for each part that is not completely covered."""
    for part in lacking(coverage):
        site = part.site
        place = f"{site.span.file}:{site.span.line}"
        why = f" ({part.why})" if part.why else ""
        yield f"{place}: {part.called} {part.lacks}{why}: {part.text}"
