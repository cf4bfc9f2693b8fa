"""Building blocks of generated games: variations of settings, and random choices.

Every chance event is chosen here too, so that an observer sees the game after each
single event.
"""

from collections.abc import Iterator, Sequence
from random import Random
from typing import Any

import attrs

from interpreter import Chance, Game, options_of
from rulebook import Rulebook
from rulebook.model import Option
from workbench.analysis.simulation.setting_pairs import values
from workbench.analysis.simulation.settings import Settings
from workbench.bots import legal_in

EVENTS_MAX = 3_000
TURNS_MAX = EVENTS_MAX
"""Maximum number of turns, for games in which nothing is ever chosen or drawn."""

ENDS = 0
"""Limit for `others` that tries only both ends of an option's range."""
CHANCE = "chance"


def others(option: Option, value: Any, most: int = ENDS) -> tuple[Any, ...]:
    """Return the values of an option to try besides one, as `values` lists them."""
    every = dict.fromkeys(values(option, most))
    return tuple(candidate for candidate in every if candidate != value)


def sizes(book: Rulebook, base: Settings) -> Iterator[Settings]:
    """Yield the settings for each number of players, largest first."""
    fewest, most = book.players
    every = range(most, fewest - 1, -1) if base.players is None else (base.players,)
    for size in every:
        yield attrs.evolve(base, players=size)


def with_options(
    book: Rulebook, base: Settings, most: int = ENDS
) -> Iterator[Settings]:
    """Yield the settings with one option changed, for each value of each option."""
    defaults = options_of(book, players=base.players, options=dict(base.options))
    for name, option in book.options.items():
        if name not in base.options:
            for value in others(option, defaults[name], most):
                yield attrs.evolve(base, options={**base.options, name: value})


def variations(book: Rulebook, base: Settings) -> Iterator[Settings]:
    """Yield settings for all numbers of players and options, defaults first.

    Values in the base are kept. After the defaults for every number of players, each
    option takes its other values, one option at a time.
    """
    plain = list(sizes(book, base))
    yield from plain
    for settings in plain:
        yield from with_options(book, settings)


def at_random(game: Game, numbers: Random) -> Any:
    """Return a random legal action, or an outcome of the due chance event by its odds.

    The game must not be over. Raise `Refused` if nothing is legal.
    """
    legal = legal_in(game)
    if isinstance(legal[0], Chance):
        return drawn(legal, numbers.random())
    return legal[int(numbers.random() * len(legal))]


def drawn(outcomes: Sequence[Chance], rest: float) -> Chance:
    """Return the outcome selected by a number from 0 to 1."""
    for outcome in outcomes:
        rest -= float(outcome.probability)
        if rest < 0:
            return outcome
    return outcomes[-1]


def is_dealing(game: Game) -> bool:
    """Return whether set-up is still dealing, and no seat has decided anything."""
    dealing = game.turn == 0 and game.to_act == CHANCE
    return dealing and not any("seat" in event for event in game.events)


def start_with_given_chance(book: Rulebook, settings: Settings) -> Game:
    """Start a game in which every chance event must be given."""
    return settings.start(book, chance="given", turns=TURNS_MAX)
