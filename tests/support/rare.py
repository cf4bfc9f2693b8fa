"""Play that prefers the actions taken least, so that rare events occur in few games."""

from collections import Counter
from collections.abc import Iterator, Sequence
from random import Random
from typing import Any

from interpreter import Action, Game
from rulebook import Rulebook

RARE = 3
"""Number of times below which an action is rare; it grows by one every 20 games."""

PATIENCE = 500
"""Number of events after the last rare action at which a game stops."""


def sort_of(action: Action) -> str:
    """Return what counts as the same action: its name with its first argument."""
    return action.text.partition(",")[0].rstrip(")")


def rare_games(
    book: Rulebook, games: int, first: int = 1, **options: Any
) -> Iterator[Game]:
    """Yield games in which rare actions are taken as soon as they are legal.

    If none is rare, half of the choices are random, and half are the most common
    action. This action ends turns and draws cards, and so saves up for expensive
    things.
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
    """Yield what happened in a game: actions with their card, and draws."""
    domains = game.book.model.domains.values()
    cards = {
        name for domain in domains if domain.sort == "cards" for name in domain.members
    }
    for event in game.events:
        if "action" in event:
            name, _, rest = str(event["action"]).partition("(")
            about = rest.rstrip(")").partition(",")[0]
            yield f"{name} {about}" if about in cards else name
        elif str(event.get("outcome")) in cards:
            yield f"{event['chance']}: {event['outcome']}"


def choice(
    legal: Sequence[Action], taken: Counter[str], rare: int, numbers: Random
) -> Action:
    """Return the rarest action if it is rare, else a random or the commonest one."""
    times = [taken[sort_of(action)] for action in legal]
    if min(times) < rare:
        return legal[times.index(min(times))]
    if numbers.random() < 0.5:
        return legal[int(numbers.random() * len(legal))]
    return legal[times.index(max(times))]
