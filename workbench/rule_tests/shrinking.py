"""From a long game in which something is wrong to a short one.

Events are left out, many at a time and then one by one, as long as what is wrong stays
wrong. What is left over is played again from the start, by whoever is to act: a choice
that is not legal any more is left out too, and chance that is not spoken of gives its
first outcome.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from math import inf

import attrs

from interpreter import Game
from rulebook import RulesError
from workbench.scenarios.tales import choices
from workbench.scenarios.words import Event

Test = Callable[[Game], bool]


@attrs.define
class Effort:
    """How many events may still be played in search of a shorter game."""

    left: float = inf


def shortest(
    begin: Callable[[], Game],
    events: Sequence[Event],
    wrong: Test,
    effort: Effort | None = None,
) -> Game:
    """The shortest game found that goes wrong, standing where it does.

    `events` are those of a game that begins so and goes wrong.
    """
    effort = effort or Effort()
    best = replayed(begin(), events, wrong)
    assert best is not None, "the game that went wrong does not do so again"
    size = best.steps
    while size and effort.left > 0:
        shorter = next(tries(begin, best, size, wrong, effort), None)
        best = shorter or best
        size = size // 2 if shorter is None else best.steps // 2
    return best


def tries(
    begin: Callable[[], Game], best: Game, size: int, wrong: Test, effort: Effort
) -> Iterator[Game]:
    """The shorter games that go wrong when so many events in a row are left out."""
    events = best.events
    for end in range(len(events), 0, -max(1, size // 8)):
        if effort.left <= 0:
            return
        rest = (*events[: max(0, end - size)], *events[end:])
        effort.left -= len(rest)
        with suppress(RulesError):  # an effect that fails goes wrong in another way
            game = replayed(begin(), rest, wrong, most=len(events))
            if game is not None:
                yield game


def replayed(
    game: Game, wishes: Sequence[Event], wrong: Test, *, most: int | None = None
) -> Game | None:
    """The game as soon as it goes wrong, None when it does not before `most` events."""
    if wrong(game):
        return game
    for wish in wishes:
        for choice in choices(game, wish):
            if most is not None and game.steps + 1 >= most:
                return None
            game.apply(choice)
            if wrong(game):
                return game
    return None
