"""Games that are made up: settings one after another, and play at random.

Every chance event is chosen here too, so that whoever watches sees the game after each
single event.
"""

from collections.abc import Iterator, Sequence
from random import Random
from typing import Any

import attrs

from interpreter import Chance, Game, options_of
from rulebook import Rulebook
from rulebook.model import Option, Truth, Whole
from workbench.simulation.settings import Settings

EVENTS_MAX = 3_000
TURNS_MAX = EVENTS_MAX
"""A game in whose turns nothing is ever chosen or drawn stops too."""

CHANCE = "chance"
ONE_IN = 20


def others(option: Option, value: Any) -> tuple[Any, ...]:
    """The values of an option that are tried beside one: the other, or both ends."""
    match option.type:
        case Truth():
            return (not value,)
        case Whole(low=low, high=high, optional=optional):
            every = dict.fromkeys((low, high, *(None,) * optional))
            return tuple(candidate for candidate in every if candidate != value)
        case _:
            return ()


def variations(book: Rulebook, base: Settings) -> Iterator[Settings]:
    """The settings for games of all sizes and options, the plain ones first.

    What the base says is kept. After the defaults for every number of players, each
    option takes its other values, one option at a time.
    """
    fewest, most = book.players
    sizes = range(most, fewest - 1, -1) if base.players is None else (base.players,)
    plain = [attrs.evolve(base, players=size) for size in sizes]
    yield from plain
    for settings in plain:
        defaults = options_of(
            book, players=settings.players, options=dict(base.options)
        )
        for name, option in book.options.items():
            if name not in base.options:
                for value in others(option, defaults[name]):
                    yield attrs.evolve(settings, options={**base.options, name: value})


def rounds(
    book: Rulebook, base: Settings, games: int
) -> Iterator[tuple[Settings, int]]:
    """Settings and number of each game: `games` for each number of players as the rules
    are, and in every other setting one for each full twenty of them."""
    few = games // ONE_IN
    for settings in variations(book, base):
        plain = settings.options == base.options
        for number in range(games if plain else few):
            yield settings, number


def at_random(game: Game, numbers: Random) -> Any:
    """Any legal action, or an outcome of the chance event that is due, by its odds.

    The game is not over: there is always something.
    """
    legal = game.legal_actions()
    assert legal, f"{game.to_act} must decide and has nothing to choose"
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


def begun(book: Rulebook, settings: Settings) -> Game:
    """A game in which every chance event is to be given."""
    return settings.start(book, chance="given", turns=TURNS_MAX)


def play(
    book: Rulebook, settings: Settings, numbers: Random, dice: Random | None = None
) -> Iterator[Game]:
    """A game played at random: the same game again after each event.

    `dice` are the numbers of chance, where they are not those of the choices.
    """
    game = begun(book, settings)
    yield game
    for _ in range(EVENTS_MAX):
        if game.to_act is None:
            return
        dealt = dice if game.to_act == CHANCE else None
        game.apply(at_random(game, dealt or numbers))
        yield game
