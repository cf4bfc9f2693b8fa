"""Shrinking of a failing game to a short one.

Events are left out, many at a time and then one by one, while the failure remains. The
other events are replayed from the start. Choices that are no longer
legal are left out too. A chance event without a given outcome takes its first outcome.
Simpler settings are tried in the same way.

Last, the positions near the start are visited in breadth, with the simplest settings.
In a small game, this finds the shortest game of all that fails, so the result does not
depend on the game that was found first.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from functools import partial
from math import inf

import attrs

from interpreter import Chance, Game, PositionError
from rulebook import Rulebook, RulesError
from workbench.analysis.simulation.boards import Values
from workbench.analysis.simulation.setting_variations import (
    is_dealing,
    start_with_given_chance,
)
from workbench.analysis.simulation.settings import Settings
from workbench.testing.scenarios.rule_words import Event
from workbench.testing.scenarios.timelines import choices_for, without_announcements

Test = Callable[[Game], bool]
Change = Callable[[Settings], Settings]
MAX_SHRINKING_EVENTS = 100_000
"""Maximum number of events played to leave out events of a failing game."""
MAX_POSITIONS = 3_000
"""Maximum number of positions visited in search of the nearest failure."""


@attrs.define
class EventBudget:
    """Remaining number of events that may be played in search of a shorter game."""

    left: float = inf


def shrink_failure(
    game: Game, settings: Settings, fixed_settings: Settings, is_failing: Test
) -> tuple[Game, Settings]:
    """Return the shortest failing game found with the simplest settings, and these.

    *settings* are the settings of *game*, which fails. Values in *fixed_settings* are
    kept.
    """
    start_game = partial(start_with_given_chance, game.book, settings)
    budget = EventBudget(MAX_SHRINKING_EVENTS)
    short = shrink_game(start_game, game.events, is_failing, budget)
    short, settings = shrink_settings(
        short, settings, fixed_settings, is_failing, budget
    )
    fewest = fixed_settings.players or game.book.players[0]
    simplest = attrs.evolve(fixed_settings, players=fewest)
    for simple in (simplest, settings):
        start = start_with_given_chance(game.book, simple)
        nearest = nearest_failure(start, is_failing, short.steps)
        if nearest is not None:
            return nearest, simple
    return short, settings


def nearest_failure(start: Game, is_failing: Test, most_events: int) -> Game | None:
    """Return the failing game with the fewest events, the first of several.

    Return None if no game of up to *most_events* events fails, or if there are more
    than `MAX_POSITIONS` positions.
    """
    level, known = [start], {start.packed}
    for _ in range(most_events + 1):
        for game in level:
            if is_failing(game):
                return game
        following = []
        for game in level:
            for choice in () if game.over else game.legal_actions():
                if len(known) >= MAX_POSITIONS:
                    return None
                successor = game.copy()
                with suppress(RulesError):  # a failing effect is a different failure
                    successor.apply(choice)
                    if successor.packed not in known:
                        known.add(successor.packed)
                        following.append(successor)
        level = following
    return None


def shrink_game(
    start_game: Callable[[], Game],
    events: Sequence[Event],
    is_failing: Test,
    budget: EventBudget | None = None,
) -> Game:
    """Return the shortest failing game found, at its failure.

    *start_game* returns the game at its start, *events* lead to its failure, and
    *is_failing* returns whether a game fails.
    """
    budget = budget or EventBudget()
    best = replay_until_failure(start_game(), events, is_failing)
    assert best is not None, "the failing game does not fail when it is replayed"
    size = best.steps
    while size and budget.left > 0:
        shorter = next(shorter_games(start_game, best, size, is_failing, budget), None)
        best = shorter or best
        size = size // 2 if shorter is None else best.steps // 2
    return best


def shorter_games(
    start_game: Callable[[], Game],
    best: Game,
    size: int,
    is_failing: Test,
    budget: EventBudget,
) -> Iterator[Game]:
    """Yield shorter failing games, each without up to *size* events in a row."""
    events = best.events
    for end in range(len(events), 0, -max(1, size // 8)):
        if budget.left <= 0:
            return
        remaining = (*events[: max(0, end - size)], *events[end:])
        budget.left -= len(remaining)
        with suppress(RulesError):  # a failing effect is a different failure
            game = replay_until_failure(
                start_game(), remaining, is_failing, max_events=len(events)
            )
            if game is not None:
                yield game


def replay_until_failure(
    game: Game,
    wanted_events: Sequence[Event],
    is_failing: Test,
    *,
    max_events: int | None = None,
) -> Game | None:
    """Return the game once it fails, or None if it does not before *max_events* events.

    *wanted_events* are the events to replay; illegal ones are skipped.
    """
    if is_failing(game):
        return game
    for event in wanted_events:
        for choice in choices_for(game, event):
            if max_events is not None and game.steps + 1 >= max_events:
                return None
            game.apply(choice)
            if is_failing(game):
                return game
    return None


# ---------------------------------------------------------------- settings


def shrink_settings(
    game: Game,
    settings: Settings,
    fixed_settings: Settings,
    is_failing: Test,
    budget: EventBudget | None = None,
) -> tuple[Game, Settings]:
    """Return a short failing game with simple settings, and the settings.

    *settings* are the settings of *game*. Values in *fixed_settings* are kept.
    """
    for change in simplifications(game.book, settings, fixed_settings):
        simpler = change(settings)
        if simpler == settings:
            continue
        start_game = partial(start_with_given_chance, game.book, simpler)
        events: Sequence[Event] = game.events
        with suppress(
            RulesError, PositionError
        ):  # these settings are invalid for the game
            if simpler.board is None and settings.board is not None:
                events = tuple(events_with_deal(start_game(), events, settings.board))
            failing_game = replay_until_failure(start_game(), events, is_failing)
            if failing_game is not None:
                game = shrink_game(start_game, failing_game.events, is_failing, budget)
                settings = simpler
    return game, settings


def events_with_deal(
    game: Game, events: Sequence[Event], board: Values
) -> Iterator[Event]:
    """Yield the events of a game with a given board, adapted to a dealt board.

    Each event of the deal takes the outcome that best agrees with the board. *game*
    starts without the board.
    """
    remaining = list(without_announcements(events))
    while is_dealing(game):
        event = remaining[0] if remaining else {}
        legal = game.legal_actions()
        scores = {outcome: count_agreements(game, board, outcome) for outcome in legal}
        if len(set(scores.values())) > 1 or event.get("chance") != legal[0].name:
            event = max(legal, key=scores.__getitem__).to_json()
        if event in remaining[:1]:
            del remaining[0]
        yield event
        for choice in choices_for(game, event):
            game.apply(choice)
    yield from remaining


def count_agreements(game: Game, board: Values, outcome: Chance) -> int:
    """Return how many values of *board* are in place after a chance outcome."""
    successor = game.copy()
    successor.apply(outcome)
    dealt = successor.position["board"]
    return sum(
        dealt.get(space, {}).get(name) == value
        for space, values in board.items()
        for name, value in values.items()
    )


def simplifications(
    book: Rulebook, settings: Settings, fixed_settings: Settings
) -> Iterator[Change]:
    """Yield functions that simplify settings, most drastic first.

    They reset the board, all options or one option, or reduce the number of players.
    """
    yield partial(attrs.evolve, board=fixed_settings.board)
    yield partial(attrs.evolve, options=fixed_settings.options)
    for name in settings.options:
        if name not in fixed_settings.options:
            yield partial(without_option, name=name)
    if fixed_settings.players is None:
        for players in range(book.players[0], settings.seats(book)):
            yield partial(with_fewer_players, book=book, players=players)


def without_option(settings: Settings, name: str) -> Settings:
    """Return settings without a value for an option."""
    others = {key: value for key, value in settings.options.items() if key != name}
    return attrs.evolve(settings, options=others)


def with_fewer_players(settings: Settings, book: Rulebook, players: int) -> Settings:
    """Return settings for *players* players, unless they have fewer."""
    fewer = players < settings.seats(book)
    return attrs.evolve(settings, players=players) if fewer else settings
