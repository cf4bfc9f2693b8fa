"""Games that are made up, of all numbers of players, the values of options in turn.

Every other game is of the rules as they are; the others take one option otherwise, with
each of its values in turn. The same seed gives the same games.
"""

from collections.abc import Iterator
from typing import Any

import attrs

from interpreter import Game
from rulebook import Rulebook
from rulebook.model import Option, Whole
from workbench.bots import own_numbers
from workbench.bots.randomness import Numbers
from workbench.simulation.generation import begun, others, play
from workbench.simulation.settings import Settings

FEW = 12
"""An option of more values is tried at both ends alone."""


@attrs.frozen
class MadeUp:
    """A game that is made up: what it is played with, and its number."""

    settings: Settings
    number: int

    def play(self, book: Rulebook) -> Iterator[Game]:
        """The game after each event, played at random."""
        base = self.settings
        dice = Numbers("dice", (base.seed or 0) + self.number)
        numbers = own_numbers(base.bot_seed, self.number, "made up")
        return play(book, base, numbers, dice)


def made_up(book: Rulebook, base: Settings, games: int) -> Iterator[MadeUp]:
    """So many games, the first of the most players."""
    fewest, most = book.players
    sizes = range(most, fewest - 1, -1) if base.players is None else (base.players,)
    plain = [attrs.evolve(base, players=size) for size in sizes]
    changed = [list(with_options(book, settings)) for settings in plain]
    for number in range(games):
        turn, odd = divmod(number, 2)
        here = (turn + turn // max(1, len(changed[0]))) % len(plain)
        other = changed[here]
        if odd and other:
            yield MadeUp(other[turn % len(other)], number)
        else:
            yield MadeUp(plain[(turn if other else number) % len(plain)], number)


def with_options(book: Rulebook, base: Settings) -> Iterator[Settings]:
    """The settings with one option otherwise, for each other value of each option."""
    defaults = begun(book, base).options
    for name, option in book.options.items():
        if name not in base.options:
            for value in values(option, defaults[name]):
                yield attrs.evolve(base, options={**base.options, name: value})


def values(option: Option, usual: Any) -> tuple[Any, ...]:
    """The values of an option beside the usual one: all, where they are few."""
    match option.type:
        case Whole(low=low, high=high) if high - low < FEW:
            every = dict.fromkeys((*range(low, high + 1), *others(option, usual)))
            return tuple(value for value in every if value != usual)
        case _:
            return others(option, usual)
