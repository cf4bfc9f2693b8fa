"""Bots: functions of (view, legal actions, sample, random numbers) to an action.

They know no game. A bot draws from a stream of its own, keyed by a hash of the bots'
seed, the number of the game and the seat: it tells nothing of the game's own seed. Only
`random()` of it is used: that sequence is the same in every version of Python.
"""

import warnings
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from random import Random
from typing import Any

from interpreter import Action, Budget, Game, foreseen
from workbench.bots.errors import choose_action
from workbench.bots.randomness import Numbers
from workbench.bots.search import TreeSearch, searching
from workbench.defaults import GREEDY, MCTS, PLAYOUTS, RANDOM
from workbench.errors import Refused

View = Mapping[str, Any]
Sample = Callable[[int], Game]
Bot = Callable[[View, Sequence[Action], Sample, Random], Action]

SAMPLES = 3


def own_numbers(bot_seed: int, game: int, seat: str) -> Numbers:
    """The random numbers of the bot in a seat of a game, by the seed of the bots.

    `game` is the number of the game among those with this seed of bots, from 0 on.
    """
    return Numbers(*own_names(bot_seed, game, seat))


def own_names(bot_seed: int, game: int, seat: str) -> tuple[int | str, ...]:
    """What the numbers of a bot are called after: their stream has no other key."""
    return "bot", bot_seed, game, seat


def generator(seed: int, seat: str) -> Random:
    """Deprecated, use `own_numbers`: from these numbers a bot can work out the seed."""
    warnings.warn(
        "workbench.bots.generator is deprecated: use own_numbers(bot_seed, game, seat)",
        DeprecationWarning,
        stacklevel=2,
    )
    return Random(f"{seed}/{seat}")


def decide(bot: Bot, game: Game, seat: str, numbers: Random) -> Action:
    """The action that a bot chooses; it sees what its seat sees, not the game.

    What it gets leads nowhere to the game: samples are drawn from a sample, which
    gives the same ones. The shipped bots look at nothing else, and are spared that.
    Raises `Refused` where nothing is legal, and `BotFailed` where the bot fails or
    chooses nothing of that; it is asked too where only one action is legal.
    """
    legal = legal_in(game, seat)
    if bot in BOTS.values() or isinstance(bot, TreeSearch):
        return bot({}, legal, partial(game.sample, seat), numbers)
    world = game.sample(seat, 0)
    return choose_action(bot, game, seat, legal, partial(world.sample, seat), numbers)


def legal_in(game: Game, seat: str | None = None) -> tuple[Any, ...]:
    """What may be done, by whoever must act or by a seat: actions, or outcomes of
    chance. The game is not over.

    Raises `Refused` where nothing is legal: the rules lead to a dead end.
    """
    legal = game.legal_actions(seat)
    if not legal:
        who = seat or game.to_act
        seed = "" if game.seed is None else f", seed {game.seed}"
        raise Refused(
            f"{game.book.name}{seed}: {who} must decide but has no legal action",
            "`rulebook explore` finds the shortest game to such a dead end",
            status=1,
        )
    return legal


def below(count: int, numbers: Random) -> int:
    """A number from 0 to count - 1, each as likely."""
    return int(numbers.random() * count)


def random(
    _view: View, legal: Sequence[Action], _sample: Sample, numbers: Random
) -> Action:
    """Any legal action, each as likely."""
    return legal[below(len(legal), numbers)]


def greedy(
    view: View, legal: Sequence[Action], sample: Sample, numbers: Random
) -> Action:
    """The action by which the seat has most at the end of its turn, as a mean.

    What counts is points, what the rule file's value hints say, and whether the game is
    won; ties are broken by the bot's own random numbers. Where a file has neither
    points nor hints it is any action.
    """
    by_index = {action.index: action for action in legal}
    meant = getattr(numbers, "meant", ())
    if meant:
        set_mind(numbers, meant[1:] if meant[0] in by_index else ())
        if meant[0] in by_index:
            return by_index[meant[0]]
    if len(legal) == 1:
        return legal[0]
    thought = foreseen(sample, legal, [below(2**32, numbers) for _ in range(SAMPLES)])
    if thought is None:
        return random(view, legal, sample, numbers)
    place = below(len(thought.best), numbers)
    set_mind(numbers, thought.then[place])
    return by_index[thought.best[place]]


def set_mind(numbers: Random, meant: tuple[int, ...]) -> None:
    """Let a bot do these actions next, as long as they are legal.

    It forgets them where its numbers are none of ours.
    """
    if isinstance(numbers, Numbers):
        numbers.meant = meant


BOTS: Mapping[str, Bot] = {
    RANDOM: random,
    GREEDY: greedy,
    MCTS: TreeSearch(Budget(playouts=PLAYOUTS)),
}


def shipped(name: str) -> Bot | None:
    """The shipped bot of a name, with the budget in it; None: there is none.

    Raises `Refused` for a budget that is none.
    """
    return BOTS.get(name) or searching(name)
