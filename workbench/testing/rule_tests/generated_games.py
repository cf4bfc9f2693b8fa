"""Generated games, with any number of players, any option values and any board.

A generated game depends only on its description, not on the process that plays it.
`rounds` yields games for tests, most of them with default options. `made_up` yields
games for comparing two rulebooks, with each option value in turn. `Guide` yields games
that aim for unreached parts.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from random import Random
from typing import Any

import attrs

from interpreter import Chance, Game
from rulebook import Rulebook
from workbench.analysis.simulation.boards import rearranged
from workbench.analysis.simulation.generation import (
    EVENTS_MAX,
    at_random,
    drawn,
    sizes,
    start_with_given_chance,
    variations,
    with_options,
)
from workbench.analysis.simulation.setting_pairs import FEW, in_pairs
from workbench.analysis.simulation.settings import Settings, described
from workbench.bots import legal_in, own_numbers
from workbench.bots.randomness import Numbers
from workbench.testing.rule_tests.start_positions import changed, is_calm

CHANGE_MAX = 600
"""Maximum number of events after which the position of a game is edited."""
LIKING = (0.1, 1.0, 1.0, 5.0)
"""Factors by which a game prefers or avoids an action; each is equally likely."""
WAYS = (None, None, 0, -1)
"""Preferred position among the legal arguments of an action: any, first or last."""
MOSTLY = 0.8
ODD = 3
"""One in this many chance outcomes is drawn uniformly, regardless of the odds."""
ONE_IN = 20
"""Number of games with default options per game with any other settings."""
BOARDS = 7
"""One in this many games starts on a rearranged board.

The number has no factor in common with other periods by which games vary.
"""
MADE_UP = "made up"


@attrs.frozen
class Stretch:
    """Position in another game from which a game continues.

    It is the position after `steps` events of the game `of`.
    """

    position: Mapping[str, Any]
    steps: int
    of: MadeUp | None = None


@attrs.frozen
class MadeUp:
    """Description of a generated game.

    The game starts with set-up, or continues from `after`. If `moved` is true, its
    position is edited once. `weights` are the weights of actions by name; without them,
    all legal actions are equally likely. `stream` selects the random numbers, together
    with `number`.
    """

    settings: Settings
    number: int
    after: Stretch | None = None
    moved: bool = False
    weights: Mapping[str, float] | None = None
    stream: str = MADE_UP

    @property
    def is_of_play(self) -> bool:
        """Whether the game is played from set-up on, without edits of its position."""
        before = None if self.after is None else self.after.of
        return not self.moved and (before is None or before.is_of_play)

    def play(self, book: Rulebook, *, whole: bool = False) -> Iterator[Game]:
        """Play the game and yield it after each event.

        With *whole*, it includes the events of the game from which it continues. After
        an edit, a new game continues from the edited position.
        """
        base = self.settings
        dice = Numbers("dice", (base.seed or 0) + self.number)
        numbers = own_numbers(base.bot_seed, self.number, self.stream)
        choose = at_random if self.weights is None else Taste(self.weights).choice
        game, wait = self.start(book, whole=whole), 0
        if self.moved and self.after is None:
            wait = int(numbers.random() * CHANGE_MAX)
        yield game
        moved = not self.moved
        for number in range(EVENTS_MAX):
            if not moved and number >= wait and is_calm(game):
                game, moved = changed(game, numbers) or game, True
                yield game
            if game.to_act is None:
                return
            game.apply(choose(game, dice if game.to_act == "chance" else numbers))
            yield game

    def start(self, book: Rulebook, *, whole: bool = False) -> Game:
        """Return the game at its start.

        With *whole*, it includes the events of the game from which it continues.
        """
        if self.after is None:
            return start_with_given_chance(book, self.settings)
        if whole and self.after.of is not None:
            before = self.after.of.play(book, whole=True)
            return next(islice(before, self.after.steps, None)).copy()
        return Game.laid_out(book, dict(self.after.position), chance="given")


@attrs.frozen
class Liking:
    """Preference of a game for an action: a factor, and a position in its arguments."""

    much: float
    way: int | None


@attrs.define
class Taste:
    """Random preferences of a game for actions and their arguments."""

    weights: Mapping[str, float]
    liked: dict[str, Liking] = attrs.field(factory=dict)

    def choice(self, game: Game, numbers: Random) -> Any:
        """Return a legal action, or an outcome of the due chance event.

        The name of the action is chosen before its arguments, so that actions with many
        combinations of arguments are not more likely.
        """
        legal = legal_in(game)
        if isinstance(legal[0], Chance):
            if numbers.random() < 1 / ODD:
                return legal[int(numbers.random() * len(legal))]
            return drawn(legal, numbers.random())
        ways: dict[str, list[Any]] = {}
        for action in legal:
            ways.setdefault(action.name, []).append(action)
        name = next(iter(ways))
        if len(ways) > 1:
            name = self.weighed(list(ways), numbers)
        alike, way = ways[name], self.of(name, numbers).way
        if way is not None and numbers.random() < MOSTLY:
            return alike[way]
        return alike[int(numbers.random() * len(alike))]

    def weighed(self, names: Sequence[str], numbers: Random) -> str:
        """Return the name of an action, drawn by weight and preference."""
        sizes = [
            self.of(name, numbers).much * self.weights.get(name, 1.0) for name in names
        ]
        rest = numbers.random() * sum(sizes)
        for name, size in zip(names, sizes, strict=True):
            rest -= size
            if rest < 0:
                return name
        return names[-1]

    def of(self, name: str, numbers: Random) -> Liking:
        """Return the preference for an action, which is drawn on the first call."""
        if name not in self.liked:
            much, way = (int(numbers.random() * len(all_)) for all_ in (LIKING, WAYS))
            self.liked[name] = Liking(LIKING[much], WAYS[way])
        return self.liked[name]


# ---------------------------------------------------------------- sequences of games


def on_board(book: Rulebook, made: MadeUp) -> MadeUp:
    """Return one in every `BOARDS` games with a rearranged board, the others unchanged.

    A game stays unchanged if the rules deal no board or accept no other.
    """
    base = made.settings
    if made.number % BOARDS != BOARDS - 1 or base.board is not None:
        return made
    numbers = Numbers("board", base.seed or 0, made.number, described(base))
    board = rearranged(book, base, numbers)
    return attrs.evolve(made, settings=attrs.evolve(base, board=board))


def rounds(book: Rulebook, base: Settings, games: int) -> Iterator[MadeUp]:
    """Yield *games* games with default options for each number of players.

    Any other settings get one game for every twenty of them.
    """
    few = games // ONE_IN
    for settings in variations(book, base):
        plain = settings.options == base.options
        for number in range(games if plain else few):
            yield MadeUp(settings, number, stream=described(settings))


def made_up(book: Rulebook, base: Settings, games: int) -> Iterator[MadeUp]:
    """Yield *games* games that start with set-up, the most players first.

    In every second game, one option has another value; each value is used in turn.
    """
    plain = list(sizes(book, base))
    changed = [list(with_options(book, settings, FEW)) for settings in plain]
    for number in range(games):
        turn, odd = divmod(number, 2)
        here = (turn + turn // max(1, len(changed[0]))) % len(plain)
        other = changed[here]
        if odd and other:
            settings = other[turn % len(other)]
        else:
            settings = plain[(turn if other else number) % len(plain)]
        yield on_board(book, MadeUp(settings, number))


def in_turn(book: Rulebook, base: Settings) -> Iterator[Settings]:
    """Yield settings endlessly: defaults for each number of players in turn.

    Settings with other options are interleaved, if there are any.
    """
    others = in_pairs(book, base)
    free = any(name not in base.options for name in book.options)
    while True:
        for settings in sizes(book, base):
            yield settings
            if free:
                yield next(others)
