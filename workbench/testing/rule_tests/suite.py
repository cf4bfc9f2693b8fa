"""Test suite of a rule file: scenarios and invariants, and their results."""

import sys
import traceback
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from types import MappingProxyType
from typing import Any

import attrs

from interpreter import Game, Verdict, VerdictStatus, check_invariant, run_scenario
from rulebook import Rulebook, RulesError
from rulebook.model import Invariant, Scenario
from workbench.analysis.simulation.setting_variations import (
    is_dealing,
)
from workbench.analysis.simulation.settings import Settings, settings_text
from workbench.budget import TimeUp
from workbench.defaults import TEST_GAMES
from workbench.errors import RequestError
from workbench.testing.rule_tests.generated_games import suite_games, with_board
from workbench.testing.rule_tests.shrinking import shrink_failure
from workbench.testing.scenarios.from_records import failure_scenario

INHERITED_HINT = (
    "  this scenario belongs to {file}, which {name} extends; a house rule"
    " that breaks it on purpose must use `over` instead of `extends`, which"
    " leaves out these scenarios"
)
ProgressDisplay = Callable[[Iterable[Any], int, str], Iterable[Any]]
"""Progress callback: takes items, their number and a label; yields the items."""
SCENARIO, INVARIANT = "scenario", "invariant"
FAILED_STATUSES = frozenset({VerdictStatus.FAILED, VerdictStatus.ERROR})


@attrs.frozen
class SuiteItem:
    """Test with its result.

    `clause` is the title in the file, and each row of a table of examples is a test
    with its own `line`. A broken invariant has the `scenario` that shows it, ready to
    paste. `pending` describes a decision that the rules leave open. `picture` is the
    path of a picture of the position.
    """

    kind: str
    name: str
    clause: str
    file: str
    line: int
    status: VerdictStatus
    message: str | None = None
    record: str | None = None
    pending: str | None = None
    scenario: str | None = None
    picture: str | None = None

    @property
    def is_failed(self) -> bool:
        """True if the test failed or could not run."""
        return self.status in FAILED_STATUSES

    def to_json(self) -> dict[str, Any]:
        """Return the item as plain data."""
        return attrs.asdict(self)


@attrs.define
class TestSelection:
    """Tests of a book whose titles contain *text*."""

    book: Rulebook
    text: str = ""

    def is_selected(self, test: Scenario | Invariant) -> bool:
        """Return whether a test is selected."""
        return self.text.casefold() in test.title.casefold()

    @property
    def scenarios(self) -> tuple[Scenario, ...]:
        """Selected scenarios, in the order of the rules."""
        return tuple(filter(self.is_selected, self.book.model.scenarios))

    @property
    def invariants(self) -> tuple[Invariant, ...]:
        """Selected invariants, in the order of the rules."""
        return tuple(filter(self.is_selected, self.book.model.invariants))

    @property
    def test_count(self) -> int:
        """Number of selected scenarios and invariants."""
        return len(self.scenarios) + len(self.invariants)


def quoted_line(book: Rulebook, file: str | None, line: int | None) -> str:
    """Return a line of the rules with its number, to append to a message."""
    if not file or not line:
        return ""
    lines = book.files.get(file, "").splitlines()
    text = lines[line - 1].strip() if line <= len(lines) else ""
    return f"\n  line {line}: {text}" if text else f"\n  line {line}"


def result_item(
    book: Rulebook, kind: str, test: Scenario | Invariant, verdict: Verdict
) -> SuiteItem:
    """Return the item for a test, given its verdict."""
    message = verdict.message
    place = test.place
    if message is not None and verdict.line not in {None, test.span.line, place.line}:
        message += quoted_line(book, verdict.file, verdict.line)
    return SuiteItem(
        *(kind, test.title, test.clause, place.file, place.line),
        *(verdict.status, message, verdict.record, verdict.pending_decision),
    )


def exception_item(
    kind: str, test: Scenario | Invariant, game: Game | None = None
) -> SuiteItem:
    """Return the item for a test that raised an exception.

    Call it in an `except` block. The cause is an error in the rules that only shows in
    play, or an internal error.
    """
    error = sys.exception()
    message = f"internal error; please report it\n{traceback.format_exc()}"
    if isinstance(error, RulesError | RequestError):
        message = str(error)
    record = None if game is None else game.record
    place = test.place
    return SuiteItem(
        *(kind, test.title, test.clause, place.file, place.line),
        *(VerdictStatus.ERROR, message, record),
    )


def run_scenario_test(
    book: Rulebook,
    scenario: Scenario,
    options: Mapping[str, Any] = MappingProxyType({}),
) -> SuiteItem:
    """Run a scenario and return its item; failures of inherited ones name their file.

    *options* are the values of options that the scenario does not set.
    """
    try:
        item = result_item(
            book, SCENARIO, scenario, run_scenario(book, scenario, options)
        )
    except Exception:  # noqa: BLE001  (one broken test must not hide the others)
        item = exception_item(SCENARIO, scenario)
    if item.is_failed and item.file not in book.own_files and not book.shipped:
        hint = INHERITED_HINT.format(file=Path(item.file).name, name=book.name)
        return attrs.evolve(item, message=f"{item.message}\n{hint}")
    return item


def is_broken(game: Game, invariant: Invariant) -> bool:
    """Return whether an invariant is false in a game that is no longer dealing."""
    return (
        not is_dealing(game)
        and check_invariant(game, invariant).status != VerdictStatus.PASSED
    )


def shrink_invariant(
    game: Game, invariant: Invariant, settings: Settings, fixed_settings: Settings
) -> tuple[Game, Settings]:
    """Return a short game that breaks an invariant, and its settings.

    *fixed_settings* are the settings that must be kept.
    """
    is_failing = partial(is_broken, invariant=invariant)
    return shrink_failure(game, settings, fixed_settings, is_failing)


class InvariantChecker:
    """Checker of invariants while games are played.

    Each invariant is checked until it fails once. `base` are the settings of all games.
    """

    def __init__(
        self, book: Rulebook, invariants: Sequence[Invariant], base: Settings
    ) -> None:
        self.book, self.base = book, base
        self.invariants = invariants
        self.broken: dict[str, SuiteItem] = {}
        self.games = 0

    def check(self, game: Game, settings: Settings) -> None:
        """Check the unbroken invariants; shrink a game that breaks one."""
        for invariant in self.invariants:
            if invariant.title not in self.broken and is_broken(game, invariant):
                self.broken[invariant.title] = self.broken_item(
                    game, invariant, settings
                )
                # store it now, because time may run out during shrinking
                short, simple = shrink_invariant(game, invariant, settings, self.base)
                self.broken[invariant.title] = attrs.evolve(
                    self.broken_item(short, invariant, simple),
                    scenario=failure_scenario(short, invariant),
                )

    def broken_item(
        self, game: Game, invariant: Invariant, settings: Settings
    ) -> SuiteItem:
        """Return the item for an invariant that a game breaks, with a record."""
        verdict = check_invariant(game, invariant)
        item = result_item(self.book, INVARIANT, invariant, verdict)
        place = f"after event {game.steps}{settings_text(settings)}"
        message = f"{item.message}\n  {place}"
        return attrs.evolve(item, message=message, record=game.record)

    def fail_all(self, game: Game | None) -> None:
        """Mark all unbroken invariants as failed; call this in an `except` block."""
        scenario = None if game is None else failure_scenario(game)
        for invariant in self.invariants:
            if invariant.title not in self.broken:
                item = exception_item(INVARIANT, invariant, game)
                item = attrs.evolve(item, scenario=scenario)
                self.broken[invariant.title] = item

    def items(self) -> Iterator[SuiteItem]:
        """Yield the test item with the result of each invariant."""
        for invariant in self.invariants:
            outcome = self.broken.get(invariant.title)
            if outcome is None:
                status, message = VerdictStatus.PASSED, None
                if not self.games:
                    status, message = VerdictStatus.SKIPPED, "no game was played"
                verdict = Verdict(status, message)
                outcome = result_item(self.book, INVARIANT, invariant, verdict)
            yield outcome


def play_and_check(
    book: Rulebook,
    invariants: Sequence[Invariant],
    base: Settings,
    games: int,
    checker: InvariantChecker | None = None,
) -> Iterator[InvariantChecker]:
    """Play games while checking the invariants; yield the checker after each game."""
    checker = checker or InvariantChecker(book, invariants, base)
    if not invariants:
        return
    for suite_game in suite_games(book, base, games):
        generated_game, game = with_board(book, suite_game), None
        try:
            for game in generated_game.play(book):
                checker.check(game, generated_game.settings)
        except Exception:  # noqa: BLE001  (reported with the game that led there)
            checker.fail_all(game)
        checker.games += 1
        yield checker
        if len(checker.broken) == len(invariants):
            return


def run_suite(
    book: Rulebook,
    base: Settings,
    games: int = TEST_GAMES,
    text: str = "",
    display: ProgressDisplay = lambda items, total, what: items,
) -> Iterator[SuiteItem]:
    """Run the tests of a book and yield their results: scenarios, then invariants.

    *base* contains the settings of all games, and the options of scenarios that do not
    set them. *text* selects tests by title. If time runs out during the games, the
    invariants are yielded before `TimeUp` is re-raised. Raise `UsageError` if the book
    does not have an option.
    """
    base.check_options(book)
    selection = TestSelection(book, text)
    scenarios, invariants = selection.scenarios, selection.invariants
    for scenario in display(scenarios, len(scenarios), "scenarios"):
        yield run_scenario_test(book, scenario, base.options)
    checker = InvariantChecker(book, invariants, base)
    total = sum(1 for _ in suite_games(book, base, games)) if invariants else 0
    time_up: TimeUp | None = None
    try:
        for _ in display(
            play_and_check(book, invariants, base, games, checker), total, "games"
        ):
            pass
    except TimeUp as error:
        time_up = error
    yield from checker.items()
    if time_up is not None:
        raise time_up
