"""Bots: functions of (view, legal actions, sample, random numbers) to an action.

They know no game. A bot draws from its own generator, keyed by (seed, seat), of which
only `random()` is used: that sequence is the same in every version of Python.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property
from random import Random
from typing import Any

from interpreter import Action, Game

View = Mapping[str, Any]
Sample = Callable[[int], Game]
Bot = Callable[[View, Sequence[Action], Sample, Random], Action]

SAMPLES = 3


class LazyView(Mapping[str, Any]):
    """What a seat may know, worked out when it is first looked at."""

    def __init__(self, game: Game, seat: str) -> None:
        self._game = game
        self._seat = seat

    @cached_property
    def _data(self) -> Mapping[str, Any]:
        view: Mapping[str, Any] = self._game.view(self._seat)
        return view

    def __getitem__(self, key: str) -> Any:
        return self._data[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self._data)

    def __len__(self) -> int:
        return len(self._data)


def generator(seed: int, seat: str) -> Random:
    """The random numbers of the bot in a seat of the game with this seed."""
    return Random(f"{seed}/{seat}")


def decide(bot: Bot, game: Game, seat: str, numbers: Random) -> Action:
    """The action that a bot chooses; it sees what its seat sees, not the game."""
    legal = game.legal_actions(seat)

    def sample(seed: int) -> Game:
        return game.sample(seat, seed)

    return bot(LazyView(game, seat), legal, sample, numbers)


def below(count: int, numbers: Random) -> int:
    """A number from 0 to count - 1, each as likely."""
    return int(numbers.random() * count)


def random(
    _view: View, legal: Sequence[Action], _sample: Sample, numbers: Random
) -> Action:
    """Any legal action, each as likely."""
    return legal[below(len(legal), numbers)]


def greedy(
    _view: View, legal: Sequence[Action], sample: Sample, numbers: Random
) -> Action:
    """The action after which the seat has most, as a mean over a few samples.

    What counts is points and what the rule file's value hints say; ties are broken by
    the bot's own random numbers.
    """
    if len(legal) == 1:
        return legal[0]
    worlds = Worlds(sample, [below(2**32, numbers) for _ in range(SAMPLES)])
    worths = [worlds.worth_after(action) for action in legal]
    best = max(worths)
    among = [
        action for action, worth in zip(legal, worths, strict=True) if worth == best
    ]
    return among[below(len(among), numbers)]


class Worlds:
    """A few samples of one game, made when they are first needed."""

    def __init__(self, sample: Sample, seeds: Sequence[int]) -> None:
        self._sample = sample
        self._seeds = seeds
        self._made: list[Game] = []

    def __iter__(self) -> Iterator[Game]:
        for number, seed in enumerate(self._seeds):
            if number == len(self._made):
                self._made.append(self._sample(seed))
            yield self._made[number]

    def worth_after(self, action: Action) -> int:
        """The sum over all samples of points and hinted value after an action.

        What is the same in every sample is worked out once.
        """
        total = 0
        for world in self:
            after = world.outlook(action)
            if after.certain:
                return (after.points + after.worth) * len(self._seeds)
            total += after.points + after.worth
        return total


BOTS: Mapping[str, Bot] = {"random": random, "greedy": greedy}
