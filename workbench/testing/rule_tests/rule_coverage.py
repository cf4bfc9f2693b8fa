"""Coverage: the parts of the rules that scenarios and generated games reach."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

import attrs

from interpreter import SORTS, Site, Tally, counted_copy
from rulebook import Rulebook, Span
from rulebook.model import Scenario
from rulebook.tooling import Moments, TextSort, moments_without_text
from workbench.analysis.simulation.processes import map_in_processes
from workbench.analysis.simulation.settings import Settings
from workbench.testing.rule_tests.generated_games import GeneratedGame
from workbench.testing.rule_tests.guidance import GameGuide
from workbench.testing.rule_tests.playouts import (
    GameList,
    GameResult,
    GeneratedGamePlayer,
    PlayoutFactory,
    PlayoutTask,
    failure_items,
)
from workbench.testing.rule_tests.suite import (
    ProgressDisplay,
    SuiteItem,
    run_scenario_test,
)
from workbench.testing.rule_tests.unreached import (
    NEVER_FALSE,
    NEVER_TRUE,
    NOT_REACHED,
    MissingObservation,
    ReasonFinder,
    is_within,
)

TruthCounts = tuple[int, int]
"""Number of times a condition was true, and number of times it was false."""
TEXT_MAX = 76
COLUMN_HEADINGS = ("", "reached", "true and false", "by scenarios", "by games", "")
"""Column headings of a table of coverage: the sort (blank), then the cells."""
TEXT_SORTS = TextSort.QUESTIONS, TextSort.REPORTS


@attrs.frozen
class CoveredPart:
    """Part of the rules, and how often scenarios and generated games reached it.

    `titles` are the titles of the scenarios that reached it. `why` is the
    known reason why an outcome was never observed, or empty.
    """

    site: Site
    text: str
    scenarios: TruthCounts
    games: TruthCounts
    titles: tuple[str, ...]
    why: str = ""

    @property
    def true_count(self) -> int:
        """Number of times the part was true or, without a truth value, reached."""
        return self.scenarios[0] + self.games[0]

    @property
    def false_count(self) -> int:
        """Number of times the part was false."""
        return self.scenarios[1] + self.games[1]

    @property
    def reach_count(self) -> int:
        """Number of times the part was reached."""
        return self.true_count + self.false_count

    @property
    def goal_count(self) -> int:
        """Number of goals: 2 for a condition (to be true, to be false), otherwise 1."""
        return 2 if self.site.is_condition else 1

    @property
    def reached_goals(self) -> int:
        """Number of goals that were reached."""
        return (self.true_count > 0) + (self.false_count > 0)

    @property
    def display_name(self) -> str:
        """Kind and name of the part, for display."""
        return " ".join(filter(None, (self.site.sort, self.site.name)))

    @property
    def reached_by(self) -> str:
        """Tests that reached the part: `scenarios`, `games`, `both` or `neither`."""
        scenarios, games = any(self.scenarios), any(self.games)
        if scenarios:
            return "both" if games else "scenarios"
        return "games" if games else "neither"

    @property
    def missing(self) -> str:
        """Outcomes that were never observed, in words; empty if all were observed."""
        if not self.reach_count:
            return NOT_REACHED
        if not self.site.is_condition or self.reached_goals == self.goal_count:
            return ""
        return NEVER_FALSE if self.true_count else NEVER_TRUE

    def to_json(self) -> dict[str, Any]:
        """Return the part as plain data."""
        span = self.site.span
        document: dict[str, Any] = {
            "sort": self.site.sort,
            "name": self.site.name,
            "clause": self.site.clause,
            "file": span.file,
            "line": span.line,
            "column": span.column,
            "end_line": span.end_line,
            "end_column": span.end_column,
            "text": self.text,
            "reached": counts_document(sum(self.scenarios), sum(self.games)),
            "true": None,
            "false": None,
            "by": self.reached_by,
            "scenarios": list(self.titles),
            "lacks": self.missing or None,
            "why": self.why or None,
        }
        if self.site.is_condition:
            document["true"] = counts_document(self.scenarios[0], self.games[0])
            document["false"] = counts_document(self.scenarios[1], self.games[1])
        return document


def counts_document(scenarios: int, games: int) -> dict[str, int]:
    """Return the counts for scenarios and for games as plain data."""
    return {"scenarios": scenarios, "games": games}


@attrs.frozen
class CoverageShare:
    """Coverage of the parts of one sort, or of all parts, as counts.

    `truths` counts parts with a truth value, and `both` those that were observed both
    as true and as false. `seen` is the number of reached goals out of `goals`.
    `by_scenarios` and `by_games` count the parts that each kind of test reached.
    """

    parts: int
    reached: int
    truths: int
    both: int
    goals: int
    seen: int
    by_scenarios: int
    by_games: int

    @classmethod
    def of_parts(cls, parts: Sequence[CoveredPart]) -> CoverageShare:
        """Return the coverage of these parts."""
        truths = [part for part in parts if part.site.is_condition]
        return cls(
            len(parts),
            sum(part.reach_count > 0 for part in parts),
            len(truths),
            sum(part.reached_goals == part.goal_count for part in truths),
            sum(part.goal_count for part in parts),
            sum(part.reached_goals for part in parts),
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

    `failures` are the failed tests and the failures in games. `edited_failures` are
    failures that only occurred in games whose position was edited.
    """

    book: Rulebook
    parts: tuple[CoveredPart, ...]
    scenarios: int
    games: int
    failures: tuple[SuiteItem, ...]
    edited_failures: tuple[SuiteItem, ...] = ()

    @property
    def counts_text(self) -> str:
        """Numbers of scenarios and games, in words."""
        return f"{self.scenario_count_text}, {count_text(self.games, 'generated game')}"

    @property
    def scenario_count_text(self) -> str:
        """Number of scenarios that ran, in words."""
        return count_text(self.scenarios, "scenario")

    @property
    def failed_names(self) -> tuple[str, ...]:
        """Names of the failed tests and of the failures in games."""
        return tuple(f"{item.kind} “{item.name}”" for item in self.failures)

    @property
    def total(self) -> CoverageShare:
        """Coverage of all parts."""
        return CoverageShare.of_parts(self.parts)

    @property
    def shares(self) -> Mapping[str, CoverageShare]:
        """Coverage by sort of part, for sorts that have parts."""
        return {
            sort: CoverageShare.of_parts(parts)
            for sort in SORTS
            if (parts := [part for part in self.parts if part.site.sort == sort])
        }

    @property
    def missing_texts(self) -> dict[str, dict[str, list[str]]]:
        """Decisions without questions and events without reports, by language."""
        book, moments = self.book, Moments(self.book.model)
        tables = book.questions, book.reports
        return {
            language: {
                str(sort): moments_without_text(moments, sort, texts.get(language, {}))
                for sort, texts in zip(TEXT_SORTS, tables, strict=True)
            }
            for language in sorted({*book.words, *book.questions, *book.reports})
        }

    def to_json(self, seed: int | None, choice: str) -> dict[str, Any]:
        """Return the coverage as plain data.

        *choice* specifies how generated games choose actions.
        """
        return {
            "variant": self.book.name,
            "digest": self.book.digest,
            "scenarios": self.scenarios,
            "games": self.games,
            "seed": seed,
            "choice": choice,
            "failed": [item.to_json() for item in self.failures],
            "doubtful": [item.to_json() for item in self.edited_failures],
            "percent": self.total.percent,
            "sorts": {sort: share.to_json() for sort, share in self.shares.items()},
            "texts": self.missing_texts,
            "parts": [part.to_json() for part in self.parts],
        }


class CoverageRun:
    """Run of a book's tests that counts which parts they reach.

    `base` are the settings of all generated games; scenarios use its options. Raise
    `UsageError` if the book does not have such an option.
    """

    def __init__(self, book: Rulebook, base: Settings | None = None) -> None:
        self.counted_book, self.counts = counted_copy(book)
        self.book, self.base = book, base or Settings()
        self.base.check_options(book)
        self.by_title: dict[str, Tally] = {}
        self.by_games: list[Tally] = []
        self.failed_items: list[SuiteItem] = []
        self.played: dict[int, GameResult] = {}
        self.reached_parts: set[int] = set()

    def run_scenario(self, scenario: Scenario) -> SuiteItem:
        """Run a scenario and return its result."""
        item = run_scenario_test(self.counted_book, scenario, self.base.options)
        self.attribute_to_scenario(scenario)
        if item.is_failed:
            self.failed_items.append(item)
        return item

    def play_game(self, generated_game: GeneratedGame) -> None:
        """Play a generated game and check the invariants in it."""
        self.add_result(
            GeneratedGamePlayer(self.counted_book, self.counts).play(
                PlayoutTask(generated_game)
            )
        )

    def make_guide(self, games: int) -> GameGuide:
        """Return a guide that generates games aimed at parts not yet reached."""
        return GameGuide(self.book, self.counts.sites.in_order, self.base, games)

    def play_games(
        self,
        tasks: GameGuide | GameList,
        jobs: int = 1,
        *,
        check_invariants: bool = True,
    ) -> Iterator[GameResult]:
        """Play games in `jobs` processes; yield each result.

        If `check_invariants` is false, invariants are not checked, which takes less
        time and reaches the same parts.
        """
        if jobs > 1:
            results: Iterable[GameResult] = map_in_processes(
                PlayoutFactory(self.book, check_invariants), tasks, jobs
            )
        else:
            results = map(
                GeneratedGamePlayer(
                    self.counted_book, self.counts, check_invariants=check_invariants
                ).play,
                tasks,
            )
        for new_result in results:
            result = tasks.add_result(new_result)
            self.add_result(result)
            yield result

    def attribute_to_scenario(self, scenario: Scenario) -> None:
        """Attribute all new counts to a scenario."""
        self.by_title[scenario.title] = self.mark_reached(self.counts.take())

    def attribute_to_game(self) -> None:
        """Attribute all new counts to one more game."""
        self.by_games.append(self.mark_reached(self.counts.take()))

    def add_result(self, result: GameResult) -> None:
        """Add the result of a game."""
        self.played[result.game.number] = result
        self.mark_reached(result.tally)

    def mark_reached(self, tally: Tally) -> Tally:
        """Mark the parts with a nonzero count in a tally as reached; return it."""
        self.reached_parts.update(n for n, both in enumerate(tally) if any(both))
        return tally

    @property
    def progress_text(self) -> str:
        """Number of parts reached so far, in words."""
        reached, parts = len(self.reached_parts), len(self.counts.sites.in_order)
        return f"{reached:,} of {parts:,} parts reached"

    def coverage(self, *, brief: bool = False) -> Coverage:
        """Return the coverage of all tests run so far.

        If `brief` is true, failing games are not replayed, so the call returns at once,
        and the unfinished game is included.
        """
        in_order = [self.played[number] for number in sorted(self.played)]
        by_games = [*self.by_games, *[result.tally for result in in_order]]
        counts = len(self.by_title), len(by_games)
        if brief and len(self.by_title) == len(self.book.model.scenarios):
            by_games.append(self.counts.take())
        parts = tuple(
            CoveredPart(
                site,
                site_text(self.book, site),
                sum_counts(tally[number] for tally in self.by_title.values()),
                sum_counts(tally[number] for tally in by_games),
                tuple(
                    title
                    for title, tally in self.by_title.items()
                    if any(tally[number])
                ),
            )
            for number, site in enumerate(self.counts.sites.in_order)
        )
        parts = with_reasons(self.book, parts)
        failed, edited = failure_items(
            self.book, in_order, None if brief else self.base
        )
        return Coverage(
            self.book, parts, *counts, (*self.failed_items, *failed), edited
        )


def with_reasons(
    book: Rulebook, parts: tuple[CoveredPart, ...]
) -> tuple[CoveredPart, ...]:
    """Return the parts with the reasons why outcomes were never observed."""
    observations = {
        part.site: MissingObservation(part.site, part.text, part.missing)
        for part in parts
    }
    others = [
        observation for observation in observations.values() if observation.outcome
    ]
    reasons = ReasonFinder(book)
    return tuple(
        attrs.evolve(part, why=reasons.reason_for(observations[part.site], others))
        if part.missing
        else part
        for part in parts
    )


def count_text(count: int, noun: str) -> str:
    """Return a number with its noun in the singular or plural."""
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"


def sum_counts(pairs: Iterable[TruthCounts]) -> TruthCounts:
    """Return the sums of the true counts and of the false counts."""
    true_count, false_count = 0, 0
    for true, false in pairs:
        true_count, false_count = true_count + true, false_count + false
    return true_count, false_count


def parts_near(parts: Sequence[CoveredPart], span: Span) -> list[CoveredPart]:
    """Return the parts within a span or, if there are none, the smallest around it."""
    inside = [part for part in parts if is_within(part.site.span, span)]
    if inside:
        return inside
    around = [part for part in parts if is_within(span, part.site.span)]
    return sorted(around, key=lambda part: span_size(part.site.span))[:1]


def span_size(span: Span) -> tuple[int, int]:
    """Return the number of lines and columns between the ends of a span."""
    return span.end_line - span.line, span.end_column - span.column


def site_text(book: Rulebook, site: Site) -> str:
    """Return the text of a part, shortened if it is long."""
    text = " ".join(book.text_at(site.span).split())
    return text if len(text) <= TEXT_MAX else text[: TEXT_MAX - 1] + "…"


def measure_coverage(
    book: Rulebook,
    games: Sequence[GeneratedGame],
    display: ProgressDisplay = lambda items, total, what: items,
) -> Coverage:
    """Return the coverage by the scenarios of a book and some generated games."""
    return run_coverage(CoverageRun(book), GameList(games), display)


def run_coverage(
    coverage_run: CoverageRun,
    games: GameGuide | GameList,
    display: ProgressDisplay,
    jobs: int = 1,
) -> Coverage:
    """Run scenarios, and games in `jobs` processes; return the coverage."""
    scenarios = coverage_run.book.model.scenarios
    for scenario in display(scenarios, len(scenarios), "scenarios"):
        coverage_run.run_scenario(scenario)
    for _ in display(coverage_run.play_games(games, jobs), len(games), "games"):
        pass
    return coverage_run.coverage()


def share_rows(coverage: Coverage) -> Iterator[tuple[str, ...]]:
    """Yield the rows of a coverage table: one for each sort of part, one for all."""
    for sort, share in {**coverage.shares, "all": coverage.total}.items():
        yield sort, *share.cells


def incomplete_parts(coverage: Coverage) -> Iterator[CoveredPart]:
    """Yield the parts that are not completely covered, unreached ones first."""
    parts = [part for part in coverage.parts if part.missing]
    yield from sorted(parts, key=lambda part: part.reach_count > 0)


def missing_text_lines(coverage: Coverage) -> Iterator[str]:
    """Yield a line of text for each language and sort of text that is incomplete."""
    for language, sorts in coverage.missing_texts.items():
        for sort, paths in sorts.items():
            if paths:
                yield f"no {sort} in `{language}`: {', '.join(paths)}"


def incomplete_lines(coverage: Coverage) -> Iterator[str]:
    """Yield a line of text for each part that is not completely covered."""
    for part in incomplete_parts(coverage):
        site = part.site
        place = f"{site.span.file}:{site.span.line}"
        why = f" ({part.why})" if part.why else ""
        yield f"{place}: {part.display_name} {part.missing}{why}: {part.text}"
