"""The tests that stand in a rule file: scenarios and invariants, run and reported."""

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
from workbench.analysis.simulation.generation import is_dealing, start_with_given_chance
from workbench.analysis.simulation.settings import Settings, described
from workbench.budget import TimeUp
from workbench.defaults import TEST_GAMES
from workbench.errors import Refused
from workbench.testing.rule_tests.generated_games import on_board, rounds
from workbench.testing.rule_tests.shrinking import Effort, in_simplest, shortest
from workbench.testing.scenarios.from_records import scenario_of

EFFORT = 100_000
"""How many events are played to find a shorter game that breaks an invariant."""
BELOW = (
    "  this scenario belongs to {file}, which {name} extends; a house rule"
    " that breaks it on purpose must use `over` instead of `extends`, which"
    " leaves out these scenarios"
)
Shown = Callable[[Iterable[Any], int, str], Iterable[Any]]
"""Shows progress on items (how many, what they are called) and gives them on."""
SCENARIO, INVARIANT = "scenario", "invariant"
WRONG = frozenset({VerdictStatus.FAILED, VerdictStatus.ERROR})


@attrs.frozen
class Item:
    """A test and what it came to; `clause` is the title that stands in the file.

    Where that has a table of examples, each row is a test, and `line` is the row's. An
    invariant that is broken has the `scenario` that shows it, to be pasted. `pending`
    says who is still to decide, `picture` is a file with the position.
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
    def wrong(self) -> bool:
        """Whether it failed or could not be run."""
        return self.status in WRONG

    def to_json(self) -> dict[str, Any]:
        """The item as plain data."""
        return attrs.asdict(self)


@attrs.define
class TestSelection:
    """Which tests of a book are run: those with a text in their names."""

    book: Rulebook
    text: str = ""

    def holds(self, test: Scenario | Invariant) -> bool:
        """Whether a test is among them."""
        return self.text.casefold() in test.title.casefold()

    @property
    def scenarios(self) -> tuple[Scenario, ...]:
        """The scenarios, in the order of the rules."""
        return tuple(filter(self.holds, self.book.model.scenarios))

    @property
    def invariants(self) -> tuple[Invariant, ...]:
        """The invariants, in the order of the rules."""
        return tuple(filter(self.holds, self.book.model.invariants))

    @property
    def number(self) -> int:
        """The number of tests."""
        return len(self.scenarios) + len(self.invariants)


def quoted(book: Rulebook, file: str | None, line: int | None) -> str:
    """A line of the rules with its number."""
    if not file or not line:
        return ""
    lines = book.files.get(file, "").splitlines()
    text = lines[line - 1].strip() if line <= len(lines) else ""
    return f"\n  line {line}: {text}" if text else f"\n  line {line}"


def result(
    book: Rulebook, kind: str, test: Scenario | Invariant, verdict: Verdict
) -> Item:
    """The item for a test that was run."""
    message = verdict.message
    place = test.place
    if message is not None and verdict.line not in {None, test.span.line, place.line}:
        message += quoted(book, verdict.file, verdict.line)
    return Item(
        *(kind, test.title, test.clause, place.file, place.line),
        *(verdict.status, message, verdict.record, verdict.pending),
    )


def broken_off(kind: str, test: Scenario | Invariant, game: Game | None = None) -> Item:
    """The item for a test that broke off; call it in an `except`.

    By a mistake of the rules that shows in play only, else by one of ours.
    """
    error = sys.exception()
    message = f"internal error; please report it\n{traceback.format_exc()}"
    if isinstance(error, RulesError | Refused):
        message = str(error)
    record = None if game is None else game.record
    place = test.place
    return Item(
        *(kind, test.title, test.clause, place.file, place.line),
        *(VerdictStatus.ERROR, message, record),
    )


def run_one(
    book: Rulebook,
    scenario: Scenario,
    options: Mapping[str, Any] = MappingProxyType({}),
) -> Item:
    """Play a scenario; one that fails says so when it comes from the game below.

    `options` are values of options that the scenario does not set itself.
    """
    try:
        item = result(book, SCENARIO, scenario, run_scenario(book, scenario, options))
    except Exception:  # noqa: BLE001  (one broken test must not hide the others)
        item = broken_off(SCENARIO, scenario)
    if item.wrong and item.file not in book.own_files and not book.shipped:
        whose = BELOW.format(file=Path(item.file).name, name=book.name)
        return attrs.evolve(item, message=f"{item.message}\n{whose}")
    return item


def is_broken(game: Game, invariant: Invariant) -> bool:
    """Whether an invariant does not hold in a game as it stands."""
    return (
        not is_dealing(game)
        and check_invariant(game, invariant).status != VerdictStatus.PASSED
    )


def shrunk(
    game: Game, invariant: Invariant, settings: Settings, least: Settings
) -> tuple[Game, Settings]:
    """A short game that breaks an invariant as this one does, of simple settings.

    What `least` says of these is kept.
    """
    begin = partial(start_with_given_chance, game.book, settings)
    wrong, effort = partial(is_broken, invariant=invariant), Effort(EFFORT)
    short = shortest(begin, game.events, wrong, effort)
    return in_simplest(short, settings, least, wrong, effort)


class Watch:
    """Invariants tested while games go on; the first failure of each counts.

    What `base` says, all games are played with.
    """

    def __init__(
        self, book: Rulebook, invariants: Sequence[Invariant], base: Settings
    ) -> None:
        self.book, self.base = book, base
        self.invariants = invariants
        self.broken: dict[str, Item] = {}
        self.games = 0

    def test(self, game: Game, settings: Settings) -> None:
        """Test what still holds in a game as it stands; what breaks is shrunk."""
        for invariant in self.invariants:
            if invariant.title not in self.broken and is_broken(game, invariant):
                self.broken[invariant.title] = self.item(game, invariant, settings)
                # the time may be up before a shorter game is known
                short, simple = shrunk(game, invariant, settings, self.base)
                self.broken[invariant.title] = attrs.evolve(
                    self.item(short, invariant, simple),
                    scenario=scenario_of(short, invariant),
                )

    def item(self, game: Game, invariant: Invariant, settings: Settings) -> Item:
        """Return the item of an invariant that a game breaks, with its record."""
        verdict = check_invariant(game, invariant)
        item = result(self.book, INVARIANT, invariant, verdict)
        after = f"after event {game.steps}{described(settings)}"
        message = f"{item.message}\n  {after}"
        return attrs.evolve(item, message=message, record=game.record)

    def give_up(self, game: Game | None) -> None:
        """The game broke off: no invariant can be said to hold. Call it in `except`."""
        scenario = None if game is None else scenario_of(game)
        for invariant in self.invariants:
            if invariant.title not in self.broken:
                item = broken_off(INVARIANT, invariant, game)
                item = attrs.evolve(item, scenario=scenario)
                self.broken[invariant.title] = item

    def items(self) -> Iterator[Item]:
        """What the invariants came to."""
        for invariant in self.invariants:
            outcome = self.broken.get(invariant.title)
            if outcome is None:
                status, message = VerdictStatus.PASSED, None
                if not self.games:
                    status, message = VerdictStatus.SKIPPED, "no game was played"
                verdict = Verdict(status, message)
                outcome = result(self.book, INVARIANT, invariant, verdict)
            yield outcome


def watched(
    book: Rulebook,
    invariants: Sequence[Invariant],
    base: Settings,
    games: int,
    watch: Watch | None = None,
) -> Iterator[Watch]:
    """Play games under watch; the watch after each of them."""
    watch = watch or Watch(book, invariants, base)
    if not invariants:
        return
    for plain in rounds(book, base, games):
        made, game = on_board(book, plain), None
        try:
            for game in made.play(book):
                watch.test(game, made.settings)
        except Exception:  # noqa: BLE001  (reported with the game that led there)
            watch.give_up(game)
        watch.games += 1
        yield watch
        if len(watch.broken) == len(invariants):
            return


def run(
    book: Rulebook,
    base: Settings,
    games: int = TEST_GAMES,
    text: str = "",
    shown: Shown = lambda items, total, what: items,
) -> Iterator[Item]:
    """Run the tests of a book: scenarios, then invariants.

    Scenarios that do not set an option have it from `base`; the games have all of it.
    If the time is up during the games, yield the invariants and raise `TimeUp` again.
    Raises `UsageError` if the book has no such option.
    """
    base.check_options(book)
    choice = TestSelection(book, text)
    scenarios, invariants = choice.scenarios, choice.invariants
    for scenario in shown(scenarios, len(scenarios), "scenarios"):
        yield run_one(book, scenario, base.options)
    watch = Watch(book, invariants, base)
    total = sum(1 for _ in rounds(book, base, games)) if invariants else 0
    up: TimeUp | None = None
    try:
        for _ in shown(watched(book, invariants, base, games, watch), total, "games"):
            pass
    except TimeUp as error:
        up = error
    yield from watch.items()
    if up is not None:
        raise up
