"""Playouts of generated games: parts reached, actions chosen, and failures."""

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
    counted_copy,
)
from rulebook import Rulebook, RulesError
from rulebook.model import Invariant
from workbench.analysis.simulation.settings import Settings, settings_text
from workbench.bots.randomness import KeyedRandom
from workbench.errors import RequestError
from workbench.testing.rule_tests.failure_items import (
    FAILURE,
    dead_end_item,
    failing_effect_item,
)
from workbench.testing.rule_tests.generated_games import GeneratedGame
from workbench.testing.rule_tests.shrinking import (
    MAX_SHRINKING_EVENTS,
    EventBudget,
    shrink_game,
)
from workbench.testing.rule_tests.start_positions import is_between_actions
from workbench.testing.rule_tests.suite import (
    INVARIANT,
    SuiteItem,
    is_broken,
    result_item,
    shrink_invariant,
)
from workbench.testing.scenarios.from_records import failure_scenario

MAX_EVENTS_BEFORE_CALM = 1_000
"""Maximum number of events before a position between actions is stored for editing."""
EDIT_WARNING = "; the position was edited and may be unreachable in a real game"
Position = Mapping[str, Any]


@attrs.frozen
class PlayoutTask:
    """Generated game to play; positions that reach `missing_goals` are reported.

    The goal of a site is twice its number, plus one for the value false.
    """

    game: GeneratedGame
    missing_goals: tuple[int, ...] = ()


class GameList:
    """Fixed list of games to play, with the interface of `GameGuide`."""

    def __init__(self, games: Sequence[GeneratedGame]) -> None:
        self.tasks = [PlayoutTask(game) for game in games]
        self.left = iter(self.tasks)

    def __len__(self) -> int:
        return len(self.tasks)

    def __iter__(self) -> Iterator[PlayoutTask]:
        return self.left

    def add_result(self, result: GameResult) -> GameResult:
        """Return the result of a game unchanged."""
        return result


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
class GameResult:
    """Result of a generated game.

    `action_counts` is the number of times each action was chosen, and `rare_points` are
    the points in the game at which it reached rare goals. `edit_point` is a position
    between actions, which tests may edit.
    """

    game: GeneratedGame
    tally: Tally
    action_counts: Mapping[str, int] = attrs.field(factory=dict)
    rare_points: tuple[GamePoint, ...] = ()
    edit_point: GamePoint | None = None
    faults: tuple[GameFault, ...] = ()


class GeneratedGamePlayer:
    """Player of generated games, with a book instrumented to count reached parts.

    If `check_invariants` is false, invariants are not checked; the games are the same.
    """

    def __init__(
        self,
        instrumented_book: Rulebook,
        counts: Counts,
        *,
        check_invariants: bool = True,
    ) -> None:
        self.counted_book, self.counts = instrumented_book, counts
        self.invariants = instrumented_book.model.invariants if check_invariants else ()

    def play(self, task: PlayoutTask) -> GameResult:
        """Play a game and check the invariants."""
        watcher = GoalWatcher(self.counts, task.missing_goals)
        invariants = list(self.invariants)
        faults: list[GameFault] = []
        edit_point, game = None, None
        wait = int(
            KeyedRandom("calm", task.game.number).random() * MAX_EVENTS_BEFORE_CALM
        )
        try:
            for steps, game in enumerate(task.game.play(self.counted_book)):
                watcher.observe(game, steps)
                if steps >= wait and edit_point is None and is_between_actions(game):
                    edit_point = GamePoint(game.position, steps)
                for invariant in [i for i in invariants if is_broken(game, i)]:
                    invariants.remove(invariant)
                    faults.append(GameFault(invariant.title, ""))
        except (RulesError, RequestError) as error:
            faults.append(GameFault("", str(error)))
        counts = {} if game is None else action_counts(game)
        tally = self.counts.take()
        return GameResult(
            task.game, tally, counts, tuple(watcher.points), edit_point, tuple(faults)
        )


@attrs.frozen
class PlayoutFactory:
    """Factory for a player of generated games in a worker process."""

    book: Rulebook
    check_invariants: bool = True

    def __call__(self) -> Any:
        """Return a function that plays a generated game."""
        return GeneratedGamePlayer(
            *counted_copy(self.book), check_invariants=self.check_invariants
        ).play


class GoalWatcher:
    """Observer that stores the positions at which a game first reaches rare goals."""

    def __init__(self, counts: Counts, missing_goals: Sequence[int]) -> None:
        self.counters = (counts.true_counts, counts.false_counts)
        self.missing_goals = list(missing_goals)
        self.points: list[GamePoint] = []

    def observe(self, game: Game, steps: int) -> None:
        """Store the position if the last event reached a rare goal."""
        true_counts, false_counts = self.counters
        reached = [
            goal
            for goal in self.missing_goals
            if (false_counts if goal & 1 else true_counts)[goal >> 1]
        ]
        if reached:
            self.missing_goals = [
                goal for goal in self.missing_goals if goal not in reached
            ]
            if game.to_act is not None:
                self.points.append(GamePoint(game.position, steps, tuple(reached)))


def action_counts(game: Game) -> dict[str, int]:
    """Return how often each action was chosen in a game, by name of the action."""
    counts: dict[str, int] = {}
    for event in game.events:
        name = str(event.get("action", "")).partition("(")[0]
        counts[name] = counts.get(name, 0) + 1
    counts.pop("", None)
    return counts


# ---------------------------------------------------------------- failures


def failure_items(
    book: Rulebook, games: Sequence[GameResult], base: Settings | None
) -> tuple[tuple[SuiteItem, ...], tuple[SuiteItem, ...]]:
    """Return the distinct failures of games as test items, each with a record.

    Items in the first tuple occurred in normal play, those in the second only after a
    position was edited. *base* are the settings of all games. If *base* is None, no
    game is replayed, and items have no record.
    """
    first: dict[GameFault, GeneratedGame] = {}
    for result in sorted(games, key=lambda result: not result.game.is_normal_play):
        for fault in result.faults:
            first.setdefault(fault, result.game)
    normal = [fault for fault, game in first.items() if game.is_normal_play]
    return (
        tuple(failure_item(book, first[fault], fault, base) for fault in normal),
        tuple(failure_item(book, first[w], w, base) for w in first if w not in normal),
    )


def failure_item(
    book: Rulebook,
    generated_game: GeneratedGame,
    fault: GameFault,
    base: Settings | None,
) -> SuiteItem:
    """Return the test item for a failure in a game, replayed unless *base* is None."""
    for invariant in book.model.invariants:
        if invariant.title == fault.invariant:
            if base is not None:
                return broken_invariant_item(book, generated_game, invariant, base)
            verdict = Verdict(
                VerdictStatus.FAILED, f"it is violated{game_phrase(generated_game)}"
            )
            return result_item(book, INVARIANT, invariant, verdict)
    if base is not None:
        return failed_playout_item(book, generated_game, fault.message)
    return unreplayed_item(book, generated_game, fault.message)


def unreplayed_item(
    book: Rulebook, generated_game: GeneratedGame, message: str
) -> SuiteItem:
    """Return the test item for a failing effect in a game that is not replayed."""
    span, text = book.merged.header.span, f"{message}\n {game_phrase(generated_game)}"
    name = f"generated game {generated_game.number}"
    location = (span.file, span.line, VerdictStatus.ERROR)
    return SuiteItem(FAILURE, name, name, *location, text)


def game_id(generated_game: GeneratedGame) -> str:
    """Return a text that identifies a game, so that it can be repeated."""
    settings = generated_game.settings
    seeds = f"seed {settings.seed or 0}"
    return f"generated game {generated_game.number}, {seeds}{settings_text(settings)}"


def broken_invariant_item(
    book: Rulebook, generated_game: GeneratedGame, invariant: Invariant, base: Settings
) -> SuiteItem:
    """Return the test item for an invariant that a game breaks, after shrinking.

    It has a record and, if scenario lines can express it, a scenario.
    """
    fails = partial(is_broken, invariant=invariant)
    game = next(
        game for game in generated_game.play(book, with_history=True) if fails(game)
    )
    if game.initial_position is None:
        short, simple = shrink_invariant(game, invariant, generated_game.settings, base)
    else:
        start_game = partial(
            Game.from_any_position, book, game.initial_position, chance="given"
        )
        short = shrink_game(
            start_game, game.events, fails, EventBudget(MAX_SHRINKING_EVENTS)
        )
        simple = generated_game.settings
    item = result_item(book, INVARIANT, invariant, check_invariant(short, invariant))
    phrase = (
        game_phrase(generated_game)
        if simple == generated_game.settings
        else simpler_phrase(generated_game, simple)
    )
    return attrs.evolve(
        item,
        message=f"{item.message}\n  after event {short.steps}{phrase}",
        record=short.record,
        scenario=failure_scenario(short, invariant),
    )


def failed_playout_item(
    book: Rulebook, generated_game: GeneratedGame, message: str
) -> SuiteItem:
    """Return the test item for an effect that fails in a game, with its record.

    If no choice fails, the failure occurs when the game starts or lists its choices.
    """
    game, fault = None, None
    try:
        for state in generated_game.play(book, with_history=True):
            game = state.copy()
    except RulesError as error:
        fault = error
    except RequestError:
        assert game is not None
        item = dead_end_item(game)
        return attrs.evolve(
            item, message=f"{item.message}{game_phrase(generated_game)}"
        )
    if fault is None:  # only the counting program exceeded a limit
        return unreplayed_item(book, generated_game, message)
    with suppress(RulesError):
        choices = () if game is None else game.legal_actions()
        for number in range(len(choices)):
            if game is not None and is_failing_choice(game, number):
                item = failing_effect_item(game, number)
                return attrs.evolve(
                    item, message=f"{item.message}\n {game_phrase(generated_game)}"
                )
    span, name = fault.diagnostics[0].span, f"generated game {generated_game.number}"
    place = (span.file, span.line, VerdictStatus.ERROR)
    record = None if game is None else game.record
    return SuiteItem(
        FAILURE, name, name, *place, f"{fault}\n {game_phrase(generated_game)}", record
    )


def is_failing_choice(game: Game, number: int) -> bool:
    """Return whether the effect of the legal choice at index *number* fails."""
    try:
        game.copy().apply(game.legal_actions()[number])
    except RulesError:
        return True
    return False


def game_phrase(generated_game: GeneratedGame) -> str:
    """Return a phrase that names a game, for a message."""
    return f" in {game_id(generated_game)}{edit_warning(generated_game)}"


def simpler_phrase(generated_game: GeneratedGame, settings: Settings) -> str:
    """Return a phrase that names a game and the simpler settings that fail too."""
    name, warning = game_id(generated_game), edit_warning(generated_game)
    return f"{settings_text(settings)}, as in {name}{warning}"


def edit_warning(generated_game: GeneratedGame) -> str:
    """Return a warning if the position of a game was edited, or an empty text."""
    return "" if generated_game.is_normal_play else EDIT_WARNING
