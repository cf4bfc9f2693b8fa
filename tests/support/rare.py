"""Play that seeks what has been done least, so that rare things happen in few games."""

from collections import Counter
from collections.abc import Iterator, Sequence
from random import Random
from typing import Any

from interpreter import Action, Game
from rulebook import Rulebook

RARE = 3
"""What was done less often than this, and once more for each 20 games, is rare."""

PATIENCE = 500
"""A game goes on for so many events after the last rare thing that was done."""


def sort_of(action: Action) -> str:
    """What is counted as the same thing: the action with its first argument."""
    return action.text.partition(",")[0].rstrip(")")


def rare_games(
    book: Rulebook, games: int, first: int = 1, **options: Any
) -> Iterator[Game]:
    """Games in which what was hardly ever done is done as soon as it can be.

    Where nothing is rare, half of the choices are any one, and half the most usual one:
    that ends turns and draws cards, and so saves up for what is dear.
    """
    taken: Counter[str] = Counter()
    for number, seed in enumerate(range(first, first + games), 1):
        numbers, rare = Random(f"rare/{seed}"), RARE + number // 20
        game = Game.start(book, seed=seed, options=options)
        last = 0
        while game.to_act is not None and game.steps < last + PATIENCE:
            legal = game.legal_actions()
            assert legal, f"game {seed}: nothing is legal at step {game.steps}"
            action = choice(legal, taken, rare, numbers)
            sort = sort_of(action)
            if taken[sort] < rare:
                last = game.steps
            taken[sort] += 1
            game.apply(action)
        yield game


def happened(game: Game) -> Iterator[str]:
    """What happened in a game: actions, with the card they are about, and draws."""
    domains = game.book.model.domains.values()
    cards = {
        name for domain in domains if domain.sort == "cards" for name in domain.members
    }
    for event in game.events:
        if "action" in event:
            name, _, rest = str(event["action"]).partition("(")
            about = rest.rstrip(")").partition(",")[0]
            yield f"{name} {about}" if about in cards else name
        elif str(event["outcome"]) in cards:
            yield f"{event['chance']}: {event['outcome']}"


def choice(
    legal: Sequence[Action], taken: Counter[str], rare: int, numbers: Random
) -> Action:
    """The rarest action if it is rare; else any one, or the most usual one."""
    times = [taken[sort_of(action)] for action in legal]
    if min(times) < rare:
        return legal[times.index(min(times))]
    if numbers.random() < 0.5:
        return legal[int(numbers.random() * len(legal))]
    return legal[times.index(max(times))]
