"""Play that seeks what has been done least, so that rare things happen in few games."""

from collections import Counter
from collections.abc import Iterator, Sequence
from random import Random

from interpreter import Action, Game
from rulebook import Rulebook

EVENTS = 6_000
RARE = 3


def sort_of(action: Action) -> str:
    """What is counted as the same thing: the action with its first argument."""
    return action.text.partition(",")[0].rstrip(")")


def rare_games(book: Rulebook, games: int) -> Iterator[Game]:
    """Games in which what was hardly ever done is done as soon as it can be.

    Where nothing is rare, half of the choices are any one, and half the most usual one:
    that ends turns and draws cards, and so saves up for what is dear.
    """
    taken: Counter[str] = Counter()
    for seed in range(1, games + 1):
        numbers = Random(f"rare/{seed}")
        game = Game.start(book, seed=seed)
        while game.to_act is not None and game.steps < EVENTS:
            legal = game.legal_actions()
            assert legal, f"game {seed}: nothing is legal at step {game.steps}"
            action = choice(legal, taken, numbers)
            taken[sort_of(action)] += 1
            game.apply(action)
        yield game


def happened(game: Game) -> Iterator[str]:
    """What happened in a game: actions, with the card they are about, and draws."""
    domains = game.book.model.domains.values()
    cards = {name for one in domains if one.sort == "cards" for name in one.members}
    for event in game.events:
        if "action" in event:
            name, _, rest = str(event["action"]).partition("(")
            about = rest.rstrip(")").partition(",")[0]
            yield f"{name} {about}" if about in cards else name
        elif str(event["outcome"]) in cards:
            yield f"{event['chance']}: {event['outcome']}"


def choice(legal: Sequence[Action], taken: Counter[str], numbers: Random) -> Action:
    """The rarest action if it is rare; else any one, or the most usual one."""
    times = [taken[sort_of(one)] for one in legal]
    if min(times) < RARE:
        return legal[times.index(min(times))]
    if numbers.random() < 0.5:
        return legal[int(numbers.random() * len(legal))]
    return legal[times.index(max(times))]
