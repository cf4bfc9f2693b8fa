"""What games are made up of: settings one after another, and choices at random.

Every chance event is chosen here too, so that whoever watches sees the game after each
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
"""A game in whose turns nothing is ever chosen or drawn stops too."""

ENDS = 0
"""The most values of an option that are all tried, where both ends are enough."""
CHANCE = "chance"


def others(option: Option, value: Any, most: int = ENDS) -> tuple[Any, ...]:
    """The values of an option that are tried beside one, as `values` has them."""
    every = dict.fromkeys(values(option, most))
    return tuple(candidate for candidate in every if candidate != value)


def sizes(book: Rulebook, base: Settings) -> Iterator[Settings]:
    """The settings for each number of players, the most first."""
    fewest, most = book.players
    every = range(most, fewest - 1, -1) if base.players is None else (base.players,)
    for size in every:
        yield attrs.evolve(base, players=size)


def with_options(
    book: Rulebook, base: Settings, most: int = ENDS
) -> Iterator[Settings]:
    """The settings with one option otherwise, for the other values of each option."""
    defaults = options_of(book, players=base.players, options=dict(base.options))
    for name, option in book.options.items():
        if name not in base.options:
            for value in others(option, defaults[name], most):
                yield attrs.evolve(base, options={**base.options, name: value})


def variations(book: Rulebook, base: Settings) -> Iterator[Settings]:
    """The settings for games of all sizes and options, the plain ones first.

    What the base says is kept. After the defaults for every number of players, each
    option takes its other values, one option at a time.
    """
    plain = list(sizes(book, base))
    yield from plain
    for settings in plain:
        yield from with_options(book, settings)


def at_random(game: Game, numbers: Random) -> Any:
    """Any legal action, or an outcome of the chance event that is due, by its odds.

    The game is not over. Raises `Refused` where nothing is legal all the same.
    """
    legal = legal_in(game)
    if isinstance(legal[0], Chance):
        return drawn(legal, numbers.random())
    return legal[int(numbers.random() * len(legal))]


def drawn(outcomes: Sequence[Chance], rest: float) -> Chance:
    """The outcome that a number from 0 to 1 falls upon."""
    for outcome in outcomes:
        rest -= float(outcome.probability)
        if rest < 0:
            return outcome
    return outcomes[-1]


def is_dealing(game: Game) -> bool:
    """Whether set-up still deals: no turn has begun and nobody has had to decide."""
    dealing = game.turn == 0 and game.to_act == CHANCE
    return dealing and not any("seat" in event for event in game.events)


def start_with_given_chance(book: Rulebook, settings: Settings) -> Game:
    """A game in which every chance event is to be given."""
    return settings.start(book, chance="given", turns=TURNS_MAX)
