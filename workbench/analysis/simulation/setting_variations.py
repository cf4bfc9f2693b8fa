"""Building blocks of generated games: variations of settings, and random choices.

Chance outcomes are chosen here too, so that an observer sees the game after each single
event.
"""

from collections.abc import Iterator, Sequence
from random import Random
from typing import Any

import attrs

from interpreter import Chance, Game, options_of
from rulebook import Rulebook
from rulebook.model import Option
from workbench.analysis.simulation.setting_pairs import option_values
from workbench.analysis.simulation.settings import Settings
from workbench.bots import legal_choices

MAX_EVENTS = 3_000
MAX_TURNS = MAX_EVENTS
"""Maximum number of turns; a game in which nothing happens would never end."""

ENDS_ONLY = 0
"""Value of `max_values` with which only the ends of ranges are tried."""
CHANCE = "chance"


def other_values(
    option: Option, value: Any, max_values: int = ENDS_ONLY
) -> tuple[Any, ...]:
    """Return the values of an option other than this one.

    If there are more than *max_values*, only the ends of the range are returned.
    """
    values = dict.fromkeys(option_values(option, max_values))
    return tuple(candidate for candidate in values if candidate != value)


def settings_by_size(book: Rulebook, base: Settings) -> Iterator[Settings]:
    """Yield the settings for each possible number of players, largest first."""
    fewest, most = book.players
    sizes = range(most, fewest - 1, -1) if base.players is None else (base.players,)
    for size in sizes:
        yield attrs.evolve(base, players=size)


def settings_by_option(
    book: Rulebook, base: Settings, max_values: int = ENDS_ONLY
) -> Iterator[Settings]:
    """Yield settings that change one option, for each of its other values."""
    defaults = options_of(book, players=base.players, options=dict(base.options))
    for name, option in book.options.items():
        if name not in base.options:
            for value in other_values(option, defaults[name], max_values):
                yield attrs.evolve(base, options={**base.options, name: value})


def settings_variations(book: Rulebook, base: Settings) -> Iterator[Settings]:
    """Yield settings for all numbers of players and all options.

    Values in *base* are kept. The defaults come first, for each number of players. Then
    each option takes its other values, one option at a time.
    """
    by_size = list(settings_by_size(book, base))
    yield from by_size
    for settings in by_size:
        yield from settings_by_option(book, settings)


def random_choice(game: Game, rng: Random) -> Any:
    """Return a random legal action, or an outcome of the due chance event by its odds.

    Raise `RequestError` if no action is legal. The game must not be over.
    """
    legal = legal_choices(game)
    if isinstance(legal[0], Chance):
        return select_outcome(legal, rng.random())
    return legal[int(rng.random() * len(legal))]


def select_outcome(outcomes: Sequence[Chance], number: float) -> Chance:
    """Return the outcome selected by *number*, a random number from 0 to 1."""
    for outcome in outcomes:
        number -= float(outcome.probability)
        if number < 0:
            return outcome
    return outcomes[-1]


def is_dealing(game: Game) -> bool:
    """Return whether set-up is still dealing and no seat has made a decision."""
    dealing = game.turn == 0 and game.to_act == CHANCE
    return dealing and not any("seat" in event for event in game.events)


def start_with_given_chance(book: Rulebook, settings: Settings) -> Game:
    """Start a game whose chance outcomes must be given."""
    return settings.start(book, chance="given", turns=MAX_TURNS)
