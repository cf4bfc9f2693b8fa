"""Bots: functions that choose an action.

A bot receives a view, the legal actions, a sampler and random numbers; it is not tied
to any particular game. Its random stream is keyed by a hash of the bot seed, the game
number and the seat. The stream reveals nothing about the seed of the game. Bots only
call `random()`, whose sequence is the same in every version of Python.
"""

import warnings
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from random import Random
from typing import TYPE_CHECKING, Any

from interpreter import Action, Budget, Game, evaluate_turn
from rulebook.deprecated_names import deprecated_names
from workbench.bots.bot_failures import choose_action
from workbench.bots.randomness import KeyedRandom
from workbench.bots.search import TreeSearch, search_bot
from workbench.defaults import DEFAULT_PLAYOUTS, GREEDY, MCTS, RANDOM
from workbench.errors import RequestError

View = Mapping[str, Any]
Sample = Callable[[int], Game]
Bot = Callable[[View, Sequence[Action], Sample, Random], Action]

SAMPLES = 3


def bot_random(bot_seed: int, game: int, seat: str) -> KeyedRandom:
    """Return the random number generator for a seat's bot in a game.

    *game* is the number of the game, counted from 0, among those with this bot seed.
    """
    return KeyedRandom(*stream_names(bot_seed, game, seat))


if not TYPE_CHECKING:
    __getattr__ = deprecated_names(__name__, {"own_numbers": "bot_random"})


def stream_names(bot_seed: int, game: int, seat: str) -> tuple[int | str, ...]:
    """Return the names from which `KeyedRandom` derives a bot's random stream."""
    return "bot", bot_seed, game, seat


def generator(seed: int, seat: str) -> Random:
    """Deprecated: use `bot_random`. A bot can infer the seed from this generator."""
    warnings.warn(
        "workbench.bots.generator is deprecated: use bot_random(bot_seed, game, seat)",
        DeprecationWarning,
        stacklevel=2,
    )
    return Random(f"{seed}/{seat}")


def decide(bot: Bot, game: Game, seat: str, numbers: Random) -> Action:
    """Return the action that a bot chooses from the view of its seat.

    A custom bot has no access to the game: its sampler draws from a sample instead,
    with the same results. Shipped bots draw from the game itself. The bot is called
    even if only one action is legal.

    Raises `RequestError` if no action is legal. Raises `BotFailed` if the bot fails or
    returns an action that is not legal.
    """
    legal = legal_choices(game, seat)
    if bot in BOTS.values() or isinstance(bot, TreeSearch):
        return bot({}, legal, partial(game.sample, seat), numbers)
    sampled_game = game.sample(seat, 0)
    return choose_action(
        bot, game, seat, legal, partial(sampled_game.sample, seat), numbers
    )


def legal_choices(game: Game, seat: str | None = None) -> tuple[Any, ...]:
    """Return the legal actions of *seat*, by default the seat that must act.

    They are chance outcomes if a chance event is due. The game must not be over. Raises
    `RequestError` if nothing is legal, because the rules lead to a dead end.
    """
    legal = game.legal_actions(seat)
    if not legal:
        actor = seat or game.to_act
        seed = "" if game.seed is None else f", seed {game.seed}"
        raise RequestError(
            f"{game.book.name}{seed}: {actor} must decide but has no legal action",
            "`rulebook explore` finds the shortest game to such a dead end",
            exit_code=1,
        )
    return legal


def random_below(count: int, rng: Random) -> int:
    """Return a random integer in `range(count)`, each equally likely."""
    return int(rng.random() * count)


def random(
    _view: View, legal: Sequence[Action], _sample: Sample, rng: Random
) -> Action:
    """Return a legal action chosen uniformly at random."""
    return legal[random_below(len(legal), rng)]


def greedy(view: View, legal: Sequence[Action], sample: Sample, rng: Random) -> Action:
    """Return the action with the best mean value for the seat at the end of its turn.

    The value combines points, the value hints of the rule file, and whether the game is
    won. Random numbers break ties. Without points and hints, the action is random.
    """
    by_index = {action.index: action for action in legal}
    planned = getattr(rng, "meant", ())
    if planned:
        set_next_actions(rng, planned[1:] if planned[0] in by_index else ())
        if planned[0] in by_index:
            return by_index[planned[0]]
    if len(legal) == 1:
        return legal[0]
    evaluation = evaluate_turn(
        sample, legal, [random_below(2**32, rng) for _ in range(SAMPLES)]
    )
    if evaluation is None:
        return random(view, legal, sample, rng)
    index = random_below(len(evaluation.best), rng)
    set_next_actions(rng, evaluation.continuations[index])
    return by_index[evaluation.best[index]]


def set_next_actions(rng: Random, action_indices: tuple[int, ...]) -> None:
    """Set the indices of the actions that a bot takes next, as long as they are legal.

    *rng* is the random stream of the bot. Do nothing unless it is a `KeyedRandom`.
    """
    if isinstance(rng, KeyedRandom):
        rng.meant = action_indices


BOTS: Mapping[str, Bot] = {
    RANDOM: random,
    GREEDY: greedy,
    MCTS: TreeSearch(Budget(playouts=DEFAULT_PLAYOUTS)),
}


def shipped_bot(name: str) -> Bot | None:
    """Return the shipped bot with this name, or None if there is none.

    The name may include a budget. Raises `RequestError` if the budget is invalid.
    """
    return BOTS.get(name) or search_bot(name)
