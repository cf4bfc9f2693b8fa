"""Playout of a generated game: parts it reached, actions, and failures."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from functools import partial
from typing import Any

import attrs

from interpreter import (
    Counts,
    Game,
    Tally,
    Verdict,
    VerdictStatus,
    check_invariant,
    counted,
)
from rulebook import Rulebook, RulesError
from rulebook.model import Invariant
from workbench.analysis.simulation.settings import Settings, described
from workbench.bots.randomness import Numbers
from workbench.errors import Refused
from workbench.testing.rule_tests.failures import FAILURE, dead_end, failure
from workbench.testing.rule_tests.generated_games import MadeUp
from workbench.testing.rule_tests.shrinking import Effort, shortest
from workbench.testing.rule_tests.start_positions import is_calm
from workbench.testing.rule_tests.suite import (
    EFFORT,
    INVARIANT,
    Item,
    is_broken,
    result,
    shrunk,
)
from workbench.testing.scenarios.from_records import scenario_of

CALM_MAX = 1_000
"""Maximum number of events before a position is stored for editing."""
BY_CHANGE = "; the position was edited and may be unreachable in a real game"
Position = Mapping[str, Any]


@attrs.frozen
class PlayoutTask:
    """Generated game to play; `lacking` are the goals whose points it reports.

    The goal of a site is twice its number, plus one for the value false.
    """

    made: MadeUp
    lacking: tuple[int, ...] = ()


class Listed:
    """Fixed list of games to play, with the interface of `Guide`."""

    def __init__(self, games: Sequence[MadeUp]) -> None:
        self.tasks = [PlayoutTask(made) for made in games]
        self.left = iter(self.tasks)

    def __len__(self) -> int:
        return len(self.tasks)

    def __iter__(self) -> Iterator[PlayoutTask]:
        return self.left

    def came(self, came: Came) -> Came:
        """Return the result of a game unchanged."""
        return came


@attrs.frozen
class GamePoint:
    """Position in a game after `steps` events, at which it reached `goals`."""

    position: Position
    steps: int
    goals: tuple[int, ...] = ()


@attrs.frozen
class GameFault:
    """Failure in a game: the broken invariant, or the message of a failing effect."""

    invariant: str
    message: str


@attrs.frozen
class Came:
    """Result of a generated game.

    `done` is the number of times each action was chosen, and `places` are the points at
    which it reached rare goals. `calm` is a position between actions, for editing.
    """

    made: MadeUp
    tally: Tally
    done: Mapping[str, int] = attrs.field(factory=dict)
    places: tuple[GamePoint, ...] = ()
    calm: GamePoint | None = None
    wrong: tuple[GameFault, ...] = ()


class Player:
    """Player of the generated games of a counted book.

    If `held` is false, invariants are not checked; the games are the same.
    """

    def __init__(self, of: Rulebook, counts: Counts, *, held: bool = True) -> None:
        self.of, self.counts = of, counts
        self.invariants = of.model.invariants if held else ()

    def play(self, task: PlayoutTask) -> Came:
        """Play a game and check the invariants."""
        watch = Watcher(self.counts, task.lacking)
        invariants = list(self.invariants)
        wrong: list[GameFault] = []
        calm, game = None, None
        wait = int(Numbers("calm", task.made.number).random() * CALM_MAX)
        try:
            for steps, game in enumerate(task.made.play(self.of)):
                watch.look(game, steps)
                if steps >= wait and calm is None and is_calm(game):
                    calm = GamePoint(game.position, steps)
                for invariant in [i for i in invariants if is_broken(game, i)]:
                    invariants.remove(invariant)
                    wrong.append(GameFault(invariant.title, ""))
        except (RulesError, Refused) as error:
            wrong.append(GameFault("", str(error)))
        done = {} if game is None else actions_done(game)
        tally = self.counts.take()
        return Came(task.made, tally, done, tuple(watch.places), calm, tuple(wrong))


@attrs.frozen
class PlayoutFactory:
    """Factory that creates a player in another process."""

    book: Rulebook
    held: bool = True

    def __call__(self) -> Any:
        """Return a function that plays a generated game."""
        return Player(*counted(self.book), held=self.held).play


class Watcher:
    """Observer that stores the points at which a game reaches rare goals."""

    def __init__(self, counts: Counts, lacking: Sequence[int]) -> None:
        self.counters = (counts.held, counts.failed)
        self.lacking = list(lacking)
        self.places: list[GamePoint] = []

    def look(self, game: Game, steps: int) -> None:
        """Store the current position if the last event reached a rare goal."""
        held, failed = self.counters
        came = [
            goal for goal in self.lacking if (failed if goal & 1 else held)[goal >> 1]
        ]
        if came:
            self.lacking = [goal for goal in self.lacking if goal not in came]
            if game.to_act is not None:
                self.places.append(GamePoint(game.position, steps, tuple(came)))


def actions_done(game: Game) -> dict[str, int]:
    """Return how often each action was chosen in a game, by name of the action."""
    done: dict[str, int] = {}
    for event in game.events:
        name = str(event.get("action", "")).partition("(")[0]
        done[name] = done.get(name, 0) + 1
    done.pop("", None)
    return done


# ---------------------------------------------------------------- failures


def items(
    book: Rulebook, games: Sequence[Came], base: Settings | None
) -> tuple[tuple[Item, ...], tuple[Item, ...]]:
    """Return the distinct failures of games as test items, each with a record.

    Those in the first tuple occurred in normal play, those in the second only after a
    position was edited. *base* are the settings of all games. If it is None, no game is
    replayed, and items have no record.
    """
    first: dict[GameFault, MadeUp] = {}
    for came in sorted(games, key=lambda came: not came.made.is_of_play):
        for wrong in came.wrong:
            first.setdefault(wrong, came.made)
    sure = [wrong for wrong, made in first.items() if made.is_of_play]
    return (
        tuple(item_of(book, first[wrong], wrong, base) for wrong in sure),
        tuple(item_of(book, first[w], w, base) for w in first if w not in sure),
    )


def item_of(
    book: Rulebook, made: MadeUp, wrong: GameFault, base: Settings | None
) -> Item:
    """Return the test item for a failure in a game."""
    for invariant in book.model.invariants:
        if invariant.title == wrong.invariant:
            if base is not None:
                return broken(book, made, invariant, base)
            verdict = Verdict(VerdictStatus.FAILED, f"it is violated{of(made)}")
            return result(book, INVARIANT, invariant, verdict)
    if base is not None:
        return failed(book, made, wrong.message)
    return unplayed(book, made, wrong.message)


def unplayed(book: Rulebook, made: MadeUp, message: str) -> Item:
    """Return the test item for a failing effect in a game that is not replayed."""
    head, said = book.merged.header.span, f"{message}\n {of(made)}"
    name = f"generated game {made.number}"
    place = (head.file, head.line, VerdictStatus.ERROR)
    return Item(FAILURE, name, name, *place, said)


def named(made: MadeUp) -> str:
    """Return a text that identifies a game, so that it can be repeated."""
    settings = made.settings
    seeds = f"seed {settings.seed or 0}"
    return f"generated game {made.number}, {seeds}{described(settings)}"


def broken(book: Rulebook, made: MadeUp, invariant: Invariant, base: Settings) -> Item:
    """Return the test item for an invariant that a game breaks, after shrinking.

    It has a record and, if scenario lines can express it, a scenario.
    """
    wrong = partial(is_broken, invariant=invariant)
    game = next(game for game in made.play(book, whole=True) if wrong(game))
    if game.began is None:
        short, simple = shrunk(game, invariant, made.settings, base)
    else:
        begin = partial(Game.laid_out, book, game.began, chance="given")
        short = shortest(begin, game.events, wrong, Effort(EFFORT))
        simple = made.settings
    item = result(book, INVARIANT, invariant, check_invariant(short, invariant))
    whose = of(made) if simple == made.settings else simpler(made, simple)
    return attrs.evolve(
        item,
        message=f"{item.message}\n  after event {short.steps}{whose}",
        record=short.record,
        scenario=scenario_of(short, invariant),
    )


def failed(book: Rulebook, made: MadeUp, message: str) -> Item:
    """Return the test item for an effect that fails in a game, with its record.

    If no choice fails, starting the game or listing its choices does.
    """
    game, wrong = None, None
    try:
        for last in made.play(book, whole=True):
            game = last.copy()
    except RulesError as error:
        wrong = error
    except Refused:
        assert game is not None
        item = dead_end(game)
        return attrs.evolve(item, message=f"{item.message}{of(made)}")
    if wrong is None:  # only the counting program exceeded a limit
        return unplayed(book, made, message)
    with suppress(RulesError):
        choices = () if game is None else game.legal_actions()
        for number in range(len(choices)):
            if game is not None and fails(game, number):
                item = failure(game, number)
                return attrs.evolve(item, message=f"{item.message}\n {of(made)}")
    span, name = wrong.diagnostics[0].span, f"generated game {made.number}"
    place = (span.file, span.line, VerdictStatus.ERROR)
    record = None if game is None else game.record
    return Item(FAILURE, name, name, *place, f"{wrong}\n {of(made)}", record)


def fails(game: Game, number: int) -> bool:
    """Return whether the effect of a choice fails."""
    try:
        game.copy().apply(game.legal_actions()[number])
    except RulesError:
        return True
    return False


def of(made: MadeUp) -> str:
    """Return a phrase that names a game, for a message."""
    return f" in {named(made)}{doubt(made)}"


def simpler(made: MadeUp, settings: Settings) -> str:
    """Return a phrase that names a game and the simpler settings that fail too."""
    return f"{described(settings)}, as in {named(made)}{doubt(made)}"


def doubt(made: MadeUp) -> str:
    """Return a warning if the position of a game was edited, or an empty text."""
    return "" if made.is_of_play else BY_CHANGE
