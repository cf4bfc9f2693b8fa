"""Generated games, with any number of players, any option values and any board.

A generated game depends only on its description, not on the process that plays it.
`suite_games` yields games for tests, most of them with default options.
`comparison_games` yields games for comparing two rulebooks, with each option value in
turn. `GameGuide` yields games that aim for unreached parts.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from random import Random
from typing import Any

import attrs

from interpreter import Chance, Game
from rulebook import Rulebook
from workbench.analysis.simulation.boards import rearranged_board
from workbench.analysis.simulation.setting_pairs import (
    MAX_VALUES_ALONE,
    pairwise_settings,
)
from workbench.analysis.simulation.setting_variations import (
    MAX_EVENTS,
    random_choice,
    select_outcome,
    settings_by_option,
    settings_by_size,
    settings_variations,
    start_with_given_chance,
)
from workbench.analysis.simulation.settings import Settings, settings_text
from workbench.bots import bot_random, legal_choices
from workbench.bots.randomness import KeyedRandom
from workbench.testing.rule_tests.start_positions import edited_game, is_between_actions

MAX_EVENTS_BEFORE_EDIT = 600
"""Maximum number of events after which the position of a game is edited."""
PREFERENCE_FACTORS = (0.1, 1.0, 1.0, 5.0)
"""Factors by which a game prefers or avoids an action; each is equally likely."""
ARGUMENT_PREFERENCES = (None, None, 0, -1)
"""Possible indices of the preferred legal arguments; None is no preference."""
PREFERENCE_PROBABILITY = 0.8
UNIFORM_OUTCOME_DIVISOR = 3
"""One in this many chance outcomes is drawn uniformly, regardless of the odds."""
DEFAULTS_PER_OTHER = 20
"""Number of games with default options for each game with other options."""
BOARD_PERIOD = 7
"""One in this many games starts on a rearranged board.

The number has no factor in common with other periods by which games vary.
"""
GAME_STREAM = "made up"


@attrs.frozen
class StartPoint:
    """Position in another game from which a game continues.

    It is the position after `steps` events of the game `game`.
    """

    position: Mapping[str, Any]
    steps: int
    game: GeneratedGame | None = None


@attrs.frozen
class GeneratedGame:
    """Description of a generated game.

    The game starts with set-up, or continues from `start_point`. If `is_edited` is
    true, its position is edited once. `weights` are the weights of actions by name;
    without them, all legal actions are equally likely. `stream` selects the random
    numbers, together with `number`.
    """

    settings: Settings
    number: int
    start_point: StartPoint | None = None
    is_edited: bool = False
    weights: Mapping[str, float] | None = None
    stream: str = GAME_STREAM

    @property
    def is_normal_play(self) -> bool:
        """True if the game is played from set-up on, without an edited position."""
        source = None if self.start_point is None else self.start_point.game
        return not self.is_edited and (source is None or source.is_normal_play)

    def play(self, book: Rulebook, *, with_history: bool = False) -> Iterator[Game]:
        """Play the game and yield it after each event.

        With *with_history*, it includes the events of the game from which it continues.
        After an edit, a new game continues from the edited position.
        """
        base = self.settings
        dice = KeyedRandom("dice", (base.seed or 0) + self.number)
        rng = bot_random(base.bot_seed, self.number, self.stream)
        choose = (
            random_choice
            if self.weights is None
            else GamePreferences(self.weights).choose
        )
        game, edit_after = self.start(book, with_history=with_history), 0
        if self.is_edited and self.start_point is None:
            edit_after = int(rng.random() * MAX_EVENTS_BEFORE_EDIT)
        yield game
        edit_done = not self.is_edited
        for number in range(MAX_EVENTS):
            if not edit_done and number >= edit_after and is_between_actions(game):
                game, edit_done = edited_game(game, rng) or game, True
                yield game
            if game.to_act is None:
                return
            game.apply(choose(game, dice if game.to_act == "chance" else rng))
            yield game

    def start(self, book: Rulebook, *, with_history: bool = False) -> Game:
        """Return the game at its start point.

        With *with_history*, it includes the events of the game from which it continues.
        """
        if self.start_point is None:
            return start_with_given_chance(book, self.settings)
        if with_history and self.start_point.game is not None:
            history = self.start_point.game.play(book, with_history=True)
            return next(islice(history, self.start_point.steps, None)).copy()
        return Game.from_any_position(
            book, dict(self.start_point.position), chance="given"
        )


@attrs.frozen
class ActionPreference:
    """Preference of a generated game for one action.

    `factor` multiplies the probability of the action. `position` is the index of the
    preferred arguments among the legal ones, or None.
    """

    factor: float
    position: int | None


@attrs.define
class GamePreferences:
    """Random preferences of a game for actions and their arguments."""

    weights: Mapping[str, float]
    preferences: dict[str, ActionPreference] = attrs.field(factory=dict)

    def choose(self, game: Game, rng: Random) -> Any:
        """Return a legal action, or an outcome of the pending chance event.

        The name of the action is chosen before its arguments, so that actions with many
        combinations of arguments are not more likely.
        """
        legal = legal_choices(game)
        if isinstance(legal[0], Chance):
            if rng.random() < 1 / UNIFORM_OUTCOME_DIVISOR:
                return legal[int(rng.random() * len(legal))]
            return select_outcome(legal, rng.random())
        by_name: dict[str, list[Any]] = {}
        for action in legal:
            by_name.setdefault(action.name, []).append(action)
        name = next(iter(by_name))
        if len(by_name) > 1:
            name = self.choose_name(list(by_name), rng)
        instances, position = by_name[name], self.preference_for(name, rng).position
        if position is not None and rng.random() < PREFERENCE_PROBABILITY:
            return instances[position]
        return instances[int(rng.random() * len(instances))]

    def choose_name(self, names: Sequence[str], rng: Random) -> str:
        """Return the name of an action, drawn by weight and preference."""
        weights = [
            self.preference_for(name, rng).factor * self.weights.get(name, 1.0)
            for name in names
        ]
        remainder = rng.random() * sum(weights)
        for name, weight in zip(names, weights, strict=True):
            remainder -= weight
            if remainder < 0:
                return name
        return names[-1]

    def preference_for(self, name: str, rng: Random) -> ActionPreference:
        """Return the preference for an action, which is drawn on the first call."""
        if name not in self.preferences:
            factor_index, position_index = (
                int(rng.random() * len(values))
                for values in (PREFERENCE_FACTORS, ARGUMENT_PREFERENCES)
            )
            self.preferences[name] = ActionPreference(
                PREFERENCE_FACTORS[factor_index], ARGUMENT_PREFERENCES[position_index]
            )
        return self.preferences[name]


# ---------------------------------------------------------------- sequences of games


def with_board(book: Rulebook, generated_game: GeneratedGame) -> GeneratedGame:
    """Return a game; one in `BOARD_PERIOD` games gets a rearranged board.

    The game stays unchanged if the rules deal no board or accept no other board.
    """
    base = generated_game.settings
    if (
        generated_game.number % BOARD_PERIOD != BOARD_PERIOD - 1
        or base.board is not None
    ):
        return generated_game
    rng = KeyedRandom(
        "board", base.seed or 0, generated_game.number, settings_text(base)
    )
    board = rearranged_board(book, base, rng)
    return attrs.evolve(generated_game, settings=attrs.evolve(base, board=board))


def suite_games(book: Rulebook, base: Settings, games: int) -> Iterator[GeneratedGame]:
    """Yield *games* games with default options for each number of players.

    For every 20 of these, one game is added for each other value of each option.
    """
    other_games = games // DEFAULTS_PER_OTHER
    for settings in settings_variations(book, base):
        is_default = settings.options == base.options
        for number in range(games if is_default else other_games):
            yield GeneratedGame(settings, number, stream=settings_text(settings))


def comparison_games(
    book: Rulebook, base: Settings, games: int
) -> Iterator[GeneratedGame]:
    """Yield *games* games that start with set-up, the most players first.

    In every second game, one option has another value; each value is used in turn.
    """
    plain = list(settings_by_size(book, base))
    changed = [
        list(settings_by_option(book, settings, MAX_VALUES_ALONE)) for settings in plain
    ]
    for number in range(games):
        cycle, is_odd = divmod(number, 2)
        size = (cycle + cycle // max(1, len(changed[0]))) % len(plain)
        others = changed[size]
        if is_odd and others:
            settings = others[cycle % len(others)]
        else:
            settings = plain[(cycle if others else number) % len(plain)]
        yield with_board(book, GeneratedGame(settings, number))


def rotating_settings(book: Rulebook, base: Settings) -> Iterator[Settings]:
    """Yield settings endlessly: defaults for each number of players in turn.

    Settings with other options are interleaved, if there are any.
    """
    others = pairwise_settings(book, base)
    has_other_options = any(name not in base.options for name in book.options)
    while True:
        for settings in settings_by_size(book, base):
            yield settings
            if has_other_options:
                yield next(others)
