"""Games that are made up: of all numbers of players, all values of options, any board.

A game goes by what it is made up of alone, whoever plays it. What is made up differs by
what it is for: `rounds` for tests, many of the rules as they are; `made_up` for what
compares two rule books, each value of each option in turn; and `guide` seeks what no
game has reached.
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
"""Before so many events a game that is changed is so."""
LIKING = (0.1, 1.0, 1.0, 5.0)
"""How much more or less a game does one action than games do on the whole."""
WAYS = (None, None, 0, -1)
"""Which of the ways to do an action a game takes: any, mostly the first, the last."""
MOSTLY = 0.8
ODD = 3
"""One in so many outcomes of chance comes without regard to its odds."""
ONE_IN = 20
"""For so many games by the rules as they are there is one in each other setting."""
BOARDS = 7
"""One in so many games has a given board: no other turn in which games differ goes by
a multiple of it."""
MADE_UP = "made up"


@attrs.frozen
class Stretch:
    """Where a game begins that goes on from another one: after so many events of it.

    Who has only to play on needs the `position` alone.
    """

    position: Mapping[str, Any]
    steps: int
    of: MadeUp | None = None


@attrs.frozen
class MadeUp:
    """A game that is made up: what it is played with, and its number.

    It begins with set-up, or goes on `after` a part of another one. With `moved` its
    position is `changed` once. `weights` say how much each action is wanted, by name;
    without any, each legal action is as good as another. `stream` tells the numbers of
    its choices from those of other games of its number.
    """

    settings: Settings
    number: int
    after: Stretch | None = None
    moved: bool = False
    weights: Mapping[str, float] | None = None
    stream: str = MADE_UP

    @property
    def is_of_play(self) -> bool:
        """Whether all of it is play from set-up on."""
        before = None if self.after is None else self.after.of
        return not self.moved and (before is None or before.is_of_play)

    def play(self, book: Rulebook, *, whole: bool = False) -> Iterator[Game]:
        """The game after each event; `whole`: with what led to where it begins.

        One whose position is changed goes on as another game, which begins with that.
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
        """The game as it begins."""
        if self.after is None:
            return start_with_given_chance(book, self.settings)
        if whole and self.after.of is not None:
            before = self.after.of.play(book, whole=True)
            return next(islice(before, self.after.steps, None)).copy()
        return Game.laid_out(book, dict(self.after.position), chance="given")


@attrs.frozen
class Liking:
    """How much a game likes an action, and which of its ways it mostly takes."""

    much: float
    way: int | None


@attrs.define
class Taste:
    """How one game chooses: some actions often, some hardly ever, others as all do."""

    weights: Mapping[str, float]
    liked: dict[str, Liking] = attrs.field(factory=dict)

    def choice(self, game: Game, numbers: Random) -> Any:
        """A legal action, or an outcome of the chance event that is due.

        First what is done, then with what: an action of many ways weighs no more.
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
        """An action, drawn by how much each is wanted and liked."""
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
        """How an action is liked, which is drawn when it is new."""
        if name not in self.liked:
            much, way = (int(numbers.random() * len(all_)) for all_ in (LIKING, WAYS))
            self.liked[name] = Liking(LIKING[much], WAYS[way])
        return self.liked[name]


# ---------------------------------------------------------------- which games


def on_board(book: Rulebook, made: MadeUp) -> MadeUp:
    """The game, on a given board if it is its turn to have one.

    What lies on that is in other places than set-up would have it. Where the rules deal
    none, or take no other one, it is the game as it was.
    """
    base = made.settings
    if made.number % BOARDS != BOARDS - 1 or base.board is not None:
        return made
    numbers = Numbers("board", base.seed or 0, made.number, described(base))
    board = rearranged(book, base, numbers)
    return attrs.evolve(made, settings=attrs.evolve(base, board=board))


def rounds(book: Rulebook, base: Settings, games: int) -> Iterator[MadeUp]:
    """`games` for each number of players as the rules are, and in every other setting
    one for each full twenty of them."""
    few = games // ONE_IN
    for settings in variations(book, base):
        plain = settings.options == base.options
        for number in range(games if plain else few):
            yield MadeUp(settings, number, stream=described(settings))


def made_up(book: Rulebook, base: Settings, games: int) -> Iterator[MadeUp]:
    """So many games from set-up, the first of the most players.

    Every other one takes one option otherwise, with each of its values in turn.
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
    """Settings without end: of the rules as they are for each number of players, and
    between them those of options otherwise, if there are any."""
    others = in_pairs(book, base)
    free = any(name not in base.options for name in book.options)
    while True:
        for settings in sizes(book, base):
            yield settings
            if free:
                yield next(others)
